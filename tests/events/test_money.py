"""A user's delivery hook moves the shown status of own messages, and never money: only the way that took them does."""

import asyncio
from collections.abc import Awaitable, Callable
from decimal import Decimal
from typing import Any
from uuid import UUID

import orjson
import pytest

from channels.port import Receipt, Result
from core.ids import uuid7
from engine.mail_reports import recording
from engine.mail_reports.recording import Received, Rules
from engine.reports import report_writer, statements
from engine.worker import receive_events
from runtime.services import Services
from tests.api_tokens.made import made
from tests.events.hooks import key, post, secret, signed
from tests.mail_reports.made import bounce
from tests.members.made import joined
from tests.support.people import Person
from tests.support.projects import Projects
from tests.support.records import Records

SMS = {"channel": "sms", "to": "+14155550100", "body": "Hello"}
DELIVER = "mutation($e:[JSON!]!){deliverEvents(input:{events:$e}){accepted unknown}}"
SHOWN = "{messages(first:50){nodes{uuid status deliveryState reportedBy failureCode deliveredAt}}}"
PROOFS = ("login", "token", "key", "signature", "graphql")
REFUNDS = "SELECT count(*) FROM ledger_entries WHERE kind = 'refund'"

Drain = Callable[[str], Awaitable[int]]


async def report(person: Person, proof: str, events: list[dict[str, Any]]) -> dict[str, int]:
    """Posts events to the person's own hook, by one of the proofs."""
    body = orjson.dumps({"events": events})
    if proof == "graphql":
        answer: dict[str, int] = (await person.data(DELIVER, {"e": events}))["deliverEvents"]
        return answer
    headers: dict[str, str] | None = None
    path = f"/delivery-hook/{person.id}"
    if proof == "token":
        headers = {"authorization": f"Bearer {(await made(person))[0]}"}
    elif proof == "key":
        headers, path = {}, f"{path}?key={await key(person)}"
    elif proof == "signature":
        headers = signed(await secret(person), body)
    response = await post(person, body, headers, path)
    assert response.status_code == 202, response.text
    return dict(response.json())


async def balance(services: Services, person: Person) -> Decimal:
    rows = await services.db.fetch("SELECT balance FROM accounts WHERE id = $1", person.account_id)
    return Decimal(rows[0]["balance"])


async def row(services: Services, id: Any) -> Any:
    return await services.db.fetchrow("SELECT * FROM messages WHERE id = $1::uuid", str(id))


async def sent(person: Person, drain: Drain, count: int = 1, **more: Any) -> list[str]:
    """Direct messages that the sandbox has taken."""
    ids = [(await person.rest("POST", "/messages", json={**SMS, **more})).json()["id"] for _ in range(count)]
    await drain(more.get("channel", "sms"))
    return ids


async def receipt(services: Services, id: Any, result: Result, channel: str = "sms") -> int:
    """Reports as the route that took a message. Returns how many messages changed."""
    found = await row(services, id)
    route = services.routes.of(channel)[0]
    return await receive_events(services, route, [Receipt(found["provider_message_id"] or str(id), result)])


@pytest.mark.parametrize("proof", PROOFS)
@pytest.mark.parametrize("late", [True, False], ids=["late", "early"])
async def test_a_failure_by_the_own_hook_refunds_nothing(
    proof: str, late: bool, ada: Person, services: Services, drain: Drain
) -> None:
    ids = [(await ada.rest("POST", "/messages", json=SMS)).json()["id"] for _ in range(20)]
    paid = await balance(services, ada)
    assert paid < 100
    if late:
        await drain("sms")
    events = [{"messageId": id, "status": "failed", "code": "rejected"} for id in ids]
    assert (await report(ada, proof, events))["accepted"] == (20 if late else 0)
    await drain("sms")
    shown = (await ada.data(SHOWN))["messages"]["nodes"]
    assert {(n["status"], n["deliveryState"], n["reportedBy"], n["failureCode"]) for n in shown} == {
        ("failed", "failed", "hook", "rejected")
    }
    listed = (await ada.rest("GET", "/messages")).json()["items"]
    assert {(item["status"], item["reportedBy"]) for item in listed} == {("failed", "hook")}
    assert await balance(services, ada) == paid
    assert await services.db.fetchval(REFUNDS) == 0
    await ledger_adds_up(services, ada)


async def ledger_adds_up(services: Services, person: Person) -> None:
    total = await services.db.fetchval(
        "SELECT sum(amount) FROM ledger_entries WHERE account_id = $1", person.account_id
    )
    assert await balance(services, person) == total


@pytest.mark.parametrize("proof", PROOFS)
@pytest.mark.parametrize("late", [True, False], ids=["late", "early"])
@pytest.mark.parametrize("classed", [True, False], ids=["bounces", "failures"])
async def test_nor_do_those_of_a_project(
    proof: str, late: bool, classed: bool, ada: Person, records: Records
) -> None:
    project = await records.project(ada, "email")
    ids = [
        await records.make(
            ada, "sent" if late else "sending", to=f"p{n}@example.com", channel="email",
            project=project, provider="sandbox", number=f"M{n}",
        )
        for n in range(100)
    ]  # fmt: skip
    paid = await balance(records.services, ada)
    more = {"class": "hard"} if classed else {"code": "rejected"}
    events = [{"providerMessageId": f"M{n}", "status": "failed", **more} for n in range(100)]
    await report(ada, proof, events)
    if not late:
        await records.set("status = 'sent', sent_at = now(), claim_id = NULL", *ids)
        async with records.db.reading() as db:
            await report_writer.apply_early(db, statements.PROJECTS, ids)
    rows = await records.db.fetch("SELECT * FROM message_records")
    assert {(r["status"], r["reported_by"], r["way_status"], r["attempts"]) for r in rows} == {
        ("failed", "hook", "sent", 0)
    }
    assert sum(r["price"] for r in rows) == 1
    assert await balance(records.services, ada) == paid
    assert await records.db.fetchval(REFUNDS) == 0
    path = f"/message/list?sendingProjectUuid={project}&limit=1"
    listed = (await ada.rest("GET", path)).json()["items"]
    assert (listed[0]["status"], listed[0]["reportedBy"]) == ("failed", "hook")
    query = "{messageRecords(first:1){nodes{status reportedBy}}}"
    nodes = (await ada.data(query))["messageRecords"]["nodes"]
    assert nodes == [{"status": "failed", "reportedBy": "hook"}]


@pytest.mark.parametrize("hook", ["delivered", "failed"])
@pytest.mark.parametrize("way", [Result.delivered, Result.refused])
async def test_the_way_that_took_it_overrides_the_hook(
    hook: str, way: Result, ada: Person, services: Services, drain: Drain
) -> None:
    (id,) = await sent(ada, drain)
    await report(ada, "login", [{"messageId": id, "status": hook}])
    assert (await row(services, id))["reported_by"] == "hook"
    for _ in range(2):
        await receipt(services, id, way)
    await report(ada, "login", [{"messageId": id, "status": hook}])  # it changes nothing any more
    found = await row(services, id)
    ends = "failed" if way is Result.refused else "delivered"
    assert (found["state"], found["reported_by"], found["way_status"]) == (ends, None, None)
    assert (found["delivered_at"] is None, found["failure_code"] is None) == (
        ends == "failed",
        ends != "failed",
    )
    assert await services.db.fetchval(REFUNDS) == (ends == "failed")
    assert (await balance(services, ada) == 100) is (ends == "failed")
    await ledger_adds_up(services, ada)


@pytest.mark.parametrize("hook", ["delivered", "read", "failed"])
@pytest.mark.parametrize("way", [Result.delivered, Result.refused])
async def test_likewise_for_a_project(hook: str, way: Result, ada: Person, records: Records) -> None:
    id = await records.make(ada, number="S1", price="1.5", provider="sandbox")
    await report(ada, "login", [{"providerMessageId": "S1", "status": hook}])
    for _ in range(2):
        async with records.db.reading() as db:
            await report_writer.receive_receipts(db, "sandbox", [Receipt("S1", way)], "sms")
    found = await records.row(id)
    failed = way is Result.refused
    assert (found["status"], found["reported_by"]) == ("failed" if failed else "delivered", None)
    assert (found["price"], found["attempts"]) == ((0, 1) if failed else (Decimal("1.5"), 0))
    assert found["read_at"] is None
    assert await balance(records.services, ada) == (100 if failed else Decimal("98.5"))


async def test_hook_and_receipt_at_once_refund_once(ada: Person, services: Services, drain: Drain) -> None:
    ids = await sent(ada, drain, 10)
    events = [{"messageId": id, "status": "failed"} for id in ids]
    await asyncio.gather(
        *(report(ada, "login", events) for _ in range(4)),
        *(receipt(services, id, Result.refused) for id in ids for _ in range(2)),
    )
    rows = [await row(services, id) for id in ids]
    assert {(found["state"], found["reported_by"]) for found in rows} == {("failed", None)}
    assert await services.db.fetchval(REFUNDS) == 10
    assert await balance(services, ada) == 100


async def test_a_bounce_with_our_token_after_the_hook_refunds(ada: Person, records: Records) -> None:
    id = await records.make(ada, to="person@example.com", channel="email", price="2", number="M1")
    await report(ada, "login", [{"messageId": str(id), "status": "failed", "class": "full"}])
    assert await balance(records.services, ada) == 98
    async with records.db.reading() as db:
        await recording.record(
            db, [Received(id, (bounce(),), "dsn", "<1@example.net>", records.db.now())], Rules()
        )
    found = await records.row(id)
    assert (found["status"], found["reported_by"], found["failure_code"]) == ("failed", None, "hard_bounce")
    assert await balance(records.services, ada) == 100


async def test_a_report_while_it_is_sent_waits_for_the_way_s_answer(ada: Person, records: Records) -> None:
    id = await records.make(ada, "sending", number="S1")
    claim = uuid7()
    await records.set(f"claim_id = '{claim}'", id)
    await report(ada, "login", [{"messageId": str(id), "status": "failed"}])
    found = await records.row(id)
    assert (found["status"], found["claim_id"]) == ("sending", claim)
    await report_writer.retry_recent(records.services)
    assert (await records.row(id))["status"] == "sending"


async def test_what_only_the_hook_calls_failed_is_not_sent_again(
    ada: Person, services: Services, dispatcher: Any
) -> None:
    """It was sent and paid: for nothing again it would be the operator's loss, for a second price the user's."""
    projects = Projects(services)
    project = await projects.make(ada, ["a@example.com", "b@example.com"])
    await projects.work()
    one, two = await projects.records(project)
    paid = await balance(services, ada)
    await report(ada, "login", [{"messageId": str(row["id"]), "status": "failed"} for row in (one, two)])
    answer = await ada.rest("POST", f"/sending-project/retry/{project}")
    assert (answer.status_code, answer.json()["code"]) == (409, "nothing_to_retry"), answer.text
    assert "delivery hook" in answer.json()["message"]
    refused = Receipt(str(two["id"]), Result.refused, code="mailbox_full")
    await receive_events(services, services.routes.of("email")[0], [refused])
    by_code = {"failed": [(await projects.records(project))[0]["failure_code"]]}
    answer = await ada.rest("POST", f"/sending-project/retry/{project}", json=by_code)
    assert (answer.status_code, answer.json()["code"]) == (409, "nothing_to_retry"), answer.text
    assert await balance(services, ada) == paid + one["price"]
    assert (await ada.rest("POST", f"/sending-project/retry/{project}")).status_code == 200
    await projects.work()
    stored = {row["id"]: row for row in await projects.records(project)}
    assert (stored[one["id"]]["status"], stored[one["id"]]["reported_by"]) == ("failed", "hook")
    assert (stored[two["id"]]["status"], stored[two["id"]]["price"]) == ("sent", two["price"])
    assert stored[one["id"]]["handed_at"] == one["handed_at"]
    assert await balance(services, ada) == paid
    await ledger_adds_up(services, ada)


async def test_another_s_message_is_out_of_reach(
    ada: Person, bob: Person, services: Services, drain: Drain
) -> None:
    (id,) = await sent(ada, drain)
    await services.db.fetch("UPDATE messages SET provider_message_id = 'SM7' WHERE id = $1::uuid", id)
    before = tuple(await row(services, id))
    for event in (
        {"messageId": id},
        {"providerMessageId": "SM7"},
        {"messageId": id, "providerMessageId": "SM7"},
    ):
        await report(bob, "login", [{**event, "status": "failed"}])
    await drain("sms")
    assert tuple(await row(services, id)) == before


async def test_a_hook_counts_in_no_figure_of_deliverability(ada: Person, records: Records) -> None:
    project = await records.project(ada, "email")
    ids = [
        await records.make(ada, to=f"p{n}@gmail.com", channel="email", project=project, number=f"M{n}")
        for n in range(4)
    ]
    numbers = "/statistics/deliverability", "/statistics/deliverability/projects"
    before = [(await ada.rest("GET", path)).json()["items"] for path in numbers]
    events = [{"messageId": str(ids[0]), "status": "delivered"}, {"messageId": str(ids[1]), "status": "failed",
              "class": "policy"}, {"messageId": str(ids[2]), "event": "complaint"}]  # fmt: skip
    await report(ada, "login", events)
    assert [(await ada.rest("GET", path)).json()["items"] for path in numbers] == before
    assert await records.db.fetchval("SELECT count(*) FROM route_receipts") == 0
    async with records.db.reading() as db:  # then the way says so, too
        await report_writer.receive_receipts(db, "twilio", [Receipt("M0", Result.delivered)], "email")
    (gmail,) = (await ada.rest("GET", "/statistics/deliverability")).json()["items"]
    (by_project,) = (await ada.rest("GET", "/statistics/deliverability/projects")).json()["items"]
    assert (gmail["delivered"], by_project["delivered"]) == (1, 1)
    assert (gmail["bounced"], gmail["complaints"]) == (0, 0)
    # A bounce by mail counts, although the hook has set its time before.
    async with records.db.reading() as db:
        received = Received(ids[1], (bounce("policy"),), "dsn", "<2@example.net>", records.db.now())
        await recording.record(db, [received], Rules())
    (gmail,) = (await ada.rest("GET", "/statistics/deliverability")).json()["items"]
    assert (gmail["policy"], gmail["bounced"]) == (1, 1)


SCOPES = ("messages:read", "blocks:write", "hooks:write", "profile:write", "events:write")
CHANNEL_EVENT = {"event": "blocked", "source": "telegram", "login": "79990000000"}
REPORT_CHANNEL = "mutation($i:ChannelEvent!){reportChannel(input:$i){accepted}}"


async def answers(person: Person, owner: UUID) -> list[tuple[int, str | None]]:
    """Returns what both hooks answer to this caller, in both doors."""
    event = [{"event": "complaint", "address": "+14155550111"}]

    async def rest(path: str, body: Any) -> tuple[int, str | None]:
        answer = await person.rest("POST", path, json=body)
        return answer.status_code, answer.json().get("code")

    async def graphql(query: str, variables: Any) -> tuple[int, str | None]:
        errors = (await person.graphql(query, variables)).get("errors")
        return (403, errors[0]["extensions"]["code"]) if errors else (202, None)

    return [
        await rest(f"/delivery-hook/{owner}", event),
        await rest("/webhook/user-channel", {**CHANNEL_EVENT, "engineUserUuid": str(owner)}),
        await graphql(DELIVER, {"e": event}),
        await graphql(REPORT_CHANNEL, {"i": CHANNEL_EVENT}),
    ]


@pytest.mark.parametrize("scope", SCOPES)
async def test_a_token_without_the_permission_is_refused(scope: str, ada: Person, services: Services) -> None:
    token, _ = await made(ada, scopes=[scope])
    limited = Person(ada.id, ada.email, ada.account_id, token, ada.client)
    assert await answers(limited, ada.id) == [(403, "forbidden")] * 4
    assert await services.db.fetchval("SELECT count(*) FROM blocked_phones") == 0


async def test_the_permission_alone_is_enough_and_makes_no_secret(ada: Person) -> None:
    token, _ = await made(ada, scopes=["hooks:report"])
    reporter = Person(ada.id, ada.email, ada.account_id, token, ada.client)
    assert await answers(reporter, ada.id) == [(202, None)] * 4
    assert (await reporter.rest("POST", "/hook-secrets/keys")).status_code == 403


@pytest.mark.parametrize("role", ["manager", "editor", "sender", "support", "viewer", "billing"])
async def test_of_the_members_only_a_manager_reports(role: str, ada: Person, bob: Person) -> None:
    member, _ = await joined(ada, bob, role)
    expected = (202, None) if role == "manager" else (403, "forbidden")
    assert await answers(member, ada.id) == [expected] * 4
    assert (await post(ada, b"{}", bob.headers)).status_code == 401  # not acting for the owner


async def test_a_member_who_was_given_it_by_name_reports(ada: Person, bob: Person) -> None:
    member, _ = await joined(ada, bob, "viewer", permissions=["hooks:report"])
    assert await answers(member, ada.id) == [(202, None)] * 4


@pytest.mark.parametrize("proof", ["login", "token", "key", "signature"])
async def test_blocks_that_a_hook_makes_are_in_the_audit(
    proof: str, ada: Person, services: Services, drain: Drain
) -> None:
    await sent(ada, drain)
    reply = {"event": "reply", "from": SMS["to"], "text": "STOP", "id": "r1"}
    await report(ada, proof, [reply, {"event": "complaint", "address": "+14155550111"}])
    entries = await services.db.fetch(
        "SELECT * FROM audit_entries WHERE operation = 'events.deliver' ORDER BY id"
    )
    assert [(e["object_type"], e["owner_id"]) for e in entries] == [("block", ada.id)] * 2
    kinds = {"login": "user", "token": "token", "key": "hook_key", "signature": "hook_secret"}
    assert {e["actor_kind"] for e in entries} == {kinds[proof]}
    by_person = proof in ("login", "token")
    assert {e["actor_id"] for e in entries} == {ada.id if by_person else None}
    assert all((e["token_id"] is None) is (proof == "login") for e in entries)
    if not by_person:
        known = {r["id"] for r in await services.db.fetch("SELECT id FROM hook_secrets")}
        assert entries[0]["token_id"] in known
    changes = orjson.dumps([e["changes"] for e in entries], default=str).decode()
    assert "optOut" in changes and "complaint" in changes and "4155550" not in changes
    assert "hmac:" in changes
    shown = (await ada.rest("GET", "/audit?operation=events.deliver")).json()["items"]
    assert {item["actorKind"] for item in shown} == {kinds[proof]}
