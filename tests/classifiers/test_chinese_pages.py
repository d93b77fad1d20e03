"""The naive Bayes crawler's guide on pages in Chinese, the language of its paper; the corpus is ours."""

from __future__ import annotations

import pytest

from focuslab.classifiers.page_bayes import PageBayes
from focuslab.features.vectors import page_terms
from focuslab.pages.parse import parse
from focuslab.types import Page, Response

FOOTBALL = (
    "昨晚的足球比赛非常精彩，主队在下半场连进两球，球迷们一直唱到深夜。",
    "这位年轻的前锋上个赛季为球队打进了二十个球，是联赛最好的射手。",
    "守门员扑出了点球，球队因此保住了胜利，教练在赛后表扬了全体球员。",
    "我们学校的足球队每个星期三下午在操场上训练，欢迎新球员参加。",
    "裁判吹响了终场哨，两支球队以一比一战平，下一场比赛在周末举行。",
    "俱乐部宣布从国外买进一名后卫，这名球员将在新赛季穿上五号球衣。",
)
OTHER = (
    "今天上午股票市场继续下跌，银行的股价跌得最多，投资者都很担心。",
    "中央银行决定提高利率，专家认为这会影响房价和企业的贷款。",
    "这道菜先把土豆切成丝，用水泡十分钟，再放进锅里炒，最后加一点盐。",
    "妈妈教我做红烧肉，要用小火慢慢煮，放糖和酱油，味道才会好。",
    "医生建议老人每天散步半个小时，少吃油和盐，晚上早一点睡觉。",
    "新的地铁线下个月开通，从火车站到机场只要三十分钟，票价是五元。",
)
UNSEEN = {
    "这场足球比赛的球票早就卖完了，球迷只能在家里看球队比赛。": True,
    "专家说银行的利率明年还会提高，投资者要小心。": False,
}


def page(text: str, charset: str) -> Page:
    """As a server sends it, the charset named in the page."""
    html = f'<html lang="zh"><meta charset="{charset}"><title>网页</title><p>{text}</p></html>'
    return parse(Response("http://a.example/", 200, html.encode(charset), "text/html"))


@pytest.mark.parametrize("charset", ["utf-8", "gb2312"])
@pytest.mark.parametrize("density", ["kernel", "normal"])
def test_pages_of_either_kind_are_told_apart(density: str, charset: str) -> None:
    pages = [page(text, "utf-8") for text in (*FOOTBALL, *OTHER)]
    guide = PageBayes(density).fit(pages, [True] * len(FOOTBALL) + [False] * len(OTHER))
    for text, relevant in UNSEEN.items():
        read = page(text, charset)
        assert read.language == "zh"
        assert (guide.score(read) > 0.5) == relevant


def test_words_are_found_without_spaces_and_stop_words_are_not_among_them() -> None:
    found = page_terms(page("我们的足球比赛", "utf-8"))
    assert "足球" in found
    assert "比赛" in found
    assert "我们" not in found
