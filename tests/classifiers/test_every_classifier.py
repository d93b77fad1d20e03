"""The contract of a classifier, checked for every file in classifiers/, written or yet to be written.

A classifier is a public class with ``fit``. Its first argument says what it reads: ``pages``, or anything
else for rows of numbers. It answers with ``score`` (a number from 0 to 1) or ``predict`` (label, confidence).
Estimators of scikit-learn's kind have a contract of their own, ``check_estimator``, checked in their tests.
"""

from __future__ import annotations

import importlib
import inspect
import os
import pickle
import pkgutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from sklearn.base import BaseEstimator

from focuslab import classifiers
from focuslab.types import Link, Page

MODULES = sorted(
    module.name for module in pkgutil.iter_modules(classifiers.__path__, "focuslab.classifiers.")
)


def all_classifiers() -> dict[str, type]:
    found = {}
    for name in MODULES:
        members = vars(importlib.import_module(name)).items()
        own = {key: value for key, value in members if inspect.isclass(value) and value.__module__ == name}
        own = {key: value for key, value in own.items() if not issubclass(value, BaseEstimator)}
        found |= {key: value for key, value in own.items() if hasattr(value, "fit") and key[0] != "_"}
    return found


CLASSIFIERS = all_classifiers()
every = pytest.mark.parametrize("kind", CLASSIFIERS.values(), ids=CLASSIFIERS)


def reads_pages(kind: type) -> bool:
    return list(inspect.signature(kind.fit).parameters)[1] == "pages"  # type: ignore[attr-defined]


def page(number: int) -> Page:
    """Even pages are about games and full of pictures, odd ones about stocks and long."""
    text = "stock price market news " * (9 + number % 5) if number % 2 else "game score pitcher"
    links = tuple(Link(f"http://h{n}.example/", text.split()[0]) for n in range(number % 7))
    images = 0 if number % 2 else 10 + number % 3
    return Page(f"http://h{number}.example/", text[:5], text, links, images, language="en")


def items(kind: type, start: int = 0, count: int = 40) -> Any:
    numbers = range(start, start + count)
    if reads_pages(kind):
        return [page(number) for number in numbers]
    rng = np.random.default_rng(start)
    return np.abs(rng.normal(size=(count, 6)) + [[3 * (number % 2)] for number in numbers])


def labels(kind: type, count: int = 40) -> list[Any]:
    """Truth values for a classifier that scores, names for one that predicts."""
    names = getattr(kind(), "genres", ("one", "other"))
    return [bool(n % 2 == 0) if hasattr(kind, "score") else names[n % 2] for n in range(count)]


def taught(kind: type) -> Any:
    classifier = kind()
    return classifier, classifier.fit(items(kind), labels(kind))


def answers(classifier: Any) -> list[Any]:
    tell = classifier.score if hasattr(classifier, "score") else classifier.predict
    return [tell(item) for item in items(type(classifier), 40, 12)]


def digest() -> str:
    """One line that changes when any answer of any classifier does."""
    return repr({name: answers(taught(kind)[0]) for name, kind in CLASSIFIERS.items()})


def test_the_walk_finds_the_classifiers() -> None:
    assert {"GenreClassifier", "RelevanceClassifier"} <= set(CLASSIFIERS)


@pytest.mark.parametrize("module", MODULES)
def test_every_module_says_what_it_is(module: str) -> None:
    assert importlib.import_module(module).__doc__


@every
def test_it_cites_its_source_and_explains_its_parameters(kind: type) -> None:
    documentation = inspect.getdoc(kind) or ""
    assert "References\n----------" in documentation
    missing = [name for name in inspect.signature(kind).parameters if name not in documentation]
    assert missing == []


@every
def test_making_one_only_stores_parameters(kind: type) -> None:
    made = kind()
    for name, parameter in inspect.signature(kind).parameters.items():
        assert getattr(made, name) is parameter.default
    assert [name for name in vars(made) if name.endswith("_")] == []


@every
def test_untaught_it_says_what_to_do(kind: type) -> None:
    with pytest.raises(ValueError, match="fit"):
        answers(kind())


@every
def test_fit_returns_the_classifier_and_learned_names_end_in_an_underscore(kind: type) -> None:
    classifier, returned = taught(kind)
    assert returned is classifier
    public = [name for name in vars(classifier) if not name.startswith("_")]
    assert all(name in inspect.signature(kind).parameters or name.endswith("_") for name in public)


@every
def test_it_learns_the_easy_case(kind: type) -> None:
    told, truth = answers(taught(kind)[0]), labels(kind, 12)
    if hasattr(kind, "score"):
        assert all(0 <= score <= 1 for score in told)
        assert [score > 0.5 for score in told] == truth
    else:
        assert all(0 <= confidence <= 1 for _, confidence in told)
        assert [label for label, _ in told] == truth


@every
def test_asking_changes_nothing(kind: type) -> None:
    classifier, _ = taught(kind)
    assert answers(classifier) == answers(classifier)


@every
def test_fitting_again_forgets_what_was_learned(kind: type) -> None:
    twice = kind().fit(items(kind, 7), labels(kind)[::-1]).fit(items(kind), labels(kind))
    assert answers(twice) == answers(taught(kind)[0])


@every
def test_it_survives_pickling(kind: type) -> None:
    classifier, _ = taught(kind)
    assert answers(pickle.loads(pickle.dumps(classifier))) == answers(classifier)


@every
def test_one_label_for_each_item(kind: type) -> None:
    with pytest.raises(ValueError, match="label"):
        kind().fit(items(kind), labels(kind)[:-1])


@every
def test_texts_are_scored_like_pages(kind: type) -> None:
    if not hasattr(kind, "score_text"):
        pytest.skip("reads no bare text")
    classifier, _ = taught(kind)
    assert 1 >= classifier.score_text("game score") > classifier.score_text("stock price") >= 0
    assert 0 <= classifier.score_text("") <= 1


def test_answers_do_not_depend_on_the_hash_seed() -> None:
    code = "import test_every_classifier as t; print(t.digest())"
    told = set()
    for seed in ("0", "1"):
        environment = os.environ | {"PYTHONHASHSEED": seed, "PYTHONPATH": os.pathsep.join(sys.path)}
        line = [sys.executable, "-c", code]
        told.add(subprocess.check_output(line, env=environment, cwd=Path(__file__).parent, text=True))
    assert len(told) == 1
