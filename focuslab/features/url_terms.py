"""What the words of a URL say of its topic: splitting, and the URL knowledge base of UCrawler.

The equations of the paper are lost. The rules below marked "Reconstruction" were chosen to satisfy every
sentence that survives; they are not the authors' formulas. Each is one small function, to be replaced.
"""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, Self

import pandas as pd

from focuslab.pages.text import stop_words
from focuslab.pages.urls import tokens

__all__ = ["MEASURES", "UrlKnowledge", "mean_of_all", "mean_of_known", "strongest", "url_phrases"]

PROTOCOLS_AND_DOMAINS = frozenset({"http", "https", "www", "com", "cn", "net", "org", "edu", "gov"})
FILE_NAMES = frozenset({"html", "htm", "shtml", "php", "asp", "aspx", "jsp", "index"})
RESERVED = frozenset({"test", "example", "invalid", "localhost"})
"""Names that no site can have (RFC 2606): addresses of made-up webs end in one, as others do in com."""
UNINFORMATIVE = PROTOCOLS_AND_DOMAINS | FILE_NAMES | RESERVED | stop_words("en")


def url_phrases(url: str) -> list[str]:
    """The words of a URL that may tell its topic, each once, in order of appearance.

    >>> url_phrases("http://sports.sina.com.cn/nba/")
    ['sports', 'sina', 'nba']
    """
    kept = (
        word for word in tokens(url) if len(word) > 1 and not word.isnumeric() and word not in UNINFORMATIVE
    )
    return list(dict.fromkeys(kept))


def mean_of_known(known: list[float], phrases: int) -> float:
    """Reconstruction: irrelevant words dilute, unknown ones are no evidence."""
    return sum(known) / len(known) if known else 0.0


def mean_of_all(known: list[float], phrases: int) -> float:
    """An alternative reading: unknown words dilute too."""
    return sum(known) / phrases if phrases else 0.0


def strongest(known: list[float], phrases: int) -> float:
    """An alternative reading: one telling word is enough."""
    return max(known, default=0.0)


MEASURES = {"known": mean_of_known, "all": mean_of_all, "max": strongest}


def initial_weights(positive: list[str], negative: list[str]) -> tuple[dict[str, float], dict[str, float]]:
    """Reconstruction: a phrase goes where its share of URLs is greater, to the irrelevant on equality."""
    plus, minus = _url_counts(positive), _url_counts(negative)
    top = max(plus.values(), default=1)
    relevant, irrelevant = {}, {}
    for phrase in plus | minus:
        if plus[phrase] * max(len(negative), 1) > minus[phrase] * max(len(positive), 1):
            relevant[phrase] = plus[phrase] / top
        else:
            irrelevant[phrase] = 0.0
    return relevant, irrelevant


def _url_counts(urls: Iterable[str]) -> Counter[str]:
    return Counter(phrase for url in urls for phrase in url_phrases(url))


def moved(weight: float, relevance: float, eta: float) -> float:
    """Reconstruction: a known phrase moves a step towards the relevance of the URL it stands in."""
    return (1 - eta) * weight + eta * relevance


def ramped(weight: float, relevance: float, occurrences: int) -> float:
    """Reconstruction: a phrase on trial gains its part of a mean over so many occurrences, at most 1."""
    return min(1.0, weight + relevance / occurrences)


def irrelevance(weight: float, relevance: float) -> float:
    """Reconstruction: evidence against a phrase adds up, since the least is dropped as maybe relevant."""
    return weight + (1 - relevance)


class UrlKnowledge:
    """Three thesauruses of URL phrases: topic-relevant, topic-irrelevant, and those on trial.

    No phrase is both relevant and irrelevant; those on trial are relevant, provisionally.

    Parameters
    ----------
    relevant, irrelevant : mapping, optional
        Phrases and their weights.
    learning : mapping, optional
        Phrases on trial and how often they occurred; each is in ``relevant`` too.
    eta : float
        Step of a weight towards feedback.
    occurrences : int
        How often a new phrase must occur in relevant URLs before its trial ends.
    least_weight : float
        `update` drops lighter phrases from the relevant ones.
    drop_percent : float
        `update` drops this share of the irrelevant ones, the lightest.
    measure : {"known", "all", "max"}
        How the weights of a URL's phrases make one number.

    Notes
    -----
    The paper's equations and parameter values are lost: all rules and defaults here are reconstructions.

    References
    ----------
    Wang and Yu. UCrawler. Journal of Computational Methods in Sciences and Engineering, 2021.
    doi:10.3233/jcm-204658

    Examples
    --------
    >>> base = UrlKnowledge({"sports": 1.0, "nba": 0.8}, {"sina": 0.0})
    >>> round(base.relevance("http://sports.sina.com.cn/nba"), 6)
    0.6
    """

    def __init__(
        self,
        relevant: Mapping[str, float] | None = None,
        irrelevant: Mapping[str, float] | None = None,
        learning: Mapping[str, int] | None = None,
        *,
        eta: float = 0.1,
        occurrences: int = 3,
        least_weight: float = 0.1,
        drop_percent: float = 5.0,
        measure: str = "known",
    ) -> None:
        self.relevant, self.irrelevant = dict(relevant or {}), dict(irrelevant or {})
        self.learning = dict(learning or {})
        self.settings: dict[str, Any] = {
            "eta": eta,
            "occurrences": occurrences,
            "least_weight": least_weight,
            "drop_percent": drop_percent,
            "measure": measure,
        }
        self._check()

    def _check(self) -> None:
        measure, occurrences = self.settings["measure"], self.settings["occurrences"]
        if measure not in MEASURES:
            raise ValueError(f"no measure named {measure!r}; try {', '.join(MEASURES)}")
        if occurrences < 1:
            raise ValueError(
                f"occurrences is {occurrences}; a phrase must occur at least once, so give 1 or more"
            )
        if both := sorted(self.relevant.keys() & self.irrelevant.keys()):
            raise ValueError(f"phrase {both[0]!r} is both relevant and irrelevant; keep it in one thesaurus")
        if astray := sorted(self.learning.keys() - self.relevant.keys()):
            raise ValueError(f"phrase {astray[0]!r} is on trial without a weight; add it to relevant too")

    @classmethod
    def from_urls(cls, positive: Iterable[str], negative: Iterable[str], **settings: Any) -> Self:
        """Build the base from URLs on the topic and others."""
        return cls(*initial_weights(list(positive), list(negative)), **settings)

    def copy(self) -> Self:
        """A base of its own, with the same phrases and settings."""
        return type(self)(self.relevant, self.irrelevant, self.learning, **self.settings)

    def relevance(self, url: str) -> float:
        """What the phrases of a URL say of it, from 0 to 1; 0 if none is known."""
        phrases = url_phrases(url)
        known = [
            self.relevant.get(phrase, 0.0)
            for phrase in phrases
            if phrase in self.relevant or phrase in self.irrelevant
        ]
        return MEASURES[self.settings["measure"]](known, len(phrases))

    def learn(self, url: str, relevance: float, high: float, low: float) -> None:
        """Take in how relevant a URL turned out to be; between the thresholds nothing is learned."""
        if relevance < high and relevance > low:
            return
        learn = self._praise if relevance >= high else self._blame
        for phrase in url_phrases(url):
            learn(phrase, relevance)

    def _praise(self, phrase: str, relevance: float) -> None:
        """Reconstruction of the cases of a relevant URL."""
        if phrase in self.irrelevant:
            return
        if phrase in self.relevant and phrase not in self.learning:
            self.relevant[phrase] = moved(self.relevant[phrase], relevance, self.settings["eta"])
            return
        needed = self.settings["occurrences"]
        self.learning[phrase] = self.learning.get(phrase, 0) + 1
        self.relevant[phrase] = ramped(self.relevant.get(phrase, 0.0), relevance, needed)
        if self.learning[phrase] >= needed:
            del self.learning[phrase]

    def _blame(self, phrase: str, relevance: float) -> None:
        """Reconstruction of the cases of an irrelevant URL."""
        if phrase in self.relevant:
            self.relevant[phrase] = moved(self.relevant[phrase], relevance, self.settings["eta"])
        else:
            self.irrelevant[phrase] = irrelevance(self.irrelevant.get(phrase, 0.0), relevance)

    def update(self) -> None:
        """Drop relevant phrases grown too light, and the lightest share of the irrelevant ones."""
        least = self.settings["least_weight"]
        self.relevant = {
            phrase: weight
            for phrase, weight in self.relevant.items()
            if weight >= least or phrase in self.learning
        }
        lightest = sorted(self.irrelevant, key=self.irrelevant.__getitem__)
        for phrase in lightest[: math.floor(self.settings["drop_percent"] * len(lightest) / 100)]:
            del self.irrelevant[phrase]

    @property
    def frame(self) -> pd.DataFrame:
        """One row per phrase: thesaurus, weight, and occurrences for those on trial (0 for others)."""
        rows = [
            (
                phrase,
                "learning" if phrase in self.learning else "relevant",
                weight,
                self.learning.get(phrase, 0),
            )
            for phrase, weight in self.relevant.items()
        ] + [(phrase, "irrelevant", weight, 0) for phrase, weight in self.irrelevant.items()]
        return pd.DataFrame(rows, columns=["phrase", "thesaurus", "weight", "occurrences"])

    def save(self, path: str | Path) -> None:
        """Write the base to a JSON file."""
        content = {
            "relevant": self.relevant,
            "irrelevant": self.irrelevant,
            "learning": self.learning,
            "settings": self.settings,
        }
        Path(path).write_text(json.dumps(content, ensure_ascii=False, indent=1), encoding="utf-8")

    @classmethod
    def load(cls, path: str | Path) -> Self:
        """Read a base that `save` wrote."""
        try:
            content = json.loads(Path(path).read_text(encoding="utf-8"))
            parts = content["relevant"], content["irrelevant"], content["learning"], content["settings"]
        except (ValueError, KeyError, TypeError) as error:
            raise ValueError(f"{path} holds no URL knowledge base; give a file that save() wrote") from error
        return cls(*parts[:3], **parts[3])
