"""The command line: ``focuslab report`` and ``focuslab serve``.

A mistake of the user's ends in one sentence and exit code 2, never in a traceback.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Sequence
from pathlib import Path


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command; returns the exit code."""
    options = _parser().parse_args(arguments)
    try:
        return options.run(options)
    except (ValueError, OSError) as mistake:
        print(f"focuslab {options.command}: {mistake}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print(f"focuslab {options.command}: stopped", file=sys.stderr)
        return 130


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="focuslab", description="A lab for focused crawling.")
    commands = parser.add_subparsers(dest="command", required=True, metavar="command")
    _add_report(commands)
    _add_serve(commands)
    return parser


def _add_report(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    command = commands.add_parser("report", help="execute the notebooks and write report/index.html")
    command.add_argument("--notebooks", type=Path, default=Path("notebooks"), help="folder of notebooks")
    command.add_argument("--out", type=Path, default=Path("report"), help="folder to write")
    command.add_argument("--jobs", type=int, default=2, help="notebooks at a time (2)")
    command.add_argument("--only", nargs="+", default=(), metavar="NN", help="only these, such as 00 04")
    command.set_defaults(run=_report)


def _add_serve(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    command = commands.add_parser("serve", help="put the built-in web on loopback as an HTTP proxy")
    command.add_argument("--pages", type=int, default=5_000, help="size of the web (5000)")
    command.add_argument("--seed", type=int, default=7, help="which web (7)")
    command.add_argument("--dirt", action="store_true", help="with 404s, redirects, traps and the rest")
    command.add_argument("--port", type=int, default=0, help="port on 127.0.0.1 (any free one)")
    command.set_defaults(run=_serve)


def _report(options: argparse.Namespace) -> int:
    from focuslab.report import build  # Jupyter is slow to import, and only needed here

    chapters = build(options.notebooks, options.out, jobs=options.jobs, only=options.only, say=_say)
    print(f"open {options.out / 'index.html'}")
    return 1 if any(chapter.error for chapter in chapters) else 0


def _serve(options: argparse.Namespace) -> int:
    from focuslab import webs

    web = webs.synthetic(pages=options.pages, seed=options.seed, dirt=options.dirt)
    with webs.serve(web, port=options.port) as proxy:
        _say(
            f"serving {len(web):,} pages; set http_proxy={proxy.url} and fetch {web.topic('baseball').seeds[0]}"
        )
        _say(f"or open {proxy.url} in a browser; Ctrl-C stops")
        while True:
            time.sleep(3600)


def _say(line: str) -> None:
    print(line, flush=True)


if __name__ == "__main__":
    sys.exit(main())
