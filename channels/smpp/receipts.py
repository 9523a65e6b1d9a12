"""Delivery receipts: parses one, and combines those of a long message's parts.

A receipt is a deliver_sm (or a data_sm) whose esm_class says so (SMPP v3.4 §5.2.12). Its content is in the optional
parameters receipted_message_id and message_state (§5.3.2.12, §5.3.2.35) or, de facto everywhere, in the text of
Appendix B: `id:… sub:… dlvrd:… submit date:… done date:… stat:DELIVRD err:000 text:…`. Its dates are in the SMSC's
local time, whose zone is not known, so they are not parsed.
"""

import asyncio
import re
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from typing import Final, Literal, get_args
from uuid import UUID

import smpp34
from cachetools import FIFOCache

from channels.port import MessageReference, Receipt, Result
from channels.smpp import inbound
from channels.smpp.codec import Tag

IdForm = Literal["asis", "hex2dec", "dec2hex"]
ID_FORMS: Final = get_args(IdForm)

_TYPE_BITS: Final = 0x3C
_DELIVERY_RECEIPT: Final = 0x04
_INTERMEDIATE: Final = 0x20
_SINGLE_OCTET: Final = 0x01

# Appendix B and §5.2.28: the names of the same states in the text and in the optional parameter.
_STATES: Final = {
    1: "ENROUTE",
    2: "DELIVRD",
    3: "EXPIRED",
    4: "DELETED",
    5: "UNDELIV",
    6: "ACCEPTD",
    7: "UNKNOWN",
    8: "REJECTD",
}
_RESULTS: Final[dict[str, tuple[Result, str | None]]] = {
    "ENROUTE": (Result.sent, None),
    "ACCEPTD": (Result.sent, None),
    "DELIVRD": (Result.delivered, None),
    "EXPIRED": (Result.refused, "expired"),
    "DELETED": (Result.refused, "deleted"),
    "UNDELIV": (Result.refused, "undeliverable"),
    "REJECTD": (Result.refused, "rejected"),
    # Not in Appendix B, but SMSCs write them.
    "ACCEPTED": (Result.sent, None),
    "DELIVERED": (Result.delivered, None),
    "FAILED": (Result.refused, "undeliverable"),
    "UNDELIVERABLE": (Result.refused, "undeliverable"),
    "UNDELIVERED": (Result.refused, "undeliverable"),
    "REJECTED": (Result.refused, "rejected"),
}
_TEXT_PART: Final = re.compile(r"\btext:", re.IGNORECASE)  # the rest is text of the message itself
_ID: Final = re.compile(
    r"\bid:\s?(?![a-z]+:)([^\s,]+)", re.IGNORECASE
)  # does not match the next field's name if the id is empty; some SMSCs put commas between the fields
_STAT: Final = re.compile(r"\bstat:\s*([A-Za-z]+)", re.IGNORECASE)
_ERR: Final = re.compile(r"\berr:\s*([0-9A-Za-z]{1,10})\b", re.IGNORECASE)

MOST_CACHED_PARTS: Final = 100_000
LONGEST_ID: Final = 64  # octets; §5.2.23 allows no more


class Malformed(Exception):
    """The receipt has no message id or no state."""


def is_receipt(pdu: smpp34.DeliverSm) -> bool:
    """Returns whether it is a receipt: by esm_class, or by both optional parameters (some SMSCs leave esm_class 0).

    The text alone is not enough: anyone could send it from a phone.
    """
    if pdu.esm_class & _TYPE_BITS in {_DELIVERY_RECEIPT, _INTERMEDIATE}:
        return True
    tags = {tlv.tag for tlv in pdu.tlvs}
    return tags >= {Tag.receipted_message_id, Tag.message_state}


def canonical(id: str, form: IdForm, *, origin: Literal["response", "receipt"]) -> str:
    """Returns a message id in a form that is the same in the response and in the receipt.

    If an SMSC writes one in hexadecimal and the other in decimal, both become decimal. An id that is not a number in
    that form stays as it is, in lower case: many SMSCs answer `1A2F` and report `1a2f`, and none distinguishes two
    messages by the case of a letter.
    """
    id = id.lower()
    if form == "asis":
        return id
    hexadecimal = (form == "hex2dec") == (origin == "response")
    digits = r"[0-9a-f]{1,64}" if hexadecimal else r"[0-9]{1,64}"
    return str(int(id, 16 if hexadecimal else 10)) if re.fullmatch(digits, id) else id


def reference_octets(id: UUID) -> bytes:
    """Returns the user_message_reference (§5.3.2.17) of a message: the end of its id, which is random."""
    return id.bytes[-2:]


def _reference(pdu: smpp34.DeliverSm, octets: bytes | None) -> MessageReference | None:
    """Returns the name of the message in its receipt (§4.6.1): the recipient, who is the receipt's source, and our
    reference.
    """
    if octets is None or len(octets) != 2 or not (pdu.source_addr.isdecimal() and pdu.source_addr.isascii()):
        return None
    return MessageReference(f"+{pdu.source_addr}", octets.hex())


def read(pdu: smpp34.DeliverSm, form: IdForm, *, references: bool = False) -> Receipt | None:
    """Parses a receipt. Returns None if there is nothing to report. `references`: the messages have one.

    That is so for the state UNKNOWN, a vendor's own state, and an intermediate report that is not final. Raises
    Malformed.
    """
    values = {tlv.tag: tlv.value for tlv in pdu.tlvs}
    # The text of a receipt is ASCII, whatever the SMSC's default alphabet is: GSM's would change `_` and `@`.
    data_coding = pdu.data_coding if inbound.is_wide(pdu.data_coding) else _SINGLE_OCTET
    text = inbound.decode(data_coding, values.get(Tag.message_payload) or pdu.short_message) or ""
    head = _TEXT_PART.split(text, maxsplit=1)[0]
    id = _message_id(values.get(Tag.receipted_message_id), _ID.search(head), form)
    state = values.get(Tag.message_state)
    if state:
        stat = _STATES.get(state[0], "")
    elif match := _STAT.search(head):
        stat = match[1].upper()
    else:
        raise Malformed("no state")
    result, code = _RESULTS.get(stat, (None, None))
    intermediate = pdu.esm_class & _TYPE_BITS == _INTERMEDIATE
    if result is None or (intermediate and result is not Result.sent):
        return None
    error = _ERR.search(head)
    reason = f"The SMSC reports {stat}{f', error {error[1]}' if error else ''}." if code else None
    reference = _reference(pdu, values.get(Tag.user_message_reference)) if references else None
    return Receipt(id, result, code=code, reason=reason, reference=reference)


def _message_id(parameter: bytes | None, in_text: re.Match[str] | None, form: IdForm) -> str:
    """Returns the id. If the two places differ in form, the parameter has the response's form (§5.3.2.12)."""
    parameter_id = (parameter or b"").partition(b"\0")[0].decode("latin-1")
    text_id = in_text[1] if in_text else ""
    if parameter_id and text_id and parameter_id.lower() != text_id.lower():
        message_id = canonical(parameter_id, form, origin="response")
    else:
        message_id = canonical(parameter_id or text_id, form, origin="receipt")
    if not 0 < len(message_id) <= LONGEST_ID:
        raise Malformed("no message id")
    return message_id


@dataclass(slots=True, eq=False)
class MultipartMessage:
    """A message that was sent in parts, known by the id of its first part."""

    sent: asyncio.Future[None]  # done when no further part will be sent
    ids: list[str] = field(default_factory=list)
    complete: bool = False  # every part was accepted
    delivered: set[str] = field(default_factory=set)
    over: bool = False  # refused, or reported as delivered: nothing more to report

    def took(self, id: str | None) -> None:
        if id:
            self.ids.append(id)


class Parts:
    """Maps the id of each part to its message: in memory, the newest `MOST_CACHED_PARTS`.

    After a restart, or in another process that shares the account, receipts of parts are passed on with their own ids:
    that of the first part still finds its message, the others find none.
    """

    def __init__(self, timeout: float) -> None:
        self._timeout = timeout
        # Not the least recently used is evicted but the oldest: a part whose receipt has come needs its place no
        # longer.
        self._messages: FIFOCache[str, MultipartMessage] = FIFOCache(MOST_CACHED_PARTS)
        self._leaving: set[MultipartMessage] = set()

    @contextmanager
    def sending(self) -> Iterator[MultipartMessage]:
        """Covers the sending of parts. A receipt can arrive before its part's response; then it waits."""
        message = MultipartMessage(asyncio.get_running_loop().create_future())
        self._leaving.add(message)
        try:
            yield message
        finally:
            self._leaving.discard(message)
            for id in message.ids:
                self._messages[id] = message
            message.sent.set_result(None)

    async def settled(self, id: str) -> None:
        """Waits until it is known whether `id` belongs to a part; only while long messages are being sent."""
        if id not in self._messages and self._leaving:
            with suppress(TimeoutError):
                async with asyncio.timeout(self._timeout):
                    await asyncio.wait([message.sent for message in self._leaving])

    def record(self, receipt: Receipt) -> Receipt | None:
        """Returns the report for the message after this receipt of a part (or of an unsplit message).

        It is delivered when every part is, and refused as soon as one is.
        """
        message = self._messages.get(receipt.provider_message_id)
        if message is None:
            return receipt
        if message.over:
            return None
        if receipt.result is Result.delivered:
            message.delivered.add(receipt.provider_message_id)
            if not message.complete or not message.delivered.issuperset(message.ids):
                return None
        message.over = receipt.result is not Result.sent
        return Receipt(
            message.ids[0], receipt.result, code=receipt.code, reason=receipt.reason, at=receipt.at
        )

    def forget(self, receipt: Receipt) -> None:
        """Undoes `record`, as the sink did not accept the receipt and the SMSC will send it again."""
        if message := self._messages.get(receipt.provider_message_id):
            message.over = False
            message.delivered.discard(receipt.provider_message_id)
