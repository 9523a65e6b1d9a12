"""The rules, the pauses and the messages in flight, by receiver: what one process knows of them.

A pause is a row of `receiver_pauses` that all workers read each second. It belongs to one owner's mail from one domain
to one class of providers, so an owner who provokes refusals stops no mail of another owner. When its time is over,
each worker sends one message: an answer that takes it ends the pause, and another refusal doubles it.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, date, timedelta
from functools import lru_cache
from typing import Any, Final, NamedTuple
from uuid import UUID

import orjson
import structlog
from cachetools import LRUCache, TTLCache

from channels.mailbox import Mailbox
from channels.port import Outcome, Result
from core.clock import CLOCK
from core.ids import uuid7
from engine.jobs import every
from engine.mail_reports.classes import Failure, classify
from runtime.database_errors import translate
from runtime.services import Services
from shapes.mail_reports import MailReportClass

log = structlog.get_logger("postern.sending")

PAUSED: Final = "receiver_paused"
"""The code of a message that waits because the provider of its recipient refuses the sender."""
REFUSED: Final = "receiver_refused"
"""The code of a message that was refused by a policy, and is tried once more."""
CODES: Final = (PAUSED, REFUSED)

OTHER: Final = "other"
"""The class of all providers without a class of their own: one that refuses says nothing of the others."""

THRESHOLD: Final = 3
"""Policy refusals in a row, of one worker, that begin a pause."""
FIRST_PAUSE: Final = timedelta(minutes=15)
"""The first pause, unless the provider names another time."""
SHORTEST_PAUSE: Final = timedelta(minutes=1)
LONGEST_PAUSE: Final = timedelta(hours=4)

_domain: Final = lru_cache(4096)(lambda sender: Mailbox.parse(sender).domain.lower())
_ADDRESS: Final = re.compile(r"<?[^\s<>]+@[^\s<>]+>?")
_REMEMBERED: Final = 50_000  # domains of recipients, and receivers with refusals
_CLASS_SECONDS: Final = 60.0
_READ: Final = """
SELECT (SELECT json_agg(json_build_array(domain, provider_class, in_flight, per_minute,
    (warm_up_from AT TIME ZONE 'UTC')::date, warm_up, pauses))
  FROM receiver_rules)::text AS rules,
  (SELECT json_agg(json_build_array(owner_id, domain, provider_class, EXTRACT(epoch FROM until - now()), answer))
  FROM receiver_pauses)::text AS pauses
"""
_CLASSES: Final = """
SELECT d.domain, COALESCE(postern_known_provider(d.domain), m.provider_class, 'other') AS provider_class
FROM unnest($1::text[]) AS d (domain) LEFT JOIN mail_domains AS m ON m.domain = d.domain
"""
# A worker that finds a pause that runs changes nothing: the refusals of all workers are one pause.
_PAUSE: Final = """
INSERT INTO receiver_pauses AS p (id, owner_id, domain, provider_class, until, answer)
VALUES ($1, $2, $3, $4, now() + $5, $6)
ON CONFLICT (owner_id, domain, provider_class) DO UPDATE SET times = p.times + 1, answer = excluded.answer,
  until = now() + LEAST($5 * 2 ^ LEAST(p.times, 10), $7)
WHERE p.until <= now()
RETURNING EXTRACT(epoch FROM p.until - now())::float8
"""
_END: Final = """
DELETE FROM receiver_pauses WHERE owner_id = $1 AND domain = $2 AND provider_class = $3 AND until <= now()
"""


class Receiver(NamedTuple):
    """A class of providers, as it gets one owner's mail from one domain."""

    owner_id: UUID
    domain: str
    provider_class: str

    @property
    def limited_as(self) -> tuple[str, str]:
        """Returns the key of its limits, which all owners share who send from the domain."""
        return self.domain, self.provider_class


@dataclass(frozen=True, slots=True)
class Rule:
    """The limits of a sending domain at a class of providers."""

    in_flight: int | None = None
    per_minute: int | None = None
    warm_up_from: date | None = None
    warm_up: tuple[int, ...] = ()
    pauses: bool = True

    def allowance(self, day: date) -> int | None:
        """Returns how many messages may go on this day; None: as many as there are."""
        if self.warm_up_from is None or not self.warm_up:
            return None
        number = (day - self.warm_up_from).days
        if number < 0:
            return 0
        return self.warm_up[number] if number < len(self.warm_up) else None


@dataclass(slots=True)
class Pause:
    """A pause as this process knows it."""

    ends: float  # by CLOCK.monotonic()
    answer: str
    saved: bool = True  # its row is in the database
    length: timedelta = FIRST_PAUSE


class Receivers:
    """The rules of this process, and what it has in flight under them."""

    def __init__(self, services: Services) -> None:
        self._services = services
        self._rules: dict[tuple[str, str | None], Rule] = {}
        self._domains: frozenset[str] = frozenset()
        self._loaded = False
        self._pauses: dict[Receiver, Pause] = {}
        self._classes: TTLCache[str, str] = TTLCache(_REMEMBERED, _CLASS_SECONDS)
        self._refusals: LRUCache[Receiver, int] = LRUCache(_REMEMBERED)
        self._busy: Counter[Any] = Counter()  # messages in flight, by receiver and by `limited_as`
        self._begun: dict[UUID, float] = {}  # when they were, by message
        self._seconds: LRUCache[tuple[str, str], float] = LRUCache(_REMEMBERED)  # that a message takes
        self.share: Callable[[int], int] = int  # gives this worker's share of a number
        self.freed: Callable[[], None] = lambda: None  # is called when a message is not in flight any more

    # what all workers read

    @property
    def active(self) -> bool:
        """Returns whether there is any rule."""
        return bool(self._rules)

    @property
    def limits_in_flight(self) -> bool:
        """Returns whether a rule limits the messages in flight, so that workers have to share a number."""
        return any(rule.in_flight is not None for rule in self._rules.values())

    async def load(self) -> None:
        """Reads the rules, if that has never been done."""
        if not self._loaded:
            await self.refresh()

    async def refresh(self) -> None:
        """Reads rules and pauses, and stores the pauses that could not be stored. Raises what a database that is away
        raises.
        """
        for receiver, pause in [*self._pauses.items()]:
            if not pause.saved:
                await self._save(receiver, pause)
        before = {*self._pauses}
        row: Any = await self._services.db.fetchrow(_READ)
        now = CLOCK.monotonic()
        self._rules = {
            (domain, provider): Rule(
                in_flight, rate, begins and date.fromisoformat(begins), tuple(curve or ()), pauses
            )
            for domain, provider, in_flight, rate, begins, curve, pauses in orjson.loads(row["rules"] or "[]")
        }
        self._domains = frozenset(domain for domain, _ in self._rules)
        # Those that began while the rows were read are in none of the rows.
        new = {
            receiver: pause
            for receiver, pause in self._pauses.items()
            if receiver not in before or not pause.saved
        }
        self._pauses = new | {
            Receiver(UUID(owner), domain, provider): Pause(now + float(seconds), answer)
            for owner, domain, provider, seconds, answer in orjson.loads(row["pauses"] or "[]")
        }
        self._loaded = True

    def rule(self, receiver: Receiver) -> Rule | None:
        """Returns the rule of the class, or else that of the domain for each class."""
        domain, provider = receiver.limited_as
        return self._rules.get((domain, provider)) or self._rules.get((domain, None))

    async def find(
        self, owner_and_from_and_to: Iterable[tuple[UUID, str | None, str]]
    ) -> list[Receiver | None]:
        """Returns the receiver of each message; None if no rule is about it."""
        default = next(iter(sorted(self._services.routes.sender_domains())), None)
        asked = [
            (owner, _domain(sender) if sender is not None else default, recipient_domain(to))
            for owner, sender, to in owner_and_from_and_to
        ]
        missing = {to for _, domain, to in asked if domain in self._domains and to not in self._classes}
        read: dict[str, str] = {}
        if missing:
            rows = await self._services.db.fetch(_CLASSES, sorted(missing))
            read = {row["domain"]: row["provider_class"] for row in rows}
            self._classes.update(read)
        receivers: list[Receiver | None] = []
        for owner, domain, to in asked:
            receiver = None
            if domain is not None and domain in self._domains:
                receiver = Receiver(owner, domain, read.get(to) or self._classes.get(to) or OTHER)
            receivers.append(receiver if receiver is not None and self.rule(receiver) is not None else None)
        return receivers

    # pauses

    def wait(self, receiver: Receiver | None) -> float:
        """Returns the seconds that are left of its pause; 0: there is none, or its time is over."""
        pause = self._pause(receiver)
        return 0.0 if pause is None else max(pause.ends - CLOCK.monotonic(), 0.0)

    def any_pause(self, owner: UUID) -> bool:
        """Returns whether mail of the owner waits for a provider, or shows whether it goes on waiting."""
        return any(receiver.owner_id == owner for receiver in self._pauses)

    def on_trial(self, receiver: Receiver) -> bool:
        """Returns whether its pause is over and no answer has ended it: one message at a time shows it."""
        return self._pause(receiver) is not None and not self.wait(receiver)

    def _pause(self, receiver: Receiver | None) -> Pause | None:
        if receiver is None or (pause := self._pauses.get(receiver)) is None:
            return None
        rule = self.rule(receiver)
        return pause if rule is not None and rule.pauses else None

    def why(self, receiver: Receiver) -> str:
        """Returns the reason of messages that wait for its pause, as a sentence."""
        pause = self._pauses.get(receiver)
        answer = f" It said: {pause.answer}" if pause is not None else ""
        return (
            f"Mail from {receiver.domain} to {receiver.provider_class} is paused, since the provider refuses the"
            f" sender.{answer}"
        )

    def split(self, messages: list[Any]) -> tuple[list[Any], list[tuple[Any, float]]]:
        """Splits messages into those that may go and those that a pause holds up, with their seconds."""
        if not self._pauses:
            return messages, []
        waiting = [(message, seconds) for message in messages if (seconds := self.wait(message.receiver))]
        paused = {message.id for message, _ in waiting}
        return [message for message in messages if message.id not in paused], waiting

    async def hear(self, messages: Sequence[Any]) -> None:
        """Counts the answers about messages, begins and ends pauses by them, and turns refusals of the sender into
        outcomes with which the messages wait. Never raises.
        """
        for message in messages:
            receiver, outcome = message.receiver, message.outcome
            if receiver is None or outcome is None or message.uncertain:
                continue
            rule = self.rule(receiver)
            if outcome.result in (Result.sent, Result.delivered):
                self._refusals.pop(receiver, None)
                if self.on_trial(receiver):
                    await self._end(receiver)
            elif rule is not None and rule.pauses and receiver.provider_class != OTHER and is_policy(outcome):
                message.outcome = await self._refused(receiver, message.tries, outcome)

    async def _refused(self, receiver: Receiver, tries: int, outcome: Outcome) -> Outcome:
        count = self._refusals[receiver] = self._refusals.get(receiver, 0) + 1
        if not self.wait(receiver) and (count >= THRESHOLD or self.on_trial(receiver)):
            await self._begin(receiver, outcome)
        if seconds := self.wait(receiver):
            return replace(
                outcome, result=Result.throttled, code=PAUSED, reason=self.why(receiver), retry_after=seconds
            )
        # Alone it may be about this message. One that is refused again has failed.
        if outcome.result is Result.refused and not tries:
            return replace(outcome, result=Result.transient, code=REFUSED)
        return outcome

    async def _begin(self, receiver: Receiver, outcome: Outcome) -> None:
        length = FIRST_PAUSE
        if outcome.retry_after:
            length = min(max(timedelta(seconds=outcome.retry_after), SHORTEST_PAUSE), LONGEST_PAUSE)
        # The answer is told of all messages that wait, so it names none of their recipients.
        answer = _ADDRESS.sub("…", outcome.reason or "")
        pause = Pause(CLOCK.monotonic() + length.total_seconds(), answer, saved=False, length=length)
        self._pauses[receiver] = pause
        self._refusals.pop(receiver, None)
        log.warning(
            "a mailbox provider refuses the sender; its mail waits",
            owner_id=str(receiver.owner_id),
            domain=receiver.domain,
            provider=receiver.provider_class,
            answer=pause.answer,
        )
        try:
            await self._save(receiver, pause)
        except Exception as error:  # `refresh` stores it later
            log.info("a pause could not be stored", domain=receiver.domain, error=error)

    async def _save(self, receiver: Receiver, pause: Pause) -> None:
        seconds = await self._services.db.fetchval(
            _PAUSE, uuid7(), *receiver, pause.length, pause.answer, LONGEST_PAUSE
        )
        pause.saved = True
        if seconds is not None:
            pause.ends = CLOCK.monotonic() + seconds

    async def _end(self, receiver: Receiver) -> None:
        self._pauses.pop(receiver, None)
        log.warning(
            "a mailbox provider takes mail again", domain=receiver.domain, provider=receiver.provider_class
        )
        try:
            await self._services.db.fetchval(_END, *receiver)
        except Exception as error:  # the next message that it takes ends it
            log.info("a pause could not be ended", error=error, exc_info=translate(error) is None)

    # messages in flight

    @property
    def is_busy(self) -> bool:
        """Returns whether messages in flight have places that are to be given back."""
        return bool(self._begun)

    def most(self, receiver: Receiver) -> int | None:
        """Returns how many messages this worker may have in flight to it; None: it is not limited."""
        rule = self.rule(receiver)
        most = None if rule is None or rule.in_flight is None else self.share(rule.in_flight)
        return 1 if self.on_trial(receiver) and most != 0 else most

    def seconds_of(self, receiver: Receiver) -> float:
        """Returns how long a message is in flight to it, as far as that was measured."""
        return max(self._seconds.get(receiver.limited_as, 0.2), 0.01)

    def admits(self, message: Any) -> bool:
        """Takes a place of the message's receiver. Returns whether there was one."""
        receiver = message.receiver
        if receiver is None:
            return True
        most = self.most(receiver)
        if most is None or self.wait(
            receiver
        ):  # what a pause holds up is taken out of the queue, and deferred
            return True
        if self.on_trial(receiver) and self._busy[receiver]:
            return False
        # A message that is here already is not left here if the rule leaves this worker no share.
        if self._busy[receiver.limited_as] >= max(most, 1):
            return False
        self._busy[receiver] += 1
        self._busy[receiver.limited_as] += 1
        self._begun[message.id] = CLOCK.monotonic()
        return True

    def done(self, messages: Sequence[Any]) -> None:
        """Gives the places back."""
        for message in messages:
            begun = self._begun.pop(message.id, None) if message.receiver is not None else None
            if begun is None:
                continue
            for key in (message.receiver, message.receiver.limited_as):
                self._busy[key] -= 1
                if not self._busy[key]:
                    del self._busy[key]
            if message.route is not None:
                took, before = CLOCK.monotonic() - begun, self.seconds_of(message.receiver)
                self._seconds[message.receiver.limited_as] = 0.8 * before + 0.2 * took
            self.freed()


def is_policy(outcome: Outcome) -> bool:
    """Returns whether the provider of the recipient refused the sender: for its rate, its reputation or a rule."""
    if not outcome.at_recipient or outcome.result not in (Result.refused, Result.throttled):
        return False
    if outcome.result is Result.throttled:
        return True
    return classify(Failure(diagnostic=outcome.reason or "")).klass is MailReportClass.policy


def recipient_domain(address: str) -> str:
    """Returns the domain of an address."""
    return address.rpartition("@")[2].lower()


def today(services: Services) -> date:
    """Returns the day of warm-ups, by the database's clock (UTC)."""
    return services.db.now().astimezone(UTC).date()


def receivers_of(services: Services) -> Receivers:
    """Returns the rules of this process."""
    return services.single(Receivers, lambda: Receivers(services))


@every(1, due="EXISTS (SELECT FROM receiver_rules)", pending=lambda services: receivers_of(services).active)
async def refresh_receivers(services: Services) -> None:
    """Reads the rules that administrators have changed, and the pauses of other workers."""
    await receivers_of(services).refresh()
