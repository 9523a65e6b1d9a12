"""Admits the emails of a claim: how many of each receiver may go now, and how long the others wait, with the reason.

It stands before the sending core, so what has to wait holds no slot, no connection and no claim, and a project has paid
nothing for it. Each limit is asked once for all messages of a claim to one receiver:

pause ──► messages at once ──► rate (Redis) ──► warm-up (PostgreSQL: no day sends more, whatever ends)

While Redis is away each worker has the whole rate, as the projects' own rates have it.
"""

import random
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, time, timedelta
from typing import Any, Final
from uuid import UUID

import structlog

from engine.rates.send_rate import Rate, SendRate
from engine.rates.waits import Waits
from engine.receivers.rules import PAUSED, Receiver, Rule, receivers_of, recipient_domain, today
from runtime.services import Services

log = structlog.get_logger("postern.sending")

LIMITED: Final = "receiver_limited"
"""The code of a message that waits because a rule allows no more to its receiver now."""

_SPAN: Final = 0.25  # seconds that the messages of a limited receiver keep a claim at most
_NO_SHARE: Final = 2.0  # seconds until a worker without a share of the messages in flight looks again
_TRIAL: Final = (
    5.0  # seconds until it is looked again whether the provider has taken the message that shows it
)
_SPREAD: Final = 60.0  # seconds over which the messages of a new day are looked at
# As `tariffs.reserve` does: the statement locks the row, and `granted` is what it took.
_RESERVE: Final = """
INSERT INTO receiver_days AS d (domain, provider_class, day, messages, granted)
VALUES ($1, $2, $3, LEAST($4::bigint, $5::bigint), LEAST($4::bigint, $5::bigint))
ON CONFLICT (domain, provider_class, day) DO UPDATE SET
  granted = LEAST($4::bigint, GREATEST($5::bigint - d.messages, 0)),
  messages = d.messages + LEAST($4::bigint, GREATEST($5::bigint - d.messages, 0))
RETURNING granted
"""
_GIVE_BACK: Final = """
UPDATE receiver_days SET messages = GREATEST(messages - $4::bigint, 0)
WHERE domain = $1 AND provider_class = $2 AND day = $3
"""


@dataclass(frozen=True, slots=True)
class Waiting:
    """A message that may not go now."""

    message: Any
    seconds: float
    code: str
    reason: str


@dataclass(slots=True)
class _Counted:
    """The messages of one receiver that were counted, as what they were."""

    receiver: Receiver
    messages: Sequence[Any]
    rates: Sequence[Rate]
    day: date | None  # of the warm-up


@dataclass(slots=True)
class Admitted:
    """The messages of a claim that wait, and what the others were counted as."""

    waiting: list[Waiting] = field(default_factory=list)
    counted: list[_Counted] = field(default_factory=list)

    def going(self, messages: Sequence[Any]) -> list[Any]:
        """Returns the messages that may go."""
        waiting = {each.message.id for each in self.waiting}
        return [message for message in messages if message.id not in waiting]


class Admission:
    """The admission of one worker process."""

    def __init__(self, services: Services) -> None:
        self._services, self.receivers = services, receivers_of(services)
        self._rate, self._waits = SendRate(services), Waits(least=_SPAN)
        self._admitted = Counter[tuple[Any, ...]]()  # messages in claims, by receiver and by `limited_as`

    async def admit(
        self, messages: Sequence[Any], owner_and_from_and_to: Iterable[tuple[UUID, str | None, str]]
    ) -> Admitted | None:
        """Counts the messages that may go now, and sets their receivers; the others wait. Returns None if no rule is
        about any of them. Of what was counted, `give_back` gets those that were not sent.

        A message that may have gone out before was counted then.
        """
        await self.receivers.load()
        if not self.receivers.active or not messages:
            return None
        receivers = await self.receivers.find(owner_and_from_and_to)
        by_receiver: dict[Receiver, list[Any]] = {}
        for message, receiver in zip(messages, receivers, strict=True):
            if receiver is not None and not message.uncertain:
                message.receiver = receiver
                by_receiver.setdefault(receiver, []).append(message)
        if not by_receiver:
            return None
        admitted = Admitted()
        try:
            for receiver, group in by_receiver.items():
                if rule := self.receivers.rule(receiver):
                    await self._admit(admitted, receiver, rule, group)
        except BaseException:
            await self.give_back(admitted)
            raise
        return admitted

    async def give_back(self, admitted: Admitted) -> None:
        """Counts those no more that no route was given."""
        for each in admitted.counted:
            for key in (each.receiver, each.receiver.limited_as):
                self._admitted[key] -= len(each.messages)
            if unsent := sum(message.route is None for message in each.messages):
                await self._rate.give_back(each.rates, unsent)
                if each.day is not None:
                    await self._give_back_of_day(each, unsent)
        self._admitted = +self._admitted
        admitted.counted.clear()

    async def _give_back_of_day(self, counted: _Counted, unsent: int) -> None:
        try:
            await self._services.db.fetchval(_GIVE_BACK, *counted.receiver.limited_as, counted.day, unsent)
        except Exception as error:  # the database is away: fewer messages go on this day
            log.info("a part of a day's warm-up is lost", messages=unsent, error=error)

    async def _admit(self, admitted: Admitted, receiver: Receiver, rule: Rule, group: list[Any]) -> None:
        receivers, name = self.receivers, f"{receiver.domain} to {receiver.provider_class}"
        if seconds := receivers.wait(receiver):
            reason = receivers.why(receiver)
            admitted.waiting += [Waiting(message, seconds, PAUSED, reason) for message in group]
            return
        group = self._within_slots(admitted, receiver, group, name)
        rates = (
            [Rate(f"receiver:{receiver.domain}:{receiver.provider_class}", rule.per_minute)]
            if rule.per_minute
            else []
        )
        taken, wait = await self._rate.take(rates, len(group))
        if rates and taken < len(group):
            reason = (
                f"Mail from {name} goes at {rule.per_minute} messages a minute. The message waits for that."
            )
            portions = (rates[0], rates[0].burst, rates[0].every / 1000)
            self._put_off(admitted, group[taken:], portions, wait, reason)
            group = group[:taken]
        day, allowance = today(self._services), rule.allowance(today(self._services))
        if allowance is not None and group:
            db = self._services.db
            granted = int(await db.fetchval(_RESERVE, *receiver.limited_as, day, len(group), allowance))
            if over := group[granted:]:
                await self._rate.give_back(rates, len(over))
                reason = (
                    f"The warm-up of {name} allows {allowance} messages on {day}. It waits for the next day."
                )
                seconds = _until_tomorrow(self._services.db.now(), day)
                admitted.waiting += [
                    Waiting(message, seconds + random.uniform(0, _SPREAD), LIMITED, reason)
                    for message in over
                ]
                group = group[:granted]
        if group:
            for key in (receiver, receiver.limited_as):
                self._admitted[key] += len(group)
            admitted.counted.append(_Counted(receiver, group, rates, day if allowance is not None else None))

    def _within_slots(self, admitted: Admitted, receiver: Receiver, group: list[Any], name: str) -> list[Any]:
        """Returns the messages for which there will be a place soon. They are few, so that a claim does not last longer
        for them; the others come when those are through.
        """
        most = self.receivers.most(receiver)
        if most is None:
            return group
        if self.receivers.on_trial(receiver):
            free, seconds = 1 - self._admitted[receiver], _TRIAL
            reason = (
                f"Mail from {name} was paused, and one message shows whether the provider takes it again."
            )
            rest = group[max(free, 0) :]
            admitted.waiting += [Waiting(message, seconds, PAUSED, reason) for message in rest]
            return group[: max(free, 0)]
        reason = f"Mail from {name} is limited in messages at once. The message waits for a place."
        if not most:
            admitted.waiting += [Waiting(message, _NO_SHARE, LIMITED, reason) for message in group]
            return []
        each = self.receivers.seconds_of(receiver) / most
        burst = max(most, int(_SPAN / each))
        free = max(burst - self._admitted[receiver.limited_as], 0)
        self._put_off(admitted, group[free:], (receiver.limited_as, burst, each), each * burst, reason)
        return group[:free]

    def _put_off(
        self,
        admitted: Admitted,
        group: Sequence[Any],
        portions: tuple[Any, float, float],
        wait: float,
        reason: str,
    ) -> None:
        """Has the messages wait one portion after the other. `portions`: their key, size, and seconds a message."""
        key, burst, every = portions
        begin = 0
        for seconds, count in self._waits.portions(key, int(burst), every, len(group), wait):
            admitted.waiting += [
                Waiting(message, seconds, LIMITED, reason) for message in group[begin : begin + count]
            ]
            begin += count


def _until_tomorrow(now: datetime, day: date) -> float:
    midnight = datetime.combine(day + timedelta(days=1), time(), UTC)
    return max((midnight - now).total_seconds(), 1.0)


async def paused(
    services: Services, owner: UUID, sender: str | None, addresses: Iterable[str]
) -> dict[str, tuple[float, str]]:
    """Returns the domains of addresses whose mail a pause holds up, each with the seconds and the reason."""
    receivers = receivers_of(services)
    if not receivers.any_pause(owner):
        return {}
    domains = sorted({recipient_domain(address) for address in addresses})
    classes = await receivers.find((owner, sender, domain) for domain in domains)
    return {
        domain: (seconds, receivers.why(receiver))
        for domain, receiver in zip(domains, classes, strict=True)
        if receiver is not None and (seconds := receivers.wait(receiver))
    }


def admission_of(services: Services) -> Admission:
    """Returns the admission of this process."""
    return services.single(Admission, lambda: Admission(services))
