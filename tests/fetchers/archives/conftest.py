"""A small Common Crawl of the built-in web on disk, made once."""

from __future__ import annotations

from pathlib import Path

import pytest

from focuslab import webs
from focuslab.webs.small_crawl import linked, small_crawl
from focuslab.webs.synthetic import SyntheticWeb

LINES = 60
"""In a block of the index, so that there are many blocks."""


@pytest.fixture(autouse=True)
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing here touches the cache of whoever runs the tests."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))


@pytest.fixture(scope="session")
def web() -> SyntheticWeb:
    return webs.synthetic(pages=300, seed=7, dirt=True)


@pytest.fixture(scope="session")
def urls(web: SyntheticWeb) -> list[str]:
    """What the crawl captured: pages, redirects, failures."""
    return linked(web, web.urls, 0.9)


@pytest.fixture(scope="session")
def stored(web: SyntheticWeb, urls: list[str], tmp_path_factory: pytest.TempPathFactory) -> Path:
    return small_crawl(web, urls, tmp_path_factory.mktemp("data"), lines=LINES)
