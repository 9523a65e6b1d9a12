"""The forms of signed documents: what the check of a file must know of each type."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any


def _nothing(before: Mapping[str, Any], after: Mapping[str, Any]) -> Iterator[str]:
    return iter(())


@dataclass(frozen=True, slots=True)
class Form:
    """A type of documents."""

    type: str
    about: str
    """Names the subject of a chain: the key of the document whose `uuid` all documents of a chain have."""
    signed: Mapping[str, Sequence[str]]
    """The names that an answer has beside its document, and where they are in it. Nothing signs those beside it."""
    contradictions: Callable[[Mapping[str, Any]], Iterator[str]]
    """Yields what does not add up inside a document."""
    follows: Callable[[Mapping[str, Any], Mapping[str, Any]], Iterator[str]] = _nothing
    """Yields what keeps a document from following another one in a chain, beside its number and the hash."""
    same: Sequence[str] = ("installation",)
    """Names the values that all documents of a chain share. An account can change its owner, and a project can't."""
