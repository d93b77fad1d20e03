"""P_IG: how often a link leads to a relevant page, by the relevance and the genre of its source.

The pre-analysis of Qian et al. counts it once on a small web; the genre-enhanced crawler then uses it.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Self

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray

from focuslab.types import GENRES

CLASSES = ("irrelevant", "relevant")
Row = tuple[float | None, ...]
Counts = tuple[tuple[int, ...], tuple[int, ...]]
NORMAL_95 = 1.959963984540054


@dataclass(frozen=True, slots=True)
class PigTable:
    """P_IG for both relevance classes of the source (irrelevant, relevant) and every genre of it.

    Attributes
    ----------
    genres : tuple of str
        The columns of every table below.
    shares : two tuples of float
        N_R / N_T by class and genre; None where no link was counted.
    pooled : tuple of two floats
        The same over all genres: the row "ave." or "Total" of the paper, not the mean of the others.
    hits, links : two tuples of int, or None
        The counts N_R and N_T; a published table has none.
    source : str
        Where the numbers are from, for captions.

    Notes
    -----
    The paper's words make N_T the number of source *pages* of a genre; its percentages only fit the
    number of *links* from sources of the same class and genre, which is counted here.
    """

    genres: tuple[str, ...]
    shares: tuple[Row, Row]
    pooled: Row
    hits: Counts | None = None
    links: Counts | None = None
    source: str = "estimated"

    @classmethod
    def from_counts(
        cls, hits: ArrayLike, links: ArrayLike, genres: tuple[str, ...] = GENRES, source: str = "estimated"
    ) -> Self:
        """Build the table from N_R and N_T, each with the rows irrelevant, relevant and a column a genre.

        Examples
        --------
        >>> table = PigTable.from_counts([[0, 1], [2, 0]], [[4, 4], [3, 0]], ("News", "Blog"))
        >>> round(table.probability(True, "News"), 3), table.probability(False, "Blog")
        (0.667, 0.25)
        """
        found, counted = np.asarray(hits), np.asarray(links)
        if not found.shape == counted.shape == (2, len(genres)):
            raise ValueError(f"hits {found.shape} and links {counted.shape} must both be (2, {len(genres)})")
        if (found < 0).any() or (found > counted).any():
            raise ValueError("hits must lie between 0 and links: they are those links that lead to relevance")
        irrelevant, relevant = (_shares(*rows) for rows in zip(found, counted, strict=True))
        pooled = _shares(found.sum(axis=1), counted.sum(axis=1))
        return cls(genres, (irrelevant, relevant), pooled, _counts(found), _counts(counted), source)

    def probability(self, relevant: bool, genre: str) -> float:
        """P_IG of a source page; where nothing was counted, the pooled share, and 0 without even that.

        The fall-back is our choice: the paper has no empty cell. A genre that the table does not know
        is treated like an empty one.
        """
        row = int(relevant)
        share = self.shares[row][self.genres.index(genre)] if genre in self.genres else None
        return next((value for value in (share, self.pooled[row]) if value is not None), 0.0)

    def matrix(self, genres: tuple[str, ...] | None = None) -> NDArray[np.float64]:
        """`probability` by class and genre code; one column more, the last, for pages without a genre."""
        columns = (*(self.genres if genres is None else genres), "")
        return np.array([[self.probability(bool(row), genre) for genre in columns] for row in (0, 1)])

    def interval(self, relevant: bool, genre: str) -> tuple[float, float]:
        """The 95 % Wilson interval of a cell; NaN where no counts are known."""
        if self.hits is None or self.links is None or genre not in self.genres:
            return math.nan, math.nan
        row, column = int(relevant), self.genres.index(genre)
        return wilson(self.hits[row][column], self.links[row][column])

    def to_frame(self) -> pd.DataFrame:
        """One row a cell: class, genre, N_R, N_T, share, its interval, and the probability in use."""
        rows = [self._cell(row, genre) for row in (1, 0) for genre in self.genres]
        return pd.DataFrame(rows + [self._pooled_cell(row) for row in (1, 0)])

    def _cell(self, row: int, genre: str) -> dict[str, object]:
        column = self.genres.index(genre)
        low, high = self.interval(bool(row), genre)
        return {
            "source": CLASSES[row],
            "genre": genre,
            "hits": self.hits[row][column] if self.hits else pd.NA,
            "links": self.links[row][column] if self.links else pd.NA,
            "share": _number(self.shares[row][column]),
            "low": low,
            "high": high,
            "probability": self.probability(bool(row), genre),
        }

    def _pooled_cell(self, row: int) -> dict[str, object]:
        hits = sum(self.hits[row]) if self.hits else None
        links = sum(self.links[row]) if self.links else None
        low, high = (math.nan, math.nan) if hits is None or links is None else wilson(hits, links)
        return {
            "source": CLASSES[row],
            "genre": "pooled",
            "hits": pd.NA if hits is None else hits,
            "links": pd.NA if links is None else links,
            "share": _number(self.pooled[row]),
            "low": low,
            "high": high,
            "probability": self.probability(bool(row), ""),
        }


def wilson(hits: int, links: int) -> tuple[float, float]:
    """The 95 % Wilson score interval of a share.

    Links of one page are not independent, so read it as the least uncertainty there is.

    References
    ----------
    Wilson, E. B. "Probable inference, the law of succession, and statistical inference." Journal of
    the American Statistical Association 22, 209-212, 1927. doi:10.1080/01621459.1927.10502953
    """
    if not links:
        return math.nan, math.nan
    share, z2 = hits / links, NORMAL_95**2
    centre = (share + z2 / (2 * links)) / (1 + z2 / links)
    half = NORMAL_95 / (1 + z2 / links) * math.sqrt(share * (1 - share) / links + z2 / (4 * links**2))
    return max(0.0, centre - half), min(1.0, centre + half)


def _shares(hits: NDArray[np.int64], links: NDArray[np.int64]) -> Row:
    return tuple(int(hit) / int(all_) if all_ else None for hit, all_ in zip(hits, links, strict=True))


def _number(share: float | None) -> float:
    return math.nan if share is None else share


def _counts(table: NDArray[np.int64]) -> Counts:
    irrelevant, relevant = (tuple(int(count) for count in row) for row in table)
    return irrelevant, relevant


def _published(topic: str, *percent: tuple[float, ...]) -> PigTable:
    irrelevant, relevant, pooled = (tuple(round(value / 100, 3) for value in row) for row in percent)
    return PigTable(GENRES, (irrelevant, relevant), pooled, source=f"published ({topic}, Qian et al.)")


PUBLISHED = {
    "baseball": _published(
        "baseball", (4.6, 3.3, 1.5, 1.8, 0.4), (52.7, 76.4, 36.7, 69.5, 23.6), (2.6, 57.6)
    ),
    "gaming": _published("gaming", (2.3, 10.9, 2.7, 0.3, 1.1), (71.2, 89.2, 70.1, 64.7, 87.3), (1.9, 82.9)),
}
"""Tables 3 and 2 of Qian et al.: percentages of a Japanese web of long ago, without counts."""
