"""Crawls of the real web: they keep to settings, record everything, and go on after a crash.

from focuslab import live
log = live.crawl("topic.yaml", seeds=[...], out="crawl/", budget=1000, contact="you@example.org")
log = live.resume("crawl/")
"""

from focuslab.crawling.live.session import CTRL_C, crawl, resume

__all__ = ["CTRL_C", "crawl", "resume"]
