"""Wikipedia for Schools, tiny and real."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from tiny_sets import WIKI, pack

from focuslab.pages.parse import parse
from focuslab.webs.wikischools import SITE, WikiSchools, wikischools


def test_wikischools_subjects_hold_what_narrower_ones_hold(tiny_wiki: WikiSchools) -> None:
    assert tiny_wiki.topics() == ("Art", "Art.Films")
    films = {f"{SITE}wp/a/Actor.htm", f"{SITE}wp/b/Ben_%2528film%2529.htm"}
    assert tiny_wiki.truth("Art").targets == tiny_wiki.truth("Art.Films").targets == films
    assert set(tiny_wiki.topic("Art.Films", seed=3).seeds) == films
    assert tiny_wiki.topic("Art.Films").keywords == ("films",)


def test_wikischools_in_the_folder_of_its_publisher(tmp_path: Path) -> None:
    web = wikischools(pack(tmp_path / "x.tar.gz", {f"wpcd/{name}": text for name, text in WIKI.items()}))
    assert web.topics() == ("Art", "Art.Films")
    assert web.fetch(f"{SITE}wp/a/Actor.htm").ok


def test_wikischools_index_pages_are_dead(tiny_wiki: WikiSchools) -> None:
    assert len(tiny_wiki) == 3
    for page in ("index.htm", "wp/index/subject.htm", "wp/index/subject.Art.Films.htm", "wp/index/a.htm"):
        assert tiny_wiki.fetch(SITE + page).status == 404
    assert tiny_wiki.out(f"{SITE}wp/a/Actor.htm") == (f"{SITE}wp/b/Ben_%2528film%2529.htm",)


def test_wikischools_pages_do_not_name_their_subject(tiny_wiki: WikiSchools) -> None:
    body = tiny_wiki.fetch(f"{SITE}wp/a/Actor.htm").body
    assert body.startswith(b"<p>An actor acts in")
    assert b"Films" not in body


@pytest.fixture(scope="module")
def real_wiki(data: Path, real_cache: None) -> WikiSchools:
    return wikischools(data)


def test_wikischools_counts(real_wiki: WikiSchools) -> None:
    assert len(real_wiki) == 5_232
    # 146 index pages: the one of all subjects, and 145 subjects in 15 groups.
    assert len(real_wiki.topics()) == 145
    assert len({name.partition(".")[0] for name in real_wiki.topics()}) == 15
    sizes = [
        len(real_wiki.truth(f"Everyday_life.{name}"))
        for name in ("Computer_and_Video_games", "Sports", "Films")
    ]
    assert sizes == [26, 32, 36]
    assert len(frozenset.union(*(real_wiki.truth(name).targets for name in real_wiki.topics()))) == 4_654


def test_wikischools_links_resolve(real_wiki: WikiSchools) -> None:
    """Every link to an article leads to one, as a plain search of the stored bytes finds them too."""
    count = found = 0
    for url in real_wiki.urls[::10]:
        body = real_wiki.fetch(url).body.decode("utf-8", "replace")
        count += len(set(re.findall(r'href="\.\./\.\./(wp/[^"#]+\.htm)', body)) - {url.removeprefix(SITE)})
        found += len(real_wiki.out(url))
    assert found == pytest.approx(count, rel=0.01)
    assert 10 * found == pytest.approx(136_400, rel=0.1)


def test_no_article_tells_its_subject(real_wiki: WikiSchools) -> None:
    for url in real_wiki.urls:
        body = real_wiki.fetch(url).body
        assert b"siteSub" not in body, url
        assert b"index/subject" not in body, url
        assert not re.search(rb'name="keywords"', body, re.IGNORECASE), url


def test_sampled_articles_still_have_their_text(real_wiki: WikiSchools) -> None:
    for url in sorted(real_wiki.truth("Science").targets)[::40]:
        page = parse(real_wiki.fetch(url))
        assert len(page.text) > 500, url
        assert "Schools Wikipedia Selection" not in page.text, url
        assert page.title
