"""The nine features are counted by rule, so every number here can be counted by hand."""

from __future__ import annotations

import pickle

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from focuslab.features.genre import FEATURES, GenreFeatures, genre_features
from focuslab.pages.parse import parse
from focuslab.types import Link, Page, Response

PUBLISHED = """<html><head><title>My Video Blog</title><style>.video { color: red }</style>
<script>var video = "news blog image";</script></head><body><h1>VIDEO videos and 動画</h1><p>News: ニュース 新聞 newspaper</p><!-- blog --><a href="/x">blog</a> <a href="http://sub.example.co.jp/y">日記</a> <a href="http://other.com/">ブログ weblog</a> <a href="mailto:a@b.c">mail</a> <a href="#top">top</a><img src="1.png" alt="image"><img src="2.png"> 写真 image images 画像<video src="v"></video><object data="f.swf"><embed src="f.swf"></object><embed src="g.swf"><iframe src="https://www.youtube.com/embed/1"></iframe><iframe src="http://ads.com/"></iframe><audio src="s.mp3"></audio></body></html>"""  # noqa: E501


def features_of(html: str, url: str = "http://www.example.co.jp/index.html") -> list[int]:
    response = Response(url, 200, html.encode(), "text/html; charset=utf-8")
    return genre_features(parse(response)).astype(int).tolist()


def feature(html: str, name: str) -> int:
    return features_of(f"<html><body>{html}</body></html>")[FEATURES.index(name)]


def page_with(*urls: str, home: str = "http://www.a.co.jp/") -> Page:
    return Page(home, links=tuple(map(Link, urls)))


def links_of(page: Page, mode: str = "registered") -> list[int]:
    return GenreFeatures(mode)(page)[1:3].astype(int).tolist()


def test_the_worked_example() -> None:
    assert features_of(PUBLISHED) == [90, 2, 1, 3, 4, 4, 2, 4, 4]


def test_an_empty_page_is_all_zeros() -> None:
    assert features_of("") == [0] * 9
    assert genre_features(Page("http://a.example/")).tolist() == [0.0] * 9


@pytest.mark.parametrize(
    ("html", "name", "count"),
    [
        ("<p>a  b\n\tc</p>", "text_length", 5),
        ("<p>写真</p>", "text_length", 2),
        ("vIdEo VIDEOS 動画動画", "video_words", 4),
        ("imagery 画像写真", "image_words", 3),
        ("BLOGGER weblogs 日記帳 ブログ", "blog_words", 4),
        ("newsletter 新聞社 ニュース", "news_words", 3),
        ("<script>news</script><noscript>news</noscript><template>news</template>", "news_words", 0),
        ('<img alt="news" title="news" src="news.png">', "news_words", 0),
        ("<picture><source srcset=a><img src=a></picture><input type=image><svg></svg>", "img_tags", 1),
        ("<object><object></object><embed></object><embed>", "multimedia", 2),
        ("<video><source src=a><track src=b></video><audio src=c></audio>", "multimedia", 1),
        ('<iframe src="//player.vimeo.com/video/1"></iframe><iframe src="/own"></iframe>', "multimedia", 1),
        ('<map><area href="/m"></map><a href="/m">m</a><a href="/m">m</a>', "internal_links", 3),
        (
            '<a href="">e</a><a href="tel:1">t</a><a href="javascript:x()">j</a><a href="data:,x">d</a>',
            "internal_links",
            0,
        ),
        ('<base href="http://else.example/"><a href="here">h</a>', "external_links", 1),
    ],
)
def test_the_counting_rules(html: str, name: str, count: int) -> None:
    assert feature(html, name) == count


def test_a_registered_domain_holds_its_hosts_together() -> None:
    page = page_with("http://blog.a.co.jp/", "https://www.a.co.jp:8080/x", "http://b.co.jp/", "http://co.jp/")
    assert links_of(page) == [2, 2]


def test_by_host_only_the_same_host_is_internal() -> None:
    page = page_with(
        "http://blog.a.co.jp/", "http://www.a.co.jp/x", "http://www.a.co.jp/x", "http://b.co.jp/"
    )
    assert links_of(page, "host") == [2, 2]


def test_an_unknown_domain_mode_is_refused() -> None:
    with pytest.raises(ValueError, match="no domain mode named 'site'; try registered, host"):
        GenreFeatures("site")


def test_names_and_types() -> None:
    vector = genre_features(page_with("http://b.example/"))
    assert genre_features.names == FEATURES
    assert vector.shape == (9,)
    assert vector.dtype == np.float64
    assert pickle.loads(pickle.dumps(GenreFeatures("host"))) == GenreFeatures("host")


HOSTS = st.sampled_from(
    ["www.a.co.jp", "a.co.jp", "b.a.co.jp", "a.com", "x.example", "10.0.0.1", "a.co.jp:81"]
)


@given(st.lists(HOSTS), st.sampled_from(["registered", "host"]))
def test_every_link_is_either_internal_or_external(hosts: list[str], mode: str) -> None:
    page = page_with(*[f"http://{host}/{number}?q=/" for number, host in enumerate(hosts)])
    assert sum(links_of(page, mode)) == len(hosts)


@given(st.lists(st.sampled_from(["Video", "news", "ＮＥＷＳ", "日記", "é", "İ", " "]), max_size=30))
def test_words_are_counted_wherever_they_stand(pieces: list[str]) -> None:
    _, _, _, video, _, _, _, blog, news = genre_features(Page("http://a.example/", text="".join(pieces)))
    assert (video, blog, news) == (pieces.count("Video"), pieces.count("日記"), pieces.count("news"))
