"""Joined messages by several processes: exact money, and one result a key if a process is killed."""

import asyncio
import os
import sys
from collections import Counter
from contextlib import asynccontextmanager
from decimal import Decimal

import asyncpg
import httpx
import pytest

from core.installation import ROOT
from tests.support import servers
from tests.support.ports import free_port
from tests.support.tcp import relay, serving
from tests.support.waits import PATIENCE, WAITING, until

pytestmark = pytest.mark.rotating

EMAIL = {"channel": "email", "body": "hi"}
SILENT = b"silent@example.com"


@asynccontextmanager
async def _api(database: str, folder, **changes: str):
    """An API process of its own, without a worker: (process, client)."""
    port = free_port()
    (folder / "ip-allowlist.conf").write_text("127.0.0.0/8\n")
    environment = {
        **os.environ, "PYTHONPATH": str(ROOT), "DB_STRING": database, "REDIS_URL": servers.redis_url(),
        "POSTERN_SECRET_KEY": "s" * 32, "POSTERN_JWT_KEY": "j" * 32, "POSTERN_DATA_DIR": str(folder),
        "POSTERN_LIMIT_MESSAGES": "100000/60", "IP_ALLOWLIST_FILE": str(folder / "ip-allowlist.conf"), **changes,
    }  # fmt: skip
    with (folder / f"log-{port}").open("wb") as log:
        process = await asyncio.create_subprocess_exec(
            sys.executable, "-m", "postern", "serve", "--no-worker", "--port", str(port),
            cwd=folder, env=environment, stdin=asyncio.subprocess.DEVNULL, stdout=log, stderr=log,
        )  # fmt: skip
    limits = httpx.Limits(max_connections=30)  # a busy machine does not accept more at once
    async with httpx.AsyncClient(
        base_url=f"http://127.0.0.1:{port}", timeout=PATIENCE, limits=limits
    ) as client:

        async def up():
            assert process.returncode is None, (folder / f"log-{port}").read_text()
            try:
                return (await client.get("/users")).status_code == 401
            except httpx.TransportError:
                return False

        try:
            await until(up, 0.1)
            yield process, client
        finally:
            if process.returncode is None:
                process.kill()
            await process.wait()


async def _post(client, person, to, key=None):
    headers = {**person.headers, **({"Idempotency-Key": key} if key else {})}
    return await client.post("/messages", json={**EMAIL, "to": to}, headers=headers)


async def _exact(db, person, credit):
    """The balance is the ledger, every message has its charge, and nothing else was charged."""
    balance = await db.fetchval("SELECT balance FROM accounts WHERE id = $1", person.account_id)
    ledger = await db.fetchval(
        "SELECT sum(amount) FROM ledger_entries WHERE account_id = $1", person.account_id
    )
    assert balance == ledger >= 0
    messages = await db.fetch("SELECT id, price FROM messages WHERE account_id = $1", person.account_id)
    charges = await db.fetch(
        "SELECT reference AS id, -amount AS price FROM ledger_entries WHERE account_id = $1 AND kind = 'charge'",
        person.account_id,
    )
    assert Counter(map(tuple, messages)) == Counter(map(tuple, charges))
    assert balance == Decimal(credit) - sum(row["price"] for row in messages)
    return len(messages)


@pytest.mark.slow
@pytest.mark.parametrize("accounts", [1, 5])
async def test_three_processes_and_their_accounts(people, services, database, tmp_path, accounts):
    """360 messages and money for 200; some repeat one another, in the other processes too. This process is the
    third.
    """
    credit = Decimal("0.2") / accounts
    persons = [await people.make(credit=str(credit)) for _ in range(accounts)]
    folders = [tmp_path / name for name in "ab"]
    for folder in folders:
        folder.mkdir()
    async with _api(database, folders[0]) as (_, a), _api(database, folders[1]) as (_, b):
        answers = await asyncio.gather(
            *(
                _post(client, persons[number % accounts], f"{number}@example.com", key and f"{key}{number}")
                for number in range(40)
                for client in (a, b, people.client)
                for key in ("k", None, f"{client.base_url.host}{client.base_url.port}-")
            )
        )
    statuses = Counter(answer.status_code for answer in answers)
    assert set(statuses) <= {202, 402, 409, 429, 503}, statuses
    created = [answer for answer in answers if answer.status_code == 202]
    ids = {answer.json()["id"] for answer in created if "idempotent-replayed" not in answer.headers}
    assert ids >= {answer.json()["id"] for answer in created}, "a replay is of a message that was told before"
    sent = [await _exact(services.db, person, credit) for person in persons]
    assert sum(sent) == len(ids)
    assert all(count <= 200 / accounts for count in sent)
    if 402 in statuses:
        assert 200 / accounts in sent
    keys = await services.db.fetchval("SELECT count(DISTINCT key) FROM idempotency_keys")
    assert keys == await services.db.fetchval("SELECT count(DISTINCT answer->>'id') FROM idempotency_keys")


@asynccontextmanager
async def _through_proxy(database: str):
    """Yields the URL of the database through a proxy, and an event that a statement has named SILENT.

    From then on, the answers on that statement's connection don't pass.
    """
    url = httpx.URL(database)
    silenced = asyncio.Event()

    async def serve(reader, writer):
        silent = False

        async def ask(data):
            nonlocal silent
            if SILENT in data:
                silent = True
                silenced.set()
            return data

        async def answer(data):
            return b"" if silent else data

        await relay(reader, writer, url.host, url.port, to_server=ask, to_client=answer)

    async with serving(serve) as port:
        yield str(url.copy_with(host="127.0.0.1", port=port)), silenced


@pytest.mark.slow
@pytest.mark.parametrize("end", ["kill the process", "end its connections"])
async def test_what_was_committed_and_not_answered_is_the_answer_of_a_repetition(
    people, services, database, tmp_path, end
):
    person = await people.make(credit="1")
    recipients = [SILENT.decode(), *(f"{number}-{SILENT.decode()}" for number in range(20))]
    async with _through_proxy(database) as (url, silenced), _api(url, tmp_path) as (process, client):
        first = [
            asyncio.create_task(_post(client, person, to, f"key {number}"))
            for number, to in enumerate(recipients)
        ]
        await asyncio.wait_for(silenced.wait(), PATIENCE)
        committed = await until(lambda: services.db.fetch('SELECT id, "to" FROM messages'))
        assert not any(task.done() for task in first), "nobody is answered before the commit is known"
        if end == "kill the process":
            process.kill()
            answers = await asyncio.gather(*first, return_exceptions=True)
            assert all(isinstance(answer, httpx.TransportError) for answer in answers)
        else:
            await services.db.fetch(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
                " WHERE datname = current_database() AND application_name = 'postern'"
                " AND query LIKE '%charge_messages%' AND pid <> pg_backend_pid()"
            )
            answers = await asyncio.gather(*first)
            assert {answer.status_code for answer in answers} <= {202, 429, 503}
            assert 503 in {answer.status_code for answer in answers}
    (again_in := tmp_path / "again").mkdir()
    async with _api(database, again_in) as (_, client):
        again = await asyncio.gather(
            *(_post(client, person, to, f"key {number}") for number, to in enumerate(recipients))
        )
        more = await asyncio.gather(
            *(_post(client, person, to, f"key {number}") for number, to in enumerate(recipients))
        )
    assert {answer.status_code for answer in again} == {202}
    ids = {answer.json()["to"]: answer.json()["id"] for answer in again}
    assert {answer.json()["to"]: answer.json()["id"] for answer in more} == ids
    for row in committed:
        assert ids[row["to"]] == str(row["id"])
    replayed = {answer.json()["to"] for answer in again if "idempotent-replayed" in answer.headers}
    assert replayed >= {row["to"] for row in committed}
    assert await _exact(services.db, person, "1") == len(recipients)


async def test_a_client_that_leaves_after_the_statement_was_sent_is_charged_and_gets_its_answer_later(
    ada, services, database
):
    blocker = await asyncpg.connect(database)
    async with blocker.transaction():
        await blocker.execute("SELECT FROM accounts WHERE id = $1 FOR UPDATE", ada.account_id)
        sent = asyncio.create_task(_post(ada.client, ada, "a@example.com", "a"))
        await until(lambda: services.db.fetchval(WAITING))
        waits = asyncio.create_task(_post(ada.client, ada, "b@example.com", "b"))
        await asyncio.sleep(0.1)
        for task in (sent, waits):
            task.cancel()
        await asyncio.gather(sent, waits, return_exceptions=True)
    await blocker.close()
    await until(lambda: services.db.fetchval("SELECT count(*) FROM messages"))
    answers = [await _post(ada.client, ada, f"{key}@example.com", key) for key in "ab"]
    assert [answer.status_code for answer in answers] == [202, 202]
    assert ["idempotent-replayed" in answer.headers for answer in answers] == [True, False]
    assert await _exact(services.db, ada, "100") == 2
