"""The messages of Sending Projects: contract §3.

A list costs what its page costs, not what the project has. It reads an index backwards (by project or by
owner, or by owner and address) and stops at the page's end; a filter that no index knows is asked of the rows
on the way. So that it isn't asked of projects in vain, those that can't have such a message are left out
first, by their counters. What the counters know is counted by them.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cache
from typing import Any
from uuid import UUID

from db.query import in_bounds
from db.session import Database
from engine.bodies import bodies
from postern.errors import BadRequest, NotFound, ValidationFailed
from postern.operation import Op, operation
from postern.permissions import Permission
from resolvers import recipients
from schema.types.message_records import MessageRecord, RecordCount, RecordStatus
from schema.types.messages import Direction
from schema.types.page import Rows
from schema.types.sending_projects import ProjectChannel

MOST_COUNTED = 100_000
"""Up to which messages are counted one by one, where no counter knows their number."""

# Every message in these states says why, so the index of the failures has them all.
_WITH_REASON = (RecordStatus.failed, RecordStatus.skipped, RecordStatus.unknown)

COLUMNS = """m.id, m.seq, m.project_id, m.owner_id, m.recipient_id, m.account_uuid, m.channel, m.direction, m."to",
  m.body, m.status, m.content, m.variant, m.failure_code, m.failure_reason, m.attempts, m.price,
  COALESCE(m.provider_message_id, CASE WHEN m.sent_at IS NOT NULL AND m.direction = 'outbound' THEN m.id::text END)
    AS provider_message_id, m.queued_at, m.sent_at, m.delivered_at, m.read_at, m.replied_at"""

_ONE = f"SELECT {COLUMNS} FROM message_records AS m WHERE m.id = $1"  # noqa: S608  our own columns


@dataclass(frozen=True, slots=True)
class Filters:
    """What a list is asked for; `owner` is None for administrators."""

    owner: UUID | None
    project: UUID | None = None
    account: UUID | None = None
    channel: ProjectChannel | None = None
    status: RecordStatus | None = None
    to: str | None = None
    since: datetime | None = None
    until: datetime | None = None

    @property
    def counted(self) -> bool:
        """The counters know how many there are."""
        return not (self.account or self.to or self.since or self.until)

    @property
    def by_row(self) -> tuple[tuple[str, str, Any], ...]:
        """What is asked of each row: the condition, the type of its argument, the argument."""
        every: tuple[tuple[str, str, Any], ...] = (
            ("m.owner_id = {}", "uuid", self.owner),
            ("m.account_uuid = {}", "uuid", self.account),
            ("m.channel = {}", "text", self.channel and self.channel.value),
            ("m.status = {}", "text", self.status and self.status.value),
            ('m."to" = {}', "text", self.to),
            ("m.queued_at >= {}", "timestamptz", self.since),
            ("m.queued_at < {}", "timestamptz", self.until),
        )
        return tuple(one for one in every if one[2] is not None)


@operation(Permission.projects_read, "read")
async def list(
    op: Op,
    page: int = 1,
    limit: int = 20,
    sending_project_uuid: UUID | None = None,
    account_uuid: UUID | None = None,
    channel: ProjectChannel | None = None,
    status: RecordStatus | None = None,
    phone: str | None = None,
    date_from: datetime | None = None,
    date_to: datetime | None = None,
) -> Rows[MessageRecord]:
    """Newest first. Another's project has no messages. Raises BadRequest, ValidationFailed."""
    in_bounds(page, limit)
    filters = _filters(op, sending_project_uuid, account_uuid, channel, status, phone, date_from, date_to)
    offset = (page - 1) * limit
    total = await _counted(op.db, filters) if filters.counted else None
    # No further than to the last one that there is.
    wanted = limit if total is None else min(limit, total - offset)
    rows = await _page(op.db, filters, wanted, offset) if wanted > 0 else []
    if total is None:
        whole = page == 1 and len(rows) < limit
        total = len(rows) if whole else await _one_by_one(op.db, filters)
    said = await bodies(op.db, rows)
    return Rows([_shown(row, said[row["id"]]) for row in rows], page, limit, total)


@operation(Permission.projects_read, "read")
async def count(
    op: Op,
    sending_project_uuid: UUID | None = None,
    account_uuid: UUID | None = None,
    channel: ProjectChannel | None = None,
    status: RecordStatus | None = None,
    phone: str | None = None,
    date_from: datetime | None = None,
    date_to: datetime | None = None,
) -> RecordCount:
    """Raises BadRequest, ValidationFailed."""
    filters = _filters(op, sending_project_uuid, account_uuid, channel, status, phone, date_from, date_to)
    counting = _counted if filters.counted else _one_by_one
    return RecordCount(count=await counting(op.db, filters))


@operation(Permission.projects_read, "read")
async def get(op: Op, id: UUID) -> MessageRecord:
    """Raises NotFound."""
    row = await op.db.fetchrow(_ONE, id)
    if row is None or not (op.viewer.admin or row["owner_id"] == op.viewer.id):
        raise NotFound("There is no such message.", code="message_not_found")
    return _shown(row, (await bodies(op.db, [row]))[row["id"]])


def _filters(
    op: Op,
    project: UUID | None,
    account: UUID | None,
    channel: ProjectChannel | None,
    status: RecordStatus | None,
    phone: str | None,
    since: datetime | None,
    until: datetime | None,
) -> Filters:
    since, until = instant(since), instant(until)
    if since is not None and until is not None and since >= until:
        raise BadRequest("dateFrom must be before dateTo.")
    to = None if phone is None else spelled(phone, op.services.settings.default_region)
    owner = None if op.viewer.admin else op.viewer.id
    return Filters(owner, project, account, channel, status, to, since, until)


def instant(moment: datetime | None) -> datetime | None:
    """GraphQL knows no time without a zone from one with; UTC then, as everywhere."""
    return moment.replace(tzinfo=UTC) if moment is not None and moment.tzinfo is None else moment


def spelled(text: str, region: str) -> str:
    """In the spelling of the messages where it is one of the kinds that have one, else as it is."""
    if not 1 <= len(text) <= 4096 or "\x00" in text:
        raise ValidationFailed(["phone: must be 1 to 4096 characters without NUL"])
    try:
        return recipients.email(text) if "@" in text[1:] else recipients.phone(text, region)
    except BadRequest:
        return text


def _shown(row: Any, body: str | None) -> MessageRecord:
    return MessageRecord.model_construct(
        id=row["id"],
        sending_project_uuid=row["project_id"],
        recipient_uuid=row["recipient_id"],
        body=body,
        direction=Direction(row["direction"]),
        channel=ProjectChannel(row["channel"]),
        status=RecordStatus(row["status"]),
        **{name: row[name] for name in _AS_IT_IS},
    )


_AS_IT_IS = (
    "account_uuid",
    "to",
    "failure_code",
    "failure_reason",
    "attempts",
    "provider_message_id",
    "price",
    "queued_at",
    "sent_at",
    "delivered_at",
    "read_at",
    "replied_at",
)


# Rows


async def _page(db: Database, filters: Filters, limit: int, offset: int) -> Sequence[Any]:
    column, keys = await _places(db, filters)
    if not keys:
        return []
    conditions = tuple((condition, kind) for condition, kind, _ in filters.by_row)
    sql = _select(column, conditions, filters.status in _WITH_REASON, len(keys) == 1)
    return await db.fetch(sql, keys[0] if len(keys) == 1 else keys, limit, offset, *_arguments(filters))


async def _one_by_one(db: Database, filters: Filters) -> int:
    column, keys = await _places(db, filters)
    if not keys:
        return 0
    conditions = tuple((condition, kind) for condition, kind, _ in filters.by_row)
    sql = _count(column, conditions, filters.status in _WITH_REASON)
    counted: int = await db.fetchval(sql, keys, MOST_COUNTED, *_arguments(filters))
    return counted


def _given(*values: Any) -> Sequence[Any]:
    return [value for value in values if value is not None]


def _arguments(filters: Filters) -> Sequence[Any]:
    return [value for _, _, value in filters.by_row]


async def _places(db: Database, filters: Filters) -> tuple[str, Sequence[UUID]]:
    """The column whose index is read, and the values that may have such messages."""
    if filters.project is not None:
        return "project_id", [filters.project]
    if filters.to is not None or filters == Filters(filters.owner):
        if filters.owner is not None:
            return "owner_id", [filters.owner]
        return "owner_id", [row["owner_id"] for row in await db.fetch(_OWNERS)]
    status = filters.status and filters.status.value
    sql = _projects(
        filters.owner is not None,
        filters.channel is not None,
        status,
        filters.since is not None,
        filters.until is not None,
    )
    rows = await db.fetch(sql, *_given(filters.owner, filters.channel, filters.until, filters.since))
    return "project_id", [row["project_id"] for row in rows]


_OWNERS = "SELECT DISTINCT owner_id FROM sending_projects"


# Those that may have such messages. Counters move with every message, and with its coming into the queue; they
# don't know the replies, so a project with replies is always among them.
@cache
def _projects(owner: bool, channel: bool, status: str | None, since: bool, until: bool) -> str:
    given = _numbered(
        (
            "p.owner_id = {}" if owner else "",
            "p.channel = {}" if channel else "",
            "p.created_at < {}" if until else "",
        )
    )
    moved = f"max(c.updated_at) >= ${sum((owner, channel, until)) + 1}" if since else "true"
    some = f"sum(c.{status}) > 0" if status else "true"
    return f"""
    SELECT p.id AS project_id FROM sending_projects AS p JOIN sending_counters AS c ON c.project_id = p.id
    WHERE {given} GROUP BY p.id HAVING ({moved} AND {some}) OR EXISTS (
      SELECT FROM message_records AS m
      WHERE m.owner_id = p.owner_id AND m.project_id = p.id AND m.direction = 'inbound')
    """  # noqa: S608  our own words


def _numbered(conditions: Sequence[str]) -> str:
    """Those that there are, with their places: $1, $2, …"""
    wanted = [condition for condition in conditions if condition]
    return " AND ".join(one.format(f"${place}") for place, one in enumerate(wanted, 1)) or "true"


@cache
def _select(column: str, conditions: tuple[tuple[str, str], ...], with_reason: bool, one: bool) -> str:
    """$1: where; $2, $3: limit and offset; the rest are the conditions'."""
    where = _where(conditions, 4, with_reason)
    if one:
        return f"""
        SELECT {COLUMNS} FROM message_records AS m WHERE m.{column} = $1 {where}
        ORDER BY m.seq DESC LIMIT $2 OFFSET $3
        """  # noqa: S608  our own words
    return f"""
    SELECT {COLUMNS} FROM (
      SELECT found.id FROM unnest($1::uuid[]) AS k (id) CROSS JOIN LATERAL (
        SELECT m.id, m.seq FROM message_records AS m WHERE m.{column} = k.id {where}
        ORDER BY m.seq DESC LIMIT $2::int8 + $3::int8
      ) AS found ORDER BY found.seq DESC LIMIT $2 OFFSET $3
    ) AS page JOIN message_records AS m ON m.id = page.id ORDER BY m.seq DESC
    """  # noqa: S608  our own words


@cache
def _count(column: str, conditions: tuple[tuple[str, str], ...], with_reason: bool) -> str:
    """$1: where; $2: how many at most; the rest are the conditions'."""
    where = _where(conditions, 3, with_reason)
    return f"""
    SELECT count(*) FROM (
      SELECT FROM unnest($1::uuid[]) AS k (id) CROSS JOIN LATERAL (
        SELECT FROM message_records AS m WHERE m.{column} = k.id {where} LIMIT $2
      ) AS found LIMIT $2
    ) AS counted
    """  # noqa: S608  our own words


def _where(conditions: tuple[tuple[str, str], ...], first: int, with_reason: bool) -> str:
    said = [
        condition.format(f"${place}::{kind}") for place, (condition, kind) in enumerate(conditions, first)
    ]
    return "".join(f" AND {one}" for one in (*said, *(["m.failure_code IS NOT NULL"] if with_reason else [])))


# Counters


async def _counted(db: Database, filters: Filters) -> int:
    """What goes out by the counters; the replies by an index that has nothing else."""
    status = filters.status and filters.status.value
    shape = filters.owner is not None, filters.project is not None, filters.channel is not None
    given = _given(filters.owner, filters.project, filters.channel)
    out = await db.fetchval(_sent_out(status or "total", *shape), *given)
    came = await db.fetchval(_replies(*shape, status is not None), *given, *_given(status))
    return max(0, int(out)) + int(came)


@cache
def _sent_out(column: str, owner: bool, project: bool, channel: bool) -> str:
    of_channel = "(SELECT p.channel FROM sending_projects AS p WHERE p.id = c.project_id) = {}"
    where = _numbered(
        (
            "c.owner_id = {}" if owner else "",
            "c.project_id = {}" if project else "",
            of_channel if channel else "",
        )
    )
    return f"SELECT COALESCE(sum(c.{column}), 0)::int8 FROM sending_counters AS c WHERE {where}"  # noqa: S608  a state's name


@cache
def _replies(owner: bool, project: bool, channel: bool, status: bool) -> str:
    """The index begins with the owner, so the project's is looked up."""
    where = _numbered(
        (
            "m.owner_id = {}" if owner else "",
            "m.project_id = {0} AND m.owner_id = (SELECT p.owner_id FROM sending_projects AS p WHERE p.id = {0})"
            if project
            else "",
            "m.channel = {}" if channel else "",
            "m.status = {}" if status else "",
        )
    )
    return f"SELECT count(*) FROM message_records AS m WHERE m.direction = 'inbound' AND {where}"  # noqa: S608  our own words
