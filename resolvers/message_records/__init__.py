"""The messages of Sending Projects (contract §3). record_filters.py decides how they are found."""

import builtins
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any
from uuid import UUID

from core.errors import BadRequest, NotFound, ValidationFailed
from db import models
from db.address_keys import key_of
from db.lists import Conditions, CursorPage, PageArgs, in_bounds
from db.session import Database
from engine.texts import bodies
from resolvers import recipient_addresses
from resolvers.message_records import record_pages
from resolvers.message_records.record_filters import Filters, choose_index, number
from resolvers.message_records.record_pages import columns
from resolvers.messages import waiting
from runtime.operation import Op, operation
from runtime.permissions import Permission
from shapes.addresses import address_keys
from shapes.clicks import ClickKind
from shapes.message_records import MessageRecord, RecordCount, RecordReaction, RecordStatus
from shapes.messages import Direction, ReportedBy
from shapes.page import Rows
from shapes.sending_projects import ProjectChannel
from shapes.waiting import WaitingFor

_ALL = columns()
_BY_ID = f"SELECT {_ALL} FROM message_records AS m WHERE m.id = $1"  # noqa: S608  our own columns


@operation(Permission.recipients_read, "read")
async def list(op: Op, page: int, limit: int, where: Conditions) -> Rows[MessageRecord]:
    """Returns what `page` returns, by page numbers. A project of another user gives no messages. Raises BadRequest,
    ValidationFailed.
    """
    in_bounds(page, limit)
    filters = _asked(op, _in_order(where))
    offset = (page - 1) * limit
    total = await number(op.db, filters) if filters.counted else None
    # The limit stops at the last message, so that the index is not read in vain.
    row_limit = limit if total is None else min(limit, total - offset)
    rows = await _page(op.db, filters, row_limit, offset) if row_limit > 0 else []
    if total is None:
        whole = page == 1 and len(rows) < limit
        total = len(rows) if whole else await number(op.db, filters)
    rendered = await bodies.bodies(
        op.db, rows, op.services.render_pool, op.viewer.actor_id, op.ctx.client_network
    )
    reasons = await waiting.of_records(op, rows)
    locales = await bodies.locales(op.db, rows)
    items = [
        _as_message_record(row, rendered[row["id"]], reason, locale)
        for row, reason, locale in zip(rows, reasons, locales, strict=True)
    ]
    return Rows(items, page, limit, total)


@operation(Permission.recipients_read, "read")
async def count(op: Op, where: Conditions) -> RecordCount:
    """Counts the messages of your projects. With a filter by account, phone or date, counting stops at 100,000.

    They are those that `list` finds with the same filters. Raises BadRequest, ValidationFailed.
    """
    filters = _asked(op, _in_order(where))
    return RecordCount(count=await number(op.db, filters))


@operation(Permission.recipients_read, "read")
async def page(op: Op, page_args: PageArgs, where: Conditions) -> CursorPage[models.MessageRecord]:
    """Lists the messages of your projects and the replies to them, newest first. Raises BadRequest,
    ValidationFailed.
    """
    return await record_pages.part(op.db, _asked(op, where), page_args)


@operation(Permission.recipients_read, "read")
async def of_projects(
    op: Op, projects: Sequence[UUID], page_args: PageArgs, where: Conditions
) -> Sequence[CursorPage[models.MessageRecord]]:
    """Returns one page of messages for each project. Raises as `page` does."""
    return await record_pages.parts(op.db, _asked(op, where), page_args, projects)


@operation(Permission.recipients_read, "read")
async def of_contacts(
    op: Op, contacts: Sequence[UUID], page_args: PageArgs, where: Conditions
) -> Sequence[CursorPage[models.MessageRecord]]:
    """Returns one page of projects' messages for each contact: those to its addresses. Raises as `page` does."""
    return await record_pages.of_contacts(op.db, _asked(op, where), page_args, contacts)


@operation(Permission.recipients_read, "read")
async def by_ids(
    op: Op, ids: Sequence[UUID | None], column_names: frozenset[str] | None = None
) -> Sequence[models.MessageRecord | None]:
    """Returns messages by id. An id that the caller may not see gives None."""
    sql = (
        f"SELECT {columns(column_names)} FROM message_records AS m"  # noqa: S608  our own columns
        " WHERE m.id = ANY($1::uuid[]) AND ($2 OR m.owner_id = $3)"
    )
    asked = [*dict.fromkeys(id for id in ids if id is not None)]
    rows = await op.db.fetch(sql, asked, op.viewer.admin, op.viewer.id) if asked else []
    by_id = {row["id"]: row for row in rows}
    return [by_id.get(id) for id in ids]


_OF_BODIES = (
    "id",
    "project_id",
    "recipient_id",
    "direction",
    "channel",
    "to",
    "body",
    "content",
    "variant",
)


@operation(Permission.recipients_read, "read")
async def texts(op: Op, rows: Sequence[Any]) -> Sequence[str | None]:
    """Returns the rendered text of each message. The caller has read the columns that `engine.texts.bodies` needs."""
    asked = [{name: getattr(row, name) for name in _OF_BODIES} for row in rows]
    rendered = await bodies.bodies(
        op.db, asked, op.services.render_pool, op.viewer.actor_id, op.ctx.client_network
    )
    return [rendered[row["id"]] for row in asked]


@operation(Permission.recipients_read, "read")
async def get(op: Op, id: UUID) -> models.MessageRecord:
    """Returns one message of a project.

    `texts` returns its text. Raises NotFound.
    """
    return await _visible(op, id)


@operation(Permission.recipients_read, "read")
async def with_text(op: Op, id: UUID) -> MessageRecord:
    """Returns one message of a project, or a reply to one.

    Its text is returned, too. Raises NotFound.
    """
    row = await _visible(op, id)
    rendered = await bodies.bodies(
        op.db, [row], op.services.render_pool, op.viewer.actor_id, op.ctx.client_network
    )
    (reason,) = await waiting.of_records(op, [row])
    (locale,) = await bodies.locales(op.db, [row])
    return _as_message_record(row, rendered[row.id], reason, locale)


@operation(Permission.recipients_read, "read")
async def waiting_for(op: Op, rows: Sequence[Any]) -> Sequence[WaitingFor | None]:
    """Returns why each message waits; null unless it is queued. The caller has read `id` and `status`."""
    return await waiting.of_records(op, rows)


async def _visible(op: Op, id: UUID) -> models.MessageRecord:
    row: models.MessageRecord | None = await op.db.fetchrow(_BY_ID, id)
    if row is None or not (op.viewer.admin or row.owner_id == op.viewer.id):
        raise NotFound(
            "There is no message with this uuid among yours. Check the uuid.", code="message_not_found"
        )
    return row


def _in_order(where: Conditions) -> Conditions:
    """Returns the conditions. Raises BadRequest for a time range that ends before it begins."""
    since, until = (instant(where.get(("queued_at", operator))) for operator in ("gte", "lt"))
    if since is not None and until is not None and since >= until:
        raise BadRequest("dateFrom must be before dateTo.")
    return where


def _owner(op: Op) -> UUID | None:
    return None if op.viewer.admin else op.viewer.id


_COMPARED = {
    "eq": "= {}",
    "in_": "= ANY({})",
    "not_in": "<> ALL({})",
    "gt": "> {}",
    "gte": ">= {}",
    "lt": "< {}",
    "lte": "<= {}",
}
_ADDRESSED = key_of('m."to"') + " = ANY({})"
_KINDS = {
    "id": "uuid",
    "account_uuid": "uuid",
    "direction": "text",
    "failure_code": "text",
    "queued_at": "timestamptz",
    "updated_at": "timestamptz",
}
_NARROWING = (("queued_at", "gte"), ("queued_at", "lt"), ("updated_at", "gte"))
"""Conditions that have an attribute of their own in Filters."""


def _asked(op: Op, where: Conditions) -> Filters:
    """Returns the filters for the conditions of a list. Raises ValidationFailed."""
    if not where:
        return Filters(_owner(op))
    further = []
    since, until, updated_since = (instant(where.get(item)) for item in _NARROWING)
    for (name, operator), value in where.items():
        if name not in (*_KINDS, "to") or (name, operator) in _NARROWING:
            continue
        if name == "to":
            further.append((_ADDRESSED, "text[]", _of_address(op, value)))
            continue
        kind = _KINDS[name] + ("[]" if isinstance(value, builtins.list) else "")
        further.append((f'm."{name}" {_COMPARED[operator]}', kind, value))
    if is_of_clicks := any(name.startswith("clicked") for name, _ in where):
        further.append(_clicked(where))
    return Filters(
        _owner(op),
        projects=_chosen(where, "sending_project_uuid"),
        statuses=_chosen(where, "status", [item.value for item in RecordStatus]),
        reactions=_chosen(where, "reaction", [item.value for item in RecordReaction]),
        channels=_chosen(where, "channel", [item.value for item in ProjectChannel]),
        since=since,
        until=until,
        updated_since=updated_since,
        further=tuple(further),
        replies=_chosen(where, "direction", [*Direction]) == (Direction.inbound,),
        addressed=is_of_clicks or any(name in ("id", "to") for name, _ in where),
    )


_CLICKED = "EXISTS (SELECT FROM clicks AS k WHERE k.message_id = m.id AND ({kinds}) AND {link})"
_OF_KIND = {ClickKind.human: "k.machine IS NULL", ClickKind.machine: "k.machine IS NOT NULL"}


def _clicked(where: Conditions) -> tuple[str, str, Any]:
    """Returns the condition that there is a click for which all conditions on clicks hold. Raises ValidationFailed."""
    kinds = _chosen(where, "clicked", [item.value for item in ClickKind])
    asked = _OF_KIND if kinds is None else map(ClickKind, kinds)
    of_kinds = " OR ".join(_OF_KIND[kind] for kind in asked) or "false"
    links = _chosen(where, "clicked_link_uuid")
    if links is None:
        return _CLICKED.format(kinds=of_kinds, link="{}"), "boolean", True
    try:
        ids = [link if isinstance(link, UUID) else UUID(link) for link in links]
    except ValueError as error:
        raise ValidationFailed(["where.clickedLinkUuid: not a uuid"]) from error
    return _CLICKED.format(kinds=of_kinds, link="k.link_id = ANY({})"), "uuid[]", ids


def _of_address(op: Op, value: str | Sequence[str]) -> Sequence[str]:
    """Returns what `_ADDRESSED` compares: the keys of addresses in any common notation, and the addresses themselves.

    Raises ValidationFailed.
    """
    asked = recipient_addresses.any_spelled(op, value)
    return address_keys(asked if isinstance(asked, builtins.list) else [asked])


@operation(Permission.recipients_read, "read")
async def locales(op: Op, rows: Sequence[Any]) -> Sequence[str | None]:
    """Returns the language of the text of each message. The caller has read the columns for it."""
    names = ("project_id", "content", "variant")
    return await bodies.locales(op.db, [{name: getattr(row, name) for name in names} for row in rows])


def _chosen(where: Conditions, name: str, every: Sequence[Any] = ()) -> tuple[Any, ...] | None:
    """Returns the values that satisfy all conditions on a column, in order; None if there are no conditions."""
    asked = {operator: value for (column, operator), value in where.items() if column == name}
    if not asked:
        return None
    left = [*every] or asked.get("in_", [asked.get("eq")])
    if "eq" in asked:
        left = [candidate for candidate in left if candidate == asked["eq"]]
    if "in_" in asked:
        left = [candidate for candidate in left if candidate in asked["in_"]]
    return tuple(dict.fromkeys(candidate for candidate in left if candidate not in asked.get("not_in", ())))


def instant(moment: datetime | None) -> datetime | None:
    """Returns the time in UTC if it has no zone. GraphQL's scalar does not require one; UTC is the rule everywhere."""
    return moment.replace(tzinfo=UTC) if moment is not None and moment.tzinfo is None else moment


def _as_message_record(
    row: Any, body: str | None, reason: WaitingFor | None, locale: str | None
) -> MessageRecord:
    return MessageRecord.model_construct(
        id=row["id"],
        sending_project_uuid=row["project_id"],
        recipient_uuid=row["recipient_id"],
        body=body,
        locale=locale,
        waiting_for=reason,
        direction=Direction(row["direction"]),
        channel=ProjectChannel(row["channel"]),
        status=RecordStatus(row["status"]),
        reported_by=row["reported_by"] and ReportedBy(row["reported_by"]),
        **{name: row[name] for name in _AS_IT_IS},
    )


_AS_IT_IS = (
    "account_uuid",
    "sender",
    "to",
    "failure_code",
    "failure_reason",
    "attempts",
    "provider_message_id",
    "price",
    "price_prefix",
    "price_version_id",
    "queued_at",
    "sent_at",
    "delivered_at",
    "read_at",
    "replied_at",
    "bounced_at",
    "complained_at",
    "unsubscribed_at",
    "updated_at",
    "variant",
)


async def _page(db: Database, filters: Filters, limit: int, offset: int) -> Sequence[Any]:
    column, keys = await choose_index(db, filters)
    if not keys:
        return []
    sql = _select(column, filters.where(4), single=len(keys) == 1)
    return await filters.fetch(
        db, sql, keys[0] if len(keys) == 1 else [*keys], limit, offset, *filters.arguments
    )


def _select(column: str, where: str, *, single: bool) -> str:
    """Returns the SQL. $1: project or owner; $2, $3: limit and offset; the rest belongs to the conditions."""

    def newest(limit: str) -> str:
        return f"FROM message_records AS m WHERE m.{column} = k.id {where} ORDER BY m.seq DESC LIMIT {limit}"

    if single:
        return f"""
        SELECT {_ALL} FROM message_records AS m WHERE m.{column} = $1 {where}
        ORDER BY m.seq DESC LIMIT $2 OFFSET $3
        """  # noqa: S608  our own words
    return record_pages.merged(_ALL, "unnest($1::uuid[]) AS k (id)", newest, "DESC", offset="$3")
