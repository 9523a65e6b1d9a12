"""The plan of a Sending Project. Its work is bounded: addresses are compared with the block list for a million
recipients, and texts are rendered for ten thousand of them, eight megabytes of variables, and a second at most; beyond
that the plan says that it is not exact. Only the number of recipients is counted without a bound, by an index. A user
has one plan at a time.
"""

import asyncio
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from decimal import ROUND_HALF_UP, Decimal
from typing import Any
from uuid import UUID

from db import models
from db.address_keys import key_of
from engine import blocks
from engine.projects import audience_sizes, plan_countries, public_links
from engine.projects.audience import REACHES, message_ids
from engine.projects.plan import SendLimits, sample_ranges
from engine.projects.plan_costs import SampleCost, by_country, cost_of
from engine.sms.country_rules import CODE, RULES, Rules
from engine.sms.price_books import CURRENT, MessagePrice, PriceBook, price_books, price_of
from engine.texts import bodies, project_texts, recipient_links, run_clock
from engine.windows import Window
from resolvers import project_content
from resolvers.project_plans.rates import rate_of
from runtime import link_domains
from runtime.operation import Op
from runtime.render_pool import TooComplex
from shapes.project_plans import (
    MOST_COUNTRIES,
    PlannedChanges,
    PlannedCost,
    PlannedCountry,
    PlannedLanguage,
    PlannedSkip,
    PlannedVariable,
    ProjectPlan,
)
from shapes.sending_projects import ProjectStatus

COUNTED = 1_000_000
"""Recipients whose addresses are compared with the block list."""
EXAMINED = 10_000
"""Recipients for whom the text is rendered; a tenth of them if the text has Liquid logic."""
SECONDS = 1.0
"""Seconds of rendering, and of working out when the messages leave."""
VARIABLE_BYTES = 8 * 2**20
"""Bytes of variables and addresses that are read and rendered."""
_CONTENT = ("subject", "html", "text", "variants", "template", "languages", "on_missing_variable", "category")
_RANGES = 20  # ranges of a long list from which the examined recipients are taken
_READ = 1_000  # examined recipients that one statement reads
_MOST_VARIABLES = 20
_CENT, _FREE = Decimal("0.000001"), Decimal(0)
_TARIFF = f"""
SELECT t.prices, t.messages_per_minute, t.messages_per_day, a.currency,
  CASE WHEN p.status IN ('running', 'paused') THEN p.price_version_id ELSE l.price_version_id END AS price_version_id,
  CASE WHEN p.status IN ('running', 'paused') THEN (SELECT pl.is_strict FROM price_list_versions AS pv
    JOIN price_lists AS pl ON pl.id = pv.list_id WHERE pv.id = p.price_version_id)
    ELSE l.price_list_strict END AS price_list_strict, {RULES.format(owner="p.owner_id")} AS country_rules,
  COALESCE((
    SELECT u.messages FROM tariff_usage AS u
    WHERE u.user_id = p.owner_id AND u.day = (now() AT TIME ZONE 'UTC')::date
  ), 0)::int8 AS used,
  (SELECT count(*) FROM source_accounts WHERE id = ANY(p.account_uuids) AND status = 'connected') AS senders,
  {public_links.OFFERS_A_LINK.format(links="$2")} AS offers_a_link
FROM sending_projects AS p
JOIN users AS u ON u.id = p.owner_id
JOIN tariffs AS t ON t.code = u.tariff_code
LEFT JOIN accounts AS a ON a.id = p.account_id
LEFT JOIN LATERAL ({CURRENT.format(list="t.price_list_id", currency="a.currency")}) AS l ON true
WHERE p.id = $1
"""  # noqa: S608  our own condition
_LIST = """
SELECT count(*) AS recipients, min(seq) AS first, max(seq) AS last FROM recipients WHERE project_id = $1 AND seq > $2
"""
THERE = "SELECT count(*) FROM recipients WHERE project_id = $1"
_BLOCKED = f"""EXISTS (
  SELECT FROM blocked_phones AS b WHERE b.owner_id = $1 AND {key_of("b.phone")} = {key_of("r.address")}
  AND {blocks.STOPS.format(category="$2")}
)"""
_COUNTS = f"""
SELECT count(*) AS counted, count(*) FILTER (WHERE blocked) AS blocked,
  count(*) FILTER (WHERE NOT blocked AND NOT reached) AS unreachable
FROM (
  SELECT address, {_BLOCKED} AS blocked, {REACHES.format(channel="$3")} AS reached
  FROM (
    SELECT address, address_key FROM recipients WHERE project_id = $4 AND seq > $5 ORDER BY seq LIMIT {COUNTED}
  ) AS r
) AS compared
"""  # noqa: S608  our own conditions
# The same by the first six digits, which tell the country of nearly all numbers.
_COUNTS_BY_PREFIX = f"""{_COUNTS.replace("SELECT", "SELECT min(address) AS first, max(address) AS last,", 1)}
GROUP BY left(address, 7)"""
# The first recipients of each of several ranges of the list. The ranges take turns, so that those that are examined are
# spread over the list even if there is no time or room for all.
_SAMPLE = f"""
SELECT r.id
FROM unnest($5::int8[], $6::int8[]) AS ranges (first, last)
CROSS JOIN LATERAL (
  SELECT id, address, address_key, row_number() OVER (ORDER BY seq) AS turn FROM recipients
  WHERE project_id = $4 AND seq BETWEEN ranges.first AND ranges.last ORDER BY seq LIMIT $7
) AS r
WHERE NOT {_BLOCKED} AND {REACHES.format(channel="$3")}
ORDER BY r.turn, ranges.first
"""  # noqa: S608  our own conditions
# The length of the text counts: variables that repeat themselves are stored compressed, a hundred times smaller. The
# address is a variable of the text, too, and that of a browser can be long.
_READ_SAMPLE = """
SELECT id, address, name, variables, timezone, contact_id, size
FROM (
  SELECT r.id, r.address, r.name, r.variables, r.timezone, r.contact_id, chosen.place,
    sum(octet_length(concat(r.variables, r.address, r.address, r.name))) OVER (ORDER BY chosen.place) AS size
  FROM unnest($1::uuid[]) WITH ORDINALITY AS chosen (id, place) JOIN recipients AS r ON r.id = chosen.id
) AS measured
WHERE size <= $2 ORDER BY place
"""


@dataclass(frozen=True, slots=True)
class _Audience:
    """The recipients without a message: how many there are, how many can't be reached, and what their texts say."""

    recipients: int
    counted: int
    unreachable: Mapping[str, int]  # by code
    examined: Mapping[str, Any]
    cost: SampleCost
    book: PriceBook | None
    has_all_countries: bool = True  # False: some are an estimate

    @property
    def reachable(self) -> float:
        out = sum(self.unreachable.values())
        return self.recipients * (1 - out / self.counted) if self.counted else 0.0

    @property
    def exact(self) -> bool:
        out = sum(self.unreachable.values())
        whole = self.counted == self.recipients and self.has_all_countries
        return whole and self.examined["looked_at"] == self.counted - out

    def skipped(self) -> Counter[str]:
        """Returns how many recipients will be skipped, by code."""
        counts: Counter[str] = Counter()
        for code, count in self.unreachable.items():
            counts[code] += round(count * self.recipients / max(self.counted, 1))
        for code, count in self.unsent().items():
            counts[code] += self.scaled(count)
        return +counts

    def unsent(self) -> Mapping[str, int]:
        """Returns how many of the examined recipients get no message, by code."""
        return {
            **self.examined["skipped"],
            **({"no_price": self.cost.unpriced} if self.cost.unpriced else {}),
        }

    def scaled(self, count: float) -> int:
        """Returns how many of all reachable recipients there are, for a number of examined ones."""
        looked_at = self.examined["looked_at"]
        return round(count * self.reachable / looked_at) if looked_at else 0


async def plan(op: Op, project: models.SendingProject, changes: PlannedChanges) -> ProjectPlan:
    """Returns what will happen to the recipients without a message. Raises BadRequest (`bad_text`), RateLimited,
    Unavailable.
    """
    async with op.services.render_pool.alone(op.viewer.actor_id, op.ctx.client_network):
        return await _plan(op, project, changes)


async def _plan(op: Op, project: models.SendingProject, changes: PlannedChanges) -> ProjectPlan:
    tariff = await op.db.fetchrow(_TARIFF, project.id, public_links.LINKS)
    settings = changes.model_dump(mode="json", by_alias=True, include={"speed", "window"})
    changed = changes.model_fields_set
    speed = (settings["speed"] or {}) if "speed" in changed else project.speed
    window = settings["window"] if "window" in changed else project.window
    audience = await _audience(op, project, tariff, window)
    skipped = audience.skipped()
    queued = project.counts["queued"]
    recipients = audience.recipients + queued
    to_send = max(recipients - sum(skipped.values()), 0)
    per_minute, limited_by = rate_of(speed, len(project.account_uuids), tariff)
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
        lacks_public_url=public_links.lacks_public_address(
            op.services, project.channel, offers_a_link=tariff["offers_a_link"]
        ),
        languages=await _languages(op, project, audience),
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


async def _languages(op: Op, project: models.SendingProject, audience: _Audience) -> list[PlannedLanguage]:
    counts = await audience_sizes.languages(op.db, project, left=True) or {}
    lacking: Mapping[int, int] = dict(audience.examined["lacking"])
    return [
        PlannedLanguage(locale=tag, recipients=count, missing_variable=audience.scaled(lacking.get(index, 0)))
        for index, (tag, count) in enumerate(counts.items())
    ]


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


def _cost(
    project: models.SendingProject, tariff: Any, audience: _Audience, to_send: int, queued: int
) -> PlannedCost | None:
    sample = audience.cost
    only = _only_price(project, tariff, audience.book)
    if only is None and not sample.messages:
        return None
    sms = project.channel == "sms"
    each = sample.amount / sample.messages if sample.messages else only
    assert each is not None
    exact = audience.exact and not (queued and (sms or only is None))
    amount = sample.amount if exact and sms else each * to_send
    listed = audience.book.dearest(project.channel) if audience.book else _FREE
    others = price_of(tariff, project.channel, "", audience.book) or MessagePrice(_FREE)
    dearest = max(sample.dearest, listed, others.amount)
    at_most = dearest * max(sample.longest if sms else 1, 1) * _most_messages(audience, queued)
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
    price = price_of(tariff, project.channel, "", book)
    return None if price is None else price.amount


def _cents(amount: Decimal) -> Decimal:
    return amount.quantize(_CENT, ROUND_HALF_UP)


def _most_messages(audience: _Audience, queued: int) -> int:
    """Returns the most messages that there can be: who was examined and will be skipped gets none."""
    out = sum(audience.unreachable.values()) + sum(audience.unsent().values())
    return int(audience.recipients - out + queued)


async def _audience(
    op: Op, project: models.SendingProject, tariff: Any, window: Mapping[str, Any] | None
) -> _Audience:
    book = await price_books(op.services).of(tariff["price_version_id"], project.channel)
    rules = plan_countries.rules_of_lists(project.channel, tariff["country_rules"])

    def price(to: str) -> MessagePrice | None:
        return price_of(tariff, project.channel, to, book)

    content = {name: getattr(project, name) for name in _CONTENT}
    most = EXAMINED if project_texts.has_no_logic(content) else EXAMINED // 10
    if project.audience is not None and project.audience_read_at is None:
        size, unreachable, rows = await _subscribers(op, project, most, rules)
        examined, cost = await _examine(op, project, content, window, rows, price)
        follows = project.follows_uuid is not None  # only the most is known, and some are recipients already
        left = max(size - await op.db.fetchval(THERE, project.id), 0) if follows else size
        return _Audience(left, left, unreachable, examined, cost, book, has_all_countries=not follows)
    arguments = (project.owner_id, project.category, project.channel, project.id)
    size = await op.db.fetchrow(_LIST, project.id, project.prepared_to)
    sql = _COUNTS if rules is None else _COUNTS_BY_PREFIX
    counts = await op.db.fetch(sql, *arguments, project.prepared_to)
    unreachable, alike = plan_countries.unreachable(rules, counts)
    rows = ()
    if size["recipients"]:
        firsts, lasts = sample_ranges(size, most, _RANGES)
        sample = await op.db.fetch(_SAMPLE, *arguments, firsts, lasts, most // len(firsts))
        _, rows = plan_countries.allowed_of(rules, await _read(op, [row["id"] for row in sample]))
    examined, cost = await _examine(op, project, content, window, rows, price)
    counted = sum(row["counted"] for row in counts)
    return _Audience(size["recipients"], counted, unreachable, examined, cost, book, alike)


async def _subscribers(
    op: Op, project: models.SendingProject, most: int, rules: Rules | None
) -> tuple[int, Mapping[str, int], Sequence[Any]]:
    """Returns how many people will be recipients when the project starts, as far as they are subscribed now, how many
    of them can't be reached, by code, and some of them.
    """
    asked = (project.owner_id, project.channel, project.audience)
    size, blocked = await audience_sizes.size(op.db, *asked, category=project.category)
    region = op.services.settings.default_region
    rows = await audience_sizes.sample(op.db, region, *asked, project.category, most)
    share, chosen = plan_countries.allowed_of(rules, rows)
    return size, {"blocked": blocked, CODE: round((size - blocked) * (1 - share))}, chosen


async def _read(op: Op, ids: Sequence[UUID]) -> list[Any]:
    """Returns the recipients up to VARIABLE_BYTES of variables."""
    rows: list[Any] = []
    left = VARIABLE_BYTES
    for start in range(0, len(ids), _READ):
        chunk = ids[start : start + _READ]
        read = await op.db.fetch(_READ_SAMPLE, chunk, left)
        rows += read
        if len(read) < len(chunk):
            break
        left -= read[-1]["size"]
    return rows


async def _examine(
    op: Op,
    project: models.SendingProject,
    content: Mapping[str, Any],
    window: Mapping[str, Any] | None,
    rows: Sequence[Any],
    price: Callable[[str], MessagePrice | None],
) -> tuple[Mapping[str, Any], SampleCost]:
    """Returns what the texts make of these recipients, and what their messages cost. Raises BadRequest (`bad_text`),
    RateLimited, Unavailable.
    """
    links = recipient_links.variables_in(content)
    content = run_clock.at(content, project.started_at or op.services.db.now())
    messages: list[Any] = []
    base = await link_domains.base_of(op.services, project.owner_id)
    for row, message in zip(rows, message_ids(project.id, [row["id"] for row in rows]), strict=True):
        own = run_clock.of(content, row["address"], row["timezone"])
        own |= bodies.variables(project.channel, row["address"], row["name"], row["variables"])
        own |= recipient_links.of(op.services, links, message, row["contact_id"], base)
        messages.append((str(message), row["address"], own, row["timezone"]))
    planned = Window.of(dict(window) if window else None)
    arguments: Mapping[str, Any] = {
        "content": content,
        "rows": messages,
        "channel": project.channel,
        "by_recipient": planned is not None and planned.by_recipient,
        "silent_allowed": bool(project.template or project.attachment_uuids),
        "seconds": SECONDS,
    }
    try:
        examined: Mapping[str, Any] = await op.services.render_pool.run_alone(
            op.viewer.actor_id, "examine", arguments, seconds=SECONDS + 1
        )
    except TooComplex:
        raise project_content.too_complex() from None
    sent = [(messages[index][1], parts, country) for index, parts, country in examined["sent"]]
    return examined, await asyncio.to_thread(cost_of, sent, price)
