"""Cross-validation by hand: accuracy, F1, folds that keep groups together, classes cut to one size."""

from __future__ import annotations

import numpy as np
import pytest

from focuslab.classifiers.validation import Validation, balanced, splits


def test_a_validation_by_hand() -> None:
    folds = [(np.array([0, 0, 1]), np.array([0, 1, 1])), (np.array([1, 0]), np.array([1, 0]))]
    found = Validation.of(("good", "bad"), folds)
    assert found.accuracies == pytest.approx((2 / 3, 1.0))
    assert found.confusion == ((2, 1), (0, 2))
    assert found.accuracy == pytest.approx(5 / 6)
    frame = found.to_frame()
    assert frame.loc["good", ["precision", "recall", "f1"]].tolist() == pytest.approx([1, 2 / 3, 0.8])
    assert found.macro_f1 == pytest.approx(0.8)
    assert "accuracy 0.833 ± 0.167 (2 folds)" in str(found)


def test_every_row_is_tested_once_and_classes_keep_their_share() -> None:
    codes = np.repeat([0, 1], [40, 20])
    tested = []
    for training, test in splits(codes, 5, seed=0):
        assert not set(training) & set(test)
        assert np.bincount(codes[test]).tolist() == [8, 4]
        tested += test.tolist()
    assert sorted(tested) == list(range(60))


def test_a_group_is_never_on_both_sides() -> None:
    codes, groups = np.tile([0, 1], 30), [f"h{n // 6}" for n in range(60)]
    for training, test in splits(codes, 3, 0, groups):
        assert not {groups[row] for row in training} & {groups[row] for row in test}


@pytest.mark.parametrize(("folds", "groups"), [(1, None), (9, None), (3, ["a", "b"] * 4)])
def test_impossible_folds_say_what_is_possible(folds: int, groups: list | None) -> None:
    with pytest.raises(ValueError, match=r"cannot make \d folds of \d .*; use 2 to \d folds"):
        list(splits(np.tile([0, 1], 4), folds, 0, groups))


def test_classes_are_cut_to_the_smallest_by_the_generator_only() -> None:
    codes = np.repeat([0, 1, 2], [9, 4, 6])
    kept = balanced(codes, np.random.default_rng(1))
    assert np.bincount(codes[kept]).tolist() == [4, 4, 4]
    assert kept.tolist() == sorted(set(kept.tolist())) == balanced(codes, np.random.default_rng(1)).tolist()
    assert balanced(np.array([]), np.random.default_rng(1)).tolist() == []
