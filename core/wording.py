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
    "greater_than": lambda said: f"be more than {_number(said['gt'])}",
    "greater_than_equal": lambda said: f"be at least {_number(said['ge'])}",
    "less_than": lambda said: f"be less than {_number(said['lt'])}",
    "less_than_equal": lambda said: f"be at most {_number(said['le'])}",
    "string_too_short": lambda said: f"have at least {_characters(said['min_length'])}",
    "string_too_long": lambda said: f"have at most {_characters(said['max_length'])}",
    "decimal_max_digits": lambda said: f"have at most {said['max_digits']} digits",
    "decimal_whole_digits": lambda said: f"have at most {said['whole_digits']} digits before the point",
    "decimal_max_places": lambda said: f"have at most {said['decimal_places']} digits after the point",
    "literal_error": lambda said: f"be {said['expected'].replace(chr(39), '')}",
    "enum": lambda said: f"be {said['expected'].replace(chr(39), '')}",
    "missing": "be given",
}


def sentence(name: str, problem: Mapping[str, Any], form: str | None = None) -> str:
    """Returns one error of pydantic as a sentence, without the value, which may be a secret.

    `form`: how the value is written, if it is validated by a pattern.
    """
    kind, said = str(problem["type"]), problem.get("ctx", {})
    if kind == "extra_forbidden":
        return f"{name} is not known"
    if kind == "string_pattern_mismatch" and form:
        return f"{name} must be {form}"
    must = _MUST.get(kind)
    if must is not None:
        return f"{name} must {must if isinstance(must, str) else must(said)}"
    message = str(problem["msg"]).removeprefix("Value error, ")
    return f"{name}: {message[:1].lower()}{message[1:]}" if name else message


def _characters(count: int) -> str:
    return f"{count} character{'' if count == 1 else 's'}"


def _number(value: Any) -> str:
    return f"{value:g}" if isinstance(value, float) else str(value)
