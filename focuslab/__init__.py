"""focuslab: published focused crawlers side by side, on one loop, on the same web."""

from focuslab import metrics, plots, strategies, webs
from focuslab.assess import Classifiers, train_classifiers
from focuslab.compare import compare
from focuslab.crawl import crawl
from focuslab.frontier import Frontier
from focuslab.log import CrawlLog
from focuslab.parse import parse
from focuslab.types import Assessment, Link, Page, Proposal, Response, Strategy, Task, Topic, Truth, Visit

__all__ = [
    "Assessment",
    "Classifiers",
    "CrawlLog",
    "Frontier",
    "Link",
    "Page",
    "Proposal",
    "Response",
    "Strategy",
    "Task",
    "Topic",
    "Truth",
    "Visit",
    "compare",
    "crawl",
    "metrics",
    "parse",
    "plots",
    "strategies",
    "train_classifiers",
    "webs",
]
