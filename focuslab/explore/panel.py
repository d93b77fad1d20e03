"""The component in a notebook and on a plain page: the same script, with or without Python behind it."""

from __future__ import annotations

import json
import os
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from functools import cache
from importlib.resources import files
from typing import Any

from markupsafe import Markup

__all__ = ["Panel", "fragment", "page"]

SCRIPTS = ("base", "map", "queue", "curves", "card", "player", "settings", "explorer", "labs", "desk", "main")
"""In the order in which they build on one another; joined, they are one module."""
POLICY = "default-src 'none'; img-src data:; style-src 'unsafe-inline'; script-src 'unsafe-inline'"
Answer = Callable[[str, Mapping[str, Any]], dict[str, Any]]


@cache
def script() -> str:
    """The one ES module: nothing is built, nothing is downloaded."""
    folder = files("focuslab.explore") / "static"
    return "\n".join((folder / f"{name}.js").read_text(encoding="utf-8") for name in SCRIPTS)


@cache
def style() -> str:
    """The style sheet."""
    return (files("focuslab.explore") / "static" / "style.css").read_text(encoding="utf-8")


class Panel(ABC):
    """Something to look at and to ask: shown by a notebook, or written as a page.

    A subclass gives ``kind``, ``scene`` (plain values), ``summary`` (words) and, if it can, ``still`` (a PNG)
    and ``answer``.
    """

    kind = "explorer"
    scene: dict[str, Any]

    @abstractmethod
    def summary(self) -> str:
        """What is to be seen, in words."""

    def still(self) -> bytes:
        """A picture for where scripts are off; empty: none."""
        return b""

    def answer(self, ask: str, about: Mapping[str, Any]) -> dict[str, Any]:
        """What Python says to a question of the component."""
        raise ValueError(f"nothing here knows {ask!r}")

    def __repr__(self) -> str:
        return self.summary()

    def to_html(self) -> str:
        """A page of its own, which works as a plain file with no network."""
        return page(self.kind, self.scene, self.still(), self.summary())

    def _repr_mimebundle_(self, **_: Any) -> dict[str, Any]:
        """Alive for a person; picture and words where a notebook is executed to be compared."""
        words: dict[str, Any] = {"text/plain": self.summary()}
        if "TQDM_DISABLE" not in os.environ:
            return words | _widget(self.kind, self.scene, self._told)._repr_mimebundle_()[0]
        return words | ({"image/png": self.still()} if self.still() else {})

    def _told(self, ask: str, about: Mapping[str, Any]) -> dict[str, Any]:
        """The answer, or in one sentence why there is none."""
        try:
            return {"told": self.answer(ask, about)}
        except (ValueError, KeyError) as problem:
            return {"problem": str(problem.args[0] if problem.args else problem)}


def _widget(kind: str, scene: Mapping[str, Any], answer: Answer) -> Any:
    import anywidget
    import traitlets

    class Widget(anywidget.AnyWidget):
        _esm = script()
        _css = style()
        kind = traitlets.Unicode().tag(sync=True)
        scene = traitlets.Dict().tag(sync=True)

    widget = Widget(kind=kind, scene=dict(scene))

    def heard(_: Any, message: Mapping[str, Any], __: Any) -> None:
        widget.send({"id": message["id"], **answer(message["ask"], message.get("about", {}))})

    widget.on_msg(heard)
    return widget


def fragment(kind: str, scene: Mapping[str, Any], still: bytes = b"", words: str = "") -> Markup:
    """The component as part of a page: the picture first, which the script replaces."""
    from base64 import b64encode

    picture = Markup('<img src="data:image/png;base64,{}" alt="{}">').format(b64encode(still).decode(), words)
    values = json.dumps(scene, ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c")
    parts = Markup('<div class="fl-stage" data-kind="{}">{}</div>').format(kind, picture if still else words)
    data = Markup('<script type="application/json" class="fl-scene">{}</script>').format(Markup(values))
    code = Markup('<style>{}</style><script type="module">{}\nplant(document);</script>')
    return parts + data + code.format(Markup(style()), Markup(script()))


def page(
    kind: str, scene: Mapping[str, Any], still: bytes = b"", words: str = "", title: str = "focuslab"
) -> str:
    """A page that holds nothing but the component."""
    head = Markup(
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        '<meta http-equiv="Content-Security-Policy" content="{}"><title>{}</title></head>'
        '<body class="fl-page">{}</body></html>\n'
    )
    return str(head.format(Markup(POLICY), title, fragment(kind, scene, still, words)))
