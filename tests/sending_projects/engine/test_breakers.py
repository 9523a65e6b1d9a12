"""Projects behind open breakers: they wait without a busy loop, and one host's messages hold up no others."""

from collections import Counter
from typing import Any

import pytest

from channels.port import Outcome, Result
from engine.projects import batch_run, batches
from tests.sending_projects.engine.test_senders import sender
from tests.support import hosts
from tests.support.fake_channels import Fake, use

SILENT = Outcome(Result.unknown, code="timeout", reason="no answer")
PHONES = [f"+1415555{n:04}" for n in range(30)]


async def opened(services: Any, name: str) -> None:
    await services.db.fetchval(
        "INSERT INTO route_breakers (name, opened_at, pause, probe_at)"
        " VALUES ($1, now(), '5 minutes', now() + interval '5 minutes')",
        name,
    )
    await services.breakers.refresh()


@pytest.fixture
def claims(monkeypatch):
    seen = Counter()
    old = batches.claim

    async def claim(*a, **k):
        seen["claims"] += 1
        return await old(*a, **k)

    monkeypatch.setattr(batches, "claim", claim)
    return seen


async def test_an_open_breaker_of_the_only_account_costs_no_claims_and_no_money(
    ada, services, projects, claims, monkeypatch
):
    monkeypatch.setattr(batch_run, "CYCLE_SECONDS", 2.0)
    one = await sender(projects, ada)
    account = await hosts.account(services, ada.id, str(one), wanted=False)
    await services.db.fetchval(
        "UPDATE source_accounts SET messenger_account_uuid = $2 WHERE id = $1", one, account
    )
    await services.db.fetchval("UPDATE tariffs SET prices = jsonb_set(prices, '{USD,telegram}', '0.01')")
    await services.db.fetchval("DELETE FROM pgqueuer")
    await projects.make(ada, PHONES, channel="telegram", account_uuids=[one])
    await projects.step()
    await opened(services, f"account@{account}")
    before = await services.db.fetchval("SELECT count(*) FROM ledger_entries")
    await projects.step()  # one cycle of two seconds
    assert await services.db.fetchval("SELECT count(*) FROM ledger_entries") == before
    assert claims["claims"] <= 3


async def test_what_may_only_go_by_a_route_that_is_open_waits(ada, services, projects, claims, monkeypatch):
    monkeypatch.setattr(batch_run, "CYCLE_SECONDS", 2.0)
    asks, spare = Fake(lambda _: SILENT, idempotent=True), Fake()
    use(services, asks, spare)
    await services.db.fetchval("DELETE FROM pgqueuer")
    await projects.make(ada, [f"u{n}@example.com" for n in range(5)])
    await projects.step()
    await projects.step()
    await opened(services, "email-1")
    await projects.hurry()
    claims.clear()
    await projects.step()
    assert claims["claims"] <= 3


async def test_one_host_that_hangs_holds_up_nobody_else(ada, services, projects, claims):
    fake = Fake(batch=100)
    fake.name = "webpush"
    use(services, fake, kind="push")
    hung = '{"endpoint": "https://hung.example/%d"}'
    ok = '{"endpoint": "https://ok.example/%d"}'
    await services.db.fetchval("DELETE FROM pgqueuer")
    id = await projects.make(ada, [(hung if n % 500 == 0 else ok) % n for n in range(5000)], channel="push")
    await opened(services, "push-1@hung.example")
    await projects.work()
    assert await projects.states(id) == {"sent": 4990, "queued": 10}
