"""The built-in web: its truth, its links, its HTML and its dirt are what they are said to be."""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
from itertools import islice

import numpy as np
import pytest
import requests
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.sparse import csr_matrix
from scipy.sparse.csgraph import breadth_first_order
from scipy.stats import spearmanr

from focuslab import train_classifiers, webs
from focuslab.crawling.loop import crawl
from focuslab.features.pig import PUBLISHED
from focuslab.fetchers.robots import Robots
from focuslab.pages.parse import parse
from focuslab.strategies import make
from focuslab.types import GENRES, Response, Task
from focuslab.webs.builtin.vocabulary import LANGUAGES, vocabulary
from focuslab.webs.synthetic import SyntheticWeb, synthetic

FORMED = [subject.name for subject in vocabulary().subjects if subject.form]


@pytest.fixture(scope="module")
def web() -> SyntheticWeb:
    return synthetic()


@pytest.fixture(scope="module")
def dirty() -> SyntheticWeb:
    return synthetic(pages=1_200, seed=3, dirt=True)


@pytest.fixture(scope="module")
def some(web: SyntheticWeb) -> np.ndarray:
    """Pages drawn at random."""
    return np.random.default_rng(1).permutation(len(web))[:400]


def sources(web: SyntheticWeb) -> np.ndarray:
    return np.repeat(np.arange(len(web)), np.diff(web.indptr))


def row(web: SyntheticWeb, page: int) -> np.ndarray:
    return web.indices[web.indptr[page] : web.indptr[page + 1]]


# Truth and links


@pytest.mark.parametrize("pages", [5_000, 12_000])
@pytest.mark.parametrize("topic", ["baseball", "gaming"])
def test_links_follow_the_published_tables(topic: str, pages: int) -> None:
    found = synthetic(pages).true_pig(topic)
    published = PUBLISHED[topic]
    assert found.links is not None
    checked = 0
    for relevant in (False, True):
        for genre, links in zip(GENRES, found.links[int(relevant)], strict=True):
            if links >= 500:
                checked += 1
                gap = found.probability(relevant, genre) - published.probability(relevant, genre)
                assert abs(gap) <= 0.03, (relevant, genre, gap)
    assert checked >= 8


def test_shares_of_relevant_pages_are_the_papers(web: SyntheticWeb) -> None:
    assert web.relevant("baseball").mean() == pytest.approx(7_124 / 42_447, abs=0.001)
    assert web.relevant("gaming").mean() == pytest.approx(6_901 / 48_794, abs=0.001)


def test_thirty_topics_each_with_enough_pages_and_told_apart(web: SyntheticWeb) -> None:
    counts = [int(web.relevant(name).sum()) for name in web.topics()]
    assert len(counts) == 30
    assert min(counts) >= 50
    assert sum(counts) < len(web)
    for name in web.topics():
        assert web.truth(name).targets == {web.url(page) for page in np.flatnonzero(web.relevant(name))}


def test_shares_of_topics_are_as_asked_for(web: SyntheticWeb) -> None:
    asked = synthetic(shares={"movie": 0.12, "database_syllabus": 0.001})
    assert asked.relevant("movie").mean() == pytest.approx(0.12, abs=0.001)
    assert asked.relevant("database_syllabus").sum() == 5
    about, before = (sum(one.relevant(name).sum() for name in web.topics()) for one in (asked, web))
    assert about == pytest.approx(before, rel=0.01)
    assert synthetic(shares=(("movie", 0.12), ("database_syllabus", 0.001))).urls == asked.urls


@pytest.mark.parametrize("language", LANGUAGES[:2])
def test_topics_may_be_written_about_in_one_language(language: str) -> None:
    web = synthetic(1_000, language=language)
    about = web.pages.content >= 0
    assert (web.pages.language[about] == LANGUAGES.index(language)).all()
    assert 0.05 < (web.pages.language > 1).mean() < 0.15
    with pytest.raises(ValueError, match="no topic is written about in 'de'; try en, ja"):
        synthetic(language="de")


def test_more_than_there_is_cannot_be_asked_for() -> None:
    with pytest.raises(ValueError, match=r"add up to 0.90; all topics have 0.78 of a web"):
        synthetic(shares={"movie": 0.5, "finance": 0.4})
    with pytest.raises(ValueError, match="no topic named 'curling'"):
        synthetic(shares={"curling": 0.1})


def test_no_page_links_to_itself_or_twice_to_another(web: SyntheticWeb) -> None:
    keys = sources(web) * len(web) + web.indices
    assert (np.diff(keys) > 0).all()
    assert (sources(web) != web.indices).all()


def test_a_page_parsed_has_the_links_of_its_row(web: SyntheticWeb, some: np.ndarray) -> None:
    for page in some.tolist():
        found = sorted(web.number(link.url) for link in parse(web.fetch(web.url(page))).out)
        assert found == row(web, page).tolist()


def test_every_page_can_be_reached_from_every_seed(web: SyntheticWeb) -> None:
    graph = csr_matrix((np.ones(len(web.indices)), web.indices, web.indptr), shape=(len(web), len(web)))
    for name in ("baseball", "chess", "database_syllabus"):
        for url in web.topic(name, seed=2).seeds:
            assert len(breadth_first_order(graph, web.number(url), return_predecessors=False)) == len(web)


def test_tunnels_some_relevant_pages_are_linked_from_irrelevant_ones_only(web: SyntheticWeb) -> None:
    for name in web.topics():
        relevant = web.relevant(name)
        tunnel = relevant.copy()
        tunnel[web.indices[relevant[sources(web)]]] = False
        assert 0 < tunnel.sum() < 0.2 * relevant.sum(), name


def test_hubs_a_few_pages_get_many_links(web: SyntheticWeb) -> None:
    into = np.bincount(web.indices, minlength=len(web))
    assert into.max() > 8 * into.mean()
    assert np.diff(web.indptr).max() > 4 * np.diff(web.indptr).mean()


def test_hosts_have_long_tailed_sizes(web: SyntheticWeb) -> None:
    size = np.bincount(web.host)
    assert size.max() > 5 * size.mean()
    assert np.median(size) < size.mean()


@pytest.mark.parametrize("name", ["baseball", "gaming", "movie", "cooking"])
def test_a_page_more_about_a_topic_links_more_to_it(web: SyntheticWeb, name: str) -> None:
    relevant = web.relevant(name)
    pages = np.flatnonzero(relevant)
    share = [relevant[row(web, page)].mean() for page in pages.tolist()]
    assert spearmanr(web.grade[pages], share)[0] > 0.4


@pytest.mark.parametrize("name", FORMED)
def test_form_and_content_have_distractors(web: SyntheticWeb, name: str) -> None:
    number = web.topics().index(name)
    form = list(vocabulary().forms).index(vocabulary().subjects[number].form)
    relevant = web.relevant(name)
    assert ((web.pages.form == form) & ~relevant).sum() >= 20
    assert ((web.field == number) & ~relevant).sum() >= 20
    assert (web.pages.form[relevant] == form).all()


def test_topics_are_described_as_strategies_need(web: SyntheticWeb) -> None:
    for name in web.topics():
        topic = web.topic(name, seed=3)
        assert len(topic.seeds) == len(set(topic.seeds)) == 7
        assert topic.keywords
        assert topic.url_terms
        assert bool(topic.genre_terms) == bool(topic.content_terms) == (name in FORMED)
        assert all(web.relevant(name)[web.number(url)] for url in topic.seeds)


# Bytes


def test_pages_speak_their_languages(web: SyntheticWeb, some: np.ndarray) -> None:
    said = [parse(web.fetch(web.url(page))).language for page in some.tolist()]
    true = [LANGUAGES[code] for code in web.pages.language[some]]
    assert {"en", "ja"} < set(true)
    assert len(set(true)) >= 4
    assert np.mean([one == other for one, other in zip(said, true, strict=True)]) > 0.97


def test_anchors_and_urls_tell_the_topic_only_sometimes(web: SyntheticWeb) -> None:
    baseball = vocabulary().subjects[0]
    pages = np.flatnonzero(web.relevant("baseball"))
    telling = np.mean(
        [any(word in web.url(page).split("/", 3)[3] for word in baseball.url) for page in pages]
    )
    assert 0.1 < telling < 0.8
    words = [word.lower() for lang in ("en", "ja") for word in baseball.words[lang]]
    anchors = [
        link.anchor.lower()
        for page in pages[:60].tolist()
        for link in parse(web.fetch(web.url(page))).out
        if web.relevant("baseball")[web.number(link.url)]
    ]
    told = np.mean([any(word in anchor for word in words) for anchor in anchors])
    assert 0.1 < told < 0.8


PROBE = """
import hashlib
from focuslab.webs.synthetic import synthetic
for dirt in (False, True):
    web, digest = synthetic(600, 11, dirt), hashlib.sha256()
    for url in web.urls[::7]:
        digest.update(url.encode() + web.fetch(url).body)
    digest.update(web.indices.tobytes() + repr(web.topic("chess", 1)).encode())
    print(digest.hexdigest())
"""


def test_another_process_with_another_hash_seed_makes_the_same_web() -> None:
    found = [
        subprocess.run(
            [sys.executable, "-c", PROBE],
            env=os.environ | {"PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("0", "12345")
    ]
    assert found[0] == found[1]
    clean, dirty = found[0].split()
    assert clean != dirty


@pytest.mark.parametrize("dirt", [False, True])
def test_bytes_do_not_depend_on_what_was_fetched_before(dirt: bool) -> None:
    one, other = synthetic(400, 5, dirt), synthetic(400, 5, dirt)
    there = {url: one.fetch(url).body for url in one.urls}
    back = {url: other.fetch(url).body for url in reversed(other.urls)}
    assert there == back


def test_another_seed_makes_another_web() -> None:
    one, other = synthetic(400, 5), synthetic(400, 6)
    assert not set(one.urls) >= set(other.urls)
    digests = [hashlib.sha256(web.indices.tobytes()).digest() for web in (one, other)]
    assert digests[0] != digests[1]


@settings(max_examples=6, deadline=None)
@given(pages=st.integers(200, 900), seed=st.integers(0, 10_000))
def test_any_size_and_seed_makes_a_whole_web(pages: int, seed: int) -> None:
    web = synthetic(pages, seed)
    assert len(web) == len(set(web.urls)) == pages
    assert (np.diff(web.indptr) > 0).all()
    for name in web.topics():
        assert web.relevant(name).sum() >= 3
        assert all(web.fetch(url).ok for url in web.topic(name).seeds)


# Classifiers


@pytest.fixture(scope="module")
def pages(web: SyntheticWeb) -> tuple[np.ndarray, list]:
    drawn = np.random.default_rng(0).permutation(len(web))[:800]
    return drawn, [parse(web.fetch(web.url(page))) for page in drawn.tolist()]


@pytest.mark.parametrize("name", ["baseball", "gaming", "movie", "database_syllabus"])
def test_it_is_neither_easy_nor_hopeless(web: SyntheticWeb, pages: tuple, name: str) -> None:
    drawn, parsed = pages
    guide = train_classifiers(web.examples(name), web.topic(name))
    said = [guide.assess(page) for page in parsed]
    true = web.relevant(name)[drawn]
    right = np.mean([one.relevant == other for one, other in zip(said, true, strict=True)])
    genre = np.mean([one.genre == GENRES[code] for one, code in zip(said, web.genre[drawn], strict=True)])
    assert 0.90 <= right <= 0.985
    assert 0.80 <= genre <= 0.92
    assert np.mean([one.relevant for one, other in zip(said, true, strict=True) if other]) >= 0.8
    assert np.mean([one.relevant for one, other in zip(said, true, strict=True) if not other]) <= 0.1


def test_the_score_says_more_than_the_class(web: SyntheticWeb) -> None:
    guide = train_classifiers(web.examples("baseball"), web.topic("baseball"))
    relevant = web.relevant("baseball")
    chosen = np.flatnonzero(relevant)[::3].tolist()
    odds = [guide.relevance.log_odds(parse(web.fetch(web.url(page)))) for page in chosen]  # type: ignore[attr-defined]
    share = [relevant[row(web, page)].mean() for page in chosen]
    assert spearmanr(odds, share)[0] > 0.3


def test_examples_come_from_elsewhere_and_are_balanced(web: SyntheticWeb) -> None:
    examples = web.examples("movie", 200, seed=1)
    hosts = {example.page.url.split("/")[2] for example in examples}
    assert not hosts & set(web.names)
    assert all(host.endswith(".test") for host in hosts)
    assert 0.45 <= np.mean([example.relevant for example in examples]) <= 0.55
    assert {example.genre for example in examples} == set(GENRES)
    japanese = [
        [e.page.language for e in examples if e.relevant == side].count("ja") for side in (True, False)
    ]
    assert abs(japanese[0] - japanese[1]) <= 4
    assert [e.page.url for e in examples] == [e.page.url for e in web.examples("movie", 200, seed=1)]


# Mistakes


@pytest.mark.parametrize("size", [0, -5, 199])
def test_a_web_too_small_is_refused(size: int) -> None:
    with pytest.raises(ValueError, match=f"{size} pages is too small .* 200 or more"):
        synthetic(size)


@pytest.mark.parametrize("ask", ["topic", "truth", "examples", "relevant", "true_pig"])
def test_an_unknown_topic_is_named(web: SyntheticWeb, ask: str) -> None:
    with pytest.raises(ValueError, match="no topic named 'curling'; try baseball, gaming"):
        getattr(web, ask)("curling")


# Dirt


def odd_links(web: SyntheticWeb) -> list[str]:
    known, found = set(web.urls), {}
    for url in web.urls:
        found.update({link.url: None for link in parse(web.fetch(url)).out if link.url not in known})
    return list(found)


@pytest.fixture(scope="module")
def answers(dirty: SyntheticWeb) -> dict[str, Response]:
    return {url: dirty.fetch(url) for url in odd_links(dirty)}


def test_dirt_adds_and_takes_nothing_away(dirty: SyntheticWeb) -> None:
    clean = synthetic(pages=1_200, seed=3)
    assert dirty.urls == clean.urls
    assert dirty.truth("movie") == clean.truth("movie")
    assert (dirty.indices == clean.indices).all()
    for page in range(0, 1_200, 30):
        response = dirty.fetch(dirty.url(page))
        assert response.ok
        expected = {clean.url(target) for target in row(clean, page).tolist()}
        assert expected <= {link.url for link in parse(response).out}


def test_every_kind_of_dirt_is_linked(dirty: SyntheticWeb, answers: dict[str, Response]) -> None:
    statuses = {response.status for response in answers.values()}
    assert {0, 200, 302, 404, 410, 503} <= statuses
    errors = {response.error.partition(":")[0] for response in answers.values()}
    assert {"connection", "timeout", "dns", "too-many-redirects"} <= errors
    kinds = {response.content_type.partition(";")[0] for response in answers.values()}
    assert {"application/pdf", "application/zip", "image/png", "video/mp4"} <= kinds
    moved = [url for url, response in answers.items() if response.ok and response.url != url]
    assert moved
    assert all(answers[url].url in set(dirty.urls) for url in moved)
    for part in ("sid=", "/calendar/", "/private/", "/loop/", ".invalid/"):
        assert any(part in url for url in answers), part


def test_slow_hosts_and_fast_ones(dirty: SyntheticWeb) -> None:
    seconds = np.array([dirty.fetch(dirty.url(page)).seconds for page in dirty.pages.hosts.start.tolist()])
    assert 0.02 < (seconds > 3).mean() < 0.3


def test_a_copy_says_the_same_under_another_address(
    dirty: SyntheticWeb, answers: dict[str, Response]
) -> None:
    copies = [url for url in answers if "sid=" in url][:20]
    for url in copies:
        copy = parse(answers[url])
        original = parse(dirty.fetch(url.rpartition("sid=")[0].rstrip("?&")))
        assert copy.url == url != original.url
        assert copy.title == original.title
        assert {link.url for link in original.links if link.url in set(dirty.urls)} <= {
            link.url for link in copy.links
        }


def test_the_calendar_has_no_end(dirty: SyntheticWeb, answers: dict[str, Response]) -> None:
    url = next(url for url in answers if "/calendar/" in url)
    seen = set()
    for _ in range(200):
        assert url not in seen
        seen.add(url)
        page = parse(dirty.fetch(url))
        url = max(link.url for link in page.out if "/calendar/" in link.url)


def test_charsets_are_mistreated_in_many_ways(dirty: SyntheticWeb) -> None:
    homes = dirty.pages.hosts.start.tolist()
    declared = {dirty.fetch(dirty.url(page)).content_type for page in homes}
    assert {"text/html", "text/html; charset=utf-8"} < declared
    assert len(declared) >= 4
    broken = 0
    for page in homes:
        try:
            dirty.fetch(dirty.url(page)).body.decode()
        except UnicodeDecodeError:
            broken += 1
    assert 0.05 * len(homes) < broken < 0.6 * len(homes)


def test_robots_txt_shuts_the_private_areas(dirty: SyntheticWeb, answers: dict[str, Response]) -> None:
    robots = Robots(dirty)
    private = [url for url in answers if "/private/" in url]
    assert not any(robots.allowed(url) for url in private)
    assert all(answers[url].ok for url in private)
    assert all(robots.allowed(url) for url in dirty.urls[::50])


def test_a_crawl_goes_through_dirt_unharmed(dirty: SyntheticWeb) -> None:
    topic = dirty.topic("baseball")
    guide = train_classifiers(dirty.examples("baseball"), topic, genre=False)
    guarded = webs.GuardedWeb(dirty)
    strategy = guarded.watch(make("breadth_first", Task(topic, guide)))
    walk = crawl(topic, guarded, strategy, guide)
    visits = list(islice(walk, 400))
    assert len(visits) == 400
    reasons = {failure.reason.partition(":")[0] for failure in walk.failures}
    assert {"duplicate", "not-html", "status 404"} <= reasons
    assert len({visit.page.url for visit in visits}) == 400


def test_served_redirects_and_loops_are_real(dirty: SyntheticWeb) -> None:
    home = f"http://{dirty.names[0]}"
    with webs.serve(dirty) as served:
        answer = requests.get(f"{home}/go/5", proxies=served.proxies, timeout=10)
        assert [hop.status_code for hop in answer.history] == [302]
        assert answer.url == dirty.url(5)
        with pytest.raises(requests.TooManyRedirects):
            requests.get(f"{home}/loop/a", proxies=served.proxies, timeout=10)
        busy = requests.get(f"{home}/busy/1", proxies=served.proxies, timeout=10)
        assert (busy.status_code, busy.headers["retry-after"]) == (503, "120")


@settings(max_examples=60, deadline=None)
@given(
    path=st.one_of(
        st.text(max_size=30),
        st.from_regex(
            r"(go|gone|files|private|calendar|busy|loop)/[0-9ab.-]{0,40}(html|pdf)?", fullmatch=True
        ),
    )
)
def test_no_address_makes_dirt_raise(dirty: SyntheticWeb, path: str) -> None:
    for url in (
        path,
        f"http://{dirty.names[0]}/{path}",
        f"http://x.invalid/{path}",
        f"{dirty.urls[9]}?{path}",
    ):
        assert isinstance(dirty.fetch(url).status, int)


def test_the_form_of_a_page_does_not_hang_on_what_it_is_about(web: SyntheticWeb) -> None:
    forms = {url: web.form_of(url) for url in web.urls}
    assert set(forms.values()) == {"", "syllabus", "job", "sale"}
    assert all(forms[url] == "syllabus" for url in web.truth("database_syllabus").targets)
    syllabi = [web.field[web.number(url)] for url, form in forms.items() if form == "syllabus"]
    assert len(set(syllabi)) > 3
