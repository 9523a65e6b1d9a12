"""A provider that refuses a sender by its policy is paused for that sender: its mails wait, and all others go on.

MAILS=4000 python tests/run.py tests/receivers/test_pauses.py sends 20,000 mails.
"""

import asyncio
import os
from collections import Counter
from decimal import Decimal
from typing import Any

import pytest

from engine.projects import batch_run, scheduler
from engine.projects.claim import FULL, BatchClaim
from engine.projects.cycle import runner_of
from engine.projects.preparation import Preparation
from engine.receivers import rules
from engine.receivers.rules import PAUSED, THRESHOLD, Receiver, Receivers, receivers_of
from postern.doctor import receivers as doctor
from postern.doctor.findings import Findings
from tests.support.receiving import BY_POLICY, SLOW_DOWN
from tests.support.waits import until

EACH = int(os.environ.get("MAILS", "40"))
DOMAINS = ("gmail.com", "outlook.com", "yahoo.com", "icloud.com", "example.net")
POOL = 8
PAUSES = "{receiverPauses{uuid ownerUuid domain providerClass until times answer}}"


def people(each: int = EACH) -> list[str]:
    return [f"u{number}@{domain}" for number in range(each) for domain in DOMAINS]


async def pauses(person: Any) -> list[dict[str, Any]]:
    """Returns the pauses that REST shows, which those of GraphQL must be."""
    answer = await person.rest("GET", "/receiver-pauses")
    assert answer.status_code == 200, answer.text
    shown: list[dict[str, Any]] = answer.json()
    for each in shown:
        del each["createdAt"]
    assert (await person.data(PAUSES))["receiverPauses"] == shown
    return shown


async def findings(services: Any) -> list[str]:
    lines: list[str] = []
    await doctor.look(Findings(lines.append), services.db)
    return lines


async def over(services: Any) -> None:
    """The time of all pauses is over, and what waits for them is due."""
    await services.db.fetchval("UPDATE receiver_pauses SET until = now()")
    await services.db.fetchval("UPDATE messages SET due_at = now() WHERE state = 'queued'")
    await receivers_of(services).refresh()


@pytest.mark.parametrize("answer", [BY_POLICY, SLOW_DOWN])
async def test_the_mails_of_a_project_wait_and_go_out_when_the_pause_is_lifted(
    ada, admin, bob, services, server, projects, rule, answer
):
    await services.db.fetchval("UPDATE tariffs SET prices = jsonb_set(prices, '{USD,email}', '0.001')")
    await rule()
    server.refuses["gmail.com"] = answer
    id = await projects.make(ada, people())
    await projects.work()
    assert await projects.states(id) == {"sent": 4 * EACH, "queued": EACH}
    assert {server.taken_by(domain) for domain in DOMAINS[1:]} == {EACH}
    # What was in flight, or had its intent, when the pause began.
    assert THRESHOLD <= server.refused["gmail.com"] <= 3 * POOL
    [pause] = await pauses(ada)
    assert (pause["ownerUuid"], pause["domain"], pause["providerClass"]) == (
        str(ada.id),
        "example.com",
        "gmail",
    )
    assert pause["times"] == 1 and answer.partition(" ")[2] in pause["answer"]
    assert await pauses(bob) == []
    assert await pauses(admin) == [pause]
    [finding] = await findings(services)
    assert finding.startswith("!") and "gmail refuses mail from example.com" in finding
    assert answer[4:60] in finding

    waiting = await services.db.fetch(
        "SELECT failure_code, failure_reason, price FROM message_records WHERE project_id = $1 AND status = 'queued'",
        id,
    )
    assert {row["price"] for row in waiting} == {Decimal(0)}
    # Two refusals came before it was known that they are of the sender.
    assert [row["failure_code"] for row in waiting].count(PAUSED) >= EACH - THRESHOLD + 1
    assert all(answer.partition(" ")[2] in row["failure_reason"] for row in waiting)
    told = [row["failure_reason"] for row in waiting if row["failure_code"] == PAUSED]
    assert not [reason for reason in told if "@" in reason], "it may be the address of another"
    assert "@" not in pause["answer"]
    charged = "SELECT -sum(amount) FROM ledger_entries WHERE kind IN ('charge', 'refund')"
    assert await services.db.fetchval(charged) == Decimal("0.001") * 4 * EACH

    del server.refuses["gmail.com"]
    lifted = await ada.rest("DELETE", f"/receiver-pauses/{pause['uuid']}")
    assert lifted.status_code == 403, lifted.text
    assert (await admin.rest("DELETE", f"/receiver-pauses/{pause['uuid']}")).status_code == 204
    await receivers_of(services).refresh()

    async def helped() -> bool:
        await scheduler.help_projects(services)  # as every worker does each second
        await asyncio.gather(*runner_of(services).tasks)
        return (await projects.states(id))["sent"] >= 5 * EACH - THRESHOLD + 1

    await until(helped)
    await projects.hurry()  # those that were refused before the pause began wait as after any failure
    await projects.work()
    assert await projects.states(id) == {"sent": 5 * EACH}
    assert server.taken == Counter(people()), "each once"
    assert await services.db.fetchval(charged) == Decimal("0.001") * 5 * EACH
    assert await pauses(admin) == [] and await findings(services) == []


async def test_a_pause_costs_the_others_of_a_project_one_transaction_a_batch(
    ada, services, server, projects, rule, monkeypatch
):
    """The first batches are being sent when it begins. What they lose must not look as if their route were slow."""
    put_off: list[int] = []
    defer = BatchClaim.defer

    async def counted(claim: BatchClaim, route: Any, waiting: Any) -> None:
        put_off.append(len(waiting))
        await defer(claim, route, waiting)

    monkeypatch.setattr(BatchClaim, "defer", counted)
    monkeypatch.setattr(batch_run, "CYCLE_SECONDS", 60.0)  # a busy machine is slow, too
    await rule()
    server.refuses["gmail.com"] = SLOW_DOWN
    id = await projects.make(ada, people(60))
    await projects.work()
    assert await projects.states(id) == {"sent": 240, "queued": 60}
    # Those with an intent come one by one, all others of the batch at once.
    assert max(put_off) >= 60 - 3 * POOL and len(put_off) <= 2 * POOL, put_off
    assert runner_of(services).sender.most(id) == FULL


async def test_no_text_is_made_for_a_provider_that_is_paused(
    ada, services, server, projects, rule, monkeypatch
):
    made: list[str] = []
    variables = Preparation._variables

    def counted(self: Preparation, content: Any, channel: str, row: Any, base: str) -> dict[str, Any]:
        made.append(row["to"])
        return variables(self, content, channel, row, base)

    monkeypatch.setattr(Preparation, "_variables", counted)
    await rule()
    await services.db.fetchval(
        "INSERT INTO receiver_pauses (id, owner_id, domain, provider_class, until, answer)"
        " VALUES ($1, $2, 'example.com', 'gmail', now() + interval '1 hour', 'slow down')",
        rules.uuid7(),
        ada.id,
    )
    await receivers_of(services).refresh()
    id = await projects.make(ada, people(4))
    await projects.work()
    assert await projects.states(id) == {"sent": 16, "queued": 4}
    assert sorted(made) == sorted(to for to in people(4) if not to.endswith("gmail.com"))
    waiting = await services.db.fetch(
        "SELECT DISTINCT m.failure_code, m.failure_reason, u.for_window,"
        " u.due_at - now() > interval '50 minutes' AS late"
        " FROM message_records AS m JOIN sending_units AS u ON u.id = m.unit_id WHERE m.project_id = $1",
        id,
    )
    [row] = waiting
    assert (row["failure_code"], row["late"], row["for_window"]) == (PAUSED, True, False)
    assert "slow down" in row["failure_reason"]
    await over(services)
    await projects.hurry()
    await projects.work()
    assert (await projects.states(id))["sent"] >= 17


@pytest.mark.parametrize("answer", [BY_POLICY, SLOW_DOWN])
async def test_direct_messages_wait_and_go_out_after_the_pause(
    ada, gateway, services, server, drain, rule, answer
):
    await rule()
    server.refuses["gmail.com"] = answer
    to = people(12)
    ids = {address: await gateway.send(ada, address, "email") for address in to}
    await drain("email")
    await services.db.fetchval("UPDATE messages SET due_at = now() WHERE failure_code <> $1", PAUSED)
    await drain("email")  # those that were refused before the pause began wait for it, too
    states = {address: await gateway.row(id) for address, id in ids.items()}
    assert {row["state"] for address, row in states.items() if not address.endswith("gmail.com")} == {"sent"}
    waiting = [row for address, row in states.items() if address.endswith("gmail.com")]
    assert {(row["state"], row["failure_code"]) for row in waiting} == {("queued", PAUSED)}
    shown = (await ada.rest("GET", f"/messages/{waiting[0]['id']}")).json()["waitingFor"]
    assert shown["code"] == "rate" and "the provider refuses the sender" in shown["reason"] and shown["until"]
    del server.refuses["gmail.com"]
    await over(services)
    for _ in range(3):
        await drain("email")
        await services.db.fetchval("UPDATE messages SET due_at = now() WHERE state = 'queued'")
    assert {(await gateway.row(id))["state"] for id in ids.values()} == {"sent"}
    assert server.taken == Counter(to)
    assert await services.db.fetchval("SELECT count(*) FROM receiver_pauses") == 0


async def test_one_message_shows_whether_the_provider_takes_them_again(
    ada, gateway, services, server, drain, rule
):
    await rule()
    server.refuses["gmail.com"] = SLOW_DOWN
    for number in range(30):
        await gateway.send(ada, f"u{number}@gmail.com", "email")
    await drain("email")
    await over(services)
    before = server.refused["gmail.com"]
    await drain("email")
    assert server.refused["gmail.com"] == before + 1
    row = await services.db.fetchrow("SELECT times, until - now() AS left FROM receiver_pauses")
    assert row["times"] == 2
    assert rules.FIRST_PAUSE < row["left"] <= 2 * rules.FIRST_PAUSE
    await drain("email")
    assert server.refused["gmail.com"] == before + 1


async def test_a_small_provider_stops_none_of_the_others(ada, gateway, services, server, drain, rule):
    await rule()
    server.refuses["example.net"] = BY_POLICY
    refused = [await gateway.send(ada, f"u{number}@example.net", "email") for number in range(THRESHOLD + 2)]
    await drain("email")
    sent = [await gateway.send(ada, f"u{number}@example.org", "email") for number in range(2)]
    await drain("email")
    assert {(await gateway.row(id))["state"] for id in refused} == {"failed"}
    assert {(await gateway.row(id))["state"] for id in sent} == {"sent"}
    assert await services.db.fetchval("SELECT count(*) FROM receiver_pauses") == 0


async def test_an_owner_who_provokes_refusals_stops_no_other_owner(
    ada, bob, gateway, services, server, drain, rule
):
    await rule()
    server.refuses["gmail.com"] = SLOW_DOWN
    for number in range(10):
        await gateway.send(ada, f"u{number}@gmail.com", "email")
    await drain("email")
    [pause] = await pauses(ada)
    del server.refuses["gmail.com"]
    id = await gateway.send(bob, "bob@gmail.com", "email")
    await drain("email")
    assert await gateway.state(id) == "sent"
    assert await pauses(ada) == [pause] and await pauses(bob) == []


async def test_a_refusal_of_one_message_is_tried_once_more_and_pauses_nothing(
    ada, gateway, services, server, drain, rule
):
    await rule()
    server.refuses["gmail.com"] = BY_POLICY
    id = await gateway.send(ada, "one@gmail.com", "email")
    await drain("email")
    row = await gateway.row(id)
    assert (row["state"], row["failure_code"], row["attempts"]) == ("queued", "receiver_refused", 1)
    await services.db.fetchval("UPDATE messages SET due_at = now() WHERE state = 'queued'")
    await drain("email")
    row = await gateway.row(id)
    assert (row["state"], row["failure_code"]) == ("failed", "rejected")
    assert server.refused["gmail.com"] == 2 and await pauses(ada) == []


async def test_without_a_rule_a_refusal_fails_as_it_did(ada, gateway, services, server, drain):
    server.refuses["gmail.com"] = BY_POLICY
    ids = [await gateway.send(ada, f"u{number}@gmail.com", "email") for number in range(5)]
    await drain("email")
    assert {await gateway.state(id) for id in ids} == {"failed"}
    assert await pauses(ada) == []


async def test_a_pause_that_could_not_be_stored_is_stored_later(services, rule, monkeypatch):
    class Item:
        receiver = Receiver(services.db and rules.uuid7(), "example.com", "gmail")
        uncertain, tries = False, 0

    async def away(*_: Any) -> None:
        raise OSError("away")

    await rule()
    receivers, other = receivers_of(services), Receivers(services)
    with monkeypatch.context() as broken:
        broken.setattr(services.db, "fetchval", away)
        for _ in range(THRESHOLD):
            item = Item()
            item.outcome = outcome()
            await receivers.hear([item])
    assert item.outcome.code == PAUSED and receivers.wait(Item.receiver) > 0
    await other.refresh()
    assert not other.wait(Item.receiver)
    await receivers.refresh()
    await other.refresh()
    assert other.wait(Item.receiver) > 0
    # The refusals that the other worker hears meanwhile belong to the same pause.
    item.outcome = outcome()
    await other.hear([item])
    assert await services.db.fetchval("SELECT times FROM receiver_pauses") == 1


def outcome() -> Any:
    from aiosmtplib.response import SMTPResponse

    from channels.smtp.replies import read_reply

    code, _, text = BY_POLICY.partition(" ")
    return read_reply("RCPT TO", SMTPResponse(int(code), text))
