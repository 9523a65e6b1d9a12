"""The values of contacts' fields: each has the type that its owner has said."""

import re
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from datetime import date
from functools import lru_cache
from math import isfinite
from typing import Annotated, Any

import orjson
from pydantic import Field, TypeAdapter, ValidationError
from pydantic_core import SchemaError

from core.errors import BadRequest
from shapes.contact_fields import WORDS_OF_BOOL, ContactFieldType
from shapes.contacts import FIELDS_BYTES

_DAY = re.compile(r"\d{4}-\d{2}-\d{2}", re.ASCII)
_KEY = re.compile(r"[A-Za-z][A-Za-z0-9_]{0,63}", re.ASCII)
_MIDNIGHT = re.compile(r"\d{4}-\d{2}-\d{2}T00:00:00", re.ASCII)  # a day, as spreadsheets have it
_INTEGER = re.compile(r"-?\d{1,18}", re.ASCII)
_LONGEST_NUMBER = 40
_LONGEST = 1000
_MOST_PARTS = 50
_LONGEST_PART = 200
_MEANT = {
    ContactFieldType.text: f"a text of at most {_LONGEST:,} characters",
    ContactFieldType.number: "a number",
    ContactFieldType.date: "a day like 2027-01-31",
    ContactFieldType.bool: "true or false",
    ContactFieldType.list: f"a list of at most {_MOST_PARTS} texts of at most {_LONGEST_PART} characters",
}


@dataclass(frozen=True, slots=True)
class FieldType:
    """The type of a field, with the pattern of its texts."""

    type: ContactFieldType
    pattern: str | None = None


Types = Mapping[str, FieldType]
"""The fields of an owner, by their keys."""


def as_stored(key: str, value: Any, of: FieldType) -> Any:
    """Returns a value as contacts keep it. Raises BadRequest (`bad_field`)."""
    match of.type:
        case ContactFieldType.text:
            good = isinstance(value, str) and len(value) <= _LONGEST
        case ContactFieldType.number:
            good = isinstance(value, int | float) and not isinstance(value, bool) and isfinite(value)
            if good and isinstance(value, float) and value.is_integer() and abs(value) < 2**53:
                value = int(value)
        case ContactFieldType.date:
            good = is_day(value)
        case ContactFieldType.bool:
            good = isinstance(value, bool)
        case ContactFieldType.list:
            good = isinstance(value, list) and len(value) <= _MOST_PARTS
            good = good and all(isinstance(part, str) and len(part) <= _LONGEST_PART for part in value)
    if not good:
        raise BadRequest(f"The field {key} must be {_MEANT[of.type]}.", code="bad_field")
    if of.pattern is not None and isinstance(value, str) and not matches(of.pattern, value):
        raise BadRequest(f"The field {key} must match its pattern {of.pattern}.", code="bad_field")
    return value


def from_text(text: str, of: FieldType) -> Any:
    """Returns a cell as a value of the field's type; the text itself if it is none, which `as_stored` refuses."""
    plain = text.strip()
    match of.type:
        case ContactFieldType.number if len(plain) <= _LONGEST_NUMBER:
            with suppress(ValueError):
                return int(plain) if _INTEGER.fullmatch(plain) else float(plain)
        case ContactFieldType.date if _MIDNIGHT.fullmatch(plain):
            return plain[:10]
        case ContactFieldType.bool:
            return WORDS_OF_BOOL.get(plain.casefold(), text)
        case ContactFieldType.list:
            return [part for each in plain.split(";") if (part := each.strip())]
        case ContactFieldType.date:
            return plain
    return text


def from_cell(value: Any, of: FieldType | None) -> Any:
    """Returns the value that a list has for a field as one of the field's type, where it can be: JSON has numbers and
    truth values, which a text can be, too.
    """
    if of is None:
        return value
    if isinstance(value, str):
        return from_text(value, of)
    if of.type is ContactFieldType.text and isinstance(value, bool | int | float):
        return orjson.dumps(value).decode()
    return value


def is_day(value: Any) -> bool:
    """Returns whether the value is a day as contacts keep it."""
    if not isinstance(value, str) or not _DAY.fullmatch(value):
        return False
    try:
        date.fromisoformat(value)
    except ValueError:
        return False
    return True


def guessed(value: Any) -> FieldType | None:
    """Returns the type that a new field gets from its first value; None: no field can have the value."""
    if isinstance(value, bool):
        return FieldType(ContactFieldType.bool)
    if isinstance(value, int | float):
        return FieldType(ContactFieldType.number)
    if isinstance(value, list):
        return FieldType(ContactFieldType.list)
    if isinstance(value, str):
        return FieldType(ContactFieldType.date if is_day(value) else ContactFieldType.text)
    return None


def is_key(key: str) -> bool:
    """Returns whether a field may have this name."""
    return _KEY.fullmatch(key) is not None


def merged(stored: Mapping[str, Any], new: Mapping[str, Any], types: Types) -> dict[str, Any]:
    """Returns the fields of a contact with the new values; null removes one.

    Raises BadRequest (`unknown_field`, `bad_field`, `fields_too_large`).
    """
    result = dict(stored)
    for key, value in new.items():
        if (of := types.get(key)) is None:
            raise unknown(key)
        if value is None:
            result.pop(key, None)
        else:
            result[key] = as_stored(key, value, of)
    if len(orjson.dumps(result)) > FIELDS_BYTES:
        raise BadRequest(
            f"The fields of a contact may have {FIELDS_BYTES // 1024} KiB as JSON. Leave some out.",
            code="fields_too_large",
        )
    return result


def unknown(key: str) -> BadRequest:
    """Returns the error for a field that the owner does not have."""
    return BadRequest(
        f"You have no field {key[:64]!r}. Add it first, or send createFields: true.", code="unknown_field"
    )


def check_pattern(pattern: str) -> None:
    """Raises BadRequest (`bad_pattern`) for a pattern that can't be used."""
    try:
        _compiled(pattern)
    except SchemaError as error:
        raise BadRequest(
            "The pattern is no regular expression that takes linear time. It may have neither look-around nor "
            "backreferences.",
            code="bad_pattern",
        ) from error


def matches(pattern: str, text: str) -> bool:
    """Returns whether a text matches an owner's pattern."""
    try:
        _compiled(pattern).validate_python(text)
    except ValidationError:
        return False
    return True


@lru_cache(maxsize=256)
def _compiled(pattern: str) -> TypeAdapter[str]:
    # Pydantic's expressions take linear time, so that no owner's pattern holds up the service.
    return TypeAdapter(Annotated[str, Field(pattern=pattern)])
