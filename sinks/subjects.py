"""Subjects of events: a template, such as `postern.{owner}.{type}`, and what it becomes for one event."""

import re
from typing import Final
from uuid import UUID

VARIABLES: Final = ("owner", "type", "subject")
LONGEST: Final = 255
"""Characters of a template."""

_VARIABLE = re.compile(r"\{([^{}]*)\}")
_TOKEN = re.compile(r"[^\s\x00-\x1f\x7f.*>{}]+")


class BadSubject(ValueError):
    """The template makes no valid subjects. Its message is a sentence that says what to change."""


def check(template: str) -> None:
    """Raises BadSubject unless the template makes a valid subject for each event."""
    names = ", ".join(f"{{{name}}}" for name in VARIABLES)
    for name in _VARIABLE.findall(template):
        if name not in VARIABLES:
            raise BadSubject(f"The subject has an unknown variable {{{name}}}. It may have {names}.")
    if len(template) > LONGEST:
        raise BadSubject(f"The subject may have at most {LONGEST} characters.")
    for token in _VARIABLE.sub("x", template).split("."):
        if not _TOKEN.fullmatch(token):
            raise BadSubject(
                "The subject is not valid. Write words with dots between them, without spaces, * and >, and"
                f" variables of these: {names}."
            )
    if template.startswith(("$", "_INBOX.")):
        raise BadSubject("The subject begins with a word that the broker keeps for itself. Use another one.")


def render(template: str, owner_id: UUID, type: str, subject: str) -> str:
    """Returns the subject of one event."""
    return template.replace("{owner}", str(owner_id)).replace("{type}", type).replace("{subject}", subject)


def pattern(template: str) -> str:
    """Returns the subjects of all events, as a stream takes them: `postern.*.>` for `postern.{owner}.{type}`."""
    tokens: list[str] = []
    for token in template.split("."):
        if "{type}" in token:
            tokens += ["*", "*"]  # types are two words
        else:
            tokens.append("*" if "{" in token else token)
    if template.endswith("{type}"):
        tokens[-2:] = [">"]
    return ".".join(tokens)


def takes(stream_subject: str, subject: str) -> bool:
    """Returns whether a stream with this subject, which may have * and >, stores what is published to the other."""
    tokens, words = stream_subject.split("."), subject.split(".")
    for number, token in enumerate(tokens):
        if token == ">":
            return len(words) > number
        if number >= len(words) or token not in ("*", words[number]):
            return False
    return len(tokens) == len(words)
