"""Fences the examples of docstrings for the API reference, where Markdown would quote them."""

from __future__ import annotations

import re
from typing import Any

import griffe

_EXAMPLE = re.compile(r"^>>> .*(?:\n.+)*", re.MULTILINE)


class FenceDoctests(griffe.Extension):  # type: ignore[misc]  # griffe is no tool of developers
    """Puts each doctest into a code block, when its object has been read."""

    def on_object(self, *, obj: Any, **_context: Any) -> None:
        """Fence the doctests of one object."""
        if obj.docstring:
            obj.docstring.value = fence_doctests(obj.docstring.value)


def fence_doctests(text: str) -> str:
    """Put each doctest of a docstring into a code block.

    >>> print(fence_doctests("Double.\n\n>>> 2 * 2\n4"))
    Double.
    <BLANKLINE>
    ```pycon
    >>> 2 * 2
    4
    ```
    """
    return _EXAMPLE.sub(lambda example: f"```pycon\n{example.group()}\n```", text)
