"""Pages in Japanese, made up here: on the sky, on cooking and on railways, whose words overlap a little."""

from __future__ import annotations

from focuslab.types import Page

KEYWORDS = ("惑星", "恒星", "銀河", "望遠鏡", "軌道", "衛星", "太陽系", "彗星", "小惑星", "天文学")
SKY = """
木星は太陽系で最も大きい惑星で、多くの衛星を持っている。
この彗星は細長い軌道を描き、七十六年ごとに太陽に近づく。
銀河の中心には重いブラックホールがあると考えられている。
新しい望遠鏡は遠い恒星のまわりを回る惑星を見つけた。
土星の環は氷と岩の粒からできていて、小さな望遠鏡でも見える。
天文学では星までの距離を視差や明るさから求める。
小惑星の多くは火星と木星の軌道の間にある。
超新星は重い恒星が一生の終わりに起こす爆発である。
月は地球の衛星で、満ち欠けは太陽との位置で決まる。
星雲の中では、ガスが集まって新しい星が生まれる。
日食のときには、太陽のコロナを肉眼で見ることができる。
流星群は彗星が残した塵の中を地球が通るときに現れる。
""".strip().splitlines()
FOOD = """
玉ねぎを薄く切り、弱火であめ色になるまで炒める。
月見そばは、温かいつゆに生卵を落として食べる。
太陽の下で干した大根は、甘みが増しておいしくなる。
鍋に水と昆布を入れ、沸騰する前に取り出す。
小麦粉と牛乳を混ぜ、一晩寝かせてから焼く。
味噌汁に豆腐とわかめを入れ、葱を散らす。
鶏肉は塩と胡椒をふり、皮から先に焼くとよい。
星形に抜いた人参を煮物の上に飾る。
砂糖と醤油で甘辛く煮た魚は、ご飯によく合う。
衛星放送の料理番組で紹介された献立である。
""".strip().splitlines()
RAIL = """
この路線は一九二三年に開業し、昭和の初めに電化された。
軌道の幅を広げる工事のため、夜間の列車は運休する。
駅前には商店街があり、朝夕は通勤客で混雑する。
蒸気機関車は石炭を燃やし、その蒸気で車輪を回す。
急行列車は主な駅だけに停まり、終点まで二時間で走る。
車庫では毎晩、車両の点検と清掃が行われる。
トンネルの掘削は難しく、完成まで十年かかった。
新しい車両は銀河という愛称で親しまれている。
貨物列車は港と工場の間を一日に六往復する。
踏切の事故を減らすため、線路を高架にする計画がある。
""".strip().splitlines()


def pages() -> list[tuple[Page, bool]]:
    """Sixty pages of three sentences, and whether each is on the sky."""
    found = []
    for subject, sentences in enumerate((SKY, FOOD, RAIL)):
        for number in range(20):
            chosen = [sentences[(number * step + step) % len(sentences)] for step in (1, 3, 7)]
            found.append(
                (
                    Page(f"http://h{number}-{subject}.example/", text="".join(chosen), language="ja"),
                    not subject,
                )
            )
    return found
