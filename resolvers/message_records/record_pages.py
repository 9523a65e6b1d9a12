"""Pages of projects' messages for GraphQL's connections: by `seq`, newest first, in the order of REST's pages.

For many projects, each project's index is read up to the end of its page. A filter on states is bounded by the
counters, so that the search for the last two queued messages does not read a million rows.
"""

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache, partial
from typing import Any
from uuid import UUID

from db import models
from db.lists import Counting, CursorPage, Listing, PageArgs
from db.lists.cursor import read_cursor
from db.session import Database
from resolvers.message_records.record_filters import (
    OF_CONTACT,
    Filters,
    at_most,
    choose_index,
    number,
    numbers,
    numbers_of_contacts,
)

_LIST = Listing(models.MessageRecord, key=models.MessageRecord.seq)

# The SQL of each attribute. The provider's id is the message's own id if the provider gave none.
_OTHER = {
    "provider_message_id": """COALESCE(m.provider_message_id,
      CASE WHEN m.sent_at IS NOT NULL AND m.direction = 'outbound' THEN m.id::text END)"""
}
_HIDDEN = ("unit_id", "claim_id", "tries", "handed_at", "is_unknown")
COLUMNS = {
    column.key: _OTHER.get(column.key, f'm."{column.key}"')
    for column in models.MessageRecord.__table__.columns
    if column.key not in _HIDDEN
}


@lru_cache(maxsize=1024)
def columns(column_names: frozenset[str] | None = None) -> str:
    """Returns the columns of `message_records AS m`: all, or the named ones and those that lists are ordered by."""
    selected = (
        COLUMNS
        if column_names is None or not column_names <= COLUMNS.keys()
        else {*column_names, "id", "seq"}
    )
    return ", ".join(f'{COLUMNS[name]} AS "{name}"' for name in COLUMNS if name in selected)


async def part(db: Database, filters: Filters, page_args: PageArgs) -> CursorPage[models.MessageRecord]:
    """Returns one page of all messages that match the filters. Raises ValidationFailed, BadRequest."""
    column, keys = await choose_index(db, filters)

    async def count() -> Mapping[None, int]:
        return {None: await number(db, filters)}

    counting = Counting(count)
    if not keys:
        return _LIST.part(page_args, [], counting)
    rows = await _rows(db, filters, page_args, column, keys, "one" if len(keys) == 1 else "merged")
    return _LIST.part(page_args, rows, counting)


async def parts(
    db: Database, filters: Filters, page_args: PageArgs, projects: Sequence[UUID]
) -> Sequence[CursorPage[models.MessageRecord]]:
    """Returns one page of messages for each of these projects. Raises as `part` does."""
    asked = [id for id in dict.fromkeys(projects) if filters.projects is None or id in filters.projects]
    grouped: list[list[Any]] = [[] for _ in asked]
    for row in await _rows(db, filters, page_args, "project_id", asked, "each"):
        grouped[row["place_"] - 1].append(row)
    groups = dict(zip(asked, grouped, strict=True))
    counting = Counting(partial(numbers, db, filters, asked))
    return _LIST.parts(page_args, [(id, groups.get(id, [])) for id in projects], counting)


async def of_contacts(
    db: Database, filters: Filters, page_args: PageArgs, contacts: Sequence[UUID]
) -> Sequence[CursorPage[models.MessageRecord]]:
    """Returns one page of messages for each of these contacts. Raises as `part` does."""
    asked = [*dict.fromkeys(contacts)]
    grouped: list[list[Any]] = [[] for _ in asked]
    for row in await _rows(db, filters, page_args, "contact", asked, "each"):
        grouped[row["place_"] - 1].append(row)
    groups = dict(zip(asked, grouped, strict=True))
    counting = Counting(partial(numbers_of_contacts, db, filters, asked))
    return _LIST.parts(page_args, [(id, groups[id]) for id in contacts], counting)


async def _rows(
    db: Database, filters: Filters, page_args: PageArgs, column: str, keys: Sequence[UUID], form: str
) -> list[Any]:
    page_args.check()
    cursors = [
        read_cursor(cursor, _LIST.cursor_name(""), [int])[0] if cursor is not None else None
        for cursor in (page_args.after, page_args.before)
    ]
    ascending = page_args.descending is False
    if ascending:
        cursors.reverse()
    most: list[int] | None = None
    if filters.statuses is not None and column == "project_id":
        highest = await at_most(db, filters, keys)
        most = [highest.get(id, 0) for id in keys]
        if not any(most):
            return []
    sql = _sql(
        columns(page_args.columns),
        column,
        filters.where(6),
        page_args.backwards != ascending,
        form,
        most is not None,
    )
    where, bound = (keys[0], most[0] if most else None) if form == "one" else ([*keys], most)
    return await filters.fetch(db, sql, where, page_args.limit + 1, bound, *cursors, *filters.arguments)


@lru_cache(maxsize=1024)
def _sql(selected: str, column: str, where: str, up: bool, form: str, bounded: bool) -> str:
    """Returns the SQL.

    $1: projects or owners; $2: the limit; $3: the limit of each if known (`bounded`), else NULL; $4, $5: the bounds of
    `seq` from above and below; the rest belongs to the conditions.
    """
    way = "ASC" if up else "DESC"
    where = f"{where} AND m.seq < COALESCE($4::int8, 9223372036854775807) AND m.seq > COALESCE($5::int8, -1)"
    if form == "one":
        return f"""
        SELECT {selected} FROM message_records AS m WHERE m.{column} = $1 {where}
        ORDER BY m.seq {way} LIMIT LEAST($2::int8, $3::int8)
        """  # noqa: S608  our own words
    belongs = OF_CONTACT if column == "contact" else f"m.{column} = k.id"
    each = "k (id, most, place)" if bounded else "k (id, place)"
    whose = f"unnest($1::uuid[]{', $3::int8[]' if bounded else ''}) WITH ORDINALITY AS {each}"
    most = "k.most" if bounded else "$3::int8"

    def newest(limit: str) -> str:
        return f"""
          FROM message_records AS m WHERE {belongs} {where}
          ORDER BY m.seq {way} LIMIT LEAST({limit}, {most})
        """

    if form == "each":
        return f"""
        SELECT k.place AS place_, found.* FROM {whose}
        CROSS JOIN LATERAL (SELECT {selected} {newest("$2::int8")}) AS found ORDER BY k.place, found.seq {way}
        """  # noqa: S608  our own words
    return merged(selected, whose, newest, way)


def merged(
    selected: str, keys: str, newest: Callable[[str], str], way: str, limit: str = "$2", offset: str = "0"
) -> str:
    """Returns the SQL of a page of all messages of `keys`, a source of rows `k (id, …)`. `newest` gives the SQL of at
    most so many messages of one key.

    A page of n messages is from the n keys whose first message comes first. So of a thousand projects only these are
    read up to n messages each, which took 480 ms, and takes 80 ms, where each has 150 such messages.
    """
    reach = f"{limit}::int8 + {offset}::int8"
    return f"""
    WITH k AS MATERIALIZED (
      SELECT k.* FROM {keys} CROSS JOIN LATERAL (SELECT m.seq {newest("1")}) AS head ORDER BY head.seq {way}
        LIMIT {reach}
    )
    SELECT {selected} FROM (
      SELECT found.id FROM k CROSS JOIN LATERAL (SELECT m.id, m.seq {newest(reach)}) AS found
      ORDER BY found.seq {way} LIMIT {limit} OFFSET {offset}
    ) AS page JOIN message_records AS m ON m.id = page.id ORDER BY m.seq {way}
    """  # noqa: S608  our own words
