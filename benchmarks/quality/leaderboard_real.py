"""Every strategy of the lab on real webs, in one `compare` frame each; prints one JSON line.

Run ``FOCUSLAB_DATA=<folder> python benchmarks/quality/leaderboard_real.py [--webs webkb] [--subjects 4]``.

Wikipedia for Schools: subjects of 40 to 400 articles without narrower ones, five articles of the subject to
start from. WebKB: its classes from the home pages of the four departments. Twelve of these topics (``SEEN``)
had a say in the settings of adaptive, so means are given over all and over the others (``held``). All go by
one host rule; naive Bayes with that of its paper, 100 hosts apart, is one more row.

The classifiers learn from 30 % of the pages. The true labels judge. The web is what can be reached from the
seeds by links, shares of the web are shares of that, and the seeds count neither as fetches nor as finds. A
crawl goes on until nothing is left, so the area is under coverage of the whole web; ``--until 0.1`` ends it
after a tenth, and the area is that of the tenth. ``unseen`` metrics also leave the training pages out of the
finds and of the total: a page whose label was known before is no discovery.

``--classifier tfidf`` is naive Bayes on tf-idf vectors; ``counts`` is the lab's own on word counts, which is
meant for samples with as many relevant pages as others: give it ``--examples 400`` (see `Labelled.examples`).

``oracle`` here looks ahead over the true links, so that its area is a bound; the lab's own, which knows the
relevant pages but no way to them, is ``oracle_without_map``. Neither is tested.
"""

from __future__ import annotations

import argparse
import json
import math
import sys
import time
from collections import Counter, deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
import pandas as pd
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.model_selection import GridSearchCV, StratifiedKFold
from sklearn.naive_bayes import MultinomialNB

from focuslab import webs
from focuslab.classifiers import term_sets
from focuslab.classifiers.assessor import Classifiers
from focuslab.classifiers.relevance import RelevanceClassifier
from focuslab.experiments.compare import compare, summarise
from focuslab.experiments.leaderboard import BestFirstMax, NaiveBayesAnywhere
from focuslab.experiments.trials import Run
from focuslab.features import vectors
from focuslab.pages.text import words
from focuslab.strategies import all_strategies, fish_search
from focuslab.types import Example, Page, Proposal, Response, Strategy, Task, Topic, Truth, Visit
from focuslab.webs.labelled import LabelledWeb

MAKERS: Mapping[str, Callable[[], LabelledWeb]] = {"webkb": webs.webkb, "wikischools": webs.wikischools}
WEBKB_TOPICS = ("course", "faculty", "project")
SEEN = (
    "Citizenship.Politics_and_government",
    "Design_and_Technology.Railway_transport",
    "Everyday_life.Television",
    "Geography.General_Geography",
    "History.Recent_History",
    "Music.Performers_and_composers",
    "People.Historical_figures",
    "People.Political_People",
    "Science.Biology.Insects_Reptiles_and_Fish",
    *WEBKB_TOPICS,
)
"""Topics that had a say in the settings of adaptive; see ``adaptive.py``."""
SHARES = (0.01, 0.05, 0.10)
ALPHAS = (1.0, 0.1, 0.01, 0.001)
BOUNDS = ("random", "oracle", "oracle_without_map")


class LookAhead(Strategy):
    """The upper bound: it has a map of the web and goes the shortest way to the next relevant page.

    The lab's own oracle knows which pages are relevant but not where they hide; on a web where relevant
    pages are linked from irrelevant ones only, that is no bound at all.
    """

    name: ClassVar[str] = "look_ahead"

    def __init__(
        self, links: Mapping[str, Sequence[str]], truth: Truth, resolve: Callable[[str], str]
    ) -> None:
        self.truth, self.resolve = truth, resolve
        self.sources: dict[str, list[str]] = {url: [] for url in links}
        for url, ends in links.items():
            for end in ends:
                self.sources[end].append(url)

    def start(self, topic: Topic, rng: np.random.Generator) -> None:
        self.left_ = set(self.truth.targets) - set(topic.seeds)
        self.waiting_: dict[str, str] = {}
        self.distance_ = self._distances()

    def propose(self, visit: Visit) -> Iterable[Proposal]:
        self.waiting_.pop(visit.link.url, None)
        found = [(link, self.resolve(link.url)) for link in visit.page.out]
        self.waiting_.update({link.url: end for link, end in found if end})
        return [Proposal(link, self._score(end)) for link, end in found]

    def revise(self, visit: Visit) -> Iterable[tuple[str, float]]:
        if visit.page.url not in self.left_:
            return ()
        self.left_.remove(visit.page.url)
        self.distance_ = self._distances()
        return [(url, self._score(end)) for url, end in self.waiting_.items()]

    def _score(self, end: str) -> float:
        return -float(self.distance_.get(end, 1_000))

    def _distances(self) -> dict[str, int]:
        """Hops from every page to the nearest relevant one that is still to be found."""
        hops = dict.fromkeys(sorted(self.left_), 0)
        waiting = deque(hops)
        while waiting:
            url = waiting.popleft()
            for source in self.sources[url]:
                if source not in hops:
                    hops[source] = hops[url] + 1
                    waiting.append(source)
        return hops


class Reachable:
    """A labelled web without the pages that no path of links leads to: nobody can be asked to find those."""

    def __init__(self, web: LabelledWeb, topics: Sequence[str], seed: int) -> None:
        self.web, self.names = web, tuple(topics)
        self.links = {url: web.out(url) for url in web.urls}
        self.reach = {name: _reach(self.links, web.topic(name, seed).seeds) for name in topics}

    def __len__(self) -> int:
        return max(map(len, self.reach.values()))

    def fetch(self, url: str) -> Response:
        return self.web.fetch(url)

    def topics(self) -> tuple[str, ...]:
        return self.names

    def topic(self, name: str, seed: int = 0) -> Topic:
        return self.web.topic(name, seed)

    def examples(self, topic: str, count: int = 400, seed: int = 0) -> Sequence[Example]:
        return self.web.examples(topic, count, seed)

    def truth(self, topic: str) -> Truth:
        whole = self.web.truth(topic)
        return replace(whole, targets=whole.targets & self.reach[topic])


def _reach(links: Mapping[str, Iterable[str]], seeds: Iterable[str]) -> frozenset[str]:
    seen, waiting = set(seeds), deque(seeds)
    while waiting:
        new = [url for url in links[waiting.popleft()] if url not in seen]
        seen.update(new)
        waiting.extend(new)
    return frozenset(seen)


# --- the classifiers


class TfidfBayes:
    """Multinomial naive Bayes on tf-idf vectors of unit length.

    In an unbalanced sample Laplace's one count for each unseen word outweighs all that was seen of the rare
    class: rare words then speak for the topic, whatever they are. So the smoothing is chosen by
    cross-validation inside the training sample; no judged label is looked at.
    """

    def __init__(self, examples: Sequence[Example]) -> None:
        vectorizer = TfidfVectorizer(analyzer=_tokens, min_df=2)
        vectors = vectorizer.fit_transform([example.page for example in examples])
        truths = np.array([example.relevant for example in examples])
        folds = StratifiedKFold(3, shuffle=True, random_state=0)
        search = GridSearchCV(MultinomialNB(), {"alpha": ALPHAS}, scoring="average_precision", cv=folds)
        model = search.fit(vectors, truths).best_estimator_
        self.alpha = float(model.alpha)
        apart = model.feature_log_prob_[1] - model.feature_log_prob_[0]
        self.prior = float(model.class_log_prior_[1] - model.class_log_prior_[0])
        terms = vectorizer.vocabulary_.items()
        self.weights = {word: (float(vectorizer.idf_[i]), float(apart[i])) for word, i in terms}

    def score(self, page: Page) -> float:
        return self._score(_tokens(page))

    def score_text(self, text: str, language: str = "") -> float:
        return self._score(cached_words(text, language))

    def _score(self, tokens: Iterable[str]) -> float:
        known = [(n, *self.weights[word]) for word, n in Counter(tokens).items() if word in self.weights]
        length = math.sqrt(sum((n * idf) ** 2 for n, idf, _ in known)) or 1.0
        odds = self.prior + math.fsum(n * idf * apart for n, idf, apart in known) / length
        return 1 / (1 + math.exp(-odds))


def _tokens(page: Page) -> list[str]:
    return cached_words(f"{page.title}\n{page.text}", page.language)


WORDS: dict[tuple[str, str], list[str]] = {}


def cached_words(text: str, language: str = "") -> list[str]:
    """Most of the time of a topic goes into words, and a page has the same ones for every topic."""
    key = text, language
    if key not in WORDS:
        WORDS[key] = [sys.intern(word) for word in words(text, language)]
    return WORDS[key]


def setup(classifier: str, examples: int) -> Callable[[Reachable, str, int], Task]:
    def make(web: Reachable, name: str, seed: int) -> Task:
        for module in (vectors, fish_search, term_sets):
            module.words = cached_words  # type: ignore[attr-defined]
        drawn = web.examples(name, examples, seed)
        pages, relevant = [e.page for e in drawn], [e.relevant for e in drawn]
        counts = RelevanceClassifier(segmenter=cached_words)  # as train_classifiers does: no genres here
        bayes = TfidfBayes(drawn) if classifier == "tfidf" else counts.fit(pages, relevant)
        return Task(web.topic(name, seed), Classifiers(bayes), drawn)

    return make


# --- what is measured


def metrics(trained: Mapping[str, frozenset[str]]) -> dict[str, Callable[[Run], float]]:
    found: dict[str, Callable[[Run], float]] = {}
    for share in SHARES:
        percent = round(100 * share)
        found[f"harvest_{percent}"] = lambda run, share=share: _at(_hits(run)[0], share, run.pages)
        found[f"recall_{percent}"] = lambda run, share=share: _recall(*_hits(run), share, run.pages)
    found["area"] = lambda run: _area(*_hits(run), run.budget)
    found["harvest_1_unseen"] = lambda run: _at(_hits(run, trained)[0], 0.01, run.pages)
    found["recall_10_unseen"] = lambda run: _recall(*_hits(run, trained), 0.10, run.pages)
    found["area_unseen"] = lambda run: _area(*_hits(run, trained), run.budget)
    found["reached"] = lambda run: len(run.hits) / run.budget
    return found


def _hits(run: Run, trained: Mapping[str, frozenset[str]] | None = None) -> tuple[np.ndarray, int]:
    """Hits, and how many there can be; seeds are in neither, and what was trained on need not be."""
    assert run.total is not None
    if trained is None:
        return run.hits, run.total
    known = trained[run.log.settings["topic"]]
    return run.hits & ~run.log.frame["url"].isin(known).to_numpy(), run.total - len(known)


def _at(hits: np.ndarray, share: float, pages: int) -> float:
    fetches = round(share * pages)
    return float(hits[:fetches].sum() / fetches)


def _recall(hits: np.ndarray, total: int, share: float, pages: int) -> float:
    return float(hits[: round(share * pages)].sum() / total)


def _area(hits: np.ndarray, total: int, pages: int) -> float:
    found = np.cumsum(hits) / total
    return float(np.concatenate([found, np.full(pages - len(found), found[-1])]).mean())


# --- the two webs


def taught(whole: LabelledWeb, web: Reachable, topic: str, count: int, seed: int) -> frozenset[str]:
    """Relevant pages whose label the classifier was given, of those that could be finds: no seeds."""
    drawn = frozenset(e.page.url for e in whole.examples(topic, count, seed) if e.relevant)
    return (drawn & web.reach[topic]) - set(web.topic(topic, seed).seeds)


def subjects(web: LabelledWeb, count: int, seed: int) -> list[str]:
    """Subjects of 40 to 400 articles that have no narrower ones, drawn by the seed."""
    names = web.topics()
    wide = {name.rpartition(".")[0] for name in names}
    fit = [name for name in names if name not in wide and 40 <= len(web.truth(name)) <= 400]
    return sorted(fit[i] for i in np.random.default_rng(seed).permutation(len(fit))[:count])


def host_rules(entrants: Mapping[str, str]) -> dict[str, Any]:
    """All go by one host rule; that of naive Bayes' paper is one more row, as on the built-in web."""
    if "naive_bayes" not in entrants:
        return {}
    return {"naive_bayes": NaiveBayesAnywhere.from_task, "naive_bayes_100_apart": "naive_bayes"}


def measure(name: str, options: argparse.Namespace) -> dict[str, Any]:
    start = time.perf_counter()
    whole = MAKERS[name]()
    topics = whole.topics() if name == "webkb" else subjects(whole, options.subjects, options.seed)
    topics = topics[options.part :: options.parts]
    web = Reachable(whole, topics, options.seed)
    count = options.examples or len(whole)
    trained = {topic: taught(whole, web, topic, count, options.seed) for topic in topics}
    entrants = {s: s for s in options.strategies or all_strategies() if s not in ("random", "oracle")}
    extra = {
        "best_first_max": lambda task: BestFirstMax(),
        **host_rules(entrants),
        "oracle": lambda task: LookAhead(web.links, web.truth(task.topic.name), whole.resolve),
        "oracle_without_map": "oracle",
    }
    found = compare(
        entrants | extra,
        web,  # type: ignore[arg-type]
        topics,
        seeds=(options.seed,),
        budget=round(options.until * len(web)),
        metrics=metrics(trained),
        jobs=options.jobs,
        setup=setup(options.classifier, count),  # type: ignore[arg-type]
    )
    return {
        "pages": len(whole),
        "reachable": len(web),
        "targets": {topic: len(web.truth(topic)) for topic in topics},
        "seconds": round(time.perf_counter() - start),
        "settings": {key: found.settings[key] for key in ("judge", "tie", "rediscovery", "ran_dry")},
        "runs": json.loads(found.runs.round(4).to_json(orient="records")),
    }


def merged(parts: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """One result out of several of the same web, on other topics or of other strategies."""
    whole = dict(parts[0])
    whole["targets"] = {topic: size for part in parts for topic, size in part["targets"].items()}
    whole["seconds"] = sum(part["seconds"] for part in parts)
    frame = pd.concat([pd.DataFrame(part["runs"]) for part in parts])
    whole["runs"] = frame.drop_duplicates(["strategy", "topic", "seed", "metric"]).to_dict("records")
    return whole


def summed_up(found: dict[str, Any]) -> dict[str, Any]:
    """With the means of each strategy, over all topics and over those that adaptive was not set on."""
    runs = pd.DataFrame(found["runs"])
    tested = tuple(name for name in runs["strategy"].unique() if name not in BOUNDS)
    parts = {"all": runs, "held": runs[~runs["topic"].isin(SEEN)]}
    tables = [
        summarise(part, "best_first", tested).drop(columns="unit").assign(topics=name)
        for name, part in parts.items()
        if len(part)
    ]
    table = pd.concat(tables).round(4)
    return {**found, "summary": json.loads(table.to_json(orient="records"))}


def main() -> None:
    parser = argparse.ArgumentParser(description="Every strategy on the real webs.")
    parser.add_argument("--webs", nargs="+", choices=MAKERS, default=list(MAKERS))
    parser.add_argument("--subjects", type=int, default=30, help="subjects of Wikipedia for Schools (30)")
    parser.add_argument("--strategies", nargs="+", default=(), help="names; all if not given")
    parser.add_argument("--until", type=float, default=1.0, help="end crawls after this share of the web (1)")
    parser.add_argument("--classifier", choices=("tfidf", "counts"), default="tfidf")
    parser.add_argument(
        "--examples", type=int, default=0, help="training pages; 30 %% of the web if not given"
    )
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--part", type=int, default=0, help="take every --parts-th topic, from this one on")
    parser.add_argument("--parts", type=int, default=1, help="see --part; put together with --merge")
    parser.add_argument("--merge", type=Path, nargs="+", default=(), help="no crawls: join these results")
    parser.add_argument("--out", type=Path, help="write the JSON there as well")
    options = parser.parse_args()
    asked = {key: getattr(options, key) for key in ("classifier", "examples", "seed", "until")}
    earlier = [json.loads(path.read_text(encoding="utf-8")) for path in options.merge]
    found: dict[str, Any] = {"benchmark": "leaderboard_real", **asked}
    for name in options.webs:
        parts = [part[name] for part in earlier if name in part] if earlier else [measure(name, options)]
        if parts:
            found[name] = summed_up(merged(parts))
    line = json.dumps(found)
    if options.out:
        options.out.write_text(line + "\n", encoding="utf-8")
    print(line)


if __name__ == "__main__":
    main()
