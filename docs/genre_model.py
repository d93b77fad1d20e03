"""Train the genre model that crawls fall back to, on the built-in web: python docs/genre_model.py

It knows made-up pages only; how it does on real ones is printed, where FOCUSLAB_DATA has genre_pages.
"""

from __future__ import annotations

import json
import os
from pathlib import Path

from focuslab import webs
from focuslab.classifiers.genre import GenreClassifier
from focuslab.classifiers.training.from_topic import SHIPPED_GENRES as FILE
from focuslab.classifiers.training.model_file import save_model
from focuslab.features.genre_rich import rich_genre_features
from focuslab.webs.real_pages import genre_pages

PAGES, TREES = 1_000, 60


def main() -> None:
    """Write the file, and say what it is worth on real pages."""
    web = webs.synthetic(pages=5_000, seed=7)
    examples = [each for topic in web.topics()[:5] for each in web.examples(topic, PAGES // 5)]
    model = GenreClassifier(features=rich_genre_features, trees=TREES).fit(
        [each.page for each in examples], [each.genre for each in examples]
    )
    save_model(model, FILE)
    said: dict[str, float] = {"pages": len(examples), "bytes": FILE.stat().st_size}
    if os.environ.get("FOCUSLAB_DATA"):
        pages, rows = genre_pages(Path(os.environ["FOCUSLAB_DATA"]))
        right = [model.predict(page)[0] == row["genre"] for page, row in zip(pages, rows, strict=True)]
        said["right_on_real_pages"] = sum(right) / len(right)
    print(json.dumps(said))


if __name__ == "__main__":
    main()
