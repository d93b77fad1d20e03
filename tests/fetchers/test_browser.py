"""Pages that only scripts build, by a real browser on a real server, with the crawler's own manners."""

from __future__ import annotations

import importlib.util
from collections.abc import Iterator
from pathlib import Path

import pandas as pd
import pytest

from focuslab.cli import main
from focuslab.fetchers.browser import chromium
from focuslab.types import Response
from focuslab.webs.server import serve

pytestmark = pytest.mark.skipif(
    not chromium() or importlib.util.find_spec("playwright") is None,
    reason="needs focuslab[browser] and a Chromium",
)
HOST = "http://app.example"
SHELL = b"<title>app</title><div id=app></div><script src=/app.js></script><img src=/picture.png>"
SECRET = "http://127.0.0.1:9/secret"
SCRIPT = b"""
fetch('/private/data.json').catch(() => 0);
fetch('http://127.0.0.1:9/secret', {mode: 'no-cors'}).catch(() => 0);
fetch('/data.json').then(answer => answer.json()).then(data => {
  document.title = data.title;
  document.getElementById('app').innerHTML = '<p>' + data.words + '</p><a href=/next>next planet</a>';
});
"""


class App:
    """Two pages that are empty without their script."""

    def __init__(self) -> None:
        self.asked: list[str] = []
        self.files = {
            "/robots.txt": (b"User-agent: *\nDisallow: /private/\n", "text/plain"),
            "/": (SHELL, "text/html"),
            "/next": (SHELL, "text/html"),
            "/app.js": (SCRIPT, "text/javascript"),
            "/data.json": (
                b'{"title": "Planets", "words": "planet star comet planet star"}',
                "application/json",
            ),
            "/private/data.json": (b"{}", "application/json"),
        }

    def fetch(self, url: str) -> Response:
        path = url.removeprefix(HOST)
        self.asked.append(path)
        if path not in self.files:
            return Response(url, 404)
        body, kind = self.files[path]
        return Response(url, 200, body, kind)


@pytest.fixture
def app(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[App]:
    monkeypatch.chdir(tmp_path)
    Path("topic.yaml").write_text("keywords: [planet, star, comet]\n")
    app = App()
    with serve(app) as served:
        for name, value in served.environment().items():
            monkeypatch.setenv(name, value)
        yield app


def crawl(*more: str) -> pd.DataFrame:
    line = f"crawl topic.yaml --seeds {HOST}/ --out out --delay 0 --width 1 --contact x@y.example"
    assert main([*line.split(), *more]) == 0
    return pd.read_parquet("out/log.parquet")


def test_shells_are_found_and_rendered_with_manners(app: App) -> None:
    found = crawl("--browser")
    assert found.url.tolist() == [f"{HOST}/", f"{HOST}/next"]
    assert found.title.tolist() == ["Planets", "Planets"]
    assert found.relevant.all()
    assert "/private/data.json" not in app.asked, "robots.txt holds for what a page asks for, too"
    assert "/picture.png" not in app.asked
    assert SECRET not in app.asked, "a page may ask for no private address"
    assert app.asked.count("/app.js") == 1, "kept for the next page"
    asked = len(app.asked)
    assert main(["crawl", "--resume", "out", "--budget", "9"]) == 0
    assert len(app.asked) == asked, "a replay asks nobody"


def test_with_leave_the_private_address_is_asked(app: App) -> None:
    """So that the refusal above is ours, and not Chromium's."""
    crawl("--browser", "--allow-private")
    assert SECRET in app.asked


def test_without_a_browser_there_is_only_the_shell(app: App) -> None:
    found = crawl()
    assert found.title.tolist() == ["app"]
    assert "/app.js" not in app.asked
