"""An assessor for a topic's file: trained on its example pages if it names some, else made of its terms."""

from __future__ import annotations

import warnings
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from urllib.parse import quote

from tqdm import tqdm

from focuslab.classifiers.assessor import Classifiers, train_classifiers
from focuslab.classifiers.genre import GenreClassifier
from focuslab.classifiers.keywords import KeywordJudge
from focuslab.classifiers.of_genre import OfGenre
from focuslab.classifiers.term_sets import TermAssessor
from focuslab.classifiers.training.model_file import load_model
from focuslab.classifiers.training.topic_file import TopicFile
from focuslab.fetchers.failures import Reason
from focuslab.fetchers.wrapper import Wrapper
from focuslab.pages.parse import parse
from focuslab.types import GENRES, Assessor, Example, Fetcher, Page, Response

__all__ = [
    "SHIPPED_GENRES",
    "FilesToo",
    "assessor_of",
    "genre_files",
    "read_examples",
    "tells_genres",
    "with_genres",
]

SHIPPED_GENRES = Path(__file__).with_name("genres.npz")
"""Tells genres as made-up pages teach them: right on 61 % of 638 real ones, 35 % of which are Other.

docs/genre_model.py makes it and measures it.
"""


class FilesToo(Wrapper):
    """Wrap a fetcher: an address without ``://`` is a file."""

    def fetch(self, url: str) -> Response:
        """A page from the web, or from a file."""
        if "://" in url:
            return self.fetcher.fetch(url)
        try:
            body = Path(url).read_bytes()
        except OSError as problem:
            return Response(url, error=Reason.UNREADABLE.because(problem.strerror))
        return Response(f"http://file.invalid/{quote(Path(url).name)}", 200, body, "text/html")


def read_examples(topic: TopicFile, genres: Iterable[str], fetcher: Fetcher) -> list[Example]:
    """The example pages a topic names, then files in folders named by genre (``News/one.html``).

    Those that cannot be read are left out, with a warning that counts them; all of them is a mistake.
    """
    named = topic.examples
    asked = [(address, True, "") for address in named.relevant]
    asked += [(address, False, "") for address in named.irrelevant]
    asked += [(file, False, Path(file).parent.name) for file in genres]
    examples, failed = [], []
    for address, relevant, genre in tqdm(asked, desc="examples", unit="page", leave=False):
        response = fetcher.fetch(address)
        if response.ok:
            examples.append(Example(parse(response), relevant, genre))
        else:
            failed.append(f"{address} ({response.error or f'status {response.status}'})")
    count = f"{len(failed)} of {len(asked)} example pages cannot be read"
    if failed and not examples:
        raise ValueError(f"{count}, the first {failed[0]}; correct their addresses")
    if failed:
        warnings.warn(f"{count} and are left out: {', '.join(failed[:3])}", stacklevel=2)
    return examples


def genre_files(folder: str | Path) -> tuple[str, ...]:
    """Files in the folders News, Blog, Image, Video and Other of a folder."""
    found = [path for genre in GENRES for path in sorted((Path(folder) / genre).glob("*")) if path.is_file()]
    if len({path.parent for path in found}) < 2:
        raise ValueError(f"{folder} holds pages of fewer than two genres; put them in {', '.join(GENRES)}")
    return tuple(str(path) for path in found)


def assessor_of(topic: TopicFile, examples: list[Example], seed: int = 0) -> Assessor:
    """What judges pages, by what the topic gives.

    Relevant and irrelevant examples train a `LinearClassifier`; relevant ones alone teach a `KeywordJudge`,
    to which the crawl's own pages are the others; so do keywords or content terms. Terms of a genre besides
    make it an `OfGenre`; alone, or with a threshold, they make the paper's `TermAssessor`.
    """
    labelled = [example for example in examples if not example.genre]
    with_genre = [example for example in examples if example.genre]
    kinds = {example.relevant for example in labelled}
    if kinds == {True, False}:
        genre = _genre_classifier(with_genre, seed) if with_genre else False
        return train_classifiers(labelled, topic.topic, seed, preset="linear", genre=genre)
    judge = _judge(topic, [example.page for example in labelled if example.relevant])
    if with_genre and isinstance(judge, KeywordJudge):
        return Classifiers(judge, _genre_classifier(with_genre, seed))
    return judge


def tells_genres(judge: Assessor) -> bool:
    """Whether the judge says which genre a page has."""
    return not isinstance(judge, TermAssessor) and getattr(judge, "genre", None) is not None


def with_genres(judge: Assessor) -> Assessor:
    """The judge, who now tells genres too, by the model that ships with the lab."""
    genre = load_model(SHIPPED_GENRES)
    assert isinstance(genre, GenreClassifier)
    if isinstance(judge, KeywordJudge):
        return Classifiers(judge, genre)
    if isinstance(judge, Classifiers):
        return replace(judge, genre=genre)
    raise ValueError(
        "genre_enhanced needs a judge that can learn genres; give keywords or examples instead of genre: "
        "terms, or take --strategy genre_aware"
    )


def _judge(topic: TopicFile, relevant: list[Page]) -> KeywordJudge | TermAssessor | OfGenre:
    known = topic.topic
    if known.genre_terms and not relevant:
        if topic.threshold is None and (known.content_terms or known.keywords):
            return OfGenre.of(known)
        return TermAssessor(known) if topic.threshold is None else TermAssessor(known, topic.threshold)
    if not relevant and not known.keywords and not known.content_terms:
        raise ValueError(
            f"topic {known.name!r} says only what is not wanted, or what the genre sounds like; "
            "give keywords: [one, another], or addresses under examples: relevant:"
        )
    return KeywordJudge(known, topic.threshold, relevant)


def _genre_classifier(examples: list[Example], seed: int) -> GenreClassifier:
    return GenreClassifier(seed=seed).fit([e.page for e in examples], [e.genre for e in examples])
