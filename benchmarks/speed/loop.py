"""The generic crawl loop on the built-in web: pages a second, and where the time goes. Prints one JSON line.

Best-first, 2,000 pages of a web of 5,000, with the real parser and classifiers. Time is the processor's, so
that other work on the machine does not count.
"""

from __future__ import annotations

import json
import time
from collections import Counter
from collections.abc import Callable
from itertools import islice
from typing import Any

from focuslab import webs
from focuslab.crawling.loop import crawl
from focuslab.experiments.compare import default_setup
from focuslab.pages.parse import parse
from focuslab.strategies import make
from focuslab.types import Assessment, Page, Response

PAGES, BUDGET, TOPIC = 5_000, 2_000, "baseball"


class Timed:
    """A web and an assessor whose calls are timed."""

    def __init__(self, web: Any, assessor: Any) -> None:
        self.web, self.assessor, self.spent = web, assessor, Counter[str]()

    def clocked(self, name: str, call: Callable[..., Any], *arguments: Any) -> Any:
        start = time.process_time()
        answer = call(*arguments)
        self.spent[name] += time.process_time() - start
        return answer

    def fetch(self, url: str) -> Response:
        return self.clocked("render", self.web.fetch, url)

    def parse(self, response: Response) -> Page:
        return self.clocked("parse", parse, response)

    def assess(self, page: Page) -> Assessment:
        return self.clocked("assess", self.assessor.assess, page)

    def score_text(self, text: str, language: str = "") -> float:
        return self.clocked("assess", self.assessor.score_text, text, language)


def main() -> None:
    """Crawl once to warm up, then once with the clock on."""
    web = webs.synthetic(PAGES)
    task = default_setup(web, TOPIC, 0)
    for budget in (100, BUDGET):
        timed = Timed(web, task.assessor)
        start = time.process_time()
        walk = crawl(task.topic, timed, make("best_first", task), timed, parse=timed.parse)
        fetched = sum(1 for _ in islice(walk, budget))
        total = time.process_time() - start
    shares = {name: round(spent / total, 3) for name, spent in sorted(timed.spent.items())}
    shares["rest"] = round(1 - sum(timed.spent.values()) / total, 3)
    result = {"pages": fetched, "cpu_seconds": round(total, 2), "pages_per_second": round(fetched / total)}
    own = round(fetched / (total - timed.spent["render"]))
    print(json.dumps({"benchmark": "loop", **result, "without_render": own, "shares": shares}))


if __name__ == "__main__":
    main()
