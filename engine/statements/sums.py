"""The sums of a month: what an account's ledger and messages say, in groups that a statement lists as lines.

The amounts are those of the ledger, to the digit. An entry of a direct message names the message, so its group is
exact. Entries of a project are one for each batch: its messages' prices are its groups, and what the entries have
beyond them is a line of the project without country, route and sender. That is money which was reserved and came
back, or that moved in another month than the message.
"""

from collections.abc import AsyncIterator, Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from decimal import Decimal
from typing import Any, Final, NamedTuple
from uuid import UUID

import asyncpg

from engine.exports.port import after, before
from engine.sms.countries import country_of, country_of_prefix

KINDS: Final = ("credit", "charge", "refund", "free")
"""The kinds of lines. `free`: messages that were sent and cost nothing, which the ledger does not have."""
MOST: Final = 10_000
"""The most lines of a statement. Beyond it they are added up without the sender, then also without the project."""
_DIMENSIONS: Final = (
    ("channel", "category", "country", "route", "sender", "project"),
    ("channel", "category", "country", "route", "project"),
    ("channel", "category", "country", "route"),
)
_LONG: Final = 600.0  # seconds of one statement of SQL
_BITE: Final = 500  # projects whose messages one statement reads
_PREFETCH: Final = 5000

_PHONES: Final = "('sms', 'whatsapp', 'telegram')"
# Seven digits tell the country; a whole number of each group is what the patterns of countries are asked with.
_PHONE: Final = """
  CASE WHEN {channel} IN {phones} THEN left({row}."to", 8) END AS digits,
  CASE WHEN {channel} IN {phones} THEN min({row}."to") END AS sample
"""
_MAIL: Final = "substring({row}.from_address FROM '@([^@> ]+)>?$')"
_DIRECT: Final = f"""
SELECT e.kind, m.channel, m.category, m.price_prefix AS prefix, m.provider AS route,
  COALESCE(m.sender, {_MAIL.format(row="m")}) AS sender, {_PHONE.format(channel="m.channel", phones=_PHONES, row="m")},
  sum(COALESCE(e.entry_count, 1)) FILTER (WHERE e.kind <> 'credit') AS messages,
  sum(COALESCE(m.segments, 1) * COALESCE(e.entry_count, 1)) FILTER (WHERE e.kind <> 'credit') AS parts,
  sum(e.amount) AS amount, sum(COALESCE(e.entry_count, 1)) AS entries
FROM ledger_entries AS e LEFT JOIN messages AS m ON m.id = e.reference AND e.kind <> 'credit'
WHERE e.account_id = $1 AND e.id > $2 AND e.id < $3 AND e.created_at >= $4 AND e.created_at < $5
  AND e.project_id IS NULL
GROUP BY e.kind, m.channel, m.category, prefix, route, COALESCE(m.sender, {_MAIL.format(row="m")}), digits
"""  # noqa: S608  our own words
# A message may be accepted ninety days before it is sent.
_FREE: Final = f"""
SELECT m.channel, m.category, m.price_prefix AS prefix, m.provider AS route,
  COALESCE(m.sender, {_MAIL.format(row="m")}) AS sender, {_PHONE.format(channel="m.channel", phones=_PHONES, row="m")},
  count(*) AS messages, sum(m.segments) AS parts
FROM messages AS m
WHERE m.account_id = $1 AND m.id > $2 AND m.id < $3 AND m.sent_at >= $4 AND m.sent_at < $5 AND m.price = 0
  AND m.direction = 'outbound' AND m.state IN ('sent', 'delivered', 'read') AND m.step IS DISTINCT FROM 0
GROUP BY m.channel, m.category, prefix, route, COALESCE(m.sender, {_MAIL.format(row="m")}), digits
"""  # noqa: S608  our own words
_PROJECTS: Final = f"""
WITH moved AS (
  SELECT e.project_id AS id, sum(e.amount) FILTER (WHERE e.kind = 'charge') AS charge,
    sum(e.amount) FILTER (WHERE e.kind = 'refund') AS refund,
    COALESCE(sum(COALESCE(e.entry_count, 1)) FILTER (WHERE e.kind = 'charge'), 0) AS charges,
    COALESCE(sum(COALESCE(e.entry_count, 1)) FILTER (WHERE e.kind = 'refund'), 0) AS refunds
  FROM ledger_entries AS e
  WHERE e.account_id = $1 AND e.id > $2 AND e.id < $3 AND e.created_at >= $4 AND e.created_at < $5
    AND e.project_id IS NOT NULL
  GROUP BY e.project_id
), worked AS (
  SELECT p.id FROM sending_projects AS p WHERE p.account_id = $1 AND p.created_at < $5 AND p.started_at IS NOT NULL
    AND (p.finished_at IS NULL OR p.finished_at >= $4)
)
SELECT id, moved.charge, moved.refund, moved.charges, moved.refunds, p.name, p.channel, p.category,
  COALESCE(p.sender, {_MAIL.format(row="p")}) AS sender
FROM moved FULL JOIN worked USING (id) LEFT JOIN sending_projects AS p USING (id) ORDER BY id
"""  # noqa: S608  our own words
_RECORDS: Final = f"""
SELECT m.project_id, m.price > 0 AS charged, m.price_prefix AS prefix, m.provider AS route, m.sender,
  {_PHONE.format(channel="m.channel", phones=_PHONES, row="m")},
  count(*) AS messages, sum(COALESCE(m.parts, 1)) AS parts, sum(m.price) AS amount
FROM message_records AS m
WHERE m.project_id = ANY($1) AND m.direction = 'outbound' AND CASE WHEN m.price > 0
  THEN COALESCE(m.sent_at, m.handed_at, m.queued_at) >= $2 AND COALESCE(m.sent_at, m.handed_at, m.queued_at) < $3
  ELSE m.sent_at >= $2 AND m.sent_at < $3 AND m.refunded IS NULL AND m.status IN ('sent', 'delivered', 'read') END
GROUP BY m.project_id, charged, prefix, route, m.sender, m.channel, digits
"""  # noqa: S608  our own words


class Group(NamedTuple):
    """The group of a line. Of the values that are None the statement says nothing."""

    kind: str
    channel: str | None = None
    category: str | None = None
    country: str | None = None
    route: str | None = None
    sender: str | None = None
    project: UUID | None = None


class Period(NamedTuple):
    """A month of an account, from its first moment to that of the next month."""

    account: UUID
    begin: datetime
    end: datetime

    def bounds(self, ahead: datetime | None = None) -> Sequence[Any]:
        """Returns the first parameters of the statements: account, ids, and times. `ahead`: where ids may begin."""
        return (self.account, before(ahead or self.begin), after(self.end), self.begin, self.end)


@dataclass(slots=True)
class Sums:
    """Adds up groups, as many as a statement may list."""

    most: int = MOST
    grouped_by: Sequence[str] = _DIMENSIONS[0]
    groups: dict[Group, list[Any]] = field(default_factory=dict)
    entries: dict[str, int] = field(default_factory=lambda: dict.fromkeys(KINDS, 0))
    names: dict[UUID, str] = field(default_factory=dict)

    def add(self, group: Group, messages: int, parts: int, amount: Decimal) -> None:
        """Adds messages, their parts and an amount to a group. The order of groups makes no difference."""
        self._add(self._reduced(group), messages, parts, amount)
        while len(self.groups) > self.most and self.grouped_by != _DIMENSIONS[-1]:
            self.grouped_by = _DIMENSIONS[_DIMENSIONS.index(tuple(self.grouped_by)) + 1]
            before, self.groups = self.groups, {}
            for each, sums in before.items():
                self._add(self._reduced(each), *sums)

    def amount(self, kind: str) -> Decimal:
        """Returns the sum of the amounts of a kind."""
        return sum((sums[2] for group, sums in self.groups.items() if group.kind == kind), Decimal())

    def _add(self, group: Group, messages: int, parts: int, amount: Decimal) -> None:
        sums = self.groups.setdefault(group, [0, 0, Decimal()])
        sums[0] += messages
        sums[1] += parts
        sums[2] += amount

    def _reduced(self, group: Group) -> Group:
        left_out: dict[str, Any] = {name: None for name in _DIMENSIONS[0] if name not in self.grouped_by}
        return group._replace(**left_out) if left_out else group


async def read(db: asyncpg.Connection, sums: Sums, period: Period, ahead: datetime) -> AsyncIterator[None]:
    """Adds up a month in the caller's snapshot. Yields after each few thousand groups, so that the caller may stop.
    `ahead`: the earliest acceptance of a message that was sent in the month.
    """
    async for rows in _pages(db, _DIRECT, *period.bounds()):
        for row in rows:
            sums.entries[row["kind"]] += int(row["entries"])
            _add(sums, row, row["kind"], row["amount"])
        yield
    async for rows in _pages(db, _FREE, *period.bounds(ahead)):
        for row in rows:
            _add(sums, row, "free", Decimal())
        yield
    projects = await db.fetch(_PROJECTS, *period.bounds(), timeout=_LONG)
    for at in range(0, len(projects), _BITE):
        some = projects[at : at + _BITE]
        charged = dict.fromkeys((row["id"] for row in some), Decimal())
        about = {row["id"]: row for row in some}
        async for rows in _pages(db, _RECORDS, [*about], period.begin, period.end):
            for row in rows:
                project = about[row["project_id"]]
                _add_record(sums, row, project)
                charged[project["id"]] += row["amount"]
            yield
        for project in some:
            _add_rest(sums, project, charged[project["id"]])
        yield


async def _pages(db: asyncpg.Connection, sql: str, *parameters: Any) -> AsyncIterator[Sequence[Any]]:
    cursor = await db.cursor(sql, *parameters, timeout=_LONG)
    while rows := await cursor.fetch(_PREFETCH, timeout=_LONG):
        yield rows


def _add(sums: Sums, row: Any, kind: str, amount: Decimal) -> None:
    group = Group(kind, row["channel"], row["category"], _country(row), row["route"], row["sender"])
    sums.add(group, int(row["messages"] or 0), int(row["parts"] or 0), amount)


def _add_record(sums: Sums, row: Any, project: Any) -> None:
    """Adds messages of a project: a positive price is a charge."""
    kind = "charge" if row["charged"] else "free"
    sender = row["sender"] or project["sender"]
    group = _of_project(kind, project)._replace(country=_country(row), route=row["route"], sender=sender)
    sums.add(group, int(row["messages"]), int(row["parts"]), -row["amount"] if row["charged"] else Decimal())
    _name(sums, project)


def _add_rest(sums: Sums, project: Any, prices: Decimal) -> None:
    """Adds what the entries of a project have beyond the prices of its messages."""
    charge, refund = project["charge"] or Decimal(), project["refund"] or Decimal()
    sums.entries["charge"] += int(project["charges"] or 0)
    sums.entries["refund"] += int(project["refunds"] or 0)
    for kind, rest in (("charge", charge + prices), ("refund", refund)):
        if rest:
            sums.add(_of_project(kind, project), 0, 0, rest)
            _name(sums, project)


def _of_project(kind: str, project: Any) -> Group:
    return Group(kind, project["channel"], project["category"], project=project["id"])


def _name(sums: Sums, project: Any) -> None:
    if project["name"] is not None:
        sums.names[project["id"]] = project["name"]


def _country(row: Any) -> str | None:
    """Returns the country of a group's phones, or of the prefix that gave their price."""
    phone, prefix = row["sample"], row["prefix"]
    country = None if phone is None else country_of(phone)
    return country_of_prefix(prefix) if country is None and prefix is not None else country


def ordered(groups: Iterable[Group]) -> list[Group]:
    """Returns groups in the order of lines: by kind, then by their other values, with none first."""
    return sorted(
        groups, key=lambda group: (KINDS.index(group.kind), *(str(value or "") for value in group[1:]))
    )
