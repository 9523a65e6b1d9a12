"""Chooses the text of a project's message: a variant by its weight, or the text in the recipient's language."""

from collections.abc import Mapping, Sequence
from itertools import accumulate
from typing import Any, Final
from uuid import UUID
from zlib import crc32

_REMEMBERED: Final = 1_000  # languages of recipients, of which the text is remembered


def texts_of(content: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """Returns the texts of which each message has one, as contents of their own."""
    if languages := content.get("languages"):
        return [
            {**content, "subject": None, "html": None, "text": None, **text} for text in languages["texts"]
        ]
    variants = content.get("variants")
    return [{**content, "text": variant["text"]} for variant in variants] if variants else [content]


def best_locale(asked: str | None, locales: Sequence[str], default: str) -> str:
    """Returns the language that is taken: the one asked for, else one of its shorter tags, else the default."""
    by_tag = {locale.lower(): locale for locale in locales}
    tag = (asked or "").strip().replace("_", "-").lower()
    while tag:
        if tag in by_tag:
            return by_tag[tag]
        tag = tag.rpartition("-")[0]
    return default


class Choice:
    """Chooses the text of each message of a project, always the same one."""

    __slots__ = ("_index_by_locale", "_locales", "_variable", "_weights")

    def __init__(self, content: Mapping[str, Any]) -> None:
        languages = content.get("languages") or {}
        self._variable: str | None = languages.get("localeFrom")
        self._locales = [text["locale"] for text in languages.get("texts", ())]
        self._index_by_locale: dict[str, int] = {}
        self._weights = list(accumulate(int(variant["weight"]) for variant in content.get("variants") or ()))

    def pick(self, message_id: UUID, variables: Mapping[str, Any] | None) -> int | None:
        """Returns the index of the text; None if there is one alone. `variables`: those of the recipient."""
        if self._variable is not None:
            return self._of_language((variables or {}).get(self._variable))
        if not self._weights:
            return None
        point = crc32(message_id.bytes) * self._weights[-1] >> 32
        return next(at for at, end in enumerate(self._weights) if point < end)

    def _of_language(self, asked: Any) -> int:
        if not isinstance(asked, str):
            return 0
        index = self._index_by_locale.get(asked)
        if index is None:
            index = self._locales.index(best_locale(asked, self._locales, self._locales[0]))
            if len(self._index_by_locale) < _REMEMBERED and len(asked) <= 64:
                self._index_by_locale[asked] = index
        return index
