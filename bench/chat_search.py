"""Measures the search in messages of chats. `python -m bench.chat_search [--messages 1000000] [--owners 5]`.

Each owner has as many messages of twelve words as the others, over 500 days; one of the words is in every message. It
measures by HTTP how long a search takes that finds a rare word, a common one, or a beginning that many words have, and
what rows and pages of the index PostgreSQL reads for it. Then, in turns, what a message costs to insert and to update
with the index and without it.
"""

import argparse
import asyncio
import time
from statistics import median

import asyncpg

from tests.console.users import new_user
from tests.support import servers
from tests.support.live import Live, serving
from tests.support.people import Person

DAYS = 500
BATCH = 50
INDEX = "ix_messenger_messages_words"
WORDS = (
    ("a rare word", "w29999"),
    ("a rare word and one in every message", "common w29999"),
    ("a word in every message", "common"),
    ("a beginning of every second word", "w1"),
    ("a word that is nowhere", "absent"),
)

_ACCOUNT = """
INSERT INTO messenger_accounts (id, owner_id, source, login, name, driver, state)
VALUES (gen_random_uuid(), $1, 'telegram', '15005550999', 'Support', 'sandbox', 'stopped') RETURNING id
"""
_CHATS = """
INSERT INTO messenger_chats (id, account_id, thread, name, last_at)
SELECT gen_random_uuid(), $1, 't' || n, 'Guest ' || n, now() FROM generate_series(0, 999) AS n
"""
_TEXT = """
'common ' || (SELECT string_agg('w' || (random() ^ 2 * 30000)::int, ' ') FROM generate_series(1, 11 + n * 0))
"""
_COLUMNS = "id, account_id, chat_id, thread, provider_id, outgoing, sender, text, status, at"
_MESSAGES = f"""
INSERT INTO messenger_messages ({_COLUMNS})
SELECT gen_random_uuid(), $1, c.id, c.thread, 'message-' || n, n % 3 = 0, '+14155550100', {_TEXT}, 'delivered',
  now() - interval '1 day' * {DAYS} * (1 - n::float / $2)
FROM generate_series(1, $2::int) AS n JOIN messenger_chats AS c ON c.account_id = $1 AND c.thread = 't' || n % 1000
"""
_SOME = f"""
SELECT gen_random_uuid() AS id, a.id AS account_id, c.id AS chat_id, c.thread, 'new-' || $1 || '-' || n AS provider_id,
  true AS outgoing, '+14155550100' AS sender, {_TEXT} AS text, 'pending' AS status, now() AS at
FROM generate_series(1, $2::int) AS n
CROSS JOIN LATERAL (SELECT id FROM messenger_accounts ORDER BY id LIMIT 1 OFFSET n % $3::int) AS a
JOIN messenger_chats AS c ON c.account_id = a.id AND c.thread = 't' || n % 1000
"""


async def seed(db: asyncpg.Connection, owners: list[Person], messages: int) -> None:
    """Writes the accounts, their chats and messages, and builds the index anew, which is quicker."""
    definition = await db.fetchval("SELECT pg_get_indexdef($1::regclass)", INDEX)
    await db.execute(f"DROP INDEX {INDEX}")
    for owner in owners:
        account = await db.fetchval(_ACCOUNT, owner.id)
        await db.execute(_CHATS, account)
        await db.execute(_MESSAGES, account, messages // len(owners))
    begun = time.perf_counter()
    await db.execute(definition)
    print(f"building the index of {messages:,} messages: {time.perf_counter() - begun:.0f} s")
    sizes = "SELECT pg_size_pretty(pg_relation_size($1::regclass)), pg_size_pretty(pg_table_size('messenger_messages'))"
    print("size of the index and of the table: {}, {}".format(*await db.fetchrow(sizes, INDEX)))
    await db.execute("VACUUM ANALYZE messenger_messages")
    await db.execute("ANALYZE messenger_accounts, messenger_chats")


def search(live: Live, owner: Person, words: str, rounds: int) -> tuple[float, float, int]:
    """Returns the median and the longest time in milliseconds, and the number of hits on the page."""
    times, hits = [], 0
    for _ in range(rounds):
        begun = time.perf_counter()
        params = {"text": words, "limit": "50"}
        answer = live.client.get("/messenger-messages", params=params, headers=owner.headers)
        times.append((time.perf_counter() - begun) * 1000)
        hits = len(answer.raise_for_status().json()["items"])
    return median(times), max(times), hits


async def writes(db: asyncpg.Connection, owners: int, rounds: int) -> None:
    """Prints what inserts and updates cost in copies of the table, with the index and without it, in turns."""
    tables = ("without_words", "with_words")
    for table in tables:
        await db.execute(f"CREATE TABLE {table} (LIKE messenger_messages INCLUDING ALL)")
        await db.execute(f"INSERT INTO {table} ({_COLUMNS}) {_SOME}", f"first-{table}", 50_000, owners)
    (gin,) = await db.fetchrow(
        "SELECT indexname FROM pg_indexes WHERE tablename = 'without_words' AND indexdef LIKE '% gin %'"
    )
    await db.execute(f'DROP INDEX "{gin}"')
    times: dict[str, list[float]] = {f"{act} {table}": [] for act in ("insert", "update") for table in tables}
    for turn in range(rounds):
        for table in tables if turn % 2 else tables[::-1]:
            insert = f"INSERT INTO {table} ({_COLUMNS}) SELECT * FROM new RETURNING id"
            await db.execute("CREATE TEMP TABLE new AS " + _SOME.replace("$1", f"'{turn}'")
                             .replace("$2", str(BATCH)).replace("$3", str(owners)))  # fmt: skip
            begun = time.perf_counter()
            ids = [row["id"] for row in await db.fetch(insert)]
            times[f"insert {table}"].append((time.perf_counter() - begun) * 1000 / BATCH)
            begun = time.perf_counter()
            await db.execute(f"UPDATE {table} SET status = 'server' WHERE id = ANY($1::uuid[])", ids)
            times[f"update {table}"].append((time.perf_counter() - begun) * 1000 / BATCH)
            await db.execute("DROP TABLE new")
    for act in ("insert", "update"):
        without, with_words = (median(times[f"{act} {table}"]) for table in tables)
        print(
            f"{act} of a message: {without:.3f} ms without, {with_words:.3f} ms with: {with_words / without:.2f}"
        )


async def plan(db: asyncpg.Connection, owners: int) -> None:
    """Prints what a search in the newest period reads if the word is in all messages of all owners."""
    account = await db.fetchval("SELECT id FROM messenger_accounts ORDER BY id LIMIT 1")
    words = await db.fetchval("SELECT postern_words_key($1, now()) || 'common'", account)
    found = await db.fetch(
        "EXPLAIN (ANALYZE, COSTS OFF) SELECT id FROM messenger_messages WHERE"
        f" postern_chat_words(account_id, at, text) @@ '{words}'::tsquery ORDER BY at DESC, seq DESC LIMIT 51"
    )
    print(f"one owner of {owners}, the newest period:")
    print("\n".join(f"  {row[0]}" for row in found))


async def measure(live: Live, people: list[Person], messages: int, rounds: int) -> None:
    db = await asyncpg.connect(live.database)
    try:
        await seed(db, people, messages)
        await plan(db, len(people))
        for what, words in WORDS:
            middle, longest, hits = await asyncio.to_thread(search, live, people[0], words, 20)
            print(f"{what:<40} {middle:6.0f} ms, at most {longest:6.0f} ms, {hits} hits on the page")
        await writes(db, len(people), rounds)
    finally:
        await db.close()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--messages", type=int, default=1_000_000)
    parser.add_argument("--owners", type=int, default=5)
    parser.add_argument("--rounds", type=int, default=60, help="of writing, in turns")
    options = parser.parse_args()
    with servers.running(), serving() as live:
        people = [new_user(live) for _ in range(options.owners)]
        asyncio.run(measure(live, people, options.messages, options.rounds))


if __name__ == "__main__":
    main()
