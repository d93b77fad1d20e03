"""Which addresses are public, however they are written."""

from __future__ import annotations

import pytest

from focuslab.fetchers.sockets import is_public, literal

INSIDE = ("127.0.0.1", "10.1.2.3", "169.254.169.254", "100.64.0.1", "0.0.0.0", "224.0.0.1")
INSIDE6 = ("::1", "fe80::1", "fc00::1", "::ffff:10.0.0.1", "64:ff9b::7f00:1", "2002:7f00:1::")
OUTSIDE = ("93.184.215.14", "2606:4700::1111", "::ffff:8.8.8.8", "64:ff9b::808:808")


def test_private_also_inside_ipv6() -> None:
    assert not [address for address in INSIDE + INSIDE6 if is_public(address)]
    assert [address for address in OUTSIDE if is_public(address)] == [*OUTSIDE]


@pytest.mark.parametrize("host", ["127.0.0.1", "127.1", "2130706433", "0x7f.1", "0177.0.0.1", "127.0.0.1."])
def test_every_way_to_write_loopback(host: str) -> None:
    assert literal(host) == "127.0.0.1"


@pytest.mark.parametrize("host", ["a.example", "", "1.2.3.4.5", "300.1.1.1", "ⓐ.example"])
def test_names_are_no_addresses(host: str) -> None:
    assert literal(host) == ""
