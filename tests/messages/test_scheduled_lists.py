"""Lists of what waits read a page of it, however many messages are scheduled."""

import re
from collections.abc import Sequence
from typing import Any

import asyncpg

from db.lists import PageArgs
from db.lists.filters import Conditions
from resolvers.messages import message_lists
from tests.support.people import Person

SCHEDULED = 20_000
"""With 100,000 it takes half a minute to store them, and a page reads the same."""
MOST_PAGES = 400
"""A page of a list is some 30 pages of tables and indexes. A look at each scheduled message is 20,000 or more."""

# In the past they were sent at their times, too: by the statistics of that column alone, most times have come.
_FILL = """
INSERT INTO messages (id, owner_id, account_id, direction, channel, state, "to", body, price, created_at, send_at,
  due_at, sent_at)
SELECT encode(substr(int8send((extract(epoch FROM at) * 1000)::bigint), 3) || '\\x7000'::bytea
    || substr(decode(md5($3 || g::text), 'hex'), 1, 8), 'hex')::uuid,
  $1, $2, 'outbound', 'sms', $3, '+1415' || (1000000 + g), 'hello', 0, at, at + $5, COALESCE(at + $5, at),
  CASE WHEN $3 = 'sent' THEN at END
FROM (SELECT g, now() - $6 + g * interval '1 ms' AS at FROM generate_series(1, $4::int) AS g) AS made
"""


async def fill(db: asyncpg.Connection, person: Person, state: str, count: int, after: str, ago: str) -> None:
    sql = _FILL.replace("$5", after).replace("$6", f"interval '{ago}'")
    await db.execute(sql, person.id, person.account_id, state, count, timeout=120)


async def pages_read(db: asyncpg.Connection, person: Person, where: Conditions) -> tuple[int, str]:
    query, values = message_lists.MESSAGES.page_query(
        PageArgs(first=20), where, (message_lists.DIRECT, message_lists.MINE), None
    )
    arguments = query.arguments({**values, "owner_id": person.id})
    rows = await db.fetch(f"EXPLAIN (ANALYZE, BUFFERS, COSTS OFF, TIMING OFF) {query.sql}", *arguments)
    lines = [row[0] for row in rows]
    total = next(line for line in lines if "Buffers: shared" in line)
    return sum(int(number) for number in re.findall(r"(?:hit|read)=(\d+)", total)), "\n".join(lines)


WAITING: Sequence[Conditions] = (
    {("delivery_state", "eq"): "queued"},
    {("delivery_state", "eq"): "scheduled"},
    {("delivery_state", "in_"): ["queued", "scheduled", "sending"]},
    {("status", "eq"): "queued"},
    {("status", "eq"): "queued", ("channel", "eq"): "sms"},
)


async def test_a_page_of_what_waits_does_not_read_all_that_is_scheduled(ada: Person, database: str) -> None:
    db = await asyncpg.connect(database)
    try:
        await fill(db, ada, "sent", SCHEDULED * 3, "interval '1 hour'", "30 days")
        await fill(db, ada, "queued", 10, "NULL::interval", "3 minutes")
        await fill(db, ada, "queued", 5, "interval '1 minute'", "3 minutes 1 second")
        await fill(db, ada, "queued", SCHEDULED, "interval '1 day'", "2 minutes")
        await db.execute("VACUUM ANALYZE messages", timeout=120)
        for where in WAITING:
            pages, plan = await pages_read(db, ada, where)
            assert pages <= MOST_PAGES, (where, pages, plan)
    finally:
        await db.close()
    query = "query($w:MessageWhere){messages(first:20,where:$w){nodes{deliveryState} totalCount}}"
    for state, count in (("queued", 15), ("scheduled", SCHEDULED)):
        data: Any = (await ada.data(query, {"w": {"deliveryState": {"eq": state}}}))["messages"]
        assert {node["deliveryState"] for node in data["nodes"]} == {state}
        assert data["totalCount"] == count
