"""Where pages come from, with the truth where it is known. Each is a `Web`: it fetches, and has topics."""

from focuslab.webs.guard import GuardedWeb, PeekError
from focuslab.webs.server import serve
from focuslab.webs.synthetic import SyntheticWeb, synthetic
from focuslab.webs.webkb import webkb
from focuslab.webs.wikischools import wikischools

__all__ = ["GuardedWeb", "PeekError", "SyntheticWeb", "serve", "synthetic", "webkb", "wikischools"]
