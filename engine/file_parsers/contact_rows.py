"""Turns rows of a list of contacts into rows of `import_rows`: each has the contact as JSON in `variables`.

Checks that need the database are made when the rows are applied (engine/imports/contacts.py): the types of fields, and
whose an address is already.
"""

import re
from collections.abc import Callable
from typing import Any
from uuid import UUID

import orjson

from engine.file_parsers import consents, statuses
from engine.file_parsers.addresses import (
    KIND_OF,
    Addresses,
    Phones,
    TelegramAddresses,
    email,
    reaches,
    unreached,
    why_not,
)
from engine.file_parsers.cells import CellReader
from engine.file_parsers.common import Fault, Options, Record, Source
from engine.file_parsers.contact_columns import ContactColumns
from engine.file_parsers.rows import LONG_NAME, NO_ZONE, RowWriter, as_json, is_zone
from shapes.contact_imports import ContactStatus
from shapes.locales import LOCALE

_LOCALE = re.compile(LOCALE)
_CONTROLS = re.compile(r"[\x00-\x1f\x7f]+")
_LONGEST_ID = 200
_NOBODY = Fault("missing_address", "There is neither an external id nor an address on this line.")
_BAD_ID = Fault("bad_external_id", f"The external id must be a text of at most {_LONGEST_ID} characters.")


class _Bad(Exception):
    """The row is not valid."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.fault = Fault(code, message)


class ContactRows(RowWriter):
    """Writes rows of contacts."""

    def __init__(self, source: Source, columns: ContactColumns, import_id: UUID, options: Options) -> None:
        super().__init__(import_id)
        self._columns = columns
        self._value = CellReader(source.columns)
        self._normalise: dict[str, Callable[[str], str | None]] = {
            "sms": Phones(options.region),
            "whatsapp": Phones(options.region),
            "telegram": TelegramAddresses(options.region),
            "email": email,
            "push": Addresses(options.region),
        }

    def add(self, line: int, record: Record) -> None:
        if isinstance(record, Fault):
            self.bad(line, record)
            return
        if isinstance(record, list) and not any(record):
            return
        try:
            written = as_json(self._contact(record))
        except _Bad as error:
            self.bad(line, error.fault)
            return
        if isinstance(written, Fault):
            self.bad(line, written)
            return
        row = f"{self.id}\t{line}\t\\N\t\\N\t\\N\t{written}\t\\N\t\\N\t\\N\n"
        self.batch.rows.append(row)
        self.batch.size += len(row)
        self.batch.valid += 1

    def _contact(self, record: list[str] | dict[str, Any]) -> dict[str, Any]:
        columns = self._columns
        contact: dict[str, Any] = {}
        if external_id := self._text(record, columns.external_id):
            if len(external_id) > _LONGEST_ID or _CONTROLS.search(external_id):
                raise _Bad(*_BAD_ID)
            contact["externalId"] = external_id
        parts = (self._text(record, columns.name), self._text(record, columns.last_name))
        if name := _CONTROLS.sub(" ", " ".join(filter(None, parts))):
            contact["name"] = name[:LONG_NAME]
        if locale := self._text(record, columns.locale):
            if len(locale) > 64 or not _LOCALE.match(locale):
                raise _Bad("bad_locale", f"{locale[:64]!r} is not a language tag. Write it like de or en-GB.")
            contact["locale"] = locale.replace("_", "-")
        if zone := self._text(record, columns.timezone):
            if not is_zone(zone):
                raise _Bad("bad_timezone", f"{zone[:64]!r} {NO_ZONE}")
            contact["timezone"] = zone
        if columns.status is not None:
            text = self._text(record, columns.status)
            if (status := statuses.status_of(columns.status, text)) is None:
                raise _Bad(
                    "bad_status",
                    f"{text[:64]!r} is no known status. Write one of {', '.join(ContactStatus)}.",
                )
            contact["status"] = status.value
        if columns.consent:
            consent = consents.consent_of(
                {part: self._text(record, column) for part, column in columns.consent.items()}
            )
            if isinstance(consent, Fault):
                raise _Bad(*consent)
            contact["consent"] = consent
        if addresses := self._addresses(record):
            contact["addresses"] = addresses
        if "externalId" not in contact and not addresses:
            raise _Bad(*_NOBODY)
        fields = {key: self._value(record, column) for key, column in columns.fields.items()}
        # An empty cell says nothing about the contact.
        if fields := {key: value for key, value in fields.items() if value not in (None, "")}:
            contact["fields"] = fields
        return contact

    def _addresses(self, record: list[str] | dict[str, Any]) -> list[dict[str, str]]:
        addresses: dict[tuple[str, str], None] = {}
        for channel, column in self._columns.addresses:
            if not (text := self._text(record, column)):
                continue
            address = self._normalise[channel](text)
            if address is None:
                raise _Bad(*why_not(KIND_OF.get(channel, "phone"), text))
            if channel == "push" and not reaches(channel, address):
                raise _Bad(*unreached(channel, text))
            addresses[channel, address] = None
        return [{"channel": channel, "address": address} for channel, address in addresses]

    def _text(self, record: list[str] | dict[str, Any], column: str | None) -> str:
        value = self._value(record, column)
        if isinstance(value, dict):  # a Web Push subscription
            return orjson.dumps(value).decode()
        if isinstance(value, float) and value.is_integer():
            value = int(value)
        return "" if value is None else str(value).strip()
