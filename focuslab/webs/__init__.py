"""Where pages come from, with the truth where it is known: each is a `Web`, which fetches and has topics.

The built-in web, real collections, archives and folders of pages, and a server that puts any of them on
loopback. It may import pages, features, fetchers and classifiers (for labels). Nothing that crawls may import
it: here is the truth.
"""

from focuslab.webs.archive import archive
from focuslab.webs.archived_web import archived, common_crawl, wayback
from focuslab.webs.folder import folder
from focuslab.webs.guard import GuardedWeb, PeekError
from focuslab.webs.server import serve
from focuslab.webs.synthetic import SyntheticWeb, synthetic
from focuslab.webs.table import table
from focuslab.webs.webkb import webkb
from focuslab.webs.wikischools import wikischools

__all__ = [
    "GuardedWeb",
    "PeekError",
    "SyntheticWeb",
    "archive",
    "archived",
    "common_crawl",
    "folder",
    "serve",
    "synthetic",
    "table",
    "wayback",
    "webkb",
    "wikischools",
]
