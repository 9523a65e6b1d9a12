"""The text of an operation, which callers of both doors read. It stands once, in the docstring of its resolver."""

import re
from collections.abc import Callable
from typing import Any, cast

_RAISES = re.compile(r"(?<=[.!?]) (?=Raises )")


def public_text(docstring: str | None) -> str:
    """Returns the first paragraph of a docstring up to `Raises …`, on one line. It is empty if there is none."""
    paragraph = " ".join((docstring or "").strip().partition("\n\n")[0].split())
    return _RAISES.split(paragraph, maxsplit=1)[0]


def text(run: Callable[..., Any]) -> str:
    """Returns the text of an operation, for a route that shows the text of another one than it calls."""
    return cast(str, cast(Any, run).operation.text)
