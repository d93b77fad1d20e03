"""P_IG counted in a crawl of one's own: how often links of each kind of page lead to relevant ones."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd

from focuslab.crawling.live.folder import Folder
from focuslab.features.pig import CLASSES, PigTable
from focuslab.fetchers import warc
from focuslab.fetchers.pdf import as_page
from focuslab.pages.parse import parse
from focuslab.types import GENRES

__all__ = ["read_pig", "survey"]


def survey(folder: Folder) -> PigTable:
    """Count the links between the pages of a crawl that was judged with genres."""
    if not folder.log.exists():
        raise ValueError(f"no crawl with a log in {folder.path}; name the folder that was given as --out")
    log = pd.read_parquet(folder.log)
    if not (log.genre != "").any():
        raise ValueError(
            f"the crawl in {folder.path} knows no genres; crawl with --genres or a --model that does"
        )
    relevant = dict(zip(log.asked, log.relevant, strict=True)) | dict(zip(log.url, log.relevant, strict=True))
    genre = dict(zip(log.asked, log.genre, strict=True))
    hits, links = np.zeros((2, len(GENRES)), int), np.zeros((2, len(GENRES)), int)
    for asked, response, *_ in warc.read(folder.record):
        if genre.get(asked):
            cell = int(relevant[asked]), GENRES.index(genre[asked])
            ends = [relevant[link.url] for link in parse(as_page(response)).out if link.url in relevant]
            links[cell] += len(ends)
            hits[cell] += sum(ends)
    return PigTable.from_counts(hits, links, source=f"survey of {folder.path}")


def read_pig(path: str | Path) -> PigTable:
    """The table in a CSV with the columns source, genre, hits and links."""
    try:
        frame = pd.read_csv(path)
        frame = frame[frame.genre.isin(GENRES)]  # the last rows are sums
        cells = {
            (CLASSES.index(source), GENRES.index(genre)): (int(hits), int(links))
            for source, genre, hits, links in frame[["source", "genre", "hits", "links"]].to_numpy().tolist()
        }
    except (OSError, ValueError, KeyError, AttributeError) as problem:
        raise ValueError(
            f"{path} is no table of P_IG ({problem}); focuslab survey writes one: source,genre,hits,links"
        ) from None
    hits, links = (
        [[cells.get((row, column), (0, 0))[part] for column in range(len(GENRES))] for row in (0, 1)]
        for part in (0, 1)
    )
    return PigTable.from_counts(hits, links, source=str(path))
