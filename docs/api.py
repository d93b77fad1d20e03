"""Write docs/api.md: every public name of the package with the first sentence it says of itself."""

from __future__ import annotations

import inspect
from importlib import import_module
from pathlib import Path
from pkgutil import walk_packages

import focuslab

PAGE = Path(__file__).with_suffix(".md")
HEAD = """# API reference

Every public name by module; `help(name)` tells the rest. `python docs/api.py` writes this page.
"""


def public() -> dict[str, list[str]]:
    """The names in each module's ``__all__``; a name that does not exist is a mistake."""
    modules = [module.name for module in walk_packages(focuslab.__path__, "focuslab.")]
    modules = ["focuslab", *(name for name in modules if "__main__" not in name)]
    found = {name: list(getattr(import_module(name), "__all__", ())) for name in modules}
    for module, names in found.items():
        missing = [name for name in names if not hasattr(import_module(module), name)]
        if missing:
            raise ValueError(f"{module}.__all__ has names that are not there: {', '.join(missing)}")
    return {module: names for module, names in found.items() if names}


def _line(module: str, name: str) -> str:
    thing = getattr(import_module(module), name)
    if inspect.ismodule(thing) or inspect.isroutine(thing) or inspect.isclass(thing):
        return f"- **{name}** — {_first(thing)}"
    return f"- **{name}**"


def _first(thing: object) -> str:
    return (inspect.getdoc(thing) or "").partition("\n\n")[0].replace("\n", " ")


def page() -> str:
    """The reference as Markdown."""
    parts = [HEAD]
    for module, names in public().items():
        lines = "\n".join(_line(module, name) for name in names)
        parts.append(f"## `{module}`\n\n{_first(import_module(module))}\n\n{lines}\n")
    return "\n".join(parts)


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
