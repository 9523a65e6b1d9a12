"""Names of topics in the language of the person who reads them."""

from collections.abc import Sequence
from typing import Any

from shapes.locales import language_of


def name_of(topic: Any, locale: str | None) -> tuple[str, str | None]:
    """Returns name and description of a topic (`name`, `description`, `translations`) in the language of a tag.

    A translation for the whole tag (`pt-BR`) comes before one for its language, and that before the topic's own.
    """
    translations: Sequence[Any] = topic["translations"]
    tag = (locale or "").replace("_", "-").lower()
    for of in (str.lower, language_of):
        for each in translations:
            if tag and of(each["locale"]) == of(tag):
                return each["name"], each["description"]
    return topic["name"], topic["description"]
