"""The plan of a Sending Project. Its work is bounded: addresses are compared with the block list for a million
recipients, and texts are rendered for ten thousand of them, eight megabytes of variables, and a second at most; beyond
that the plan says that it is not exact. Only the number of recipients is counted without a bound, by an index. A user
has one plan at a time.
"""

from collections import Counter
from collections.abc import Mapping
from dataclasses import asdict
from datetime import UTC, datetime
from decimal import ROUND_HALF_UP, Decimal
from typing import Any
from uuid import UUID

from db import models
from engine.projects.plan import SendLimits
from engine.projects.plan_costs import by_country
from engine.sms.country_rules import RULES, rules_of
from engine.sms.price_books import CURRENT, PriceBook, price_of
from resolvers.project_plans.planned_audience import SECONDS, Audience, planned_audience
from resolvers.sending_projects import project_rows
from runtime.operation import Op, operation
from runtime.permissions import Permission
from runtime.render_pool import TooComplex
from shapes.project_plans import (
    MOST_COUNTRIES,
    PlanLimit,
    PlannedChanges,
    PlannedCost,
    PlannedCountry,
    PlannedSkip,
    PlannedVariable,
    ProjectPlan,
)
from shapes.sending_projects import ProjectStatus

_FAST = 100_000  # messages per minute: a tariff of more is no limit, the provider is slower
_MOST_VARIABLES = 20
_CENT, _FREE = Decimal("0.000001"), Decimal(0)

_TARIFF = f"""
SELECT {RULES.format(owner="p.owner_id")} AS country_rules,
  t.prices, t.messages_per_minute, t.messages_per_day, a.currency,
  CASE WHEN p.status IN ('running', 'paused') THEN p.price_version_id ELSE l.price_version_id END AS price_version_id,
  l.price_list_strict,
  COALESCE((
    SELECT u.messages FROM tariff_usage AS u
    WHERE u.user_id = p.owner_id AND u.day = (now() AT TIME ZONE 'UTC')::date
  ), 0)::int8 AS used,
  (SELECT count(*) FROM source_accounts WHERE id = ANY(p.account_uuids) AND status = 'connected') AS senders
FROM sending_projects AS p
JOIN users AS u ON u.id = p.owner_id
JOIN tariffs AS t ON t.code = u.tariff_code
LEFT JOIN accounts AS a ON a.id = p.account_id
LEFT JOIN LATERAL ({CURRENT.format(list="t.price_list_id", currency="a.currency")}) AS l ON true
WHERE p.id = $1
"""  # noqa: S608  our own conditions


@operation(Permission.projects_read, "read")
async def get(op: Op, id: UUID, changes: PlannedChanges) -> ProjectPlan:
    """Returns what will happen to recipients whose messages have not been sent.

    Raises NotFound, BadRequest (`bad_text`), RateLimited, Unavailable.
    """
    project = await project_rows.visible(op, id)
    async with op.services.render_pool.alone(op.viewer.actor_id, op.ctx.client_network):
        return await _plan(op, project, changes)


async def _plan(op: Op, project: models.SendingProject, changes: PlannedChanges) -> ProjectPlan:
    tariff = await op.db.fetchrow(_TARIFF, project.id)
    settings = changes.model_dump(mode="json", by_alias=True, include={"speed", "window"})
    changed = changes.model_fields_set
    speed = (settings["speed"] or {}) if "speed" in changed else project.speed
    window = settings["window"] if "window" in changed else project.window
    rules = rules_of(tariff["country_rules"]) if project.channel == "sms" else None
    audience = await planned_audience(
        op, project, tariff, window, rules if rules and rules.has_lists else None
    )
    skipped = audience.skipped()
    queued = project.counts["queued"]
    recipients = audience.recipients + queued
    to_send = max(recipients - sum(skipped.values()), 0)
    per_minute, limited_by = _rate(speed, len(project.account_uuids), tariff)
    left_today = max(tariff["messages_per_day"] - tariff["used"], 0)
    now = op.services.db.now()
    limits = SendLimits(per_minute, tariff["messages_per_day"], left_today, now.astimezone(UTC).date())
    times: Mapping[str, Any] = {
        "count": to_send,
        "limits": {**asdict(limits), "today": limits.today.isoformat()},
        "begin": _begin(project, now).isoformat(),
        "window": window,
        "zones": audience.examined["zones"],
        "seconds": SECONDS,
    }
    span = await _send_times(op, times) if to_send else None
    at_once = span is not None and span[0] == span[1]  # nothing but the route decides how long it takes
    missing = Counter(audience.examined["missing"]).most_common(_MOST_VARIABLES)
    return ProjectPlan(
        recipients=recipients,
        to_send=to_send,
        skipped=[PlannedSkip(code=code, count=count) for code, count in skipped.most_common()],
        missing=[PlannedVariable(name=name, count=audience.scaled(count)) for name, count in missing],
        exact=audience.exact and (queued == 0 or project.channel != "sms"),
        examined=audience.examined["looked_at"],
        cost=_cost(project, tariff, audience, to_send, queued),
        per_minute=per_minute,
        limited_by=limited_by,
        per_day=tariff["messages_per_day"],
        left_today=left_today,
        begins_at=span[0] if span else None,
        ends_at=span[1] if span and not at_once else None,
    )


def _begin(project: models.SendingProject, now: datetime) -> datetime:
    waits = project.status in (ProjectStatus.draft, ProjectStatus.scheduled, ProjectStatus.stopped)
    return project.start_at if waits and project.start_at is not None and project.start_at > now else now


async def _send_times(op: Op, arguments: Mapping[str, Any]) -> tuple[datetime, datetime] | None:
    """Returns when the first and the last message leave; None if that is too far away, or takes too long to work out.

    Raises RateLimited, Unavailable.
    """
    try:
        moments = await op.services.render_pool.run_alone(
            op.viewer.actor_id, "send_times", arguments, seconds=SECONDS + 1
        )
    except TooComplex:
        return None
    return (
        None if moments is None else (datetime.fromisoformat(moments[0]), datetime.fromisoformat(moments[1]))
    )


def _rate(speed: Mapping[str, Any], senders: int, tariff: Any) -> tuple[float | None, PlanLimit]:
    """Returns the most messages per minute, and what limits them."""
    limits: list[tuple[float, PlanLimit]] = [(float(tariff["messages_per_minute"]), PlanLimit.tariff)]
    if own := speed.get("perMinute"):
        limits.append((float(own), PlanLimit.speed))
    if each := speed.get("perAccountPerMinute"):
        # If none is connected now, the plan is that of all of them.
        limits.append((float(each) * max(tariff["senders"] or senders, 1), PlanLimit.senders))
    if jitter := speed.get("jitterSeconds"):
        limits.append((120 / float(jitter), PlanLimit.jitter))
    lowest, limit = min(limits, key=lambda limit: limit[0])
    if limit is PlanLimit.tariff and lowest >= _FAST:
        return None, PlanLimit.route
    return lowest, limit


def _cost(
    project: models.SendingProject, tariff: Any, audience: Audience, to_send: int, queued: int
) -> PlannedCost | None:
    sample = audience.cost
    only = _only_price(project, tariff, audience.book)
    if only is None and not sample.messages:
        return None
    sms = project.channel == "sms"
    each = sample.amount / sample.messages if sample.messages else only
    assert each is not None
    exact = audience.exact and not (sms and queued)
    amount = sample.amount if exact and sms else each * to_send
    dearest = max(sample.dearest, audience.book.dearest(project.channel)) if audience.book else sample.dearest
    at_most = (
        (dearest or only or _FREE) * max(sample.longest if sms else 1, 1) * _most_messages(audience, queued)
    )
    price = sample.amount / sample.parts if only is None else only
    return PlannedCost(
        currency=tariff["currency"],
        price=_cents(price),
        amount=_cents(amount),
        at_most=_cents(amount if exact else at_most),
        parts=round(sample.parts / sample.messages, 3) if sms and sample.messages else None,
        by_country=[
            PlannedCountry(country=country, messages=messages, amount=_cents(of_country))
            for country, messages, of_country in by_country(sample, amount, to_send, MOST_COUNTRIES)
        ],
    )


def _only_price(project: models.SendingProject, tariff: Any, book: PriceBook | None) -> Decimal | None:
    """Returns the price of every message, or part of an SMS; None if there are several, or none."""
    if book is not None and book.has(project.channel):
        return None
    price = price_of(tariff, project.channel, "", None)
    return None if price is None else price.amount


def _cents(amount: Decimal) -> Decimal:
    return amount.quantize(_CENT, ROUND_HALF_UP)


def _most_messages(audience: Audience, queued: int) -> int:
    """Returns the most messages that there can be: who was examined and will be skipped gets none."""
    out = sum(audience.unreachable.values()) + sum(audience.unsent().values())
    return int(audience.recipients - out + queued)
