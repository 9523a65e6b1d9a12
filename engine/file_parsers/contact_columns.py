"""Finds out the meaning of the columns of a list of contacts: external id, name, addresses by channel, and fields."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import Any

from engine.file_parsers import mapping, statuses
from engine.file_parsers.addresses import looks_like
from engine.file_parsers.common import Unreadable

_IDS = {
    "id", "externalid", "external_id", "customerid", "customer_id", "customernumber", "clientid", "client_id", "userid",
    "user_id", "contactid", "contact_id", "kundennummer", "kundennr",
}  # fmt: skip
_LOCALES = {"locale", "language", "lang", "sprache", "язык", "idioma", "langue", "lingua"}
_MESSENGERS = {"whatsapp": "whatsapp", "ватсап": "whatsapp", "telegram": "telegram", "телеграм": "telegram"}
_KEY = re.compile(r"[A-Za-z][A-Za-z0-9_]{0,63}", re.ASCII)
_NUMBER = re.compile(r"-?(0|[1-9][0-9]{0,14})(\.[0-9]{1,9})?", re.ASCII)
_DAY = re.compile(r"([0-9]{4}-[0-9]{2}-[0-9]{2})(T00:00:00)?", re.ASCII)  # spreadsheets' days have a time
_MOST_ADDRESSES = 20
_MOST_FIELDS = 100


@dataclass(frozen=True, slots=True)
class ContactColumns:
    """The roles of the columns. `addresses`: channel and column; `fields`: key of the field to column."""

    external_id: str | None = None
    name: str | None = None
    locale: str | None = None
    timezone: str | None = None
    status: str | None = None
    addresses: Sequence[tuple[str, str]] = ()
    fields: Mapping[str, str] = field(default_factory=dict)

    def as_mapping(self) -> dict[str, Any]:
        """Returns the mapping as the owner would write it."""
        values = {
            "externalId": self.external_id,
            "name": self.name,
            "locale": self.locale,
            "timezone": self.timezone,
            "status": self.status,
        }
        return {
            **{name: column for name, column in values.items() if column is not None},
            "addresses": [{"channel": channel, "column": column} for channel, column in self.addresses],
            "fields": dict(self.fields),
        }


def from_mapping(requested: Mapping[str, Any], columns: Sequence[str]) -> ContactColumns:
    """Checks the owner's mapping against the columns. Raises Unreadable."""
    by_name = {column.strip().casefold(): column for column in reversed(columns)}

    def column_of(column: str | None) -> str | None:
        return None if column is None else by_name[column.strip().casefold()]

    if missing := mapping.absent(columns_in(requested), columns):
        raise Unreadable(
            f"The mapping names the column {missing[0][:64]!r}, which the list doesn't have."
            f" It has: {mapping.listed(columns)}."
        )
    return ContactColumns(
        column_of(requested.get("externalId")),
        column_of(requested.get("name")),
        column_of(requested.get("locale")),
        column_of(requested.get("timezone")),
        column_of(requested.get("status")),
        [(each["channel"], str(column_of(each["column"]))) for each in requested.get("addresses") or ()],
        {key: str(column_of(column)) for key, column in (requested.get("fields") or {}).items()},
    )


def columns_in(requested: Mapping[str, Any]) -> list[str]:
    """Returns the columns that a mapping names."""
    values = [requested.get(name) for name in ("externalId", "name", "locale", "timezone", "status")]
    addresses = [each["column"] for each in requested.get("addresses") or ()]
    return [*filter(None, values), *addresses, *(requested.get("fields") or {}).values()]


def suggested(
    columns: Sequence[str], sample: Sequence[Sequence[str]], existing: Iterable[str], *, create: bool
) -> ContactColumns | None:
    """Suggests a mapping by the words of the header, and by the first rows where these show emails.

    Other columns are fields: those of `existing`, in any letter case, and with `create` also new ones, if a field can
    have their name. Returns None if no column finds a contact: neither an external id nor an address.
    """
    roles = [_role(column, index, sample) for index, column in enumerate(columns)]
    single = {
        role: columns[roles.index(role)] for role in ("externalId", "locale", "timezone") if role in roles
    }
    names = [at for at, role in enumerate(roles) if role == "name"]
    name = mapping.best_of([columns[at] for at in names])
    addresses = [
        (role, columns[at])
        for at, role in enumerate(roles)
        if role in ("email", "sms", *_MESSENGERS.values())
    ]
    status = statuses.column_in(columns, sample)
    taken = {*single.values(), name, status, *(column for _, column in addresses)}
    if not addresses and "externalId" not in single:
        return None
    return ContactColumns(
        single.get("externalId"),
        name,
        single.get("locale"),
        single.get("timezone"),
        status,
        [(str(channel), column) for channel, column in addresses[:_MOST_ADDRESSES]],
        _fields([column for column in columns if column not in taken], existing, create=create),
    )


def _role(column: str, index: int, sample: Sequence[Sequence[str]]) -> str | None:
    plain = re.sub(r"[\s.\-]+", "_", column.strip().casefold())
    if plain in _IDS:
        return "externalId"
    if plain in _LOCALES:
        return "locale"
    for word, channel in _MESSENGERS.items():
        if word in plain:
            return channel
    seen = {looks_like(row[index].strip()) for row in sample if index < len(row) and row[index].strip()}
    role = mapping.role_of(column)
    if role == "email" or seen == {"email"}:
        return "email"
    if role == "phone" or (role == "address" and seen == {"phone"}):
        return "sms"
    return role if role in ("name", "timezone") else None


def _fields(columns: Iterable[str], existing: Iterable[str], *, create: bool) -> dict[str, str]:
    by_name = {key.casefold(): key for key in existing}
    fields: dict[str, str] = {}
    for column in columns:
        key = mapping.variable(column)
        key = by_name.get(key.casefold()) or (key if create and _KEY.fullmatch(key) else "")
        if key and key not in fields and len(fields) < _MOST_FIELDS:
            fields[key] = column
    return fields


def types_of(columns: ContactColumns, names: Sequence[str], sample: Sequence[Any]) -> dict[str, str]:
    """Returns the type that each field would have by its values in the first rows; a field without any is a text."""
    indexes = {column: index for index, column in enumerate(names)}
    types = {}
    for key, column in columns.fields.items():
        index = indexes.get(column)
        values = [
            row.get(column) if isinstance(row, dict) else row[index] if index is not None else None
            for row in sample
        ]
        types[key] = _type([value for value in values if value not in (None, "")])
    return types


def _type(values: Sequence[Any]) -> str:
    for name, fits in _FITS.items():
        if values and all(map(fits, values)):
            return name
    return "text"


def _is_day(value: Any) -> bool:
    day = _DAY.fullmatch(value.strip()) if isinstance(value, str) else None
    try:
        return day is not None and bool(date.fromisoformat(day[1]))
    except ValueError:
        return False


_FITS: dict[str, Any] = {
    "bool": lambda value: (
        value is True or value is False or str(value).strip().casefold() in ("true", "false")
    ),
    "date": _is_day,
    "number": lambda value: (
        isinstance(value, int | float)
        or (isinstance(value, str) and _NUMBER.fullmatch(value.strip()) is not None)
    ),
    "list": lambda value: isinstance(value, list),
}


def nobody(columns: Sequence[str]) -> Unreadable:
    """Returns the error for a list whose columns find no contact."""
    return Unreadable(
        "No column looks like an external id, phone numbers or emails; the list has: "
        f"{mapping.listed(columns)}. Name the columns in mapping."
    )
