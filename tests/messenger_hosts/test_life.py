"""One host in this process, and accounts of the sandbox: from start to stop, and what is written down meanwhile."""

import asyncio

import pytest

from core.errors import Conflict
from engine.messengers import call_client
from engine.messengers import host as module
from tests.support.hosts import account, becomes, row, want
from tests.support.rounds import run_round
from tests.support.waits import until

pytestmark = pytest.mark.settings(sandbox_moment=0.05, qr_attempts=1000)


async def test_a_wanted_account_is_connected_and_lives(services, ada, host):
    id = await account(services, ada.id, "15005559999")
    await call_client.wake(services, id)
    works = await becomes(services, id, "working")
    assert works["session_encrypted"] is not None
    assert works["connected_phone"] == "+15005559999"
    assert works["checked_at"] is not None
    assert (await call_client.ask(services, id, "me"))["phone"] == "+15005559999"


async def test_a_workers_host_asks_for_nothing_while_nobody_has_an_account(services, ada, monkeypatch):
    monkeypatch.setattr(module, "ROUND_SECONDS", 0.05)
    host, looks = module.Host(services, finds_accounts=False), 0
    room = host.leases.room

    async def counted() -> int | None:
        nonlocal looks
        looks += 1
        return await room()

    monkeypatch.setattr(host.leases, "room", counted)
    running = asyncio.create_task(host.run())
    try:
        await until(lambda: host._idle)
        await run_round(services, "find_accounts")
        await asyncio.sleep(0.3)
        assert looks == 1
        id = await account(services, ada.id, wakes=False)
        await run_round(services, "find_accounts")
        await becomes(services, id, "working")
        await want(services, id, False)
        await becomes(services, id, "stopped")
        await until(lambda: host._idle)
    finally:
        host.stop()
        await running


async def test_what_is_not_wanted_any_more_is_let_go_of_and_comes_back_without_a_login(services, ada, host):
    id = await account(services, ada.id)
    await call_client.wake(services, id)
    await becomes(services, id, "working")
    await want(services, id, False)
    await becomes(services, id, "stopped")
    with pytest.raises(Conflict) as refused:
        await call_client.ask(services, id, "me")
    assert refused.value.code == "wrong_state"
    assert refused.value.details["state"] == "stopped"
    await want(services, id, True)
    await becomes(services, id, "working")
    assert (await row(services, id))["wanted"]


async def test_a_qr_waits_sealed_for_its_webhook(services, ada, host):
    id = await account(services, ada.id, "sandbox-unused", wanted=False)
    await services.db.fetch(
        "INSERT INTO webhooks (id, account_id, url, secret_encrypted, enabled, owner_id)"
        " VALUES ($1, $1, 'http://127.0.0.1:9', '', true, $2)",
        id,
        ada.id,
    )
    await want(services, id, True)
    await becomes(services, id, "waitQr")
    bodies = await services.db.fetch("SELECT body FROM webhook_deliveries WHERE webhook_id = $1", id)
    assert any("sealedValue" in row["body"] for row in bodies)
    assert not any("sandbox://" in row["body"] for row in bodies)
