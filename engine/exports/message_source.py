"""Reads messages for an export: those of Sending Projects, single ones, or both."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from db.address_keys import key_of
from db.session import Database
from engine.exports.port import PAGE, Asked, Column, Pages, Row, Source, after, all_of, before
from engine.sms.countries import country_of
from engine.texts.bodies import bodies
from runtime.permissions import Permission
from shapes.addresses import address_keys
from shapes.clicks import ClickKind
from shapes.message_records import RecordReaction, RecordStatus
from shapes.statistics import StatisticsKind

_MESSAGE_COLUMNS = (
    Column("uuid", "Id", "3d813cbb-47fb-52ba-91df-831e1593ac29"),
    Column("sendingProjectUuid", "Project", "0193a5e0-7b1c-7000-8000-000000000000"),
    Column("recipientUuid", "Recipient", "0193a5e0-7b1c-7000-8000-000000000001"),
    Column("accountUuid", "Source account", "0193a5e0-7b1c-7000-8000-000000000002"),
    Column("channel", "Channel", "sms"),
    Column("direction", "Direction", "outbound"),
    Column("to", "To", "+14155550100"),
    Column("body", "Text", "Hello Ann!"),
    Column("status", "Status", "delivered"),
    Column("variant", "Variant", "0"),
    Column("failureCode", "Failure code", "rejected"),
    Column("failureReason", "Failure reason", "The provider refuses it."),
    Column("attempts", "Failed attempts", "0"),
    Column("providerMessageId", "Provider's id", "SM123"),
    Column("price", "Price", "0.01"),
    Column("queuedAt", "Queued at", "2026-11-20T12:00:00Z"),
    Column("sentAt", "Sent at", "2026-11-20T12:00:01Z"),
    Column("deliveredAt", "Delivered at", "2026-11-20T12:00:02Z"),
    Column("readAt", "Read at", "2026-11-20T12:05:00Z"),
    Column("repliedAt", "Replied at", "2026-11-20T12:06:00Z"),
    Column("updatedAt", "Last changed at", "2026-11-20T12:06:00Z"),
    Column("pricePrefix", "Prefix of the price", "4917"),
    Column("reportedBy", "Status reported by", "hook"),
    Column("kind", "Of a project, or single", "direct"),
    Column("route", "Route", "smpp"),
    Column("parts", "Parts of an SMS", "1"),
    Column("country", "Country of the phone", "DE"),
)
# The columns of the rows, by the name in the file. `country` is made of `to`.
_OF_PROJECTS = {
    "uuid": "m.id",
    "sendingProjectUuid": "m.project_id",
    "recipientUuid": "m.recipient_id",
    "accountUuid": "m.account_uuid",
    "channel": "m.channel",
    "direction": "m.direction",
    "to": 'm."to"',
    "body": "m.body",
    "status": "m.status",
    "variant": "m.variant",
    "failureCode": "m.failure_code",
    "failureReason": "m.failure_reason",
    "attempts": "m.attempts",
    "providerMessageId": "COALESCE(m.provider_message_id,"
    " CASE WHEN m.sent_at IS NOT NULL AND m.direction = 'outbound' THEN m.id::text END)",
    "price": "m.price",
    "queuedAt": "m.queued_at",
    "sentAt": "m.sent_at",
    "deliveredAt": "m.delivered_at",
    "readAt": "m.read_at",
    "repliedAt": "m.replied_at",
    "updatedAt": "m.updated_at",
    "pricePrefix": "m.price_prefix",
    "reportedBy": "m.reported_by",
    "kind": "'project'::text",
    "route": "m.provider",
    "parts": "m.parts",
    "country": 'm."to"',
}
_DIRECT = _OF_PROJECTS | {
    "sendingProjectUuid": "NULL::uuid",
    "recipientUuid": "NULL::uuid",
    "accountUuid": "NULL::uuid",
    "status": "m.state",
    "variant": "NULL::int",
    "providerMessageId": "m.provider_message_id",
    "queuedAt": "m.created_at",
    "readAt": "NULL::timestamptz",
    "repliedAt": "NULL::timestamptz",
    "kind": "'direct'::text",
    "parts": "CASE WHEN m.channel = 'sms' THEN m.segments END",
}
_FOR_BODIES = 'm.project_id, m.recipient_id, m.content, m.variant, m.channel, m."to", m.body'
_KEY = key_of('m."to"')
_CLICKED = "EXISTS (SELECT FROM clicks AS k WHERE k.message_id = m.id AND {link}{kind})"
_OF_KIND: Final = {
    None: "",
    ClickKind.human: " AND k.machine IS NULL",
    ClickKind.machine: " AND k.machine IS NOT NULL",
}
_DIRECT_REACTIONS: Final = ("bounced_at", "complained_at")
# A chain is exported by its steps, which are sent and cost money; its head (step 0) is not.
_DIRECT_PAGE: Final = """
WITH looked AS (
  SELECT m.id FROM messages AS m WHERE m.owner_id = $1 AND m.id > $2 AND m.id <= $3 ORDER BY m.id LIMIT $4
), bound AS (SELECT id FROM looked ORDER BY id DESC LIMIT 1)
SELECT bound.id AS bound, m.id, {selected} FROM bound LEFT JOIN LATERAL (
  SELECT m.* FROM messages AS m
  WHERE m.owner_id = $1 AND m.id > $2 AND m.id <= bound.id AND m.step IS DISTINCT FROM 0{where}
  ORDER BY m.id LIMIT $4
) AS m ON true ORDER BY m.id
"""
_NEWEST_DIRECT: Final = "SELECT id FROM messages WHERE owner_id = $1 AND id < $2 ORDER BY id DESC LIMIT 1"
_WITH_DIRECT: Final = "SELECT DISTINCT owner_id FROM message_counters ORDER BY owner_id"
_DIRECT_TOTAL: Final = """
SELECT COALESCE(sum(stored), 0)::int8 FROM message_counters
WHERE ($1::uuid IS NULL OR owner_id = $1) AND ($2::text IS NULL OR state = $2)
"""
_OWNER_IDS = "SELECT DISTINCT owner_id FROM sending_projects ORDER BY owner_id"


def _kind(asked: Asked) -> StatisticsKind:
    return StatisticsKind(asked.filters.get("kind") or StatisticsKind.project)


def _reacted(asked: Asked) -> str | None:
    """Returns the column that has the time of the reaction that an export asks for."""
    reaction = asked.filters.get("reaction")
    return None if reaction is None else f"{RecordReaction(reaction).value}_at"


def _clicked(asked: Asked) -> tuple[str, Any]:
    """Returns the condition that one click meets all filters on clicks, and its parameter; None: there is none."""
    link, kind = asked.filters.get("clickedLinkUuid"), asked.filters.get("clicked")
    of_kind = _OF_KIND[None if kind is None else ClickKind(kind)]
    if link is None:
        return _CLICKED.format(link="{}::boolean", kind=of_kind), None if kind is None else True
    return _CLICKED.format(link="k.link_id = {}::uuid", kind=of_kind), link


def _common_filters(asked: Asked) -> tuple[tuple[str, Any], ...]:
    phone = asked.filters.get("phone")
    return (
        ("m.owner_id = {}::uuid", asked.owner),
        ("m.channel = {}::text", asked.filters.get("channel")),
        ("m.direction = {}::text", asked.filters.get("direction")),
        (f"{_KEY} = ANY({{}}::text[])", phone and address_keys([phone])),
        ("m.updated_at >= {}::timestamptz", asked.moment("updatedSince")),
        _clicked(asked),
    )


def _where(filters: Sequence[tuple[str, Any]], first: int) -> tuple[str, list[Any]]:
    """Returns conditions next to a page's key, with parameters from `first` on, and their values."""
    active = [(condition, value) for condition, value in filters if value is not None]
    conditions = [condition.format(f"${number}") for number, (condition, _) in enumerate(active, first)]
    return "".join(f" AND {clause}" for clause in conditions), [value for _, value in active]


async def _messages(db: Database, asked: Asked) -> Pages:
    """Yields messages by owner, oldest first: those of projects, then single ones."""
    kind = _kind(asked)
    readers = {StatisticsKind.project: _of_projects, StatisticsKind.direct: _direct}
    for each, read in readers.items():
        if kind in (each, StatisticsKind.all):
            async for rows in read(db, asked):
                yield rows


async def _of_projects(db: Database, asked: Asked) -> Pages:
    """Yields messages of projects. Each statement reads one page of the index, whatever the filters leave of it."""
    filters = [
        *_common_filters(asked),
        ("m.account_uuid = {}::uuid", asked.filters.get("accountUuid")),
        ("m.status = {}::text", asked.filters.get("status")),
        ("m.queued_at >= {}::timestamptz", asked.moment("dateFrom")),
        ("m.queued_at < {}::timestamptz", asked.moment("dateTo")),
    ]
    where, values = _where(filters, 5)
    if (reaction := _reacted(asked)) is not None:
        where += f" AND m.{reaction} IS NOT NULL"
    column, scopes = "project_id", [asked.project]
    if asked.project is None:
        column, scopes = "owner_id", [asked.owner]
        if asked.owner is None:
            scopes = [row["owner_id"] for row in await db.fetch(_OWNER_IDS)]
    selected = _selected(asked, _OF_PROJECTS, _FOR_BODIES)
    looked = f"""
    SELECT m.seq FROM message_records AS m WHERE m.{column} = $1 AND m.seq > $2 AND m.seq <= $3 ORDER BY m.seq LIMIT $4
    """  # noqa: S608  our own words
    sql = f"""
    WITH looked AS ({looked}), bound AS (SELECT max(seq) AS seq FROM looked)
    SELECT bound.seq AS bound, m.id, {selected} FROM bound LEFT JOIN LATERAL (
      SELECT m.* FROM message_records AS m
      WHERE m.{column} = $1 AND m.seq > $2 AND m.seq <= bound.seq{where} ORDER BY m.seq LIMIT $4
    ) AS m ON true WHERE bound.seq IS NOT NULL ORDER BY m.seq
    """  # noqa: S608  our own words
    for scope in scopes:
        newest = f"SELECT max(m.seq) FROM message_records AS m WHERE m.{column} = $1"  # noqa: S608  our own words
        last, until = 0, await db.fetchval(newest, scope)
        while until is not None and (rows := await db.fetch(sql, scope, last, until, PAGE, *values)):
            last = rows[0]["bound"]
            matching = [row for row in rows if row["id"] is not None]
            is_rendered = matching and "body" in _columns(asked)
            yield _with_countries(asked, await _with_bodies(db, asked, matching) if is_rendered else matching)


async def _direct(db: Database, asked: Asked) -> Pages:
    """Yields single messages, sent and received ones, in pages of an index as those of projects."""
    if asked.filters.get("accountUuid") is not None or asked.project is not None:
        return  # they are sent by no source account, and belong to no project
    since, until = asked.moment("dateFrom"), asked.moment("dateTo")
    filters = [
        *_common_filters(asked),
        ("m.state = {}::text", asked.filters.get("status")),
        ("m.created_at >= {}::timestamptz", since),
        ("m.created_at < {}::timestamptz", until),
    ]
    where, values = _where(filters, 5)
    if (reaction := _reacted(asked)) is not None:
        where += f" AND m.{reaction} IS NOT NULL" if reaction in _DIRECT_REACTIONS else " AND false"
    sql = _DIRECT_PAGE.format(selected=_selected(asked, _DIRECT), where=where)
    scopes = [asked.owner]
    if asked.owner is None:
        scopes = [row["owner_id"] for row in await db.fetch(_WITH_DIRECT)]
    for scope in scopes:
        last, newest = before(since), await db.fetchval(_NEWEST_DIRECT, scope, after(until))
        while newest is not None and (rows := await db.fetch(sql, scope, last, newest, PAGE, *values)):
            last = rows[0]["bound"]
            yield _with_countries(asked, [row for row in rows if row["id"] is not None])


def _columns(asked: Asked) -> Sequence[str]:
    return asked.columns or [*_OF_PROJECTS]


def _selected(asked: Asked, names: Mapping[str, str], for_bodies: str | None = None) -> str:
    columns = _columns(asked)
    selected = ", ".join(f'{sql} AS "{name}"' for name, sql in names.items() if name in columns)
    return f"{for_bodies}, {selected}" if for_bodies and "body" in columns else selected


def _with_countries(asked: Asked, rows: Sequence[Row]) -> Sequence[Row]:
    if "country" not in _columns(asked):
        return rows
    return [{**row, "country": country_of(row["country"] or "")} for row in rows]


async def _with_bodies(db: Database, asked: Asked, rows: Sequence[Any]) -> Sequence[Row]:
    bodies_by_id = await bodies(db, rows, asked.render_pool, asked.owner)
    return [{**row, "body": bodies_by_id[row["id"]]} for row in rows]


async def _message_total(db: Database, asked: Asked) -> int:
    """Returns the total from the counters; with filters that they don't cover, an upper bound."""
    kind = _kind(asked)
    status = asked.filters.get("status")
    total = 0
    if kind is not StatisticsKind.direct:
        total += await _project_total(db, asked, status)
    if kind is not StatisticsKind.project and asked.project is None:
        total += max(0, int(await db.fetchval(_DIRECT_TOTAL, asked.owner, status)))
    return total


async def _project_total(db: Database, asked: Asked, status: str | None) -> int:
    column = RecordStatus(status).value if status else "total"
    of = [asked.owner, asked.project]
    out = f"""
    SELECT COALESCE(sum({column}), 0)::int8 FROM sending_counters
    WHERE ($1::uuid IS NULL OR owner_id = $1) AND ($2::uuid IS NULL OR project_id = $2)
    """  # noqa: S608  a state's name
    replies = """
    SELECT count(*) FROM message_records WHERE direction = 'inbound'
      AND ($1::uuid IS NULL OR owner_id = $1) AND ($2::uuid IS NULL OR project_id = $2)
      AND ($3::text IS NULL OR status = $3)
    """
    return max(0, int(await db.fetchval(out, *of))) + int(await db.fetchval(replies, *of, status))


MESSAGES: Final = Source(
    _MESSAGE_COLUMNS, _messages, _message_total, all_of(_MESSAGE_COLUMNS), Permission.messages_read
)
