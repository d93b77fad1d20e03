"""Tiny archives of the classic sets, and a cache folder of the tests' own."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from tiny_sets import HEADER, WEBKB, WIKI, pack

from focuslab.webs.webkb import WebKB, webkb
from focuslab.webs.wikischools import WikiSchools, wikischools


@pytest.fixture(autouse=True)
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing here touches the cache of whoever runs the tests."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))


@pytest.fixture(scope="session")
def real_cache(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """One cache for all tests of real pages, which take a while to unpack."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_CACHE_HOME", str(tmp_path_factory.mktemp("cache")))
        yield


@pytest.fixture
def tiny_webkb(tmp_path: Path) -> WebKB:
    return webkb(pack(tmp_path / "webkb.tar.xz", {name: HEADER + text for name, text in WEBKB.items()}))


@pytest.fixture
def tiny_wiki(tmp_path: Path) -> WikiSchools:
    return wikischools(pack(tmp_path / "wikischools.tar.xz", WIKI))
