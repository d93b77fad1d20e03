"""An authority's certificates are for the host that is asked for, and nothing of it is left on the disk."""

from __future__ import annotations

import ssl
from pathlib import Path

import pytest

from focuslab.webs.certificates import Authority

pytest.importorskip("trustme", reason="needs focuslab[https]")


def handshake(authority: Authority, shown: str, asked: str) -> None:
    """Both sides in memory, until they agree or one of them refuses."""
    to_server, to_client = ssl.MemoryBIO(), ssl.MemoryBIO()
    trusting = ssl.create_default_context(cafile=str(authority.file))
    client = trusting.wrap_bio(to_client, to_server, server_hostname=asked)
    server = authority.context(shown).wrap_bio(to_server, to_client, server_side=True)
    agreed: set[str] = set()
    while agreed != {"client", "server"}:
        for name, side in (("client", client), ("server", server)):
            try:
                side.do_handshake()
                agreed.add(name)
            except ssl.SSLWantReadError:
                continue


@pytest.mark.parametrize("name", ["a.example", "127.0.0.1"])
def test_its_certificates_are_for_one_host(name: str, tmp_path: Path) -> None:
    authority = Authority(tmp_path)
    handshake(authority, name, name)
    with pytest.raises(ssl.SSLCertVerificationError):
        handshake(authority, name, "b.example")


def test_only_the_certificate_is_written(tmp_path: Path) -> None:
    authority = Authority(tmp_path)
    authority.context("a.example")
    assert [file.name for file in tmp_path.iterdir()] == ["authority.pem"]
    assert b"PRIVATE" not in authority.file.read_bytes()
