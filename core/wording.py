"""Turns pydantic's errors about a setting, an option or an argument into sentences for the person who typed it."""

from collections.abc import Callable, Mapping
from typing import Any

_Context = Mapping[str, Any]

_MUST: dict[str, str | Callable[[_Context], str]] = {
    "int_parsing": "be a whole number",
    "int_parsing_size": "be a whole number of less than 20 digits",
    "int_type": "be a whole number",
    "int_from_float": "be a whole number",
    "float_parsing": "be a number",
    "float_type": "be a number",
    "decimal_parsing": "be a number",
    "finite_number": "be a number",
    "bool_parsing": "be true or false",
    "bool_type": "be true or false",
    "string_type": "be text",
    "uuid_parsing": "be an id, such as 01890000-0000-7000-8000-000000000000",
    "greater_than": lambda context: f"be more than {_number(context['gt'])}",
    "greater_than_equal": lambda context: f"be at least {_number(context['ge'])}",
    "less_than": lambda context: f"be less than {_number(context['lt'])}",
    "less_than_equal": lambda context: f"be at most {_number(context['le'])}",
    "string_too_short": lambda context: f"have at least {_characters(context['min_length'])}",
    "string_too_long": lambda context: f"have at most {_characters(context['max_length'])}",
    "decimal_max_digits": lambda context: f"have at most {context['max_digits']} digits",
    "decimal_whole_digits": lambda context: f"have at most {context['whole_digits']} digits before the point",
    "decimal_max_places": lambda context: f"have at most {context['decimal_places']} digits after the point",
    "literal_error": lambda context: f"be {context['expected'].replace(chr(39), '')}",
    "enum": lambda context: f"be {context['expected'].replace(chr(39), '')}",
    "missing": "be given",
}


def sentence(name: str, problem: Mapping[str, Any], form: str | None = None) -> str:
    """Returns one error of pydantic as a sentence, without the value, which may be a secret.

    `form`: how the value is written, if it is validated by a pattern.
    """
    kind, context = str(problem["type"]), problem.get("ctx", {})
    if kind == "extra_forbidden":
        return f"{name} is not known"
    if kind == "string_pattern_mismatch" and form:
        return f"{name} must be {form}"
    must = _MUST.get(kind)
    if must is not None:
        return f"{name} must {must if isinstance(must, str) else must(context)}"
    message = str(problem["msg"]).removeprefix("Value error, ")
    return f"{name}: {message[:1].lower()}{message[1:]}" if name else message


def _characters(count: int) -> str:
    return f"{count} character{'' if count == 1 else 's'}"


def _number(value: Any) -> str:
    return f"{value:g}" if isinstance(value, float) else str(value)
