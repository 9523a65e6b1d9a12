"""Finds out the meaning of the columns of a list of contacts: external id, name, addresses by channel, and fields."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from itertools import chain
from typing import Any

from engine.file_parsers import consents, mapping, statuses
from engine.file_parsers.addresses import looks_like
from engine.file_parsers.cells import CellReader, outer_of
from engine.file_parsers.common import Unreadable
from shapes.contact_fields import WORDS_OF_BOOL

_IDS = {
    "id", "externalid", "external_id", "customerid", "customer_id", "customernumber", "clientid", "client_id", "userid",
    "user_id", "contactid", "contact_id", "kundennummer", "kundennr",
}  # fmt: skip
_LOCALES = {"locale", "language", "lang", "sprache", "язык", "idioma", "langue", "lingua"}
_LAST_NAMES = {
    "lastname", "last_name", "lname", "surname", "familyname", "family_name", "nachname", "фамилия", "apellido",
    "apellidos", "cognome", "sobrenome", "nazwisko",
}  # fmt: skip
_FIRST_NAMES = {
    "firstname", "first_name", "fname", "givenname", "given_name", "vorname", "имя", "prénom", "prenom", "nombre",
    "nome", "imię", "imie",
}  # fmt: skip
_PARTS = ("externalId", "name", "lastName", "locale", "timezone", "status")
"""The names in mappings of those parts that a contact has once."""
_MESSENGERS = {"whatsapp": "whatsapp", "ватсап": "whatsapp", "telegram": "telegram", "телеграм": "telegram"}
_KEY = re.compile(r"[A-Za-z][A-Za-z0-9_]{0,63}", re.ASCII)
_NUMBER = re.compile(r"-?(0|[1-9][0-9]{0,14})(\.[0-9]{1,9})?", re.ASCII)
_DAY = re.compile(r"([0-9]{4}-[0-9]{2}-[0-9]{2})(T00:00:00)?", re.ASCII)  # spreadsheets' days have a time
_MOST_ADDRESSES = 20
_MOST_FIELDS = 100


@dataclass(frozen=True, slots=True)
class ContactColumns:
    """The roles of the columns. `addresses`: channel and column; `fields`: key of the field to column; `consent`: its
    part (`agreed`, `at`, `ip`, `form`) to column.
    """

    external_id: str | None = None
    name: str | None = None
    last_name: str | None = None
    locale: str | None = None
    timezone: str | None = None
    status: str | None = None
    addresses: Sequence[tuple[str, str]] = ()
    fields: Mapping[str, str] = field(default_factory=dict)
    consent: Mapping[str, str] = field(default_factory=dict)

    def as_mapping(self) -> dict[str, Any]:
        """Returns the mapping as the owner would write it."""
        values = (
            self.external_id,
            self.name,
            self.last_name,
            self.locale,
            self.timezone,
            self.status,
        )
        return {
            **{name: column for name, column in zip(_PARTS, values, strict=True) if column is not None},
            **({"consent": dict(self.consent)} if self.consent else {}),
            "addresses": [{"channel": channel, "column": column} for channel, column in self.addresses],
            "fields": dict(self.fields),
        }


def from_mapping(requested: Mapping[str, Any], columns: Sequence[str]) -> ContactColumns:
    """Checks the owner's mapping against the columns. Raises Unreadable."""
    by_name = {column.strip().casefold(): column for column in reversed(columns)}

    def column_of(column: str | None) -> str | None:
        if column is None:
            return None
        plain = column.strip()
        if (whole := by_name.get(plain.casefold())) is not None:
            return whole
        # The keys of objects keep their letter case, and the first rows need not have all of them.
        outer = outer_of(plain.casefold(), by_name)
        return None if outer is None else by_name[outer] + plain[len(outer) :]

    if missing := [column for column in columns_in(requested) if column_of(column) is None]:
        raise Unreadable(
            f"The mapping names the column {missing[0][:64]!r}, which the list doesn't have."
            f" It has: {mapping.listed(columns)}."
        )
    return ContactColumns(
        column_of(requested.get("externalId")),
        column_of(requested.get("name")),
        column_of(requested.get("lastName")),
        column_of(requested.get("locale")),
        column_of(requested.get("timezone")),
        column_of(requested.get("status")),
        [(each["channel"], str(column_of(each["column"]))) for each in requested.get("addresses") or ()],
        {key: str(column_of(column)) for key, column in (requested.get("fields") or {}).items()},
        {part: str(column_of(column)) for part, column in (requested.get("consent") or {}).items()},
    )


def columns_in(requested: Mapping[str, Any]) -> list[str]:
    """Returns the columns that a mapping names."""
    values = [requested.get(name) for name in _PARTS]
    addresses = [each["column"] for each in requested.get("addresses") or ()]
    parts = [*(requested.get("fields") or {}).values(), *(requested.get("consent") or {}).values()]
    return [*filter(None, values), *addresses, *parts]


def suggested(
    columns: Sequence[str],
    sample: Sequence[Sequence[str]],
    existing: Iterable[str],
    *,
    create: bool,
    inner: Mapping[str, Sequence[str]],
    channel: str | None,
) -> ContactColumns | None:
    """Suggests a mapping by the words of the header, and by the first rows where these show emails.

    Other columns are fields, and so are the `inner` columns of those with JSON objects and the two parts of a name:
    fields of `existing`, in any letter case, and with `create` also new ones, if a field can have their name. Returns
    None if no column finds a contact: neither an external id nor an address.
    """
    words = _words_of([*columns, *chain(*inner.values())], columns, sample)
    agreed = consents.agreements(words)
    consent = consents.columns_in(words, agreed, channel)
    proving = {*consent.values(), *agreed}
    roles = [
        None if column in proving else _role(column, index, sample) for index, column in enumerate(columns)
    ]
    single = {
        role: columns[roles.index(role)] for role in ("externalId", "locale", "timezone") if role in roles
    }
    names = [at for at, role in enumerate(roles) if role == "name"]
    name, last_name = _names([columns[at] for at in names], columns)
    addresses = [
        (role, columns[at])
        for at, role in enumerate(roles)
        if role in ("email", "sms", *_MESSENGERS.values())
    ]
    status = statuses.column_in(columns, sample)
    taken = {*single.values(), status, *(column for _, column in addresses), *consent.values()}
    if last_name is None:  # else both parts are fields, too: a text may greet by the first name
        taken.add(name)
    if not addresses and "externalId" not in single:
        return None
    rest = [each for column in columns for each in inner.get(column, (column,)) if each not in taken]
    return ContactColumns(
        single.get("externalId"),
        name,
        last_name,
        single.get("locale"),
        single.get("timezone"),
        status,
        [(str(channel), column) for channel, column in addresses[:_MOST_ADDRESSES]],
        _fields(rest, existing, inner, create=create),
        consent,
    )


def _words_of(
    names: Sequence[str], columns: Sequence[str], sample: Sequence[Sequence[str]]
) -> dict[str, list[str]]:
    cells = CellReader(columns)
    values = {name: [cells([*row], name) for row in sample] for name in names}
    return {name: [str(value) for value in of if value is not None] for name, of in values.items()}


def _names(whole_or_part: Sequence[str], columns: Sequence[str]) -> tuple[str | None, str | None]:
    """Returns the column of names; and that of family names, if the first one has given names alone."""
    whole = mapping.best_of([column for column in whole_or_part if _plain(column) not in _LAST_NAMES])
    last = next((column for column in columns if _plain(column) in _LAST_NAMES), None)
    if whole is None or last is None:
        return whole or last, None
    return whole, last if _plain(whole) in _FIRST_NAMES else None


def _plain(column: str) -> str:
    return re.sub(r"[\s.\-]+", "_", column.strip().casefold())


def _role(column: str, index: int, sample: Sequence[Sequence[str]]) -> str | None:
    plain = _plain(column)
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


def _fields(
    columns: Iterable[str], existing: Iterable[str], inner: Mapping[str, Sequence[str]], *, create: bool
) -> dict[str, str]:
    by_name = {key.casefold(): key for key in existing}
    fields: dict[str, str] = {}
    for column in columns:
        outer = outer_of(column, inner)
        key = mapping.variable(column if outer is None else column[len(outer) + 1 :])
        if key in fields:
            key = mapping.variable(column)
        key = by_name.get(key.casefold()) or (key if create and _KEY.fullmatch(key) else "")
        if key and key not in fields and len(fields) < _MOST_FIELDS:
            fields[key] = column
    return fields


def types_of(columns: ContactColumns, names: Sequence[str], sample: Sequence[Any]) -> dict[str, str]:
    """Returns the type that each field would have by its values in the first rows; a field without any is a text."""
    cells = CellReader(names)
    types = {}
    for key, column in columns.fields.items():
        values = [cells(row, column) for row in sample]
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


_BOOLS = WORDS_OF_BOOL.keys() - {"0", "1"}  # those are numbers
_FITS: dict[str, Any] = {
    "bool": lambda value: value is True or value is False or str(value).strip().casefold() in _BOOLS,
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
