"""``focuslab serve``: the built-in web on a real socket."""

from __future__ import annotations

import argparse
import time

from focuslab.cli import Subparsers, say


def add(subparsers: Subparsers) -> None:
    """Declare the command."""
    command = subparsers.add_parser("serve", help="put the built-in web on loopback as an HTTP proxy")
    command.add_argument("--pages", type=int, default=5_000, help="size of the web (5000)")
    command.add_argument("--seed", type=int, default=7, help="which web (7)")
    command.add_argument("--dirt", action="store_true", help="with 404s, redirects, traps and the rest")
    command.add_argument("--port", type=int, default=0, help="port on 127.0.0.1 (any free one)")
    command.add_argument(
        "--https", action="store_true", help="open tunnels for https pages too (needs focuslab[https])"
    )
    command.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Serve until somebody presses Ctrl-C."""
    from focuslab import webs

    if not 0 <= options.port <= 65_535:
        raise ValueError(f"--port {options.port} is none; give 1 to 65535, or leave it out for any free one")
    web = webs.synthetic(pages=options.pages, seed=options.seed, dirt=options.dirt)
    with webs.serve(web, port=options.port, https=options.https) as proxy:
        first = web.topic("baseball").seeds[0]
        say(f"serving {len(web):,} pages; set http_proxy={proxy.url} and fetch {first}")
        if options.https:
            say(f"and https_proxy={proxy.url} SSL_CERT_FILE={proxy.authority}")
        say(f"or open {proxy.url} in a browser; Ctrl-C stops")
        while True:
            time.sleep(3600)
