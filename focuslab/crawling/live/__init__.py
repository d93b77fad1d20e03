"""Crawls of the real web: they keep to settings, record everything, and go on after a crash.

``live.crawl("topic.yaml", seeds=[...], out="crawl/", budget=1000, contact="you@example.org")`` makes a
folder, ``live.resume("crawl/")`` goes on with it. It may import what `focuslab.crawling` may. It must not
know any web of the lab or its truth, and it has no loop of its own.
"""

from focuslab.crawling.live.session import CTRL_C, SIGTERM, Settings, crawl, resume

__all__ = ["CTRL_C", "SIGTERM", "Settings", "crawl", "resume"]
