"""Texts of validation errors, as both doors show them."""

from shapes.shape import NO_CONTROLS, NO_NUL


def readable_message(kind: str, message: str) -> str:
    """Returns pydantic's message, or a readable one where pydantic's would show a regular expression."""
    if kind == "string_pattern_mismatch" and repr(NO_NUL)[1:-1] in repr(message):
        return "must not contain a NUL character"
    if kind == "string_pattern_mismatch" and repr(NO_CONTROLS)[1:-1] in repr(message):
        return "must not contain line breaks or control characters"
    return message.removeprefix("Value error, ")
