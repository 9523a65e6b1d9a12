"""Sends nothing: `sandbox://`, the default for email, sms and push, so that every flow can be tried at once.

The messages can be read in its box (`box(name).outbox`, the newest `keep` messages). Channels of the same name in one
process share a box: `sandbox://demo`. Magic recipients simulate failures, see `effect_of` and docs/channels.md. A
second message with the same key is dropped and counted in the box, as long as the key is among the newest `keep`.

Options: `deliver` (ordinary messages get a delivery receipt, 1), `latency_ms` (of every batch, 0),
`timeout` (seconds until a recipient that never answers is `unknown`, 5), `keep` (messages, 10000), `codes` (the box
keeps the codes of verifications, 0; otherwise their digits are `•`).
"""

import asyncio
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from itertools import islice
from typing import ClassVar, Generic, Self, TypeVar
from uuid import UUID

import structlog

from channels.dsn import BadDsn, Dsn
from channels.port import Event, HookRequest, Outcome, Outgoing, Receipt, Result, Sink, Target

log = structlog.get_logger(__name__)

Value = TypeVar("Value")

SLOW_SECONDS = 2.0
RECEIPT_SECONDS = 0.05  # from the outcome to the receipt
RECEIPT_BATCH = 500
RETRY_SECONDS = 1.0  # until a sink that failed is called again

EMAIL_DOMAIN = "@sandbox.postern.test"
PHONE_PREFIX = "+150055500"  # 500 555 0000 to 0099; the tens digit is the effect, the ones digit is free
PUSH_PREFIX = "sandbox-"

_NOBODY = "Nothing was sent to anybody."
_REFUSED = f"The sandbox refuses this recipient on purpose. {_NOBODY}"
_BOUNCES = f"The sandbox reports that this recipient does not exist, on purpose. {_NOBODY}"
_FAILS_ONCE = "The sandbox fails once for this recipient, on purpose."


class Effect(StrEnum):
    """The effect of a magic recipient. The order is that of the tens digit of phones."""

    delivered = "delivered"  # sent, then a receipt `delivered`
    failed = "failed"  # refused at once
    bounced = "bounced"  # sent, then a receipt `refused`
    flaky = "flaky"  # the first attempt is transient, the next one as `delivered`
    throttled = "throttled"  # the first attempt is throttled for a second, the next one is sent
    timeout = "timeout"  # accepted, but the response is lost: unknown, and sent on the next attempt
    slow = "slow"  # sent after two seconds
    silent = "silent"  # not accepted and never answered: unknown
    sent = "sent"  # sent, and no receipt ever comes


_WAITING = {Effect.timeout, Effect.slow, Effect.silent}
_TENS = {str(digit): kind for digit, kind in enumerate(Effect)}
_WORDS = {str(kind): kind for kind in Effect}


def effect_of(kind: str, to: str) -> Effect | None:
    """Returns the effect of a recipient of `kind` (email, sms, push); None for an ordinary one.

    `failed@sandbox.postern.test` and, for any number of different ones, `failed+anything@…`;
    `+1500555001x`; `sandbox-failed` and `sandbox-failed-anything`.
    """
    if kind == "email":
        return (
            _WORDS.get(to.removesuffix(EMAIL_DOMAIN).partition("+")[0]) if to.endswith(EMAIL_DOMAIN) else None
        )
    if kind in ("sms", "telegram", "whatsapp"):
        return _TENS.get(to[10]) if to.startswith(PHONE_PREFIX) and len(to) == 12 else None
    return _WORDS.get(to[len(PUSH_PREFIX) :].partition("-")[0]) if to.startswith(PUSH_PREFIX) else None


@dataclass(slots=True)
class AcceptedMessage:
    """A message that the sandbox accepted."""

    message: Outgoing
    provider_message_id: str
    hand_overs: int = 1  # above 1: sent again with the same key, and dropped


class Recent(Generic[Value]):
    """A map that keeps at least its newest `keep` keys and at most twice as many.

    It has two generations: when the young one is full it becomes the old one, and the old one is dropped. So a
    message costs one store and one look-up, however many there are.
    """

    def __init__(self, keep: int) -> None:
        self._keep = keep
        self._young: dict[object, Value] = {}
        self._old: dict[object, Value] = {}

    def get(self, key: object) -> Value | None:
        return self._young.get(key) or self._old.get(key)

    def put(self, key: object, value: Value) -> None:
        self._young[key] = value
        if len(self._young) >= self._keep:
            self._old, self._young = self._young, {}


class Box:
    """The messages that the channels of one name accepted. `codes`: with the codes of verifications."""

    def __init__(self, keep: int, *, codes: bool = False) -> None:
        self.keep = keep
        self.codes = codes
        self.outbox: deque[AcceptedMessage] = deque(maxlen=keep)  # oldest first
        self._by_key: Recent[AcceptedMessage] = Recent(keep)
        self._tried: Recent[UUID] = Recent(keep)

    def accept(self, message: Outgoing) -> str:
        """Keeps a message unless its key is known. Returns the provider's id of the first message with the key."""
        if (accepted := self._by_key.get(message.key)) is not None:
            accepted.hand_overs += 1
            return accepted.provider_message_id
        if message.hidden is not None and not self.codes:
            body = message.body.replace(message.hidden, "•" * len(message.hidden))
            message = replace(message, body=body, hidden=None)
        accepted = AcceptedMessage(message, str(message.id))
        self._by_key.put(message.key, accepted)
        self.outbox.append(accepted)
        return accepted.provider_message_id

    def has(self, message: Outgoing) -> bool:
        return self._by_key.get(message.key) is not None

    def first_try(self, message: Outgoing) -> bool:
        """Returns whether this message id comes for the first time."""
        if self._tried.get(message.id) is not None:
            return False
        self._tried.put(message.id, message.id)
        return True


_boxes: dict[str, Box] = {}


def box(name: str = "", keep: int = 10_000, *, codes: bool | None = None) -> Box:
    """Returns the box of that name. A different `keep` makes a new, empty one, and so do different `codes`."""
    existing = _boxes.get(name)
    if existing is None or existing.keep != keep or codes not in (None, existing.codes):
        existing = _boxes[name] = Box(keep, codes=bool(codes))
    return existing


class SandboxChannel:
    """A channel without a provider."""

    name: ClassVar[str] = "sandbox"
    idempotent = True
    reports_delivery = True

    def __init__(self, kind: str, box: Box, *, deliver: bool, latency: float, timeout: float) -> None:
        self.batch = 500
        self.box = box
        self._kind = kind
        self._deliver = deliver
        self._latency = latency
        self._timeout = timeout
        self._sink: Sink | None = None
        self._receipts: deque[tuple[float, Receipt]] = deque()  # due (loop time), in order
        self._due = asyncio.Event()
        self._reporter: asyncio.Task[None] | None = None

    @classmethod
    def from_dsn(cls, dsn: Dsn, kind: str) -> Self:
        """Raises BadDsn."""
        if dsn.user is not None or dsn.port is not None or dsn.path.strip("/"):
            raise BadDsn("sandbox: write sandbox:// or sandbox://name, with options after a question mark")
        return cls(
            kind,
            box(
                dsn.host or "",
                dsn.integer("keep", 10_000, at_least=1, at_most=1_000_000),
                codes=dsn.flag("codes", False),
            ),
            deliver=dsn.flag("deliver", True),
            latency=dsn.integer("latency_ms", 0, at_least=0, at_most=60_000) / 1000,
            timeout=dsn.number("timeout", 5, at_least=0, at_most=600),
        )

    @property
    def outbox(self) -> deque[AcceptedMessage]:
        return self.box.outbox

    def target(self) -> Target | None:
        return None

    async def open(self, sink: Sink) -> None:
        self._sink = sink
        self._reporter = asyncio.create_task(self._report(sink), name="sandbox receipts")

    def goes_alone(self, to: str) -> bool:
        """Returns whether the answer for a recipient takes so long that no other message may wait for it."""
        return effect_of(self._kind, to) in _WAITING

    async def send(self, batch: Sequence[Outgoing]) -> list[Outcome]:
        if self._reporter is None:
            raise RuntimeError(
                "the sandbox channel is not open: call open() first, and not send() after close()"
            )
        wait = self._latency
        outcomes = []
        kind, box = self._kind, self.box
        receipts: list[Receipt] = []
        for message in batch:
            if (effect := effect_of(kind, message.to)) is None:
                provider_id = box.accept(message)
                outcomes.append(Outcome(Result.sent, provider_id))
                if self._deliver:
                    receipts.append(_delivered(provider_id))
            else:
                outcome, seconds = self._play(effect, message, receipts)
                outcomes.append(outcome)
                wait = max(wait, seconds)
        if wait:
            await asyncio.sleep(wait)
        if receipts:
            due = asyncio.get_running_loop().time() + RECEIPT_SECONDS
            self._receipts.extend((due, receipt) for receipt in receipts)
            self._due.set()
        return outcomes

    async def close(self) -> None:
        reporter, self._reporter = self._reporter, None
        if reporter is not None:
            reporter.cancel()
            await asyncio.gather(reporter, return_exceptions=True)
        self._receipts.clear()

    def hook(self, request: HookRequest) -> list[Event]:
        return []

    def _play(self, effect: Effect, message: Outgoing, receipts: list[Receipt]) -> tuple[Outcome, float]:
        """Returns the outcome for a magic recipient, and the seconds until it is returned."""
        if effect is Effect.failed:
            return _outcome(Result.refused, "invalid_recipient", _REFUSED), 0
        if effect is Effect.silent:
            return _outcome(
                Result.unknown, "timeout", "The sandbox never answers for this recipient, on purpose."
            ), self._timeout
        if effect is Effect.timeout and not self.box.has(message):
            self.box.accept(message)
            return _outcome(
                Result.unknown,
                "timeout",
                "The sandbox has taken the message and withholds its answer for this recipient, on purpose.",
            ), self._timeout
        if effect is Effect.flaky and self.box.first_try(message):
            return _outcome(Result.transient, "server_busy", _FAILS_ONCE), 0
        if effect is Effect.throttled and self.box.first_try(message):
            reason = "The sandbox delays the first message to this recipient, on purpose."
            return Outcome(Result.throttled, code="throttled", reason=reason, retry_after=1.0), 0
        provider_id = self.box.accept(message)
        if effect is Effect.bounced:
            receipts.append(_bounced(provider_id))
        elif effect in (Effect.delivered, Effect.flaky):
            receipts.append(_delivered(provider_id))
        return Outcome(Result.sent, provider_id), SLOW_SECONDS if effect is Effect.slow else 0

    async def _report(self, sink: Sink) -> None:
        """Passes receipts to the sink when they are due, in batches, for ever."""
        loop = asyncio.get_running_loop()
        while True:
            await self._due.wait()
            self._due.clear()
            while self._receipts:
                await asyncio.sleep(max(0.0, self._receipts[0][0] - loop.time()))
                now = loop.time()
                # They are in order of time, so the due ones come first.
                events = [receipt for due, receipt in islice(self._receipts, RECEIPT_BATCH) if due <= now]
                try:
                    await sink(self, events)
                except Exception:  # a failure of the sink (a database that is down) must not lose a receipt
                    log.exception("sandbox_receipts_delayed", count=len(events), again_in=RETRY_SECONDS)
                    await asyncio.sleep(RETRY_SECONDS)
                else:
                    for _ in events:
                        self._receipts.popleft()


def _delivered(provider_id: str) -> Receipt:
    return Receipt(provider_id, Result.delivered)


def _bounced(provider_id: str) -> Receipt:
    return Receipt(provider_id, Result.refused, "invalid_recipient", _BOUNCES)


def _outcome(result: Result, code: str, reason: str) -> Outcome:
    return Outcome(result, code=code, reason=reason)
