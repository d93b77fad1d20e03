"""Recorded crawls as one compact value that JSON can hold: all that a browser needs to play them."""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations
from typing import Any

import numpy as np
import seaborn as sns

from focuslab.experiments.figure_style import MARKERS, styles
from focuslab.experiments.metrics import GUIDE, hits_by, judge_name
from focuslab.explore.layout import draw_map
from focuslab.explore.recording import Candidate, Recording
from focuslab.features.genre import FEATURES
from focuslab.types import Truth

__all__ = ["first_divergence", "parts_of", "scene"]

DIGITS = 6
MOST_TERMS = 12
SAME = 1e-6
COLUMNS = ("depth", "score", "rank", "ties", "waiting", "relevance", "confidence")


def scene(
    recordings: Sequence[Recording],
    *,
    urls: Iterable[str] = (),
    truth: Truth | None = None,
    bounds: Mapping[str, Sequence[bool]] | None = None,
    cards: Mapping[str, Any] | None = None,
) -> dict[str, Any]:
    """Everything that is to be seen of these crawls.

    Parameters
    ----------
    recordings : sequence of Recording
        One to four crawls of one topic on one web.
    urls : iterable of str
        All pages of the web, where they are known; those that the crawls speak of are added.
    truth : Truth, optional
        Who is relevant. Without it the guide's own verdicts are shown, and said to be its own.
    bounds : mapping, optional
        Hits of crawls for orientation, such as those of ``random`` and ``oracle``.
    cards : mapping, optional
        What is known of pages beyond that, by URL; see `focuslab.explore.page_card.card`.
    """
    spoken_of = dict.fromkeys(url for recording in recordings for url in _mentioned(recording))
    drawn = draw_map([*urls, *(truth.targets if truth else ()), *spoken_of])
    numbers = {url: number for number, url in enumerate(drawn.urls)}
    looks = styles(recording.name for recording in recordings)
    told = {
        "topic": str(recordings[0].log.settings.get("topic", "")),
        "judge": judge_name(truth if truth else GUIDE),
        "hosts": [list(entry) for entry in drawn.hosts],
        "relevant": sorted(numbers[url] for url in truth.targets) if truth else None,
        "total": len(truth) if truth else None,
        "urls": {numbers[url]: url for url in spoken_of},
        "titles": _titles(recordings, numbers),
        "crawlers": [_crawler(recording, truth, numbers, looks[recording.name]) for recording in recordings],
        "bounds": {name: _bits(hits) for name, hits in (bounds or {}).items()},
        "apart": first_divergence(recordings),
        "cards": {numbers[url]: card for url, card in (cards or {}).items() if url in numbers},
        "features": FEATURES,
        "palette": sns.color_palette("colorblind").as_hex(),
    }
    told["key"] = hashlib.sha256(json.dumps(told, sort_keys=True).encode()).hexdigest()[:12]
    return told


def first_divergence(recordings: Sequence[Recording]) -> int | None:
    """The first step, from 1, at which not all crawls fetched the same page; None if they never part."""
    orders = [recording.log.frame["url"].tolist() for recording in recordings]
    longest = max(map(len, orders), default=0)
    padded = [order + [None] * (longest - len(order)) for order in orders]
    return next(
        (step for step, pages in enumerate(zip(*padded, strict=True), 1) if len(set(pages)) > 1), None
    )


def parts_of(candidates: Iterable[Candidate]) -> list[str]:
    """The terms that add up to the score: what a stacked bar is made of; none if no terms do.

    A strategy names its terms, not how it joins them. Of the sets of terms whose sum is the score of nine
    links in ten, the smallest is taken.

    >>> parts_of([Candidate("", 0.7, "", "", {"a": 0.5, "b": 0.2, "c": 0.9})])
    ['a', 'b']
    """
    rows = [row for row in candidates if row.terms and not math.isinf(row.score)]
    names = list(dict.fromkeys(name for row in rows for name in row.terms))
    if not rows or len(names) > MOST_TERMS:
        return []
    table = np.array([[row.terms.get(name, 0.0) for name in names] for row in rows])
    scores = np.array([row.score for row in rows])
    for size in range(1, len(names) + 1):
        for chosen in combinations(range(len(names)), size):
            if np.isclose(table[:, chosen].sum(axis=1), scores, rtol=SAME, atol=1e-12).mean() >= 0.9:
                return [names[place] for place in chosen]
    return []


def _mentioned(recording: Recording) -> Iterable[str]:
    frame = recording.log.frame
    for column in ("url", "asked"):
        if column in frame:
            yield from frame[column]
    for queue in recording.queues:
        yield from (candidate.url for candidate in queue.best)


def _titles(recordings: Sequence[Recording], numbers: Mapping[str, int]) -> dict[int, str]:
    pairs = (zip(each.log.frame["url"], each.log.frame["title"], strict=True) for each in recordings)
    return {numbers[url]: str(title)[:120] for row in pairs for url, title in row}


def _crawler(
    recording: Recording, truth: Truth | None, numbers: Mapping[str, int], style: Any
) -> dict[str, Any]:
    frame = recording.log.frame
    asked = frame["asked"] if "asked" in frame else frame["url"]
    return {
        "name": recording.name,
        "color": sns.color_palette([style.color]).as_hex()[0],
        "dash": list(style.linestyle[1]) if isinstance(style.linestyle, tuple) else [],
        "marker": MARKERS.get(style.marker, "●"),
        "settings": {key: value for key, value in recording.log.settings.items() if key != "folder"},
        "pages": [numbers[url] for url in frame["url"]],
        "asked": [numbers[url] for url in asked],
        "parents": [numbers.get(url, -1) for url in frame["parent"]],
        "anchors": [str(anchor)[:80] for anchor in frame["anchor"]],
        "genres": [str(genre) for genre in frame["genre"]],
        "hits": _bits(hits_by(recording.log, truth if truth else GUIDE)),
        "guide": _bits(frame["relevant"]),
        **{name: [_number(value) for value in frame[name]] for name in COLUMNS},
        "failures": len(recording.log.failures),
        **_queues(recording, numbers),
    }


def _queues(recording: Recording, numbers: Mapping[str, int]) -> dict[str, Any]:
    """The links that were ever among the best, each once, and for each step which of them were."""
    rows: dict[str, int] = {}
    candidates: list[Candidate] = []
    order = []
    for queue in recording.queues:
        places = []
        for candidate in queue.best:
            known = json.dumps([candidate.url, candidate.score, candidate.source, dict(candidate.terms)])
            if known not in rows:
                rows[known] = len(candidates)
                candidates.append(candidate)
            places.append(rows[known])
        order.append(places)
    names = list(dict.fromkeys(name for candidate in candidates for name in candidate.terms))
    return {
        "terms": names,
        "parts": [names.index(name) for name in parts_of(candidates)],
        "candidates": [_candidate(candidate, names, numbers) for candidate in candidates],
        "queues": order,
        "sharing": [queue.sharing for queue in recording.queues],
    }


def _candidate(candidate: Candidate, names: Sequence[str], numbers: Mapping[str, int]) -> list[Any]:
    return [
        numbers[candidate.url],
        _number(candidate.score),
        numbers.get(candidate.source, -1),
        candidate.anchor[:60],
        *(_number(candidate.terms.get(name)) for name in names),
    ]


def _number(value: Any) -> Any:
    """A number in few characters; None for what is none, and for the endless score of a seed."""
    if value is None or not math.isfinite(value):
        return None
    return int(value) if float(value).is_integer() else float(f"{float(value):.{DIGITS}g}")


def _bits(values: Iterable[Any]) -> str:
    return "".join("1" if value else "0" for value in values)
