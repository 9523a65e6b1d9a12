"""Texts of others that go into the database."""

from typing import overload


@overload
def storable(text: str) -> str: ...
@overload
def storable(text: str | None) -> str | None: ...
def storable(text: str | None) -> str | None:
    """Returns the text without characters that PostgreSQL can't store: NUL and lone surrogates."""
    return text and text.replace("\x00", "").encode(errors="replace").decode()
