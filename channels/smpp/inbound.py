"""Received messages: decodes their text, and reassembles long ones."""

import hashlib
import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final, NamedTuple

import smpp34

from channels.port import Inbound
from channels.smpp.codec import Tag
from channels.sms_text import decode_gsm

_UDHI: Final = 0x40  # §5.2.12: the text begins with a user data header
_CONCATENATED_8: Final = 0x00  # 3GPP TS 23.040 §9.2.3.24.1 and .8
_CONCATENATED_16: Final = 0x08
_TON_INTERNATIONAL: Final = 1

# §5.2.19. Missing codes (2 and 4 are octets, 9 is pictograms) are not text.
_CHARSETS: Final = {
    0: "gsm",
    1: "latin-1",  # ASCII; Latin-1 also decodes octets that ASCII does not allow
    3: "latin-1",
    5: "shift_jis",
    6: "iso8859_5",
    7: "iso8859_8",
    8: "utf-16-be",
    10: "iso2022_jp",
    13: "euc_jp",
    14: "euc_kr",
}

MOST_MESSAGES: Final = 2_000
MOST_OCTETS: Final = 4 << 20
LONGEST_WAIT: Final = 3600.0  # seconds for the missing parts
DUPLICATES_FOR: Final = 300.0  # seconds for which the parts of a finished message are recognized
GAP: Final = "…"


class BadText(Exception):
    """The octets are not a valid text or part."""


def _charset(data_coding: int) -> str | None:
    """Returns the charset; None for octets that are not text. 0x10 and up are GSM's schemes (TS 23.038 §4)."""
    if data_coding < 0x10:
        return _CHARSETS.get(data_coding)
    group = data_coding >> 4
    if group <= 0x7:
        return {0: "gsm", 2: "utf-16-be"}.get(data_coding >> 2 & 3)
    if group in {0xC, 0xD}:  # message waiting, with text
        return "gsm"
    if group == 0xE:
        return "utf-16-be"
    if group == 0xF and not data_coding & 4:
        return "gsm"
    return None


def is_wide(data_coding: int) -> bool:
    """Returns whether a character has two octets."""
    return _charset(data_coding) == "utf-16-be"


def decode(data_coding: int, data: bytes) -> str | None:
    """Returns the text, or None if the octets are not text.

    Invalid octets become U+FFFD. NUL is dropped, since no text contains it and databases refuse it.
    """
    charset = _charset(data_coding)
    if charset is None:
        return None
    text = decode_gsm(data) if charset == "gsm" else data.decode(charset, "replace")
    return text.replace("\0", "")


class Part(NamedTuple):
    """The text of a deliver_sm and its position in a message; `total` is 1 for an unsplit message."""

    data: bytes
    reference: int = 0
    total: int = 1
    number: int = 1  # from 1


def part_of(pdu: smpp34.DeliverSm) -> Part:
    """Returns the part in a deliver_sm. Raises BadText."""
    values = {tlv.tag: tlv.value for tlv in pdu.tlvs}
    data = pdu.short_message or values.get(Tag.message_payload, b"")
    position: tuple[int, int, int] | None = None
    if pdu.esm_class & _UDHI:
        if not data or data[0] >= len(data):
            raise BadText("the user data header is longer than the message")
        header, data = data[1 : 1 + data[0]], data[1 + data[0] :]
        position = _concatenation(header)
    elif Tag.sar_total_segments in values:
        position = (
            int.from_bytes(values.get(Tag.sar_msg_ref_num, b""), "big"),
            int.from_bytes(values[Tag.sar_total_segments], "big"),
            int.from_bytes(values.get(Tag.sar_segment_seqnum, b""), "big"),
        )
    # TS 23.040: an invalid total or number is ignored, and the part is a message of its own.
    if position is None or not 1 <= position[2] <= position[1] <= 255:
        return Part(data)
    return Part(data, *position)


def _concatenation(header: bytes) -> tuple[int, int, int] | None:
    at = 0
    while at + 2 <= len(header):
        element, length = header[at], header[at + 1]
        value = header[at + 2 : at + 2 + length]
        if element == _CONCATENATED_8 and length == len(value) == 3:
            return value[0], value[1], value[2]
        if element == _CONCATENATED_16 and length == len(value) == 4:
            return int.from_bytes(value[:2], "big"), value[2], value[3]
        at += 2 + length
    return None


def phone(address: str, ton: int) -> str:
    """Returns `+` and the digits if the number is international; other addresses (short code, name) as they are."""
    return f"+{address}" if ton == _TON_INTERNATIONAL and address.isdecimal() else address


class _Key(NamedTuple):
    sender: str
    to: str
    reference: int
    total: int
    data_coding: int


@dataclass(slots=True)
class _MultipartMessage:
    since: float
    parts: dict[int, bytes] = field(default_factory=dict)
    finished: frozenset[bytes] | None = None  # digests of its parts, kept after it was passed on

    @property
    def octets(self) -> int:
        return sum(map(len, self.parts.values()))


class Reassembly:
    """Collects the parts of long messages, bounded in number, octets and time.

    An incomplete message is passed on when its parts are overdue or there are too many, with a `…` for each gap: its
    parts were answered with OK, so the SMSC will not deliver them again.
    """

    def __init__(self, now: Callable[[], float] = time.monotonic) -> None:
        self._now = now
        # This is no TTLCache, because a dropped message must be passed on.
        self._messages: OrderedDict[_Key, _MultipartMessage] = OrderedDict()
        self._octets = 0

    def add(self, pdu: smpp34.DeliverSm) -> Inbound | None:
        """Returns the message that this completes, if it does and the message is text. Raises BadText."""
        part = part_of(pdu)
        key = _key(pdu, part)
        if part.total == 1:
            body = decode(pdu.data_coding, part.data)
            return None if body is None else Inbound(key.sender, key.to, body)
        digest = _digest(part)
        message = self._messages.get(key)
        if message and message.finished is not None:
            if digest in message.finished:
                return None  # already passed on, but our response was lost
            message = None  # the sender uses the same reference again
        if message is None:
            message = self._messages[key] = _MultipartMessage(self._now())
            self._messages.move_to_end(key)
        self._octets += len(part.data) - len(message.parts.get(part.number, b""))
        message.parts[part.number] = part.data
        return _joined(key, message) if len(message.parts) == part.total else None

    def finish(self, pdu: smpp34.DeliverSm) -> None:
        """Marks the message that `pdu` completed as accepted by the sink."""
        if (message := self._messages.get(_key(pdu, part_of(pdu)))) and message.finished is None:
            digests = (_digest(Part(data, number=number)) for number, data in message.parts.items())
            message.finished = frozenset(digests)
            self._octets -= message.octets
            message.parts.clear()
            message.since = self._now()

    @property
    def crowded(self) -> bool:
        return len(self._messages) > MOST_MESSAGES or self._octets > MOST_OCTETS

    def overdue(self, *, everything: bool = False) -> list[Inbound]:
        """Removes and returns messages whose parts are overdue or that are too many, with their gaps."""
        out = []
        for key, message in list(self._messages.items()):
            age = self._now() - message.since
            if message.finished is not None:
                if age > DUPLICATES_FOR or len(self._messages) > MOST_MESSAGES:
                    del self._messages[key]
                continue
            if everything or self.crowded or age > LONGEST_WAIT:
                del self._messages[key]
                self._octets -= message.octets
                if inbound := _joined(key, message):
                    out.append(inbound)
        return out


def _key(pdu: smpp34.DeliverSm, part: Part) -> _Key:
    return _Key(
        phone(pdu.source_addr, pdu.source_addr_ton),
        phone(pdu.destination_addr, pdu.dest_addr_ton),
        part.reference,
        part.total,
        pdu.data_coding,
    )


def _digest(part: Part) -> bytes:
    return hashlib.blake2b(bytes([part.number]) + part.data, digest_size=8).digest()


def _joined(key: _Key, message: _MultipartMessage) -> Inbound | None:
    """Joins adjacent parts before decoding, as a character may be split between two parts."""
    runs: list[bytes | None] = []
    for number in range(1, key.total + 1):
        data = message.parts.get(number)
        if runs and (runs[-1] is None) == (data is None):
            runs[-1] = None if data is None else (runs[-1] or b"") + data
        else:
            runs.append(data)
    texts = [GAP if run is None else decode(key.data_coding, run) for run in runs]
    body = "".join(text for text in texts if text is not None)
    if all(text is None or text == GAP for text in texts):
        return None  # there is no text at all
    return Inbound(key.sender, key.to, body)
