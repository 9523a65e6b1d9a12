"""Filters of the messages of Sending Projects, and where messages are looked up.

The cost of a list depends on its page, not on the size of the project. It reads an index backwards (by project or by
owner, or by owner and address) and stops at the end of the page; a filter without an index is applied to the rows on
the way. Projects whose counters show no such message are left out first. Numbers that the counters have are read from
them.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from typing import Any
from uuid import UUID

from db import query
from db.session import Database
from engine.contacts import history
from shapes.message_records import RecordReaction, RecordStatus

OF_PROJECT = "m.project_id = k.id"
OF_CONTACT = f"m.id = ANY({history.ids_of(history.RECORDS, 'k.id')})"
"""The conditions for the messages `m` of a project or of a contact, `k.id`."""

MOST_COUNTED = 100_000
"""If the counters don't have a number, messages are counted one by one up to this limit."""
MOST_COUNTED_EACH = 10_000
"""If there are many projects, the messages of each are counted up to this limit."""

# Every message in these states has a failure code, so the index of failures contains all of them.
_REACTIONS = ", ".join(f"m.{reaction.value}_at" for reaction in RecordReaction)
_WITH_REASON = {RecordStatus.failed, RecordStatus.skipped, RecordStatus.unknown}


@dataclass(frozen=True, slots=True)
class Filters:
    """The filters of a list. None means no filter; `owner` is None for administrators."""

    owner: UUID | None
    projects: tuple[UUID, ...] | None = None
    statuses: tuple[str, ...] | None = None
    channels: tuple[str, ...] | None = None
    since: datetime | None = None
    until: datetime | None = None
    updated_since: datetime | None = None
    further: tuple[tuple[str, str, Any], ...] = ()
    """Further conditions on a row: the SQL, with {} for the argument, the argument's type, the argument."""
    replies: bool = False
    """True if only inbound messages match: a partial index contains them."""
    reactions: tuple[str, ...] | None = None
    """The reactions of which the messages have one: a partial index contains those with any."""
    addressed: bool = False
    """True if the filters name an address or a message: an index finds the few rows then."""

    @property
    def counted(self) -> bool:
        """Returns whether the counters have the number of messages for these filters."""
        return not (
            self.further or self.since or self.until or self.updated_since or self.reactions is not None
        )

    @property
    def of_rows(self) -> Sequence[tuple[str, str, Any]]:
        """Returns the conditions on each row, apart from the project."""
        every: tuple[tuple[str, str, Any], ...] = (
            ("m.owner_id = {}", "uuid", self.owner),
            ("m.channel = ANY({})", "text[]", self.channels),
            ("m.status = ANY({})", "text[]", self.statuses),
            ("m.queued_at >= {}", "timestamptz", self.since),
            ("m.queued_at < {}", "timestamptz", self.until),
            ("m.updated_at >= {}", "timestamptz", self.updated_since),
            *self.further,
        )
        return tuple(condition for condition in every if condition[2] is not None)

    @property
    def moved_since(self) -> datetime | None:
        """Returns a time; a project that has not changed since then has no such message."""
        return max((at for at in (self.since, self.updated_since) if at is not None), default=None)

    @property
    def timed(self) -> bool:
        """Returns whether a condition is on a time, for which there is a BRIN index."""
        moments = (self.since, self.until, self.updated_since)
        return any(moment is not None for moment in moments) or any(
            column in condition for condition, *_ in self.further for column in ("updated_at", "queued_at")
        )

    @property
    def indexed(self) -> str | None:
        """Returns a condition that follows from the statuses and selects a partial index with few other rows."""
        if self.statuses is None or not {*self.statuses} <= _WITH_REASON:
            return None
        return "m.is_unknown" if {*self.statuses} == {RecordStatus.unknown} else "m.failure_code IS NOT NULL"

    @property
    def reacted(self) -> str | None:
        """Returns the condition for the reactions, in the words of the index."""
        if self.reactions is None:
            return None
        each = " OR ".join(f"m.{name}_at IS NOT NULL" for name in self.reactions) or "false"
        return f"COALESCE({_REACTIONS}) IS NOT NULL AND ({each})"

    @property
    def arguments(self) -> Sequence[Any]:
        """Returns the arguments of `of_rows`, in order."""
        return [value for _, _, value in self.of_rows]

    def where(self, first: int) -> str:
        """Returns the SQL ` AND …`, with arguments numbered from `first`."""
        conditions = [
            condition.format(f"${number}::{kind}")
            for number, (condition, kind, _) in enumerate(self.of_rows, first)
        ]
        return "".join(
            f" AND {condition}"
            for condition in (
                *conditions,
                self.indexed,
                self.reacted,
                "m.direction = 'inbound'" if self.replies else None,
            )
            if condition is not None
        )

    async def fetch(self, db: Database, sql: str, *arguments: Any) -> list[Any]:
        """Runs a read with these filters. How to find messages by time, or an address, depends on the values, so it is
        planned each time.
        """
        planned = self.timed or self.addressed
        return await (query.fetch_planned(db, sql, arguments) if planned else db.fetch(sql, *arguments))


async def choose_index(db: Database, filters: Filters) -> tuple[str, Sequence[UUID]]:
    """Returns the column whose index is read, and the values of it that may have such messages."""
    if filters.projects is not None:
        return "project_id", filters.projects
    plain = filters.counted and filters.statuses is None and filters.channels is None
    if filters.addressed or plain:
        if filters.owner is not None:
            return "owner_id", [filters.owner]
        return "owner_id", [row["owner_id"] for row in await db.fetch(_OWNER_IDS)]
    sql = _projects(
        filters.owner is not None,
        filters.channels is not None,
        filters.statuses,
        filters.moved_since is not None,
        filters.until is not None,
    )
    rows = await db.fetch(
        sql, *_not_none(filters.owner, filters.channels, filters.until, filters.moved_since)
    )
    return "project_id", [row["project_id"] for row in rows]


_OWNER_IDS = "SELECT DISTINCT owner_id FROM sending_projects"


# Projects that may have such messages. Counters change with every message, also when it is queued, but they don't count
# replies, so a project with replies is always included.
@cache
def _projects(owner: bool, channels: bool, statuses: tuple[str, ...] | None, since: bool, until: bool) -> str:
    conditions = _numbered(
        (
            "p.owner_id = {}" if owner else "",
            "p.channel = ANY({}::text[])" if channels else "",
            "p.created_at < {}" if until else "",
        )
    )
    moved = f"max(c.updated_at) >= ${sum((owner, channels, until)) + 1}" if since else "true"
    some = f"sum({_columns(statuses)}) > 0" if statuses is not None else "true"
    return f"""
    SELECT p.id AS project_id FROM sending_projects AS p JOIN sending_counters AS c ON c.project_id = p.id
    WHERE {conditions} GROUP BY p.id HAVING ({moved} AND {some}) OR EXISTS (
      SELECT FROM message_records AS m
      WHERE m.owner_id = p.owner_id AND m.project_id = p.id AND m.direction = 'inbound')
    """  # noqa: S608  our own words


def _columns(statuses: Sequence[str] | None) -> str:
    """Returns the sum of the counter columns for the statuses; columns and statuses have the same names."""
    if statuses is None:
        return "c.total"
    return " + ".join(f"c.{RecordStatus(status).value}" for status in statuses) or "0"


def _not_none(*values: Any) -> Sequence[Any]:
    return [value for value in values if value is not None]


def _numbered(conditions: Iterable[str]) -> str:
    """Returns the non-empty conditions joined by AND, with their parameters numbered: $1, $2, …"""
    nonempty = [condition for condition in conditions if condition]
    return (
        " AND ".join(template.format(f"${number}") for number, template in enumerate(nonempty, 1)) or "true"
    )


# Numbers


async def number(db: Database, filters: Filters) -> int:
    """Returns how many messages there are: exact if the counters know it, otherwise at most MOST_COUNTED."""
    if filters.projects is not None:
        return sum((await numbers(db, filters, filters.projects)).values())
    if filters.counted:
        return await _counted(db, filters)
    column, keys = await choose_index(db, filters)
    if not keys:
        return 0
    sql = _count_in_all(column, filters)
    (row,) = await filters.fetch(db, sql, keys, MOST_COUNTED, *filters.arguments)
    return int(row["number"])


async def numbers(db: Database, filters: Filters, projects: Sequence[UUID]) -> Mapping[UUID, int]:
    """Returns how many messages each of these projects has, counted as in `number`."""
    if filters.counted:
        return await at_most(db, filters, projects)
    most = MOST_COUNTED if len(projects) == 1 else MOST_COUNTED_EACH
    rows = await filters.fetch(db, _count_of_each(filters), [*projects], most, *filters.arguments)
    return {row["id"]: row["number"] for row in rows}


async def at_most(db: Database, filters: Filters, projects: Sequence[UUID]) -> Mapping[UUID, int]:
    """Returns how many messages in these states and channels each of the owner's projects has. The counters give sent
    messages; a partial index gives replies.
    """
    sql = _of_each(filters.owner is not None, filters.statuses, filters.channels is not None)
    arguments = _not_none(filters.owner, filters.statuses, filters.channels)
    return {row["id"]: row["number"] for row in await db.fetch(sql, [*projects], *arguments)}


@cache
def _of_each(owner: bool, statuses: tuple[str, ...] | None, channels: bool) -> str:
    """Returns the SQL. $1: the projects; the rest belongs to the conditions."""
    number = 1 + owner
    mine = "p.owner_id = $2" if owner else "true"
    came, sent = "true", "true"
    if statuses is not None:
        number += 1
        came = f"m.status = ANY(${number}::text[])"
    if channels:
        number += 1
        came += f" AND m.channel = ANY(${number}::text[])"
        sent = f"p.channel = ANY(${number}::text[])"
    return f"""
    SELECT p.id, GREATEST(0, c.number) + r.number AS number FROM sending_projects AS p
    CROSS JOIN LATERAL (
      SELECT COALESCE(sum({_columns(statuses)}), 0)::int8 AS number FROM sending_counters AS c
      WHERE c.project_id = p.id AND {sent}
    ) AS c CROSS JOIN LATERAL (
      SELECT count(*) AS number FROM message_records AS m
      WHERE m.owner_id = p.owner_id AND m.project_id = p.id AND m.direction = 'inbound' AND {came}
    ) AS r
    WHERE p.id = ANY($1::uuid[]) AND {mine}
    """  # noqa: S608  our own words


def _count_in_all(column: str, filters: Filters) -> str:
    """Returns the SQL. $1: projects or owners; $2: the highest count; the rest belongs to the conditions."""
    return f"""
    SELECT count(*) AS number FROM (
      SELECT FROM unnest($1::uuid[]) AS k (id) CROSS JOIN LATERAL (
        SELECT FROM message_records AS m WHERE m.{column} = k.id {filters.where(3)} LIMIT $2
      ) AS found LIMIT $2
    ) AS counted
    """  # noqa: S608  our own words


async def numbers_of_contacts(db: Database, filters: Filters, contacts: Sequence[UUID]) -> Mapping[UUID, int]:
    """Returns how many messages there are to the addresses of each of these contacts, up to the limit."""
    most = MOST_COUNTED if len(contacts) == 1 else MOST_COUNTED_EACH
    sql = _count_of_each(filters, OF_CONTACT)
    rows = await filters.fetch(db, sql, [*contacts], most, *filters.arguments)
    return {row["id"]: row["number"] for row in rows}


def _count_of_each(filters: Filters, belongs: str = OF_PROJECT) -> str:
    """Returns the SQL of `_count_in_all` for each project, or for each contact."""
    return f"""
    SELECT k.id, counted.number FROM unnest($1::uuid[]) AS k (id) CROSS JOIN LATERAL (
      SELECT count(*) AS number FROM (
        SELECT FROM message_records AS m WHERE {belongs} {filters.where(3)} LIMIT $2
      ) AS found
    ) AS counted
    """  # noqa: S608  our own words


async def _counted(db: Database, filters: Filters) -> int:
    """Returns the sum of sent messages, from the counters, and replies, from a partial index."""
    owner, channels = filters.owner is not None, filters.channels is not None
    arguments = _not_none(filters.owner, filters.channels)
    out = await db.fetchval(_sent_out(filters.statuses, owner, channels), *arguments)
    came = await db.fetchval(
        _replies(owner, channels, filters.statuses is not None), *arguments, *_not_none(filters.statuses)
    )
    return max(0, int(out)) + int(came)


@cache
def _sent_out(statuses: tuple[str, ...] | None, owner: bool, channels: bool) -> str:
    of_channel = "(SELECT p.channel FROM sending_projects AS p WHERE p.id = c.project_id) = ANY({}::text[])"
    where = _numbered(("c.owner_id = {}" if owner else "", of_channel if channels else ""))
    return (
        f"SELECT COALESCE(sum({_columns(statuses)}), 0)::int8"  # noqa: S608  states' names
        f" FROM sending_counters AS c WHERE {where}"
    )


@cache
def _replies(owner: bool, channels: bool, statuses: bool) -> str:
    where = _numbered(
        (
            "m.owner_id = {}" if owner else "",
            "m.channel = ANY({}::text[])" if channels else "",
            "m.status = ANY({}::text[])" if statuses else "",
        )
    )
    return (
        "SELECT count(*) FROM message_records AS m"  # noqa: S608  our own words
        f" WHERE m.direction = 'inbound' AND {where}"
    )
