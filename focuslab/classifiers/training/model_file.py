"""Trained classifiers as a file of plain arrays: it can be sent to others, for reading it runs no code.

A model is a NumPy archive (``.npz``, a zip): one text in JSON that says which classifiers are in it and with
which settings, and their numbers. Pickles, such as joblib writes, are refused: whoever opens one runs it.
"""

from __future__ import annotations

import json
import zipfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from focuslab.classifiers.assessor import Classifiers
from focuslab.classifiers.forest import Forest
from focuslab.classifiers.genre import GenreClassifier
from focuslab.classifiers.linear import LinearClassifier
from focuslab.classifiers.relevance import RelevanceClassifier
from focuslab.features.genre import genre_features
from focuslab.features.genre_rich import rich_genre_features
from focuslab.pages.text import words

__all__ = ["load_model", "save_model"]

VERSION = 1
MOST_BYTES = 2_000_000_000
"""Of a model, unpacked: a small file may be made to fill any memory."""
FEATURES: Mapping[str, Any] = {"genre": genre_features, "genre_rich": rich_genre_features}
TREES = {"roots": "i4", "feature": "i4", "threshold": "f8", "child": "i4", "shares": "f8"}
Arrays = Mapping[str, Any]


def save_model(model: Classifiers | GenreClassifier, path: str | Path) -> None:
    """Write trained classifiers; a genre classifier alone is one of a model that judges no relevance."""
    relevance, genre = (model.relevance, model.genre) if isinstance(model, Classifiers) else (None, model)
    about: dict[str, Any] = {"version": VERSION, "language": getattr(model, "language", "")}
    arrays: dict[str, Any] = {}
    for part, classifier in (("relevance", relevance), ("genre", genre)):
        if classifier is not None:
            about[part], numbers = _words(classifier) if part == "relevance" else _trees(classifier)
            arrays |= {f"{part}_{name}": value for name, value in numbers.items()}
    with Path(path).open("wb") as file:  # by its name, NumPy would add an ending of its own
        np.savez_compressed(file, about=_bytes(json.dumps(about)), **arrays)


def load_model(path: str | Path) -> Classifiers | GenreClassifier:
    """Read what `save_model` wrote; a file that was not made by it is refused in one sentence."""
    file = Path(path)
    if not file.is_file():
        raise ValueError(f"no model at {file}; focuslab train makes one")
    if not zipfile.is_zipfile(file):
        raise ValueError(
            f"{file} is no model of focuslab (a joblib or pickle file could run any code); "
            "make one with focuslab train"
        )
    try:
        with zipfile.ZipFile(file) as packed:
            size = sum(info.file_size for info in packed.infolist())
        if size > MOST_BYTES:
            raise ValueError(f"it unpacks to {size:,} bytes")
        with np.load(file, allow_pickle=False) as arrays:
            return _read(json.loads(_text(arrays["about"])), arrays)
    except (ValueError, KeyError, TypeError, IndexError, OSError, zipfile.BadZipFile) as problem:
        raise ValueError(
            f"{file} is no model that can be read ({problem}); make one with focuslab train"
        ) from None


def _read(about: dict[str, Any], arrays: Arrays) -> Classifiers | GenreClassifier:
    if about["version"] != VERSION:
        raise ValueError(f"it is of version {about['version']}, not {VERSION}")
    genre = _unpack_trees(about["genre"], _part("genre", arrays)) if "genre" in about else None
    if "relevance" in about:
        relevance = _unpack_words(about["relevance"], _part("relevance", arrays))
        return Classifiers(relevance, genre, str(about["language"]))
    if genre is None:
        raise ValueError("it holds no classifier")
    return genre


def _part(name: str, arrays: Arrays) -> Arrays:
    return {key.removeprefix(f"{name}_"): arrays[key] for key in arrays if key.startswith(f"{name}_")}


def _words(classifier: object) -> tuple[dict[str, Any], dict[str, Any]]:
    """A classifier that adds up weights of words."""
    if getattr(classifier, "segmenter", None) is not words:
        raise ValueError(f"a {type(classifier).__name__} cannot be written; train a LinearClassifier")
    if isinstance(classifier, LinearClassifier):
        weights, idf = np.array(list(classifier.words_.values())).T
        settings = {"language": classifier.language, "bias": classifier.bias_, "model": classifier.model_}
        return settings, {"words": _bytes("\n".join(classifier.words_)), "weights": weights, "idf": idf}
    if not isinstance(classifier, RelevanceClassifier):
        raise ValueError(f"a {type(classifier).__name__} cannot be written; train a LinearClassifier")
    known = classifier.weights_
    settings = {name: getattr(classifier, name) for name in ("preset", "fields", "language")}
    weights = np.array(list(known.values()))
    return settings | {"prior": classifier.prior_}, {"words": _bytes("\n".join(known)), "weights": weights}


def _unpack_words(settings: dict[str, Any], arrays: Arrays) -> RelevanceClassifier | LinearClassifier:
    known, weights = _text(arrays["words"]).split("\n"), arrays["weights"].astype(float).tolist()
    if "bias" in settings:
        linear = LinearClassifier(language=str(settings["language"]))
        linear.bias_, linear.model_ = float(settings["bias"]), str(settings["model"])
        pairs = zip(weights, arrays["idf"].astype(float).tolist(), strict=True)
        linear.words_ = dict(zip(known, pairs, strict=True))
        return linear
    prior = float(settings.pop("prior"))
    classifier = RelevanceClassifier(**settings)
    classifier.prior_, classifier.weights_ = prior, dict(zip(known, weights, strict=True))
    return classifier


def _trees(classifier: object) -> tuple[dict[str, Any], dict[str, Any]]:
    if not isinstance(classifier, GenreClassifier):
        raise ValueError(f"a {type(classifier).__name__} cannot be written; train a GenreClassifier")
    named = [name for name, features in FEATURES.items() if features is classifier.features]
    if not named:
        raise ValueError(f"genre features {classifier.features} cannot be written; use {', '.join(FEATURES)}")
    settings = {name: getattr(classifier, name) for name in ("trees", "max_features", "seed")}
    numbers = {name: getattr(classifier.forest_, name) for name in TREES}
    return (
        settings | {"genres": list(classifier.genres), "features": named[0]},
        numbers | {"importances": classifier.importances_},
    )


def _unpack_trees(settings: dict[str, Any], arrays: Arrays) -> GenreClassifier:
    features = FEATURES[settings.pop("features")]
    classifier = GenreClassifier(tuple(settings.pop("genres")), features, **settings)
    classifier.importances_ = arrays["importances"]
    classifier.forest_ = Forest(*(arrays[name].astype(kind) for name, kind in TREES.items()))
    _check(classifier.forest_, len(features.names), len(classifier.genres))
    return classifier


def _check(forest: Forest, features: int, genres: int) -> None:
    """The compiled walk looks at no bounds, so what it is given must keep to them: down, and inside."""
    nodes = len(forest.feature)
    shapes = (forest.threshold.shape, forest.child.shape, forest.shares.shape)
    inner = np.flatnonzero(forest.feature >= 0)
    children = forest.child[inner]
    if (
        shapes != ((nodes,), (nodes, 2), (nodes, genres))
        or (forest.feature >= features).any()
        or not len(forest.roots)
        or not ((forest.roots >= 0) & (forest.roots < nodes)).all()
        or not ((children > inner[:, None]) & (children < nodes)).all()
    ):
        raise ValueError("its trees are damaged")


def _bytes(text: str) -> np.ndarray:
    return np.frombuffer(text.encode(), dtype=np.uint8)


def _text(array: np.ndarray) -> str:
    return array.astype(np.uint8).tobytes().decode()
