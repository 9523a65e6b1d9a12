"""`python -m bench.segments` measures segments of a million contacts: their sizes, and the reading of audiences.

The contacts and topics are those of `bench.consent`; half of the contacts have got a message of a project, of which
each tenth was replied to. Audiences are held against COPY of the same recipients within the run. `--contacts` sets the
number.
"""

import argparse
import asyncio
import time
from datetime import UTC, datetime
from typing import Any
from uuid import UUID

from bench.consent import fill, main, read
from core.ids import uuid7
from db.query import fetch_planned
from engine.contacts import segments
from engine.contacts.upsert import field_types
from resolvers.segments import _CHOSEN, _MEETING
from runtime.services import Services

_FIELD = "INSERT INTO contact_fields (id, owner_id, key, type) VALUES ($1, $2, 'city', 'text')"
_GOT = """
INSERT INTO message_records (id, project_id, owner_id, channel, "to", status, sent_at, replied_at)
SELECT gen_random_uuid(), $2, $1, 'email', address, 'sent', now(), CASE WHEN random() < 0.1 THEN now() END
FROM contact_addresses WHERE random() < 0.5
"""


def _city(*numbers: int) -> dict[str, Any]:
    values = [f"city{number}" for number in numbers]
    return {"contact": {"fields": [{"key": "city", "in": values}]}}


async def measure(services: Services, contacts: int) -> None:
    owner, topics = await fill(services, contacts)
    async with services.db.reading() as db:
        await db.execute(_FIELD, uuid7(), owner)
        await db.execute("SET statement_timeout = 0")
        await db.execute(_GOT, owner, uuid7(), timeout=900)
        await db.execute("VACUUM ANALYZE message_records", timeout=600)
        await db.execute("RESET statement_timeout")
    replied = {"history": {"event": "replied", "withinDays": 30}}
    subscribed = {"subscription": {"topicUuid": str(topics["fifth"])}}
    filters = {
        "a city": [[_city(1)]],
        "ten cities": [[_city(*range(10))]],
        "subscribed to a fifth": [[subscribed]],
        "replied": [[replied]],
        "not replied": [[{"not": True, **replied}]],
        "ten cities, subscribed, replied": [[_city(*range(10))], [subscribed], [replied]],
        "a city, or subscribed, or replied": [[_city(1), subscribed, replied]],
    }
    print(f"{contacts:,} contacts, half of whom got a message")
    for label, groups in filters.items():
        filter = {"all": [{"any": group} for group in groups]}
        times, size = [], 0
        for _ in range(3):
            begun = time.perf_counter()
            size = await _size(services, owner, filter)
            times.append(time.perf_counter() - begun)
        print(f"size of {label}: {size:,} in {sorted(times)[1]:.2f} s")
    for label in ("ten cities", "replied", "not replied", "ten cities, subscribed, replied"):
        filter = {"all": [{"any": group} for group in filters[label]]}
        asked = {"at": datetime.now(UTC).isoformat(), "segments": [filter], "except": []}
        print(f"half, narrowed down to {label}:", end=" ")
        await read(
            services, owner, {"topicUuids": [str(topics["half"])], "segmentUuids": [str(uuid7())]}, asked
        )
    asked = {"at": datetime.now(UTC).isoformat(), "except": [], "segments": [
        {"all": [{"any": [{"contact": {"createdWithinDays": 30}}]}]}
    ]}  # fmt: skip
    print("all contacts by a segment alone:", end=" ")
    await read(services, owner, {"topicUuids": [], "segmentUuids": [str(uuid7())]}, asked)


async def _size(services: Services, owner: UUID, filter: Any) -> int:
    types = await field_types(services.db, owner)
    selection = segments.Selection(types, services.db.now(), "$1", 2, at_once=True)
    condition = selection.meets_any(segments.read([filter]))
    chosen = _MEETING.format(joins=selection.joins, condition=condition)
    sql = _CHOSEN.format(queries=selection.queries(after=chosen), most=20)
    (row,) = await fetch_planned(services.db, sql, [owner, *selection.arguments])
    return int(row["size"])


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--contacts", type=int, default=1_000_000)
    asyncio.run(main(parser.parse_args().contacts, measure))
