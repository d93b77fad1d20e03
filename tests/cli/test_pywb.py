"""The archive of a crawl replays in pywb, the engine of web archives: every address that brought a page.

pywb wants older libraries than the lab, so it lives in an environment of its own: FOCUSLAB_PYWB names the
folder of its programs, or they are on the PATH.
"""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import time
from pathlib import Path

import pytest
import requests
from sky import HOST, STARS, Site, page

from focuslab.cli import main
from focuslab.fetchers import warc
from focuslab.webs.server import serve

FOLDER = os.environ.get("FOCUSLAB_PYWB", "")
WAYBACK, MANAGER = (shutil.which(name, path=FOLDER or None) for name in ("wayback", "wb-manager"))


@pytest.mark.skipif(not (WAYBACK and MANAGER), reason="needs pywb: pip install pywb in another environment")
@pytest.mark.parametrize("archive", ["crawl/crawl.warc.gz", "crawl.wacz", "again/crawl.warc.gz"])
def test_every_page_replays(archive: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The third crawl asked what had changed, so nearly all of it is revisits, in several files."""
    monkeypatch.chdir(tmp_path)
    site = Site()
    site.moved, site.tagged = {f"{HOST}/old": f"{HOST}/1"}, True
    site.files |= {f"{HOST}/{name}": (page(9, STARS) * 5, "text/html") for name in ("original", "copy")}
    Path("topic.yaml").write_text("keywords: [planet, star]\n")
    Path("seeds.txt").write_text("".join(f"{HOST}/{name}\n" for name in ("old", "0", "original", "copy")))
    with serve(site) as served, monkeypatch.context() as settings:
        for name, value in served.environment().items():
            settings.setenv(name, value)
        line = "crawl topic.yaml --seeds seeds.txt --delay 0 --contact x@y.example"
        assert main([*line.split(), "--width", "1"]) == 0
        time.sleep(1.1)  # an archive knows no shorter time between what a page was and that it still is
        assert main(f"{line} --out again --since crawl --warc-size 9k".split()) == 0
    unpacked = []
    if archive.endswith(".wacz"):
        pytest.importorskip("cdxj_indexer", reason="needs focuslab[wacz]")
        assert main(["export", "crawl", archive, "--all"]) == 0
        unpacked = ["--unpack-wacz"]
    assert MANAGER
    assert WAYBACK
    subprocess.run([MANAGER, "init", "sky"], check=True, capture_output=True)
    files = [archive] if unpacked else map(str, warc.series(Path(archive)))
    subprocess.run([MANAGER, "add", "sky", *files, *unpacked], check=True, capture_output=True)
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    silent = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    with subprocess.Popen([WAYBACK, "--port", str(port)], **silent) as server:
        try:
            _replay(f"http://127.0.0.1:{port}/sky", Path(archive if not unpacked else "crawl/crawl.warc.gz"))
        finally:
            server.terminate()


def _replay(place: str, record: Path) -> None:
    session = requests.Session()
    session.trust_env = False
    until = time.monotonic() + 60
    while time.monotonic() < until:
        try:
            if session.get(place, timeout=5).ok:
                break
        except requests.ConnectionError:
            time.sleep(0.2)
    pages = [entry for entry in warc.read(record) if entry.asked and entry.response.ok]
    assert len(pages) == 50
    assert sum(entry.place.origin is not None for entry in pages) == (
        49 if record.parent.name == "again" else 1
    )
    for entry in pages:
        answer = session.get(f"{place}/2id_/{entry.asked}", timeout=30, allow_redirects=False)
        if entry.asked != entry.response.url:
            assert (answer.status_code, answer.headers["location"]) == (301, entry.response.url)
            answer = session.get(f"{place}/2id_/{entry.response.url}", timeout=30)
        assert (answer.status_code, answer.content) == (200, entry.response.body), entry.asked
