"""The rows of a deleted account are removed in bites, a day later."""

from uuid import UUID

import pytest

from engine.messengers import accounts
from tests.support.messengers import added, ok

_MESSAGES = """
INSERT INTO messenger_messages (id, account_id, outgoing, at, thread, provider_id)
SELECT gen_random_uuid(), $1, false, now(), 't', n::text FROM generate_series(1, $2::int) AS n
"""
_AGE = "UPDATE messenger_accounts SET deleted_at = now() - interval '25 hours', clearing = $2 WHERE id = $1"


async def left(services):
    return [
        row.login for row in await services.db.fetch("SELECT login FROM messenger_accounts ORDER BY login")
    ]


@pytest.mark.parametrize("bite", [2, 100])
async def test_a_day_later_it_is_gone_with_all_that_was_its_own(ada, services, monkeypatch, bite):
    monkeypatch.setattr(accounts, "PURGE_BATCH", bite)
    ids = {login: UUID(await added(ada, login)) for login in ("kept", "old", "busy", "new", "held")}
    for id in ids.values():
        await services.db.fetch(_MESSAGES, id, 5)
    for login in ("old", "busy", "new", "held"):
        await ok(ada, "deleteAccount", login)
    await services.db.fetch(_AGE, ids["old"], False)
    await services.db.fetch(_AGE, ids["held"], False)
    await services.db.fetch(_AGE, ids["busy"], True)  # nobody has logged it out yet
    await services.db.fetch(
        "INSERT INTO messenger_holds VALUES ($1, gen_random_uuid(), 1, now() + interval '1 hour')",
        ids["held"],
    )
    await accounts.purge(services)
    assert await left(services) == ["busy", "held", "kept", "new"]
    rows = await services.db.fetch("SELECT account_id, count(*) AS n FROM messenger_messages GROUP BY 1")
    assert {row.account_id: row.n for row in rows} == {
        ids[login]: 5 for login in ("busy", "held", "kept", "new")
    }
    await services.db.fetch("DELETE FROM messenger_holds")
    await services.db.fetch(_AGE, ids["busy"], False)
    await accounts.purge(services)
    assert await left(services) == ["kept", "new"]


async def test_finding_what_belongs_to_an_account_reads_no_whole_table(services):
    """Nor does the database itself, when it follows the foreign keys at the end."""
    plain = "EXPLAIN SELECT FROM {} WHERE account_id = '01890000-0000-7000-8000-000000000000'"
    async with services.db.reading() as db:
        await db.execute("SET enable_seqscan = off")
        for table in ("messages", "chats", "configs", "early"):
            plan = str(await db.fetch(plain.format(f"messenger_{table}")))
            assert "Seq Scan" not in plan, (table, plan)
        await db.execute("RESET enable_seqscan")
