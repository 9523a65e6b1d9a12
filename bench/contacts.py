"""`python -m bench.contacts` measures lists of contacts among a million of one owner, lists of their subscriptions to
five topics, and how fast contacts are added.

Rows are made by SQL. Each list is read twenty times as the first page and twenty times further on; what is printed is
the median of a page in the database and through the service's own code, in milliseconds. `--contacts` sets the number.
"""

import argparse
import asyncio
import statistics
import tempfile
import time
from pathlib import Path
from typing import Any
from uuid import UUID

import asyncpg

from core.ids import uuid7
from core.settings import Settings
from db import models
from db.lists import CursorPage, PageArgs
from engine.contacts import upsert
from engine.contacts.matching import Address, NewContact
from postern.embedded import EmbeddedPostgres, EmbeddedRedis
from postern.process import prepare
from resolvers.contacts import contact_filters
from resolvers.contacts.contact_rows import CONTACTS, MINE
from resolvers.topic_subscriptions import OF_OWNER, SUBSCRIPTIONS
from runtime.services import Services, open_services
from shapes.contacts import ContactWhere
from shapes.topic_subscriptions import TopicSubscriptionWhere

_OWNER = """
INSERT INTO users (id, email, roles) SELECT id, id || '@example.com', '{user}' FROM unnest($1::uuid[]) AS u (id)
"""
_FIELDS = """
INSERT INTO contact_fields (id, owner_id, key, type) SELECT gen_random_uuid(), o, key, type
FROM unnest($1::uuid[]) AS o, (VALUES ('city', 'text'), ('plan', 'text'), ('points', 'number'), ('birthday', 'date'),
  ('vip', 'bool'), ('likes', 'list')) AS f (key, type)
"""
_CONTACTS = """
INSERT INTO contacts (id, owner_id, external_id, name, locale, fields, created_at, updated_at)
SELECT overlay(gen_random_uuid()::text PLACING
    overlay(lpad(to_hex((1700000000000 + i)::bigint), 12, '0') PLACING '-' FROM 9 FOR 0) || '-7' FROM 1 FOR 15)::uuid,
  $1, 'c' || i, (ARRAY['Anna','Bert','Clara','David','Emma'])[1 + i % 5] || ' ' || md5((i % 20000)::text),
  (ARRAY['de','en','fr'])[1 + i % 3],
  jsonb_build_object('city', 'city' || floor(pow(random(), 3) * 2000),
    'plan', (ARRAY['free','pro'])[1 + (i % 20 = 0)::int], 'points', floor(random() * 1000000),
    'birthday', date '1950-01-01' + (random() * 20000)::int,
    'vip', i % 1000 = 0, 'likes', jsonb_build_array('tag' || i % 50, 'tag' || i % 777)),
  to_timestamp(1700000000 + i / 1000.0), to_timestamp(1700000000 + i / 1000.0)
FROM generate_series($2::int, $3::int) AS i
"""
_ADDRESSES = """
INSERT INTO contact_addresses (id, owner_id, contact_id, channel, address, "primary")
SELECT gen_random_uuid(), c.owner_id, c.id, a.channel, a.address, true
FROM contacts AS c, LATERAL (VALUES ('email', c.external_id || '@example.com'),
  ('sms', '+1415' || lpad(substr(c.external_id, 2), 8, '0'))) AS a (channel, address) WHERE c.owner_id = $1
"""
_TOPIC = """
INSERT INTO topics (id, owner_id, key, name, category) VALUES ($1, $2, $3, $3, 'promotional')
"""
_SUBSCRIPTIONS = """
INSERT INTO topic_subscriptions (id, owner_id, contact_id, topic_id, channel, state)
SELECT gen_random_uuid(), c.owner_id, c.id, $2, 'email',
  CASE WHEN luck < 0.001 THEN 'pending' WHEN luck < 0.1 THEN 'withdrawn' ELSE 'active' END
FROM (SELECT id, owner_id, random() AS luck FROM contacts) AS c WHERE c.owner_id = $1
"""
_STEP = 50_000
CASES: dict[str, tuple[dict[str, Any], str | None]] = {
    "no filter": ({}, None),
    "by name": ({}, "name"),
    "by the last change": ({}, "updatedAt"),
    "address": ({"address": {"eq": "c4711@example.com"}}, None),
    "external id": ({"externalId": {"eq": "c4711"}}, None),
    "channel email": ({"channel": {"eq": "email"}}, None),
    "a name of 50": ({"name": {"contains": "c81e728d9d4c2f636f067f89cc14862c"}}, None),
    "Anna, one of five": ({"name": {"contains": "anna"}}, None),
    "a frequent city": ({"fields": [{"key": "city", "eq": "city1"}]}, None),
    "a rare city": ({"fields": [{"key": "city", "eq": "city1900"}]}, None),
    "no such city": ({"fields": [{"key": "city", "eq": "nowhere"}]}, None),
    "half have it, by name": ({"fields": [{"key": "plan", "eq": "free"}]}, "name"),
    "one of a thousand": ({"fields": [{"key": "vip", "eq": True}]}, None),
    "a text of a list": ({"fields": [{"key": "likes", "eq": "tag700"}]}, None),
    "three conditions": (
        {
            "fields": [
                {"key": "plan", "eq": "pro"},
                {"key": "likes", "eq": "tag7"},
                {"key": "vip", "eq": False},
            ]
        },
        None,
    ),
    "birthday in 7 days": ({"fields": [{"key": "birthday", "inDays": 7}]}, None),
    "birthday within 7 days": ({"fields": [{"key": "birthday", "withinDays": 7}]}, None),
    "points >= 500,000": ({"fields": [{"key": "points", "gte": 500_000}]}, None),
    "points >= 999,990 (rare)": ({"fields": [{"key": "points", "gte": 999_990}]}, None),
    "born before 1960": ({"fields": [{"key": "birthday", "lt": "1960-01-01"}]}, None),
}


class _Op:
    """As much of an operation as the filters need."""

    def __init__(self, services: Services) -> None:
        self.services = services


async def _page(services: Services, owner: UUID, where: Any, args: PageArgs) -> CursorPage[Any]:
    types = await upsert.field_types(services.db, owner)
    conditions, values = contact_filters.asked(_Op(services), where, types)  # type: ignore[arg-type]
    return await CONTACTS.page(services.db, args, conditions, MINE, owner_id=owner, **values)


async def _lists(services: Services, owner: UUID) -> None:
    print(f"{'list':28} {'first page':>12} {'further on':>12} {'rows':>6}   milliseconds, median (worst)")
    for name, (where, order) in CASES.items():
        asked = ContactWhere.model_validate(where).conditions()
        args = PageArgs(first=20, order=order)
        first = await _page(services, owner, asked, args)
        after = first.page_info.end_cursor
        times = {}
        for kind, each in (("first", args), ("next", PageArgs(first=20, after=after, order=order))):
            spent = []
            for _ in range(20):
                began = time.perf_counter()
                await _page(services, owner, asked, each)
                spent.append((time.perf_counter() - began) * 1000)
            times[kind] = f"{statistics.median(spent):.1f} ({max(spent):.1f})"
        print(f"{name:28} {times['first']:>12} {times['next']:>12} {len(first.nodes):>6}")


async def _subscriptions(services: Services, connection: asyncpg.Connection, owner: UUID) -> None:
    """Subscribes each contact to five topics, and measures the lists of these subscriptions."""
    topics = [uuid7() for _ in range(5)]
    began = time.perf_counter()
    for number, topic in enumerate(topics):
        await connection.execute(_TOPIC, topic, owner, f"topic{number}")
        await connection.execute(_SUBSCRIPTIONS, owner, topic)
    await connection.execute("VACUUM (ANALYZE) topic_subscriptions")
    count = await connection.fetchval("SELECT count(*) FROM topic_subscriptions")
    print(f"{count:,} subscriptions made by SQL in {time.perf_counter() - began:.0f} s")
    contact = await connection.fetchval(
        "SELECT id FROM contacts WHERE owner_id = $1 OFFSET 4711 LIMIT 1", owner
    )
    topic = {"topicId": {"eq": str(topics[2])}}
    cases: dict[str, dict[str, Any]] = {
        "all subscriptions": {},
        "of a topic": topic,
        "withdrawn, of a topic": {**topic, "state": {"eq": "withdrawn"}},
        "pending, of a topic (rare)": {**topic, "state": {"eq": "pending"}},
        "pending (rare)": {"state": {"eq": "pending"}},
        "of a contact": {"contactId": {"eq": str(contact)}},
    }
    for name, where in cases.items():
        asked = TopicSubscriptionWhere.model_validate(where).conditions()
        times = {}
        after = None
        for kind in ("first", "next"):
            args, spent = PageArgs(first=20, after=after), []
            for _ in range(20):
                began = time.perf_counter()
                page = await SUBSCRIPTIONS.page(services.db, args, asked, OF_OWNER, owner_id=owner)
                spent.append((time.perf_counter() - began) * 1000)
            times[kind] = f"{statistics.median(spent):.1f} ({max(spent):.1f})"
            after = page.page_info.end_cursor
        print(f"{name:28} {times['first']:>12} {times['next']:>12} {len(page.nodes):>6}")
    contacts = [
        row["id"]
        for row in await connection.fetch("SELECT id FROM contacts WHERE owner_id = $1 LIMIT 20", owner)
    ]
    spent = []
    for _ in range(20):
        began = time.perf_counter()
        pages = await SUBSCRIPTIONS.pages(
            services.db,
            models.TopicSubscription.contact_id,
            contacts,
            PageArgs(first=20),
            {},
            OF_OWNER,
            owner_id=owner,
        )
        spent.append((time.perf_counter() - began) * 1000)
    assert all(len(page.nodes) == 5 for page in pages)
    print(f"{'of each of 20 contacts':28} {statistics.median(spent):7.1f} ({max(spent):.1f})")


async def _upserts(connection: asyncpg.Connection, owner: UUID) -> None:
    for title, salt in (("new", "n"), ("the same again", "n"), ("changed", "m")):
        spent = []
        for request in range(5):
            rows = [
                NewContact(
                    f"n{request}-{n}",
                    fields={"city": f"{salt}{n}", "points": n},
                    addresses=[Address("email", f"n{request}.{n}@example.com")],
                )
                for n in range(1000)
            ]
            began = time.perf_counter()
            async with connection.transaction():
                await upsert.upsert(connection, owner, rows)
            spent.append(time.perf_counter() - began)
        print(f"1,000 contacts in a request, {title:15} {statistics.median(spent) * 1000:7.0f} ms")


async def _run(services: Services, url: str, number: int) -> None:
    owner, other = uuid7(), uuid7()
    connection = await asyncpg.connect(url, command_timeout=600)
    try:
        await connection.execute(_OWNER, [owner, other])
        await connection.execute(_FIELDS, [owner, other])
        began = time.perf_counter()
        # An index is built sooner than a million entries are inserted into it.
        await connection.execute("DROP INDEX ix_contacts_terms")
        for who, count in ((owner, number), (other, number // 10)):
            for start in range(1, count + 1, _STEP):
                await connection.execute(_CONTACTS, who, start, min(start + _STEP - 1, count))
            await connection.execute(_ADDRESSES, who)
        await connection.execute("CREATE INDEX ix_contacts_terms ON contacts USING gin (terms)")
        print(
            f"{number * 11 // 10:,} contacts of two owners made by SQL in {time.perf_counter() - began:.0f} s"
        )
        await connection.execute("VACUUM (ANALYZE) contacts, contact_addresses")
        size = await connection.fetchval(
            "SELECT string_agg(relname || ' ' || pg_size_pretty(pg_relation_size(oid)), ', ' ORDER BY relname)"
            " FROM pg_class WHERE relname ~ '^(ix|uq|pk)?_?contact(s|_addresses)' AND relkind IN ('r', 'i')"
        )
        print(size)
        await _lists(services, owner)
        await _subscriptions(services, connection, owner)
        await _upserts(connection, owner)
    finally:
        await connection.close()


async def _measure(number: int, url: str, redis: str) -> None:
    settings = Settings(_env_file=None, db_string=url, redis_url=redis, secret_key="s" * 32, jwt_key="j" * 32)
    await prepare(settings)
    services = open_services(settings)
    try:
        await _run(services, url, number)
    finally:
        await services.close()


async def main(arguments: argparse.Namespace) -> None:
    """Runs the measurement on servers of its own."""
    with tempfile.TemporaryDirectory(prefix="postern-bench-") as name:
        folder = Path(name)
        with EmbeddedPostgres(folder) as postgres, EmbeddedRedis(folder) as redis:
            await _measure(arguments.contacts, postgres.url, redis.url)


def _arguments() -> argparse.Namespace:
    parse = argparse.ArgumentParser(prog="python -m bench.contacts")
    parse.add_argument("--contacts", type=int, default=1_000_000)
    return parse.parse_args()


if __name__ == "__main__":
    asyncio.run(main(_arguments()))
