"""Turns rows of a provider's invoice into rows of `provider_invoice_lines`, as the text of a COPY."""

import re
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any, Final
from uuid import UUID
from zoneinfo import ZoneInfo

from engine.file_parsers.addresses import Phones
from engine.file_parsers.cells import CellReader
from engine.file_parsers.common import Fault, Options, Record, Source, Unreadable
from engine.file_parsers.mapping import absent, listed
from engine.file_parsers.price_rows import amount_of
from engine.file_parsers.rows import ESCAPES, RowWriter

COLUMNS: Final = ("invoice_id", "line", "provider_id", "phone", "at", "parts", "price", "verdict", "reason")
"""The columns of the COPY."""

_NAMES: Final[dict[str, frozenset[str]]] = {
    name: frozenset(words.split())
    for name, words in {
        "messageId": "messageid id msgid smsid sid smscid providerid providermessageid messagesid uuid messageuuid",
        "phone": "phone to number msisdn recipient destination destinationnumber toaddress phonenumber mobile",
        "at": "at time date datetime sentat sentdate senttime timestamp submittedat submitdate submittime created"
        " createdat",
        "parts": "parts segments numsegments messageparts smscount units partcount",
        "price": "price amount cost total totalprice charge charged fee totalcost",
    }.items()
}
"""The names of columns, without spaces and in lower case."""
_LONGEST_ID = 255
_CONTROLS = re.compile(r"[\x00-\x1f\x7f\ud800-\udfff]")
_SHORTENED = re.compile(r"[0-9](?:[.,][0-9]+)?[eE]\+?[0-9]+")
_INTERNATIONAL = re.compile(r"\+?([1-9][0-9]{7,14})")
_PARTS = re.compile(r"([0-9]{1,3})(?:\.0+)?")
_UNIX = re.compile(r"([0-9]{10})(?:\.[0-9]+|[0-9]{3})?")
_LOCAL = re.compile(r"([0-9]{1,2})\.([0-9]{1,2})\.([0-9]{4})(?:[ T,]+([0-9]{1,2}:[0-9]{2}(?::[0-9]{2})?))?")
_NULL = "\\N"


def columns_of(requested: Mapping[str, str | None] | None, source: Source) -> dict[str, str]:
    """Returns the column of each part of a line. Raises Unreadable if no message can be found by them."""
    if requested is not None:
        chosen = {part: column for part, column in requested.items() if column is not None}
        if missing := absent(chosen.values(), source.columns):
            raise Unreadable(
                f"The mapping names the column {missing[0][:64]!r}, which the invoice doesn't have."
                f" It has: {listed(source.columns)}."
            )
        by_name = {column.strip().casefold(): column for column in reversed(source.columns)}
        return {part: by_name[column.strip().casefold()] for part, column in chosen.items()}
    suggested: dict[str, str] = {}
    for column in source.columns:
        word = "".join(char for char in column.casefold() if char.isalnum())
        part = next((part for part, words in _NAMES.items() if word in words), None)
        if part is not None:
            suggested.setdefault(part, column)
    if "messageId" not in suggested and not {"phone", "at"} <= suggested.keys():
        raise Unreadable(
            "No column seems to have the provider's ids, nor are there one of phones and one of times. Say by `mapping`"
            f" which they are. The invoice has: {listed(source.columns)}."
        )
    return suggested


class InvoiceRows(RowWriter):
    """Writes lines of an invoice."""

    def __init__(
        self, source: Source, columns: Mapping[str, str], id: UUID, options: Options, zone: str
    ) -> None:
        super().__init__(id)
        self._columns = columns
        self._value = CellReader(source.columns)
        self._phones = Phones(options.region)
        self._zone = ZoneInfo(zone)

    def add(self, line: int, record: Record) -> None:
        if isinstance(record, Fault):
            self.bad(line, record)
            return
        if isinstance(record, list) and not any(record):
            return
        try:
            cells = self._cells(record)
        except ValueError as error:
            self.bad(line, Fault("bad_line", str(error)))
            return
        row = "\t".join([self.id, str(line), *cells, _NULL, _NULL]) + "\n"
        self.batch.rows.append(row)
        self.batch.size += len(row)
        self.batch.valid += 1

    def refuse(self, line: int, code: str, message: str) -> None:
        escaped = message.encode("utf-8", "replace").decode().replace("\0", "").translate(ESCAPES)
        row = "\t".join([self.id, str(line), *[_NULL] * 5, "badLine", escaped]) + "\n"
        self.batch.rows.append(row)
        self.batch.size += len(row)

    def _cells(self, record: Sequence[str] | dict[str, Any]) -> list[str]:
        """Returns id, phone, time, parts and price as the COPY has them. Raises ValueError with a sentence, which stays
        and quotes no cell: if columns are mistaken, any may be a phone.
        """
        message_id, phone = self._text(record, "messageId"), self._text(record, "phone")
        at = self._moment(self._text(record, "at"), is_needed=not message_id)
        parts, price = self._text(record, "parts"), self._text(record, "price")
        if message_id:
            if len(message_id) > _LONGEST_ID or _CONTROLS.search(message_id):
                raise ValueError(f"The id must be a text of at most {_LONGEST_ID} characters.")
            if _SHORTENED.fullmatch(message_id):
                raise ValueError(
                    "A spreadsheet has shortened the id, like 1.2E+15. Upload the file as the provider made it."
                )
        elif not phone or at is None:
            raise ValueError("There is neither an id nor a phone with a time on this line.")
        number = None if message_id else self._phone(phone)
        if parts and ((count := _PARTS.fullmatch(parts)) is None or not 1 <= int(count[1]) <= 255):
            raise ValueError("The parts are not a number from 1 to 255.")
        cells = (
            message_id.translate(ESCAPES) if message_id else None,
            number,
            None if at is None else at.isoformat(),
            str(int(float(parts))) if parts else None,
            self._price(price) if price else None,
        )
        return [_NULL if cell is None else cell for cell in cells]

    def _phone(self, text: str) -> str:
        international = _INTERNATIONAL.fullmatch(text)
        number = self._phones(text) if international is None else f"+{international[1]}"
        if number is None or _CONTROLS.search(number):
            raise ValueError("The recipient is not a phone number with a calling code.")
        return number

    def _moment(self, text: str, *, is_needed: bool) -> datetime | None:
        """Returns a time in UTC; None without one, or if it can't be read and is not needed. Raises ValueError."""
        if not text:
            return None
        try:
            if unix := _UNIX.fullmatch(text):
                return datetime.fromtimestamp(int(unix[1]), UTC)
            if local := _LOCAL.fullmatch(text):
                day, month, year, clock = local.groups()
                clock = clock or "00:00"
                text = f"{year}-{month:0>2}-{day:0>2}T{'0' if clock[1] == ':' else ''}{clock}"
            moment = datetime.fromisoformat(text)
            moment = moment.replace(tzinfo=self._zone) if moment.tzinfo is None else moment
            if not 1971 < moment.year < 9999:
                raise ValueError
            return moment.astimezone(UTC)
        except (ValueError, OverflowError):
            if not is_needed:
                return None
            raise ValueError(
                "The time is not one. Times are written like 2026-11-30T12:00:00Z or 30.11.2026 12:00."
            ) from None

    @staticmethod
    def _price(text: str) -> str:
        try:
            # Some providers write what is paid with a minus.
            return amount_of("The price", text.removeprefix("-"))
        except ValueError:
            raise ValueError("The price is not a number with at most 6 decimals, like 0.0079.") from None

    def _text(self, record: Sequence[str] | dict[str, Any], part: str) -> str:
        value = self._value(record, self._columns.get(part))  # type: ignore[arg-type]  # a row is never a fault here
        if isinstance(value, float) and value.is_integer():
            value = int(value)
        return "" if value is None else str(value).strip()
