"""How good a classifier is on pages it has not seen: folds, under-sampling, and the result as a value."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd
from sklearn.metrics import confusion_matrix
from sklearn.model_selection import StratifiedGroupKFold, StratifiedKFold

__all__ = ["Validation", "balanced", "splits"]


@dataclass(frozen=True, slots=True)
class Validation:
    """What a cross-validation found."""

    labels: tuple[str, ...]
    accuracies: tuple[float, ...]
    """Accuracy in each fold."""
    confusion: tuple[tuple[int, ...], ...]
    """All folds together: a row per true label, a column per predicted one."""

    @classmethod
    def of(cls, labels: Sequence[str], folds: Iterable[tuple[np.ndarray, np.ndarray]]) -> Validation:
        """Gather (true codes, predicted codes) of each fold; a code is a place in ``labels``."""
        tables = [confusion_matrix(truth, found, labels=range(len(labels))) for truth, found in folds]
        accuracies = tuple(float(table.trace() / table.sum()) for table in tables)
        return cls(tuple(labels), accuracies, tuple(map(tuple, sum(tables).tolist())))

    @property
    def accuracy(self) -> float:
        """Mean over the folds."""
        return float(np.mean(self.accuracies))

    @property
    def macro_f1(self) -> float:
        """Mean F1, all folds together, over the labels that occur as truth or as prediction."""
        return float(self.to_frame()["f1"].mean())

    def to_frame(self) -> pd.DataFrame:
        """One row per true label: how often each label was predicted, then precision, recall and F1."""
        table = np.array(self.confusion)
        found, true, hits = table.sum(axis=0), table.sum(axis=1), table.diagonal()
        frame = pd.DataFrame(table, index=pd.Index(self.labels, name="truth"), columns=list(self.labels))
        with np.errstate(invalid="ignore"):
            return frame.assign(precision=hits / found, recall=hits / true, f1=2 * hits / (found + true))

    def __str__(self) -> str:
        spread = float(np.std(self.accuracies))
        head = f"accuracy {self.accuracy:.3f} ± {spread:.3f} ({len(self.accuracies)} folds)"
        return f"{head}, macro F1 {self.macro_f1:.3f}\n{self.to_frame().round(3).to_string()}"


def splits(
    codes: np.ndarray, folds: int, seed: int, groups: Sequence[Hashable] | None = None
) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """Stratified, shuffled (training rows, test rows); with groups, a group is never on both sides."""
    parts = len(codes) if groups is None else len(set(groups))
    if folds < 2 or parts < folds:
        what = "pages" if groups is None else "groups of pages"
        raise ValueError(f"cannot make {folds} folds of {parts} {what}; use 2 to {max(parts, 2)} folds")
    if groups is None:
        return StratifiedKFold(folds, shuffle=True, random_state=seed).split(codes, codes)
    numbers = pd.factorize(np.array([str(group) for group in groups], dtype=object))[0]
    return StratifiedGroupKFold(folds, shuffle=True, random_state=seed).split(codes, codes, numbers)


def balanced(codes: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Rows to keep so that every class is as small as the smallest one; who goes is drawn by ``rng``."""
    classes = [np.flatnonzero(codes == code) for code in np.unique(codes)]
    size = min(map(len, classes), default=0)
    kept = [rng.choice(rows, size, replace=False) for rows in classes]
    return np.sort(np.concatenate(kept)) if kept else np.empty(0, dtype=np.intp)
