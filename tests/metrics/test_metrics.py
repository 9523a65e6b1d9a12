"""/metrics: who may read it, and that the numbers are those of the database."""

import asyncio
import re
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from uuid import UUID

import asyncpg
import httpx
import pytest
from sqlalchemy import text

from core.errors import AppError
from core.ids import least_uuid7, uuid7
from engine.upkeep import dead_rows
from postern.app import Application
from resolvers import metrics
from shapes.deliverability import ProviderClass
from shapes.messages import MessageChannel
from tests.support.waits import PATIENCE, until

TOKEN = "a-token-for-prometheus"
SMS = {"to": "+14155550100", "channel": "sms", "body": "hi"}
with_token = pytest.mark.settings(metrics_token=TOKEN)


@pytest.fixture(autouse=True)
def _no_cache(monkeypatch):
    monkeypatch.setattr(metrics, "CACHE_SECONDS", 0.0)
    monkeypatch.setattr(metrics, "SHARE", 0)
    monkeypatch.setattr(metrics, "BOUND", PATIENCE)


async def ask(app: Application, peer: str = "127.0.0.1", **headers: str | bytes) -> httpx.Response:
    transport = httpx.ASGITransport(app, raise_app_exceptions=False, client=(peer, 40000))
    async with httpx.AsyncClient(transport=transport, base_url="http://postern.test") as client:
        return await client.get("/metrics", headers=headers)


def samples(answer: httpx.Response) -> dict[str, float]:
    assert answer.status_code == 200, answer.text
    samples = re.findall(r"^([a-z_]+(?:\{[^}]*\})?) ([^ \n]+)$", answer.text, re.MULTILINE)
    return {name: float(value) for name, value in samples}


@pytest.mark.parametrize("peer", ["127.0.0.1", "127.9.9.9", "::1", "::ffff:127.0.0.1"])
async def test_this_machine_may_read(app, peer):
    answer = await ask(app, peer)
    assert answer.headers["content-type"] == "text/plain; version=0.0.4; charset=utf-8"
    assert samples(answer)["postern_database_up"] == 1


@with_token
@pytest.mark.parametrize("peer", ["192.0.2.1", "2001:db8::1", "postern.sock"])
async def test_everybody_else_meets_a_route_that_is_not_there(app, peer):
    refused = (await ask(app, peer)).json()
    other = await app_get(app, "/no-such-route")
    assert {**refused, "path": "", "timestamp": ""} == {**other, "path": "", "timestamp": ""}


async def app_get(app: Application, path: str) -> dict[str, object]:
    async with httpx.AsyncClient(
        transport=httpx.ASGITransport(app), base_url="http://postern.test"
    ) as client:
        return (await client.get(path)).json()


@pytest.mark.parametrize(
    "header", ["x-real-ip", "x-forwarded-for", "x-forwarded-host", "x-forwarded-proto", "forwarded", "via"]
)
async def test_whoever_comes_through_a_proxy_is_not_this_machine(app, header):
    assert (await ask(app, "127.0.0.1", **{header: "127.0.0.1"})).status_code == 404


@with_token
async def test_the_token_opens_from_anywhere(app):
    for scheme in ("Bearer", "bearer"):
        answer = await ask(app, "192.0.2.1", authorization=f"{scheme} {TOKEN}", **{"x-real-ip": "192.0.2.7"})
        assert answer.status_code == 200
    for wrong in (f"Basic {TOKEN}", "Bearer", f"Bearer {TOKEN}x", b"Bearer \xff", TOKEN):
        assert (await ask(app, "192.0.2.1", authorization=wrong)).status_code == 404


@pytest.mark.parametrize("token", [None, ""])
async def test_no_token_configured_is_no_open_door(make_settings, token):
    from postern.app import make_app

    app = make_app(make_settings(metrics_token=token))
    for header in ("Bearer ", "Bearer None"):
        assert (await ask(app, "192.0.2.1", authorization=header)).status_code == 404
    await app.services.close()


async def test_the_numbers_are_those_of_the_messages(app, ada, services):
    for _ in range(3):
        await ada.rest("POST", "/messages", json=SMS)
    async with services.db.session.begin() as session:
        rows = list(await session.scalars(text("SELECT id FROM messages ORDER BY id")))
        await session.execute(
            text("UPDATE messages SET created_at = now() - interval '90 s' WHERE id = :id"), {"id": rows[0]}
        )
        await session.execute(
            text("UPDATE messages SET state = 'unknown', claim_id = NULL WHERE id = :id"), {"id": rows[1]}
        )
        await session.execute(
            text("UPDATE messages SET state = 'sending', claim_id = id WHERE id = :id"), {"id": rows[2]}
        )
    seen = samples(await ask(app))
    for state in ("queued", "sending", "unknown"):
        assert seen[f'postern_messages{{channel="{MessageChannel.sms}",state="{state}"}}'] == 1
    assert seen['postern_messages{channel="push",state="queued"}'] == 0  # there, so that an alert on it works
    assert 89 < seen["postern_oldest_queued_seconds"] < 120
    assert seen['postern_database_connections_max{pool="read"}'] == 10
    assert 'postern_database_connections_used{pool="write"}' in seen
    assert seen['postern_info{version="0.1.0"}'] == 1
    assert any(name.startswith("postern_requests_total{") for name in seen)
    assert seen["process_resident_memory_bytes"] > 0


async def test_a_snapshot_that_is_held_and_dead_rows(app, database, services, monkeypatch):
    monkeypatch.setattr(dead_rows, "MANY", 1)
    holder = await asyncpg.connect(database)
    try:
        async with holder.transaction(isolation="repeatable_read"):
            await holder.fetchval("SELECT count(*) FROM users")
            await services.db.fetch("CREATE TABLE busy AS SELECT generate_series(1, 100) AS number")
            await services.db.fetch("UPDATE busy SET number = 0")
            await services.db.fetch("SELECT pg_stat_force_next_flush()")
            seen = await until(lambda: _shows(app, 'postern_dead_rows{table="busy"}'), 1.0)
    finally:
        await holder.close()
    assert seen['postern_dead_rows{table="busy"}'] == 100
    assert seen["postern_oldest_snapshot_seconds"] > 0
    assert seen["postern_oldest_snapshot_transactions"] >= 2


async def _shows(app, name, least=0):
    """Returns the metrics once they have this one: PostgreSQL's statistics come later than its commits."""
    seen = samples(await ask(app))
    return seen if seen.get(name, -1) >= least else None


async def test_mailbox_providers_that_refuse_senders(app, ada, bob, services):
    """By class alone: neither the owners nor their domains, of which there may be thousands, nor the answers."""
    pauses = (
        (ada.id, "ada.test", "gmail", "10 minutes"),
        (bob.id, "bob.test", "gmail", "10 minutes"),
        (bob.id, "bob.test", "yahoo", "-1 minute"),  # its next message shows whether it is over
        (bob.id, "bob.test", "apple", "-2 hours"),  # no message was there to show it
    )
    for owner, domain, provider, left in pauses:
        await services.db.fetch(
            "INSERT INTO receiver_pauses (id, owner_id, domain, provider_class, until, answer)"
            " VALUES ($1, $2, $3, $4, now() + $5::text::interval, 'slow down')",
            uuid7(), owner, domain, provider, left,
        )  # fmt: skip
    answer = await ask(app)
    seen = {name: value for name, value in samples(answer).items() if "postern_receiver_paused" in name}
    numbers = dict.fromkeys(ProviderClass, 0) | {"gmail": 2, "yahoo": 1}
    assert seen == {f'postern_receiver_paused{{class="{name}"}}': number for name, number in numbers.items()}
    assert not [secret for secret in (str(ada.id), "bob.test", "slow down") if secret in answer.text]


async def test_whose_messages_wait(app, ada, bob, services):
    for sender, count in ((ada, 3), (bob, 1)):
        for _ in range(count):
            await sender.rest("POST", "/messages", json=SMS)
    project = uuid7()
    await services.db.fetch(
        "INSERT INTO sending_projects (id, owner_id, account_id, name, channel, status)"
        " VALUES ($1, $2, $3, 'p', 'email', 'running')", project, bob.id, bob.account_id,
    )  # fmt: skip
    await services.db.fetch(
        'INSERT INTO message_records (id, project_id, owner_id, channel, "to")'
        " SELECT gen_random_uuid(), $1, $2, 'email', 'a@example.com' FROM generate_series(1, 7)", project, bob.id,
    )  # fmt: skip
    seen = samples(await ask(app))

    def waiting(kind, channel):
        labels = f'{{channel="{channel}",kind="{kind}"}}'
        return seen[f"postern_owners_waiting{labels}"], seen[f"postern_largest_owner_waiting{labels}"]

    assert waiting("direct", MessageChannel.sms) == (2, 3)
    assert waiting("project", "email") == (1, 7)
    assert waiting("direct", "push") == (0, 0)
    assert seen['postern_partitions_missing{table="audit_entries"}'] == 0
    assert seen['postern_default_partition_used{table="audit_entries"}'] == 0


async def test_a_message_that_is_put_off_is_as_old_as_before(app, ada, services):
    await ada.rest("POST", "/messages", json=SMS)
    async with services.db.session.begin() as session:
        await session.execute(text("UPDATE messages SET created_at = now() - interval '90 s'"))
    for due in ("now() - interval '1 s'", "now() + interval '1 h'"):  # a breaker, a retry
        await services.db.fetch(f"UPDATE messages SET due_at = {due}")
        assert 89 < samples(await ask(app))["postern_oldest_queued_seconds"] < 120


async def test_the_allowlist_shows(app, settings):
    settings.ip_allowlist_file.write_text("10.0.0.0/8\n192.0.2.1\n")
    app.allowlist.reload()
    seen = samples(await ask(app))
    assert seen["postern_allowlist_entries"] == 2
    assert abs(seen["postern_allowlist_loaded_timestamp_seconds"] - datetime.now(UTC).timestamp()) < 10
    assert (seen["postern_allowlist_reload_errors_total"], seen["postern_allowlist_stale"]) == (0, 0)
    settings.ip_allowlist_file.write_text("nonsense\n")
    app.allowlist.reload()
    seen = samples(await ask(app))
    assert (seen["postern_allowlist_reload_errors_total"], seen["postern_allowlist_stale"]) == (1, 1)


async def test_a_database_that_is_away_is_told_and_hides_nothing_else(make_settings):
    from postern.app import make_app

    app = make_app(make_settings(db_string="postgresql://postern@127.0.0.1:9/nowhere"))
    seen = samples(await ask(app))
    assert seen["postern_database_up"] == 0
    assert not any(name.startswith("postern_messages{") for name in seen)
    assert "postern_allowlist_entries" in seen
    await app.services.close()


async def test_a_lock_that_others_wait_for_is_no_dead_database(app, database, services, monkeypatch):
    """Even if all connections of this process wait for it: the answer comes by another one."""
    monkeypatch.setattr(metrics, "BOUND", 3.0)
    holder = await asyncpg.connect(database)
    await holder.execute("BEGIN; LOCK TABLE messages IN ACCESS EXCLUSIVE MODE")

    async def wait():
        while not holder.is_closed():
            with suppress(asyncpg.PostgresError, AppError, TimeoutError):
                await services.db.fetch("SELECT FROM messages")

    waiting = [asyncio.create_task(wait()) for _ in range(services.db.options.read_pool_size + 2)]
    try:
        seen = await until(lambda: _shows(app, "postern_sessions_blocked", least=2), 0.1)
    finally:
        await holder.close()
        await asyncio.gather(*waiting)
    assert seen["postern_database_up"] == 1
    assert not any(name.startswith("postern_messages{") for name in seen)
    await until(lambda: _shows(app, 'postern_messages{channel="sms",state="queued"}', least=0), 0.5)


async def test_many_scrapes_look_once(app, services, monkeypatch):
    monkeypatch.setattr(metrics, "CACHE_SECONDS", 5.0)
    looks = 0
    fetch = services.db.fetch

    async def counted(*arguments):
        nonlocal looks
        looks += 1
        return await fetch(*arguments)

    monkeypatch.setattr(services.db, "fetch", counted)
    await asyncio.gather(*(ask(app) for _ in range(8)))
    # Of direct and projects' messages that wait, breakers twice, sinks, dead rows, owners, background work,
    # partitions, pauses of mailbox providers, and the rest of the backlog.
    assert looks == 11


def test_the_least_id_of_a_moment_is_below_all_of_it():
    now = datetime.now(UTC)
    assert least_uuid7(now - timedelta(seconds=1)) < uuid7() < least_uuid7(now + timedelta(seconds=9))
    assert isinstance(least_uuid7(now), UUID)


async def test_the_backlog_is_asked_by_indexes(services, ada):
    """A full scan of a table with millions of old messages would take minutes."""
    async with services.db.session.begin() as session:
        await session.execute(
            text(
                'INSERT INTO messages (id, owner_id, account_id, direction, channel, state, "to", body, created_at)'
                " SELECT ('018f0000-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid, :owner, :account,"
                " 'outbound', 'sms', 'sent', '+14155550100', 'hi', now() - interval '90 days'"
                " FROM generate_series(1, 20000) AS n"
            ),
            {"owner": ada.id, "account": ada.account_id},
        )
    await services.db.fetch("ANALYZE messages")
    first = least_uuid7(datetime.now(UTC) - timedelta(days=1))
    plan = "\n".join(row[0] for row in await services.db.fetch("EXPLAIN " + metrics._BACKLOG, first))
    assert "Seq Scan" not in plan, plan
