"""The recipients whose messages a plan foresees: how many there are, and what the texts make of some of them."""

import asyncio
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from db import models
from db.address_keys import key_of
from engine import blocks
from engine.projects import contact_audience
from engine.projects.audience import REACHES, message_ids
from engine.projects.plan_costs import SampleCost, cost_of
from engine.sms.country_rules import Rules, country
from engine.sms.price_books import MessagePrice, PriceBook, price_books, price_of
from engine.texts import bodies, project_texts, recipient_links, run_clock
from engine.windows import Window
from resolvers import project_content
from runtime.operation import Op
from runtime.render_pool import TooComplex
from shapes.country_rules import CODE

COUNTED = 1_000_000
"""Recipients whose addresses are compared with the block list."""
EXAMINED = 10_000
"""Recipients for whom the text is rendered; a tenth of them if the text has Liquid logic."""
SECONDS = 1.0
"""Seconds of rendering, and of working out when the messages leave."""
VARIABLE_BYTES = 8 * 2**20
"""Bytes of variables and addresses that are read and rendered."""
_RANGES = 20  # ranges of a long list from which the examined recipients are taken
_READ = 1_000  # examined recipients that one statement reads

_LIST = """
SELECT count(*) AS recipients, min(seq) AS first, max(seq) AS last FROM recipients WHERE project_id = $1 AND seq > $2
"""
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
class Audience:
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


async def planned_audience(
    op: Op,
    project: models.SendingProject,
    tariff: Any,
    window: Mapping[str, Any] | None,
    rules: Rules | None,
) -> Audience:
    """Returns the recipients of a project without a message: who they are, and what they get.

    `tariff`: a row with what a message costs. `rules`: of countries. Raises BadRequest (`bad_text`), RateLimited,
    Unavailable.
    """
    book = await price_books(op.services).of(tariff["price_version_id"])

    def price(to: str) -> MessagePrice | None:
        return price_of(tariff, project.channel, to, book)

    content = {
        name: getattr(project, name)
        for name in ("subject", "html", "text", "variants", "template", "on_missing_variable", "category")
    }
    most = EXAMINED if project_texts.is_plain(content) else EXAMINED // 10
    if project.audience is not None and project.audience_read_at is None:
        size, unreachable, sample = await _subscribers(op, project, most, rules)
        examined, cost = await _examine(op, project, content, window, sample, price)
        return Audience(size, size, unreachable, examined, cost, book)
    arguments = (project.owner_id, project.category, project.channel, project.id)
    size = await op.db.fetchrow(_LIST, project.id, project.prepared_to)
    sql = _COUNTS if rules is None else _COUNTS_BY_PREFIX
    counts = await op.db.fetch(sql, *arguments, project.prepared_to)
    unreachable = {
        "blocked": sum(row["blocked"] for row in counts),
        "invalid_recipient": sum(row["unreachable"] for row in counts),
    }
    alike = True
    if rules is not None:
        unreachable[CODE], alike = _elsewhere(rules, counts)
    rows: Sequence[Any] = ()
    if size["recipients"]:
        firsts, lasts = _ranges(size, most)
        sample = await op.db.fetch(_SAMPLE, *arguments, firsts, lasts, most // len(firsts))
        rows = _allowed(rules, await _read(op, [row["id"] for row in sample]))
    examined, cost = await _examine(op, project, content, window, rows, price)
    counted = sum(row["counted"] for row in counts)
    return Audience(size["recipients"], counted, unreachable, examined, cost, book, alike)


def _elsewhere(rules: Rules, counts: Sequence[Any]) -> tuple[int, bool]:
    """Returns how many numbers are in countries that are not allowed, and whether that is exact.

    It is an estimate if the first and the last number of six equal digits differ.
    """
    refused, alike = 0, True
    for row in counts:
        if reached := row["counted"] - row["blocked"] - row["unreachable"]:
            allowed = [rules.refusal(country(row[end])) is None for end in ("first", "last")]
            refused += 0 if allowed[0] else reached
            alike &= allowed[0] == allowed[1]
    return refused, alike


def _allowed(rules: Rules | None, rows: Sequence[Any]) -> Sequence[Any]:
    """Returns the recipients in countries that are allowed."""
    if rules is None:
        return rows
    return [row for row in rows if rules.refusal(country(row["address"])) is None]


async def _subscribers(
    op: Op, project: models.SendingProject, most: int, rules: Rules | None
) -> tuple[int, Mapping[str, int], Sequence[Any]]:
    """Returns how many people will be recipients when the project starts, as far as they are subscribed now, how many
    of them can't be reached, by code, and some of the others.
    """
    asked = (project.owner_id, project.channel, project.audience)
    size, blocked = await contact_audience.size(op.db, *asked, category=project.category)
    rows = await contact_audience.sample(op.db, *asked, project.category, most)
    chosen = _allowed(rules, rows)
    share = 1 - len(chosen) / len(rows) if rows else 0
    return size, {"blocked": blocked, CODE: round((size - blocked) * share)}, chosen


def _ranges(size: Any, most: int) -> tuple[list[int], list[int]]:
    """Returns where each range of the list begins and ends; one range if all recipients can be examined."""
    first, last, count = size["first"], size["last"], 1 if size["recipients"] <= most else _RANGES
    edges = [first + (last + 1 - first) * number // count for number in range(count + 1)]
    return edges[:-1], [edge - 1 for edge in edges[1:]]


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
    """Returns what the texts make of these recipients, and what their messages cost.

    Raises BadRequest (`bad_text`), RateLimited, Unavailable.
    """
    links = recipient_links.variables_in(content)
    content = run_clock.at(content, project.started_at or op.services.db.now())
    messages: list[Any] = []
    for row, message in zip(rows, message_ids(project.id, [row["id"] for row in rows]), strict=True):
        own = run_clock.of(content, row["address"], row["timezone"])
        own |= bodies.variables(project.channel, row["address"], row["name"], row["variables"])
        own |= recipient_links.of(op.services, links, message, row["contact_id"])
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
