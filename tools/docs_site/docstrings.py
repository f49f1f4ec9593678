"""Prepares docstrings for the API reference: Griffe calls this when it has read an object."""

from __future__ import annotations

import re
from typing import Any

import griffe

_EXAMPLE = re.compile(r"^>>> .*(?:\n.+)*", re.MULTILINE)
_LISTED = {"Enum": "Members", "IntEnum": "Members", "NamedTuple": "Fields", "StrEnum": "Members"}


class PreparedDocstrings(griffe.Extension):  # type: ignore[misc]  # griffe is not installed in .venv
    """Fences examples, which Markdown would quote, and lists members that have no docstring."""

    def on_object(self, *, obj: Any, **_context: Any) -> None:
        """Fence the examples of one object."""
        if obj.docstring:
            obj.docstring.value = fence_examples(obj.docstring.value)

    def on_class(self, *, cls: Any, **_context: Any) -> None:
        """List the members of an enumeration and the fields of a named tuple."""
        label = next((_LISTED[str(base)] for base in cls.bases if str(base) in _LISTED), None)
        names = [
            name for name, member in cls.members.items() if member.is_attribute and name[0] != "_"
        ]
        if label and names and cls.docstring:
            listed = ", ".join(f"`{name}`" for name in names)
            cls.docstring.value += f"\n\n{label}: {listed}."


def fence_examples(text: str) -> str:
    """Put each example of a docstring into a code block."""
    return _EXAMPLE.sub(lambda example: f"```pycon\n{example.group()}\n```", text)
