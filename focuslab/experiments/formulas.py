"""Formulas for pages without a network: LaTeX in Markdown becomes MathML, which browsers draw themselves."""

from __future__ import annotations

import re

from latex2mathml.converter import convert

__all__ = ["drawn"]

FOUND = re.compile(
    r"(?P<code>```.*?```|`[^`\n]+`)"
    r"|\$\$(?P<block>.+?)\$\$"
    r"|(?<![\w\\$])\$(?P<inline>[^\s$](?:[^$\n]*[^\s$])?)\$(?![\w$])",
    flags=re.DOTALL,
)


def drawn(markdown: str) -> str:
    """The text with its formulas drawn; dollars in code and sums of money stay as they are.

    Examples
    --------
    >>> drawn("`$x$` costs $5")
    '`$x$` costs $5'
    >>> drawn("where $x$ is")[:12]
    'where <math '
    """
    return FOUND.sub(_as_math, markdown)


def _as_math(found: re.Match[str]) -> str:
    if found["code"]:
        return found["code"]
    if found["block"]:
        return convert(" ".join(found["block"].split()), display="block")
    return convert(found["inline"])
