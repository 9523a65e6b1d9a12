"""Says why queued messages wait (contract §9.5): one place for both doors, direct messages and those of projects.

A page costs one read of the breakers, and one more for messages of projects, and nothing if none of it is queued.
"""

from collections.abc import Collection, Mapping, Sequence
from datetime import UTC, datetime
from decimal import Decimal
from typing import Any, Final
from uuid import UUID

from engine.direct.items import OWNER_SUSPENDED
from engine.projects.country_waits import WAITS as COUNTRY_LIMITED
from engine.receivers.admission import LIMITED
from engine.receivers.rules import PAUSED
from engine.restore.fence import fence_of
from engine.sending.backlogs import closed_channels
from engine.sending.limits import OFF
from engine.sms.route_rules import NO_ROUTE
from runtime import breakers
from runtime.operation import Op
from shapes.message_chains import MessageStep, present_price
from shapes.messages import DeliveryState
from shapes.pauses import PauseReason
from shapes.sending_projects import ProjectStatus
from shapes.waiting import WaitingCode, WaitingFor

_CODES: Final[Mapping[str, WaitingCode]] = {
    breakers.CODE: WaitingCode.route,
    OFF: WaitingCode.route,
    NO_ROUTE: WaitingCode.route,
    OWNER_SUSPENDED: WaitingCode.owner,
    "route_busy": WaitingCode.rate,
    "throttled": WaitingCode.rate,
    "queue_full": WaitingCode.rate,
    "window_full": WaitingCode.rate,
    COUNTRY_LIMITED: WaitingCode.rate,
    PAUSED: WaitingCode.rate,
    LIMITED: WaitingCode.rate,
}
"""The reasons by the failure codes that say them. Any other code is that of an attempt that failed."""

_PAUSES: Final[Mapping[PauseReason, WaitingCode]] = {
    PauseReason.no_sender_online: WaitingCode.account,
    PauseReason.balance_used_up: WaitingCode.money,
    PauseReason.tariff_used_up: WaitingCode.rate,
    PauseReason.provider_refuses_credentials: WaitingCode.route,
    PauseReason.window_closed: WaitingCode.window,
}
_WINDOW: Final = "The sending window of its recipient is closed."
_ACCOUNTS: Final = "No source account of its project is connected and answers."
_SCHEDULED: Final = "It is scheduled for later. Until then it can be canceled."
_ASKED: Final = (
    "The provider may have accepted it and did not say so. It is asked again; the message is not sent twice."
)

_FENCED: Final = WaitingFor(
    code=WaitingCode.restored,
    reason="The service was restored from a backup, and sends nothing until its operator has looked at it.",
)

_RECORDS: Final = f"""
SELECT m.id, m.channel, m.failure_code, m.failure_reason, m.handed_at, p.status, p.status_reason, p.resume_at,
  p.account_uuids = '{{}}' AS by_routes, p.speed, u.due_at, COALESCE(u.for_window, false) AS for_window,
  p.account_uuids <> '{{}}' AND NOT EXISTS (
    SELECT FROM source_accounts AS s
    WHERE s.id = ANY(p.account_uuids) AND s.status = 'connected' AND NOT EXISTS (
      SELECT FROM route_breakers AS b WHERE b.name = '{breakers.ACCOUNT}@' || s.messenger_account_uuid
    )
  ) AS no_account
FROM message_records AS m
JOIN sending_projects AS p ON p.id = m.project_id
LEFT JOIN sending_units AS u ON u.id = m.unit_id
WHERE m.id = ANY($1) AND m.status = 'queued'
"""  # noqa: S608  our own name


_QUEUED: Final = (DeliveryState.queued, DeliveryState.scheduled)
_NEVER: Final = datetime(9999, 1, 1, tzinfo=UTC)  # the head of a chain is due after that

OF_MESSAGES: Final = ("state", "channel", "failure_code", "failure_reason", "due_at", "handed_at", "send_at")
"""The columns of direct messages that `of_messages` needs."""


async def of_messages(op: Op, rows: Sequence[Any]) -> list[WaitingFor | None]:
    """Returns why each direct message waits; None unless it is queued, and if it waits for a worker alone."""
    if not any(row.state in _QUEUED for row in rows):
        return [None] * len(rows)
    if await fence_of(op.services).is_raised():
        return [_FENCED if row.state in _QUEUED else None for row in rows]
    closed, now = await closed_channels(op.db, op.services.routes), op.services.db.now()
    return [_direct(row, closed, now) if row.state in _QUEUED else None for row in rows]


async def of_records(op: Op, rows: Sequence[Any]) -> list[WaitingFor | None]:
    """Returns why each message of a project waits, as `of_messages` does. `rows` have `id` and `status`."""
    queued = [row.id for row in rows if row.status == DeliveryState.queued]
    if not queued:
        return [None] * len(rows)
    if await fence_of(op.services).is_raised():
        return [_FENCED if row.status == DeliveryState.queued else None for row in rows]
    closed, now = await closed_channels(op.db, op.services.routes), op.services.db.now()
    reasons: dict[UUID, WaitingFor | None] = {
        row["id"]: _of_project(row, closed, now) for row in await op.db.fetch(_RECORDS, queued)
    }
    return [reasons.get(row.id) for row in rows]


class Explained:
    """A message's row, with the values that are not as they are stored."""

    def __init__(
        self,
        row: Any,
        price: Decimal,
        state: str,
        waiting_for: WaitingFor | None,
        steps: list[MessageStep] | None,
    ) -> None:
        self._row = row
        self.price, self.state, self.waiting_for, self.steps = price, state, waiting_for, steps

    def __getattr__(self, name: str) -> Any:
        return getattr(self._row, name)


def explained(row: Any, reason: WaitingFor | None, steps: list[MessageStep] | None = None) -> Any:
    """Returns a direct message as REST shows it: with its present price and state, the reason for which it waits, if it
    does, and the steps of a chain.
    """
    price = present_price(row.price, row.state, row.reported_by, row.step)
    if reason is None and steps is None and price == row.price:
        return row
    is_scheduled = reason is not None and reason.code is WaitingCode.scheduled
    return Explained(row, price, DeliveryState.scheduled if is_scheduled else row.state, reason, steps)


def scheduled(row: Any) -> Explained:
    """Returns a new message that is scheduled, as REST shows it."""
    return Explained(row, row.price, DeliveryState.scheduled, _until(row.send_at), None)


def _until(send_at: datetime) -> WaitingFor:
    return WaitingFor(code=WaitingCode.scheduled, reason=_SCHEDULED, until=send_at)


def as_new(row: Any) -> Any:
    """Returns a new message as REST shows it: what is scheduled says so, also in the answer to a repeated key."""
    return row if row.send_at is None else scheduled(row)


def _direct(row: Any, closed: Collection[str], now: datetime) -> WaitingFor | None:
    if row.send_at is not None and row.send_at > now:
        return _until(row.send_at)
    if row.handed_at is not None:
        return WaitingFor(code=WaitingCode.answer, reason=_ASKED, until=_later(row.due_at, now))
    return _by_attempt(row.failure_code, row.failure_reason, row.due_at, now) or _by_route(
        row.channel, closed
    )


def _of_project(row: Any, closed: Collection[str], now: datetime) -> WaitingFor | None:
    if (paused := _by_project(row, now)) is not None:
        return paused
    if row["handed_at"] is not None:
        return WaitingFor(code=WaitingCode.answer, reason=_ASKED, until=_later(row["due_at"], now))
    if row["for_window"] and (until := _later(row["due_at"], now)) is not None:
        return WaitingFor(code=WaitingCode.window, reason=_WINDOW, until=until)
    if row["no_account"]:
        return WaitingFor(code=WaitingCode.account, reason=_ACCOUNTS)
    by_attempt = _by_attempt(row["failure_code"], row["failure_reason"], row["due_at"], now)
    if by_attempt is not None:
        return by_attempt
    return _by_route(row["channel"], closed if row["by_routes"] else ()) or _by_rate(row["speed"])


def _by_project(row: Any, now: datetime) -> WaitingFor | None:
    """Returns why the project of a message sends nothing; None if it does."""
    status, until = ProjectStatus(row["status"]), _later(row["resume_at"], now)
    if row["status_reason"] is not None:
        cause = PauseReason(row["status_reason"])
        code = _PAUSES.get(cause, WaitingCode.project)
        reason = f"Its project is {status}: {cause.description}."
        return WaitingFor(code=code, reason=reason, until=until)
    if status is not ProjectStatus.running:
        return WaitingFor(code=WaitingCode.project, reason=f"Its project is {status}.", until=until)
    return None


def _by_attempt(
    code: str | None, reason: str | None, due_at: datetime | None, now: datetime
) -> WaitingFor | None:
    if code is None:
        return None
    waiting_code = _CODES.get(code)
    if waiting_code is not None and reason is not None:
        return WaitingFor(code=waiting_code, reason=reason, until=_later(due_at, now))
    sentence = f"An attempt failed ({code}): {reason}" if reason else f"An attempt failed ({code})."
    return WaitingFor(code=waiting_code or WaitingCode.retry, reason=sentence, until=_later(due_at, now))


def _by_route(channel: str, closed: Collection[str]) -> WaitingFor | None:
    return WaitingFor(code=WaitingCode.route, reason=breakers.REASON) if channel in closed else None


def _by_rate(speed: Mapping[str, Any]) -> WaitingFor | None:
    """Returns that a message waits for the project's own rate; None if it has none."""
    for name, who in (
        ("perMinute", "Its project sends"),
        ("perAccountPerMinute", "Each source account sends"),
    ):
        if most := speed.get(name):
            return WaitingFor(code=WaitingCode.rate, reason=f"{who} at most {most:g} messages a minute.")
    return None


def _later(time: datetime | None, now: datetime) -> datetime | None:
    return time if time is not None and now < time < _NEVER else None
