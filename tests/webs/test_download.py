"""Sets of pages are downloaded once, whole or not at all."""

from __future__ import annotations

import hashlib
import socket
from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

import pytest
from tiny_sets import WEBKB, pack

from focuslab.webs.download import SOURCES, Source, download
from focuslab.webs.tar_store import cache_folder
from focuslab.webs.webkb import webkb


@pytest.fixture
def publisher(tmp_path: Path) -> Iterator[str]:
    """A server on loopback that publishes what lies in a folder."""
    (tmp_path / "public").mkdir()
    handler = partial(SimpleHTTPRequestHandler, directory=str(tmp_path / "public"))
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        thread = Thread(target=server.serve_forever, daemon=True)
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}/"
        server.shutdown()
        thread.join()


@pytest.fixture
def published(tmp_path: Path, publisher: str, monkeypatch: pytest.MonkeyPatch) -> tuple[str, str]:
    """Address and checksum of a tiny WebKB."""
    monkeypatch.delenv("FOCUSLAB_DATA", raising=False)
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    file = pack(tmp_path / "public" / "webkb-data.gtar.gz", WEBKB, "w:gz")
    return f"{publisher}webkb-data.gtar.gz", hashlib.sha256(file.read_bytes()).hexdigest()


def test_a_set_is_downloaded_once_and_found_from_then_on(
    published: tuple[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(SOURCES, "webkb", Source(*published))
    assert len(webkb(download=True)) == 6
    monkeypatch.setitem(SOURCES, "webkb", Source("http://127.0.0.1:9/"))
    assert len(webkb(download=True)) == len(webkb()) == 6


def test_a_wrong_checksum_leaves_nothing(published: tuple[str, str]) -> None:
    with pytest.raises(ValueError, match=r"has the SHA-256 [0-9a-f]{64}, not abc: it is damaged or another"):
        download("webkb", published[0], "abc")
    assert list(cache_folder().iterdir()) == []


def test_an_unknown_checksum_is_told(published: tuple[str, str], capsys: pytest.CaptureFixture[str]) -> None:
    assert download("webkb", published[0]) == cache_folder() / "webkb.gtar.gz"
    assert published[1] in capsys.readouterr().out


def test_what_cannot_be_had_says_what_to_do(published: tuple[str, str], publisher: str) -> None:
    with pytest.raises(OSError, match="answers with status 404; give url="):
        download("webkb", publisher + "gone.tar.gz")
    with pytest.raises(OSError, match=r"cannot fetch http://127\.0\.0\.1:9/"):
        download("webkb", "http://127.0.0.1:9/")
    with pytest.raises(ValueError, match="is larger than 10 bytes"):
        download("webkb", published[0], max_bytes=10)
    with pytest.raises(ValueError, match="no set named 'wiki'; try webkb, wikischools"):
        download("wiki")
    assert list(cache_folder().iterdir()) == []


def test_a_download_cut_short_leaves_nothing(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:

        def answer() -> None:
            connection, _ = server.accept()
            with connection:
                connection.recv(4096)
                connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\nhalf")

        Thread(target=answer, daemon=True).start()
        with pytest.raises(OSError, match="cannot fetch"):
            download("webkb", f"http://127.0.0.1:{server.getsockname()[1]}/x.tar.gz")
    assert list(cache_folder().iterdir()) == []
