"""Frequent words that tell little of a topic: short lists of our own, by language."""

from __future__ import annotations

from typing import Final

__all__ = ["STOP_WORDS"]

_LISTS = {
    "en": """
        a about above after again all also am an and any are aren as at be because been before being below
        between both but by can could did didn do does doesn doing don down during each either else ever
        every few for from further get had has hasn have haven having he her here hers herself him himself
        his how i if in into is isn it its itself just ll may me might mine more most must my myself
        neither no nor not now of off on once only or other our ours ourselves out over own re s same
        shall she should so some such t than that the their theirs them themselves then there these they
        this those though through to too under until up upon us ve very was wasn we were weren what when
        where whether which while who whom whose why will with within without would you your yours
        yourself yourselves
        """,
    "de": """
        aber alle allem allen aller alles als also am an ander andere anderen anderer auch auf aus bei
        beim bin bis bist da damit dann das dass dein deine dem den denn der des dessen die dies diese
        diesem diesen dieser dieses doch dort du durch ein eine einem einen einer eines er es etwas euch
        euer für gegen gewesen hab habe haben hat hatte hatten hier hin hinter ich ihm ihn ihnen ihr ihre
        ihrem ihren ihrer im in ins ist ja jede jedem jeden jeder jedes jetzt kann kein keine keinem
        keinen keiner können könnte machen man mehr mein meine mich mir mit muss nach nicht nichts noch
        nun nur ob oder ohne sehr sein seine seinem seinen seiner seit selbst sich sie sind so solche
        sondern sonst soll sollte über um und uns unser unter viel vom von vor war waren warum was weil
        welche welcher wenn wer werde werden wie wieder will wir wird wirst wo wurde wurden zu zum zur
        zwar zwischen
        """,
    "fr": """
        à afin ai ainsi après as au aucun aussi autre autres aux avait avant avec avoir c car ce cela
        celle celui ces cet cette ceux chaque chez ci comme comment d dans de des deux donc dont du elle
        elles en encore entre es est et été étaient était être eu eux fait faire fut hors ici il ils j je
        jusqu l la là le les leur leurs lors lui m ma mais me même mes moi moins mon n ne ni nos notre
        nous on ont ou où par parce pas pendant peu peut plus pour pourquoi qu quand que quel quelle
        quelles quels qui quoi s sa sans se sera ses si sinon son sont sous sur t ta te tes toi ton tous
        tout toute toutes très tu un une vers vos votre vous y
        """,
    "es": """
        a al algo alguna algunas alguno algunos ante antes aquel aquella aquí así aun aunque bajo bien
        cada casi como cómo con contra cual cuál cuando cuándo de del desde donde dónde dos durante e el
        él ella ellas ellos en entre era eran eres es esa esas ese eso esos esta está están estar estas
        este esto estos fue fueron ha había han has hasta hay he la las le les lo los más me mi mientras
        mis mucho muchos muy nada ni no nos nosotros nuestra nuestro o os otra otras otro otros para pero
        poco por porque pues que qué quien quién se sea según ser si sí sido sin sobre son su sus también
        tan tanto te tener ti tiene tienen todo todos tu tú tus un una unas uno unos usted ustedes y ya yo
        """,
    "pt": """
        a à ao aos aquela aquele aquilo as às assim até cada com como contra da das de dela dele deles
        depois desde dessa desse desta deste do dos e é ela elas ele eles em entre era eram essa essas
        esse esses esta está estão estas estava este estes eu foi foram fosse há isso isto já la lhe lhes
        lo mais mas me mesmo meu minha muito muitos na nada não nas nem no nos nós nossa nosso num numa o
        onde os ou outra outras outro outros para pela pelas pelo pelos por porque pouco quais qual quando
        que quem se seja sem sempre ser será seu seus só sob sobre sua suas também tão te tem têm teu toda
        todas todo todos tua tudo um uma umas uns você vocês vos
        """,
    "it": """
        a abbiamo ad agli ai al alcuni all alla alle allo altra altre altri altro anche ancora avere c che
        chi ci cioè come con contro cosa così cui d da dagli dai dal dall dalla dalle degli dei del dell
        della delle dello dentro di dopo dove due e è ed era erano essere fa fino fra gli ha hai hanno ho
        i il in io l la le lei li lo loro lui ma me mentre mi mia mie miei mio molti molto ne negli nei
        nel nell nella nelle nello noi non nostra nostro o ogni oppure per perché però più poco poi prima
        può qual quale quali quando quanto quella quelle quelli quello questa queste questi questo qui
        quindi se sei sempre senza si sia siamo sono sopra sotto sta stata stati stato su sua sue sugli
        sui sul sulla sulle suo suoi te ti tra tu tua tue tuo tutta tutte tutti tutto un una uno v vi voi
        """,
    # Words as a dictionary cuts them, and the pairs of kana that verb endings and particles give.
    "ja": """
        の に は を た が で て と し れ さ ある いる も する から な こと として い や など なっ ない
        この ため その あっ よう また もの あり まで なり か だ これ よっ により おり より による ず なる
        られ において なかっ しかし せ だっ それ できる それぞれ へ ね よ う え お ます まし です でし
        ません ここ そこ あそこ どこ だれ なに なん さん わたし あなた くる くれ いう いっ 的 年 月 日 人
        時 中 等 者 り った して した てい いま ました しま ので のは には では とは ては るこ とが れて
        れた いた って うに され れま せん でき きる てく くだ ださ さい あの どの
        """,
    # Words as a dictionary cuts them; those of two characters are also pairs.
    "zh": """
        的 了 着 过 地 得 和 与 及 或 而 但 且 是 在 有 没 不 也 都 就 还 又 才 只 很 更 最 太 被 把 让 使
        给 对 对于 关于 从 向 往 到 由 于 以 以及 为 为了 因 因为 所以 因此 如果 虽然 但是 然而 而且 并
        并且 或者 还是 不过 只是 只有 只要 就是 可以 可能 应该 能 能够 会 要 想 我 你 您 他 她 它 我们 你们
        他们 她们 它们 咱们 自己 大家 这 那 哪 这个 那个 这些 那些 这样 那样 这里 那里 哪里 什么 怎么 怎样
        多少 谁 一个 一些 一种 一样 没有 不是 已经 正在 曾经 将 将要 之 之后 之前 以后 以前 其 其他 其中 等
        等等 们 个 吗 呢 吧 啊 么 说 来 去 上 下 中 里 年 月 日 时
        """,
}
STOP_WORDS: Final = {language: frozenset(text.split()) for language, text in _LISTS.items()}
