"""The SMPP driver; see the package's docstring for its options."""

import asyncio
import random
import re
import ssl
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, ClassVar, Final, Literal, Self, cast, get_args

import smpp34
import structlog

from channels.batch import about_sender, each
from channels.dsn import BadDsn, Dsn
from channels.port import BadHook, Event, HookRequest, Inbound, Outcome, Outgoing, Result, Sink, Target
from channels.smpp import receipts, status
from channels.smpp.addresses import Address, address_of, default_source
from channels.smpp.codec import Command, Tag
from channels.smpp.inbound import BadText, Reassembly
from channels.smpp.inbox import Inbox
from channels.smpp.link import Login, NotSent, Unanswered
from channels.smpp.receipts import IdForm, Parts
from channels.smpp.sessions import Sessions
from channels.sms_text import MOST_PARTS, Alphabet, encode, split

log = structlog.get_logger("channels.smpp")

Long = Literal["udh", "sar", "payload"]

UDHI: Final = 0x40  # §5.2.12
DATA_CODING: Final[dict[Alphabet, int]] = {"gsm": 0, "ucs2": 8}  # §5.2.19
MOST_PAYLOAD: Final = 0xFFFF  # octets: the length of an optional parameter has 16 bits
MOST_CONNECTIONS: Final = 50
PART_RETRIES: Final = 3
SWEEP_SECONDS: Final = 30.0
FIRST_BIND_SECONDS: Final = 1.0
EARLY_RECEIPT_SECONDS: Final = 2.0  # shorter than the SMSC waits for a deliver_sm_resp
_RECIPIENT: Final = re.compile(r"\+?([0-9]{3,15})", re.ASCII)


@dataclass(frozen=True, slots=True)
class Style:
    """The format of messages for this SMSC."""

    source: Address
    dest_ton: int
    dest_npi: int
    long: Long
    receipts: bool
    dlr_id: IdForm
    validity: str  # §7.1.1's relative form, or empty
    retry_after: float
    reference: bool  # messages of one submit_sm carry a user_message_reference


class SmppChannel:
    """A channel over one SMPP account."""

    name: ClassVar[str] = "smpp"
    idempotent = False

    def __init__(self, login: Login, style: Style, roles: Sequence[Command], connections: int = 1) -> None:
        self.batch = login.window
        self.reports_delivery = style.receipts
        self._login = login
        self._style = style
        self._roles, self._connections = roles, connections
        self._reference = random.randrange(256)
        self._parts = Parts(min(login.timeout, EARLY_RECEIPT_SECONDS))
        self._reassembly = Reassembly()
        self._overdue: list[Inbound] = []
        self._sessions: Sessions | None = None
        self._inbox: Inbox | None = None
        self._sweeper: asyncio.Task[None] | None = None

    @classmethod
    def from_dsn(cls, dsn: Dsn, kind: str) -> Self:
        """Raises BadDsn."""
        if not dsn.host or not dsn.user:
            raise BadDsn("smpp: write the account and the SMSC as smpp://system_id:password@host:2775")
        if dsn.path not in {"", "/"}:
            raise BadDsn("smpp: nothing may follow the port but options, ?from=…")
        bind = dsn.text("bind", "trx", allowed=("trx", "tx+rx", "tx"))
        roles = {
            "trx": (Command.bind_transceiver,),
            "tx+rx": (Command.bind_transmitter, Command.bind_receiver),
            "tx": (Command.bind_transmitter,),
        }[bind]
        system_type = dsn.text("system_type") or ""
        for what, value in (
            ("user", dsn.user),
            ("password", dsn.password or ""),
            ("system_type", system_type),
        ):
            if not value.isascii() or not (value.isprintable() or not value):
                raise BadDsn(f"smpp: {what} must be printable ASCII")
        window = dsn.integer("window", 10, at_least=1, at_most=1000)
        connections = dsn.integer("connections", 1, at_least=1, at_most=MOST_CONNECTIONS)
        if connections > window:
            raise BadDsn("smpp: connections is more than window, of which each connection has a part")
        reconnect_min = dsn.number("reconnect_min", 0.5, at_least=0.01, at_most=3600)
        login = Login(
            host=dsn.host,
            port=2775 if dsn.port is None else dsn.port,
            system_id=dsn.user,
            password=dsn.password or "",
            system_type=system_type,
            tls=ssl.create_default_context() if dsn.flag("tls") else None,
            guard=dsn.guard,
            window=window,
            timeout=dsn.number("timeout", 10.0, at_least=0.05, at_most=600),
            enquire_link=dsn.number("enquire_link", 30.0, at_least=0.05, at_most=3600),
            reconnect_min=reconnect_min,
            reconnect_max=max(reconnect_min, dsn.number("reconnect_max", 30.0, at_least=0.01, at_most=3600)),
        )
        validity = dsn.integer("validity", 0, at_least=60, at_most=30 * 86400)
        style = Style(
            source=default_source(dsn),
            dest_ton=dsn.integer("dest_ton", 1, at_least=0, at_most=6),
            dest_npi=dsn.integer("dest_npi", 1, at_least=0, at_most=18),
            long=cast("Long", dsn.text("long", "udh", allowed=get_args(Long))),
            receipts=dsn.flag("receipts", bind != "tx"),
            dlr_id=cast("IdForm", dsn.text("dlr_id", "asis", allowed=receipts.ID_FORMS)),
            validity=_relative_time(validity) if validity else "",
            retry_after=dsn.number("retry_after", 1.0, at_least=0, at_most=3600),
            reference=dsn.flag("reference"),
        )
        return cls(login, style, roles, connections)

    def target(self) -> Target | None:
        return Target(self._login.host, self._login.port, self._login.tls)

    async def open(self, sink: Sink) -> None:
        """Binds in the background, and keeps bound. Waits a moment for the first bind, so that the first `send`
        can use an SMSC that is up.
        """
        self._inbox = Inbox(partial(sink, self))
        self._sessions = Sessions(self._login, self._roles, self._connections, self._deliver)
        self._sweeper = asyncio.create_task(self._sweep())
        with suppress(TimeoutError, NotSent):
            async with asyncio.timeout(FIRST_BIND_SECONDS):
                await self._sessions.first_binds()

    async def send(self, batch: Sequence[Outgoing]) -> list[Outcome]:
        if self._sessions is None:
            raise RuntimeError("open() the channel before send()")
        return await each(self._send_message, batch)

    async def close(self) -> None:
        if self._sweeper is not None:
            self._sweeper.cancel()
            await asyncio.gather(self._sweeper, return_exceptions=True)
        if self._sessions is not None:
            await self._sessions.close()
        if self._inbox is not None:
            await self._hand_over_overdue(self._inbox, everything=True)
            await self._inbox.close()
            self._inbox = None

    def sessions_down(self) -> list[str]:
        """Returns a sentence for each session that is not bound, for the doctor."""
        return [] if self._sessions is None else self._sessions.down()

    def hook(self, request: HookRequest) -> list[Event]:
        raise BadHook("an SMSC sends its receipts over SMPP; it calls no URL")

    # Sending

    async def _send_message(self, message: Outgoing) -> Outcome:
        recipient = _RECIPIENT.fullmatch(message.to)
        if recipient is None:
            reason = "The recipient is not a phone number of 3 to 15 digits."
            return Outcome(Result.refused, code="invalid_recipient", reason=reason, asked=False)
        source = self._style.source if message.sender is None else address_of(message.sender)
        if source is None:
            reason = "An SMSC takes senders of ASCII characters alone; each reads others by an alphabet of its own."
            return Outcome(Result.refused, code="sender_unsupported", reason=reason, asked=False)
        outcome = await self._send_from(source, recipient[1], message)
        return about_sender(message, outcome)

    async def _send_from(self, source: Address, recipient: str, message: Outgoing) -> Outcome:
        alphabet, parts = split(message.body)
        write = partial(self._submit_sm, source, recipient, alphabet)
        # The receipts of a message's parts would all have one reference.
        reference = (
            [smpp34.Tlv(Tag.user_message_reference, receipts.reference_octets(message.id))]
            if self._style.reference
            else []
        )
        if len(parts) == 1:
            return await self._submit(partial(write, data=parts[0], tlvs=reference))
        if self._style.long == "payload":
            _, data = encode(message.body)
            if len(data) > MOST_PAYLOAD:
                return _too_long(f"{len(data)} octets; a payload holds {MOST_PAYLOAD}")
            payload = smpp34.Tlv(Tag.message_payload, data)
            return await self._submit(partial(write, data=b"", tlvs=[payload, *reference]))
        if len(parts) > MOST_PARTS:
            return _too_long(f"{len(parts)} parts; a message has at most {MOST_PARTS}")
        return await self._submit_parts([partial(write, **arguments) for arguments in self._numbered(parts)])

    def _numbered(self, parts: list[bytes]) -> list[dict[str, Any]]:
        """Returns the arguments of `_submit_sm` for each part of one message.

        The reference has 8 bits in sar mode too: the SMSC can then make the short header, which the parts leave room
        for.
        """
        self._reference = reference = (self._reference + 1) % 256
        total = len(parts)
        if self._style.long == "sar":
            return [
                {
                    "data": data,
                    "tlvs": [
                        smpp34.Tlv(Tag.sar_msg_ref_num, bytes((0, reference))),
                        smpp34.Tlv(Tag.sar_total_segments, bytes((total,))),
                        smpp34.Tlv(Tag.sar_segment_seqnum, bytes((number,))),
                    ],
                }
                for number, data in enumerate(parts, 1)
            ]
        # TS 23.040 §9.2.3.24.1: 5 octets of header: element 0, its 3 octets: reference, total, number
        return [
            {"data": bytes((5, 0, 3, reference, total, number)) + data, "esm_class": UDHI}
            for number, data in enumerate(parts, 1)
        ]

    def _submit_sm(
        self,
        source: Address,
        recipient: str,
        alphabet: Alphabet,
        sequence: int,
        *,
        data: bytes,
        esm_class: int = 0,
        tlvs: Sequence[smpp34.Tlv] = (),
    ) -> bytes:
        style = self._style
        return smpp34.SubmitSm(
            source.text,
            recipient,
            data,
            source_addr_ton=source.ton,
            source_addr_npi=source.npi,
            dest_addr_ton=style.dest_ton,
            dest_addr_npi=style.dest_npi,
            esm_class=esm_class,
            validity_period=style.validity,
            registered_delivery=int(style.receipts),
            data_coding=DATA_CODING[alphabet],
            tlvs=list(tlvs),
            sequence_number=sequence,
        ).encode()

    async def _submit(self, write: Callable[[int], bytes]) -> Outcome:
        assert self._sessions is not None
        try:
            answer = await self._sessions.submit(write)
        except (NotSent, Unanswered) as failure:
            return failure.outcome
        if answer.status != status.OK:
            return status.outcome(answer.status, self._style.retry_after)
        id = answer.first_string
        report_id = receipts.canonical(id, self._style.dlr_id, origin="response")
        return Outcome(
            Result.sent, provider_message_id=id or None, report_id=report_id if report_id != id else None
        )

    async def _submit_parts(self, parts: Sequence[Callable[[int], bytes]]) -> Outcome:
        first = Outcome(Result.sent)
        with self._parts.sending() as message:
            for number, write in enumerate(parts, 1):
                outcome = await self._submit(write)
                retries = PART_RETRIES if number > 1 else 0
                while outcome.result is Result.throttled and retries:
                    await asyncio.sleep(min(self._style.retry_after, self._login.timeout))
                    outcome = await self._submit(write)
                    retries -= 1
                if outcome.result is not Result.sent:
                    return _broken_off(outcome, number, len(parts), first)
                message.took(outcome.report_id or outcome.provider_message_id)
                if first.provider_message_id is None:
                    first = outcome
            message.complete = True
            return first

    # Receiving

    async def _deliver(self, pdu: smpp34.DeliverSm) -> None:
        """Handles a deliver_sm. Returns when it may be answered; raises the errors of the sink."""
        assert self._inbox is not None
        if receipts.is_receipt(pdu):
            await self._deliver_receipt(pdu, self._inbox)
        elif (
            pdu.esm_class & 0x3C
        ):  # acknowledgements by the handset or its user (§5.2.12), which we do not request
            log.info("smpp_deliver_sm_ignored", esm_class=pdu.esm_class)
        else:
            await self._deliver_message(pdu, self._inbox)

    async def _deliver_receipt(self, pdu: smpp34.DeliverSm, inbox: Inbox) -> None:
        try:
            receipt = receipts.read(pdu, self._style.dlr_id, references=self._style.reference)
        except receipts.Malformed as error:
            # Answered with OK, as repeating it would not help. The error is not logged with the PDU's text.
            log.warning("smpp_malformed_receipt", error=str(error), octets=len(pdu.short_message))
            return
        if receipt is None:
            return
        await self._parts.settled(receipt.provider_message_id)
        if (event := self._parts.record(receipt)) is None:
            return
        try:
            await inbox.put(event)
        except BaseException:
            self._parts.forget(receipt)
            raise

    async def _deliver_message(self, pdu: smpp34.DeliverSm, inbox: Inbox) -> None:
        try:
            message = self._reassembly.add(pdu)
        except BadText as error:
            log.warning("smpp_malformed_message", error=str(error), octets=len(pdu.short_message))
            return
        if message is not None:
            await inbox.put(message)
            self._reassembly.finish(pdu)
        if self._reassembly.crowded:
            await self._hand_over_overdue(inbox)

    async def _sweep(self) -> None:
        while True:
            await asyncio.sleep(SWEEP_SECONDS)
            if self._inbox is not None:
                await self._hand_over_overdue(self._inbox)

    async def _hand_over_overdue(self, inbox: Inbox, *, everything: bool = False) -> None:
        """Passes on incomplete messages whose parts are overdue; those that the sink refuses are tried again later."""
        self._overdue.extend(self._reassembly.overdue(everything=everything))
        waiting, self._overdue = self._overdue, []
        for message in waiting:
            try:
                async with asyncio.timeout(self._login.timeout):
                    await inbox.put(message)
            except Exception as error:
                log.warning("smpp_incomplete_message_not_taken", error=type(error).__name__)
                self._overdue.append(message)


def _relative_time(seconds: int) -> str:
    """Formats a duration under a month as `YYMMDDhhmmss000R`, relative to the SMSC's acceptance (§7.1.1.2)."""
    days, rest = divmod(seconds, 86400)
    hours, rest = divmod(rest, 3600)
    return f"0000{days:02}{hours:02}{rest // 60:02}{rest % 60:02}000R"


def _too_long(how: str) -> Outcome:
    return Outcome(
        Result.refused, code="message_too_long", reason=f"The text is too long: {how}.", asked=False
    )


def _broken_off(outcome: Outcome, number: int, total: int, first: Outcome) -> Outcome:
    """Returns the outcome of a message whose part `number` failed with `outcome`; see the package's docstring."""
    if number == 1:
        return outcome
    reason = f"{number - 1} of {total} parts were taken, then: {outcome.reason}"
    result = Result.refused if outcome.result is Result.refused else Result.unknown
    return replace(
        outcome,
        result=result,
        provider_message_id=first.provider_message_id,
        report_id=first.report_id,
        reason=reason,
        retry_after=None,
    )
