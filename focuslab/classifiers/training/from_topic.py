"""An assessor for a topic's file: trained on its example pages if it names some, else made of its terms."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from urllib.parse import quote

from focuslab.classifiers.assessor import train_classifiers
from focuslab.classifiers.genre import GenreClassifier
from focuslab.classifiers.term_sets import TermAssessor
from focuslab.classifiers.training.topic_file import TopicFile
from focuslab.fetchers.failures import Reason
from focuslab.fetchers.wrapper import Wrapper
from focuslab.pages.parse import parse
from focuslab.types import GENRES, Assessor, Example, Fetcher, Page, Response

__all__ = ["FilesToo", "assessor_of", "genre_files", "read_examples"]


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


def read_examples(
    topic: TopicFile, genres: Iterable[str], fetcher: Fetcher, lenient: bool = False
) -> list[Example]:
    """The example pages a topic names, then files in folders named by genre (``News/one.html``).

    One that cannot be read is a mistake to correct, or, if ``lenient``, left out.
    """
    named = topic.examples
    labelled = [(address, True) for address in named.relevant]
    labelled += [(address, False) for address in named.irrelevant]
    if lenient:
        labelled = [(address, relevant) for address, relevant in labelled if fetcher.fetch(address).ok]
    examples = [Example(_page(address, fetcher), relevant) for address, relevant in labelled]
    return examples + [Example(_page(file, fetcher), False, Path(file).parent.name) for file in genres]


def genre_files(folder: str | Path) -> tuple[str, ...]:
    """Files in the folders News, Blog, Image, Video and Other of a folder."""
    found = [path for genre in GENRES for path in sorted((Path(folder) / genre).glob("*")) if path.is_file()]
    if len({path.parent for path in found}) < 2:
        raise ValueError(f"{folder} holds pages of fewer than two genres; put them in {', '.join(GENRES)}")
    return tuple(str(path) for path in found)


def assessor_of(topic: TopicFile, examples: list[Example], seed: int = 0) -> Assessor:
    """Classifiers trained on the examples; without any of relevance, a judge by the topic's terms."""
    labelled = [example for example in examples if not example.genre]
    if not labelled:
        return TermAssessor(topic.topic)
    if len({example.relevant for example in labelled}) < 2:
        missing = "irrelevant" if labelled[0].relevant else "relevant"
        raise ValueError(
            f"topic {topic.topic.name!r} has no {missing} example pages; add some under examples: {missing}:"
        )
    with_genre = [example for example in examples if example.genre]
    genre = _genre_classifier(with_genre, seed) if with_genre else False
    return train_classifiers(labelled, topic.topic, seed, genre=genre)


def _genre_classifier(examples: list[Example], seed: int) -> GenreClassifier:
    return GenreClassifier(seed=seed).fit([e.page for e in examples], [e.genre for e in examples])


def _page(address: str, fetcher: Fetcher) -> Page:
    response = fetcher.fetch(address)
    if not response.ok:
        why = response.error or f"status {response.status}"
        raise ValueError(f"the example page {address} cannot be read ({why}); correct it or leave it out")
    return parse(response)
