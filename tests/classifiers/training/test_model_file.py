"""A model goes into a file of plain arrays and comes back the same; a file of a stranger can do no harm."""

from __future__ import annotations

import json
from pathlib import Path

import joblib
import numpy as np
import pytest

from focuslab import train_classifiers, webs
from focuslab.classifiers.assessor import Classifiers
from focuslab.classifiers.svm import SvmClassifier
from focuslab.classifiers.training.model_file import load_model, save_model


@pytest.fixture(scope="module", params=["rungsawang_paper", "linear"])
def model(request: pytest.FixtureRequest) -> Classifiers:
    return train_classifiers(webs.synthetic(pages=400, seed=3).examples("baseball", 60), preset=request.param)


@pytest.fixture
def file(model: Classifiers, tmp_path: Path) -> Path:
    save_model(model, tmp_path / "a.model")
    return tmp_path / "a.model"


def test_it_judges_as_before(model: Classifiers, file: Path) -> None:
    web = webs.synthetic(pages=400, seed=4)
    read = load_model(file)
    assert isinstance(read, Classifiers)
    pages = [example.page for example in web.examples("baseball", 60)]
    assert [read.assess(page) for page in pages] == [model.assess(page) for page in pages]
    assert read.score_text("a home run", "en") == model.score_text("a home run", "en")


def test_a_genre_classifier_alone(model: Classifiers, tmp_path: Path) -> None:
    save_model(model.genre, tmp_path / "genre.npz")  # type: ignore[arg-type]
    page = webs.synthetic(pages=400, seed=4).examples("baseball", 60)[0].page
    assert load_model(tmp_path / "genre.npz").predict(page) == model.genre.predict(page)  # type: ignore[union-attr]


def test_a_pickle_is_refused_unread(tmp_path: Path) -> None:
    class Bomb:
        def __reduce__(self) -> tuple[object, tuple[str]]:
            return (Path.touch, (tmp_path / "harm",))  # type: ignore[return-value]

    joblib.dump(Bomb(), tmp_path / "model.joblib")
    np.savez(tmp_path / "model.npz", about=np.array([Bomb()], dtype=object))
    for name in ("model.joblib", "model.npz"):
        with pytest.raises(ValueError, match=r"is no model .*; make one with focuslab train"):
            load_model(tmp_path / name)
    assert not (tmp_path / "harm").exists()


@pytest.mark.parametrize("damage", ["child", "feature", "roots", "shares"])
def test_trees_that_lead_out_of_bounds_are_refused(file: Path, damage: str) -> None:
    with np.load(file) as arrays:
        kept = {name: arrays[name] for name in arrays}
    wrong = {"child": 10**8, "feature": 99, "roots": -5}
    if damage == "shares":
        kept["genre_shares"] = kept["genre_shares"][:, :1]
    else:
        kept[f"genre_{damage}"] = np.full_like(kept[f"genre_{damage}"], wrong[damage])
    with file.open("wb") as out:
        np.savez(out, **kept)
    with pytest.raises(ValueError, match="its trees are damaged"):
        load_model(file)


@pytest.mark.parametrize(
    "about", [{"version": 9}, {"version": 1, "language": ""}, {"version": 1, "genre": {}}, []]
)
def test_a_damaged_description_is_one_sentence(tmp_path: Path, about: object) -> None:
    np.savez(tmp_path / "m.npz", about=np.frombuffer(json.dumps(about).encode(), dtype=np.uint8))
    with pytest.raises(ValueError, match=r"m\.npz is no model that can be read \(.*\); make one with"):
        load_model(tmp_path / "m.npz")


def test_a_missing_one_says_how_to_make_one(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r"no model at .*; focuslab train makes one"):
        load_model(tmp_path / "gone.npz")


def test_what_cannot_be_written_is_said(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="a SvmClassifier cannot be written"):
        save_model(Classifiers(SvmClassifier()), tmp_path / "m.npz")
