"""Price lists: administrators keep them, and tariffs name them. engine/sms/price_books.py finds a message's price."""

from collections.abc import Sequence
from dataclasses import replace
from decimal import Decimal
from typing import Any
from uuid import UUID

from sqlalchemy import any_, select
from sqlalchemy.dialects.postgresql import distinct_on

from core.errors import BadRequest, Conflict, NotFound, ValidationFailed
from core.ids import uuid7
from db import models
from db.lists import Conditions, CursorPage, Listing, PageArgs
from db.query import Query, columns, of, p, returning
from engine.costs.traffic import first_open, make_due
from engine.sms.countries import country_of_prefix
from resolvers.price_lists.new_rows import PriceRecord, new_rows
from runtime.idempotency import stored_model
from runtime.operation import Op, operation
from runtime.permissions import Permission
from shapes.price_lists import (
    MOST_LISTS,
    MOST_VERSIONS,
    NewPriceList,
    NewPriceListVersion,
    PricedChannel,
    PriceListPatch,
    PriceRow,
)

_LONGEST = 10  # digits of a prefix
_LIST, _VERSION, _PRICE = models.PriceList, models.PriceListVersion, models.Price
_LISTS = Listing(_LIST, filters={("name", "contains"): _LIST.name.ilike(p("name_contains_"), escape="\\")})
_VERSIONS = Listing(_VERSION, key=_VERSION.number)
_PRICES = Listing(_PRICE, key=_PRICE.prefix, descending=False)
# Users see the list that their tariff names.
_SEEN = _LIST.id == (
    select(models.Tariff.price_list_id)
    .join(models.User, models.User.tariff_code == models.Tariff.code)
    .where(models.User.id == p("user_id"))
    .scalar_subquery()
)
_OF_SEEN = select(1).where(_LIST.id == _VERSION.list_id, _SEEN).exists()
_OF_VERSION = (_PRICE.version_id == p("version_id"), _PRICE.channel == p("channel"))
# In the order of the index ("C"), ":" is the first character after the digits.
_BEGINS = (_PRICE.prefix >= p("least"), _PRICE.prefix < p("below"))
_IN_FORCE = (
    select(*columns(_VERSION))
    .where(_VERSION.list_id == p("list_id"), _VERSION.valid_from <= p("now"))
    .order_by(_VERSION.valid_from.desc(), _VERSION.number.desc())
    .limit(1)
)
_CURRENT = Query(_VERSION, _IN_FORCE)
_CURRENT_OF = Query(
    _VERSION,
    select(*columns(_VERSION))
    .ext(distinct_on(_VERSION.list_id))
    .where(_VERSION.list_id == any_(p("list_ids", like=_VERSION.list_id)), _VERSION.valid_from <= p("now"))
    .order_by(_VERSION.list_id, _VERSION.valid_from.desc(), _VERSION.number.desc()),
)
_BY_NUMBER = of(_VERSION, _VERSION.list_id == p("list_id"), _VERSION.number == p("number"))
_LOCK_ALL = "SELECT pg_advisory_xact_lock(hashtextextended('price_lists', 0))"
_COUNT = "SELECT count(*) FROM price_lists"
_ADD = f"""
INSERT INTO price_lists (id, name, currency, is_strict) VALUES ($1, $2, $3, $4)
ON CONFLICT (name) DO NOTHING RETURNING {returning(_LIST, "price_lists")}
"""  # noqa: S608  our own column names
_TAKEN = "SELECT EXISTS (SELECT FROM price_lists WHERE name = $1 AND id <> $2)"
_CHANGE = f"""
UPDATE price_lists SET updated_at = now(), name = COALESCE($2, name), is_strict = COALESCE($3, is_strict)
WHERE id = $1 RETURNING {returning(_LIST, "price_lists")}
"""  # noqa: S608  our own column names
_LOCK = "SELECT id FROM price_lists WHERE id = $1 FOR UPDATE"
# A project that is being started has its version locked until then.
_LOCK_VERSIONS = """
SELECT FROM price_list_versions WHERE list_id = $1 AND ($2::int IS NULL OR number = $2) ORDER BY number FOR UPDATE
"""
_ADD_VERSION = f"""
INSERT INTO price_list_versions AS v (id, list_id, number, valid_from, size, created_by)
SELECT $1, $2, COALESCE(max(number), 0) + 1, GREATEST($3, now()), $4, $5 FROM price_list_versions WHERE list_id = $2
RETURNING {returning(_VERSION, "v")}
"""  # noqa: S608  our own column names
_MANY = "SELECT count(*) FROM price_list_versions WHERE list_id = $1"
_IN_USE = "SELECT EXISTS (SELECT FROM tariffs WHERE price_list_id = $1)"
_OF_COSTS = "SELECT EXISTS (SELECT FROM route_costs WHERE list_id = $1)"
# Before the first version of a list that version holds.
_IS_FIRST = """
SELECT NOT EXISTS (SELECT FROM price_list_versions WHERE list_id = $1 AND id <> $2 AND valid_from <= $3)
"""
_PINNED = """
SELECT EXISTS (
  SELECT FROM sending_projects AS p JOIN price_list_versions AS v ON v.id = p.price_version_id
  WHERE p.status IN ('scheduled', 'running', 'paused') AND v.list_id = $1 AND ($2::uuid IS NULL OR v.id = $2)
)
"""


@operation(Permission.tariffs_read, "read")
async def page(op: Op, page_args: PageArgs, where: Conditions) -> CursorPage[models.PriceList]:
    """Lists all price lists, newest first, for administrators; others get the one that their tariff names."""
    return await _LISTS.page(op.db, page_args, where, *op.own(_SEEN), user_id=op.viewer.id)


@operation(Permission.tariffs_read, "read")
async def get(op: Op, id: UUID) -> models.PriceList:
    """Returns one price list. Raises NotFound."""
    return await _visible(op, id)


@operation(Permission.tariffs_read, "read")
async def versions_of(
    op: Op, id: UUID, page_args: PageArgs, where: Conditions
) -> CursorPage[models.PriceListVersion]:
    """Lists the versions of a price list, newest first. Raises NotFound."""
    await _visible(op, id)
    (versions,) = await _VERSIONS.pages(op.db, _VERSION.list_id, [id], page_args, where)
    return versions


@operation(Permission.tariffs_read, "read")
async def versions(
    op: Op, lists: Sequence[UUID], page_args: PageArgs, where: Conditions
) -> Sequence[CursorPage[models.PriceListVersion]]:
    """Returns one page of versions for each list, the newest first."""
    return await _VERSIONS.pages(
        op.db, _VERSION.list_id, lists, page_args, where, *op.own(_OF_SEEN), user_id=op.viewer.id
    )


@operation(Permission.tariffs_read, "read")
async def current(op: Op, lists: Sequence[UUID]) -> Sequence[models.PriceListVersion | None]:
    """Returns the version of each list that holds now; None if none does."""
    seen = await _seen(op, lists)
    rows: Any = await _CURRENT_OF.all(op.db, list_ids=seen, now=op.services.db.now())
    by_list = {row.list_id: row for row in rows}
    return [by_list.get(id) for id in lists]


@operation(Permission.tariffs_read, "read")
async def prices(
    op: Op,
    id: UUID,
    page_args: PageArgs,
    where: Conditions,
    *,
    channel: PricedChannel = PricedChannel.sms,
    version: int | None = None,
    begins: str = "",
) -> CursorPage[PriceRow]:
    """Lists the prices of a version of a price list, by prefix.

    The version is by default the one that holds. `begins`: only those that begin with these digits. Raises NotFound
    (list, version), ValidationFailed.
    """
    digits = begins.removeprefix("+")
    if len(digits) > _LONGEST or not (digits == "" or (digits.isascii() and digits.isdigit())):
        raise ValidationFailed([f"prefix: must be at most {_LONGEST} digits"])
    await _visible(op, id)
    now = op.services.db.now()
    listed = (
        await _CURRENT.first(op.db, list_id=id, now=now)
        if version is None
        else await _BY_NUMBER.first(op.db, list_id=id, number=version)
    )
    if listed is None:
        raise _no_version()
    rows: Any = await _PRICES.page(
        op.db,
        replace(page_args, columns=None),
        where,
        *_OF_VERSION,
        *_BEGINS,
        version_id=listed.version_id,
        channel=channel.value,
        least=digits,
        below=f"{digits}:",
    )
    return replace(rows, nodes=[_row(op, row) for row in rows.nodes])


def _row(op: Op, row: Any) -> PriceRow:
    return PriceRow(
        channel=row.channel,
        prefix=row.prefix,
        country=country_of_prefix(row.prefix),
        price=row.price,
        cost=row.cost if op.viewer.admin else None,
    )


@operation(Permission.users_admin, "sql", idempotent=stored_model(models.PriceList))
async def create(op: Op, input: NewPriceList) -> models.PriceList:
    """Adds a price list, for administrators. Its prices come with its first version. Raises Conflict
    (`price_list_exists`), BadRequest.
    """
    db = op.connection
    await db.execute(_LOCK_ALL)
    if await db.fetchval(_COUNT) >= MOST_LISTS:
        raise BadRequest(
            f"There may be at most {MOST_LISTS} price lists. Delete one.", code="too_many_price_lists"
        )
    row: models.PriceList | None = await db.fetchrow(_ADD, uuid7(), input.name, input.currency, input.strict)
    if row is None:
        raise _exists(input.name)
    return row


@operation(Permission.users_admin, "sql")
async def update(op: Op, id: UUID, input: PriceListPatch) -> models.PriceList:
    """Changes the name of a price list, or whether it is strict, for administrators. Raises NotFound, Conflict
    (`price_list_exists`).
    """
    db = op.connection
    await _locked(op, id)
    if input.name is not None:
        await db.execute(_LOCK_ALL)
        if await db.fetchval(_TAKEN, input.name, id):
            raise _exists(input.name)
    row: models.PriceList = await db.fetchrow(_CHANGE, id, input.name, input.strict)
    return row


@operation(Permission.users_admin, "sql")
async def delete(op: Op, id: UUID) -> None:
    """Deletes a price list that no tariff names, with its versions, for administrators. Raises NotFound, Conflict
    (`price_list_in_use`).
    """
    await _locked(op, id)
    await op.connection.execute(_LOCK_VERSIONS, id, None)
    if await op.connection.fetchval(_IN_USE, id) or await op.connection.fetchval(_PINNED, id, None):
        raise Conflict(
            "A tariff names this price list, or a project is being sent by it. Change the tariff, and wait for the"
            " project.",
            code="price_list_in_use",
        )
    await _require_no_costs(op, id)
    await op.connection.execute("DELETE FROM price_lists WHERE id = $1", id)


async def _read(op: Op, id: UUID, input: NewPriceListVersion) -> Sequence[PriceRecord]:
    return await new_rows(op, input)


@operation(Permission.users_admin, "sql", before=_read, idempotent=stored_model(models.PriceListVersion))
async def add_version(op: Op, id: UUID, input: NewPriceListVersion) -> models.PriceListVersion:
    """Adds a version from a file or from the prices themselves, for administrators: all of its prices, or none. It
    begins to hold at `validFrom`: messages that were accepted before, and projects that run, keep their prices. Raises
    NotFound (list, file), BadRequest (`bad_price_list`, `too_many_versions`), Unprocessable (`unreadable_list`),
    RateLimited (`previews_busy`), Unavailable.
    """
    await _locked(op, id)
    db, records = op.connection, op.prepared
    if await db.fetchval(_MANY, id) >= MOST_VERSIONS:
        raise BadRequest(
            f"A price list may have at most {MOST_VERSIONS} versions. Delete an old one.",
            code="too_many_versions",
        )
    version = uuid7()
    row: models.PriceListVersion = await db.fetchrow(
        _ADD_VERSION, version, id, input.valid_from or op.services.db.now(), len(records), op.viewer.id
    )
    await db.copy_records_to_table(
        "prices",
        records=(
            (version, channel, prefix, Decimal(price), None if cost is None else Decimal(cost))
            for channel, prefix, price, cost in records
        ),
        columns=("version_id", "channel", "prefix", "price", "cost"),
    )
    if await db.fetchval(_OF_COSTS, id):
        await _count_again(op, id, row)
    return row


async def _count_again(op: Op, list_id: UUID, version: Any) -> None:
    """Has the traffic counted anew for which a new version of a route's costs holds."""
    db, now = op.connection, op.services.db.now()
    since = first_open(op.services.settings, now)
    if not await db.fetchval(_IS_FIRST, list_id, version.version_id, version.valid_from):
        since = max(since, version.valid_from)
    await make_due(db, since, now)


@operation(Permission.users_admin, "sql")
async def delete_version(op: Op, id: UUID, number: int) -> None:
    """Deletes a version that does not hold now and by which no project is sent, for administrators. Raises NotFound,
    Conflict (`price_version_in_use`).
    """
    await _locked(op, id)
    version = await _BY_NUMBER.first(op.connection, list_id=id, number=number)
    if version is None:
        raise _no_version()
    await op.connection.execute(_LOCK_VERSIONS, id, number)
    newest = await _CURRENT.first(op.connection, list_id=id, now=op.services.db.now())
    if (
        newest is not None
        and newest.version_id == version.version_id
        and await op.connection.fetchval(_IN_USE, id)
    ):
        raise Conflict(
            "This version holds now, and a tariff names its list. Add the next version first.",
            code="price_version_in_use",
        )
    if await op.connection.fetchval(_PINNED, id, version.version_id):
        raise Conflict(
            "A project is being sent by the prices of this version. Wait until it is finished.",
            code="price_version_in_use",
        )
    await _require_no_costs(op, id)
    await op.connection.execute("DELETE FROM price_list_versions WHERE id = $1", version.version_id)


async def _require_no_costs(op: Op, id: UUID) -> None:
    """Raises Conflict for a list by which traffic is counted: its costs would change afterwards."""
    if await op.connection.fetchval(_OF_COSTS, id):
        raise Conflict(
            "A route has this price list as its costs. Set its costs of that moment to another list, or to null.",
            code="price_list_in_use",
        )


async def _visible(op: Op, id: UUID) -> models.PriceList:
    (row,) = await _LISTS.by_ids(op.db, [id], None, *op.own(_SEEN), user_id=op.viewer.id)
    if row is None:
        raise unknown()
    return row


async def _seen(op: Op, lists: Sequence[UUID]) -> Sequence[UUID]:
    """Returns those of the lists that the caller may see."""
    if op.viewer.admin:
        return lists
    rows = await _LISTS.by_ids(op.db, lists, frozenset({"id"}), _SEEN, user_id=op.viewer.id)
    return [row.id for row in rows if row is not None]


async def _locked(op: Op, id: UUID) -> None:
    """Locks a list against other changes. Raises NotFound."""
    if await op.connection.fetchval(_LOCK, id) is None:
        raise unknown()


async def require(op: Op, id: UUID) -> None:
    """Checks that a price list is there, and keeps it from being deleted until the commit. Raises NotFound."""
    row = await op.session.get(_LIST, id, with_for_update={"key_share": True, "read": True})
    if row is None:
        raise unknown()


def unknown() -> NotFound:
    """Returns the error for a list that is not there, or that the caller may not see."""
    return NotFound(
        "There is no price list with this id that you may see. Check the id.", code="price_list_not_found"
    )


def _no_version() -> NotFound:
    return NotFound(
        "The price list has no such version, or none of them holds yet. GET /price-lists/{id}/versions lists them.",
        code="price_version_not_found",
    )


def _exists(name: str) -> Conflict:
    return Conflict(f"There is a price list {name!r} already. Change that one.", code="price_list_exists")
