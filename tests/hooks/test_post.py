"""A `post` server reports to /hooks/post/{name}, signed by the secret of its DSN: these reports move money."""

import asyncio
import base64
from collections.abc import AsyncIterator
from typing import Any
from urllib.parse import quote

import httpx
import orjson
import pytest

from channels import BadDsn, connect
from core import logs, webhook_signatures
from core.settings import Settings
from tests.channels.http_stub import HttpStub, Reply, Seen
from tests.events.hooks import signed

FIRST, SECOND, MAIL, FOREIGN = (
    webhook_signatures.PREFIX + base64.b64encode(bytes([number]) * 31 + b"~").decode()
    for number in range(240, 244)
)
HOOK = "/hooks/post/sms"


class Provider:
    """An HTTP server that takes messages at three addresses, each a route, and knows them as p-0, p-1, …"""

    def __init__(self) -> None:
        self.stub = HttpStub(self.answer)
        self.taken: list[tuple[str, str, str]] = []  # address, its id, ours
        self.refuses: set[str] = set()

    def answer(self, seen: Seen) -> Reply:
        if seen.target in self.refuses:
            return Reply.of(503, {})
        if seen.json["to"] == "+14155550199":
            return Reply.of(202, {})
        number = f"p-{len(self.taken)}"
        self.taken.append((seen.target, number, seen.json["id"]))
        return Reply.of(202, {"id": number})

    def dsn(self, path: str, secret: str | None) -> str:
        receipts = f"&receipts={quote(secret, safe='')}" if secret else ""
        return f"post://me:pw@127.0.0.1:{self.stub.port}/{path}?scheme=http{receipts}"


@pytest.fixture
async def provider() -> AsyncIterator[Provider]:
    made = Provider()
    async with made.stub:
        yield made


@pytest.fixture
def settings(make_settings: Any, provider: Provider) -> Settings:
    made: Settings = make_settings(
        channel_sms=f"{provider.dsn('a', FIRST)}, {provider.dsn('b', SECOND)}, {provider.dsn('c', None)}",
        channel_email=provider.dsn("mail", MAIL),
    )
    return made


async def call(
    client: httpx.AsyncClient, events: Any, secret: str | None = FIRST, path: str = HOOK, **signing: Any
) -> httpx.Response:
    body = orjson.dumps(events)
    return await client.post(path, content=body, headers=signed(secret, body, **signing) if secret else {})


async def sent(ada: Any, drain: Any, to: str = "+14155550100", channel: str = "sms") -> str:
    answer = await ada.rest("POST", "/messages", json={"channel": channel, "to": to, "body": "Hello"})
    assert answer.status_code == 202, answer.text
    await drain(channel)
    return str(answer.json()["id"])


async def state(services: Any, id: str) -> tuple[str, str | None]:
    row = await services.db.fetchrow("SELECT state, failure_code FROM messages WHERE id = $1::uuid", id)
    return row["state"], row["failure_code"]


async def refunds(services: Any) -> int:
    return int(await services.db.fetchval("SELECT count(*) FROM ledger_entries WHERE kind = 'refund'"))


async def test_a_failure_is_refunded_once(ada, client, services, drain, provider):
    id = await sent(ada, drain)
    event = {"providerMessageId": "p-0", "status": "failed", "code": "absent", "reason": "Switched off."}
    answers = await asyncio.gather(*(call(client, event, id=f"m{n % 2}") for n in range(6)))
    assert {answer.status_code for answer in answers} == {204}
    assert await state(services, id) == ("failed", "absent")
    assert await refunds(services) == 1
    shown = (await ada.rest("GET", f"/messages/{id}")).json()
    assert (shown["status"], shown["reportedBy"]) == ("failed", None)


async def test_a_delivery_after_the_failure_is_charged_again_once(ada, client, services, drain, provider):
    id = await sent(ada, drain)
    paid = await balance(services, ada)
    for number, status in enumerate(("failed", "delivered", "delivered", "failed")):
        await call(client, {"providerMessageId": "p-0", "status": status}, id=f"m{number}")
    assert await state(services, id) == ("delivered", None)
    assert await balance(services, ada) == paid
    entries = await services.db.fetch(
        "SELECT kind FROM ledger_entries WHERE reference = $1::uuid ORDER BY id", id
    )
    assert [row["kind"] for row in entries] == ["charge", "refund", "charge"]
    shown = (await ada.rest("GET", f"/messages/{id}")).json()
    assert (shown["status"], shown["failureCode"]) == ("delivered", None)


async def balance(services: Any, person: Any) -> Any:
    return await services.db.fetchval("SELECT balance FROM accounts WHERE id = $1", person.account_id)


async def test_it_overrides_the_user_s_own_hook(ada, client, services, drain, provider):
    ids = [await sent(ada, drain) for _ in range(2)]
    for id, status in zip(ids, ("delivered", "failed"), strict=True):
        await ada.rest("POST", f"/delivery-hook/{ada.id}", json={"messageId": id, "status": status})
    assert await refunds(services) == 0
    await call(client, {"events": [{"providerMessageId": "p-0", "status": "failed"},
                                   {"messageId": ids[1], "status": "delivered"}]})  # fmt: skip
    assert [(await state(services, id))[0] for id in ids] == ["failed", "delivered"]
    assert await refunds(services) == 1


async def test_a_report_that_overtakes_our_commit(ada, client, services, drain, provider):
    queued = (
        await ada.rest("POST", "/messages", json={"channel": "sms", "to": "+14155550100", "body": "x"})
    ).json()
    await call(client, [{"providerMessageId": "p-0", "status": "delivered"}])
    other = (
        await ada.rest("POST", "/messages", json={"channel": "sms", "to": "+14155550101", "body": "x"})
    ).json()
    await call(client, [{"messageId": other["id"], "status": "failed"}])
    await drain("sms")
    number = {ours: theirs for _, theirs, ours in provider.taken}
    delivered = queued["id"] if number[queued["id"]] == "p-0" else other["id"]
    assert (await state(services, other["id"]))[0] == ("delivered" if delivered == other["id"] else "failed")


@pytest.mark.parametrize(
    ("secret", "path", "signing"),
    [
        (None, HOOK, {}),
        (FOREIGN, HOOK, {}),
        (SECOND, HOOK, {}),
        (FIRST, HOOK, {"at": 1_790_000_000}),
        (FIRST, "/hooks/post/sms-3", {}),
        (FIRST, "/hooks/post/sms-9", {}),
        (FIRST, "/hooks/post/email", {}),
        (FIRST, "/hooks/post/nobody", {}),
    ],
)
async def test_what_is_not_signed_by_the_route_s_secret_is_401(
    secret, path, signing, ada, client, services, drain, provider
):
    """With one answer, whether there is such a route or not."""
    id = await sent(ada, drain)
    answer = await call(client, {"providerMessageId": "p-0", "status": "failed"}, secret, path, **signing)
    assert (answer.status_code, answer.json()["code"]) == (401, "bad_signature")
    assert answer.json()["message"] == (await call(client, {}, None)).json()["message"]
    assert await state(services, id) == ("sent", None)


@pytest.mark.parametrize(("secret", "path"), [(SECOND, "/hooks/post/sms-2"), (MAIL, "/hooks/post/email")])
async def test_a_route_reports_only_what_it_took(secret, path, ada, client, services, drain, provider):
    """Neither by the provider's id nor by ours, late or early. A route of another channel has the same label."""
    late = await sent(ada, drain)
    events = [{"providerMessageId": "p-0", "status": "failed"}, {"messageId": late, "status": "failed"}]
    assert (await call(client, events, secret, path)).status_code == 204
    queued = (
        await ada.rest("POST", "/messages", json={"channel": "sms", "to": "+14155550101", "body": "x"})
    ).json()
    early = [
        {"messageId": queued["id"], "status": "failed"},
        {"providerMessageId": "p-1", "status": "failed"},
    ]
    await call(client, early, secret, path)
    await drain("sms")
    assert [await state(services, id) for id in (late, queued["id"])] == [("sent", None)] * 2
    assert await refunds(services) == 0
    # The second route does so for what it takes itself.
    if secret == SECOND:
        provider.refuses.add("/a")
        third = await sent(ada, drain, "+14155550102")
        number = next(theirs for address, theirs, ours in provider.taken if ours == third and address == "/b")
        await call(client, {"providerMessageId": number, "status": "failed"}, secret, path)
        assert (await state(services, third))[0] == "failed"


async def test_a_message_whose_answer_had_no_id_is_known_by_ours(ada, client, services, drain, provider):
    id = await sent(ada, drain, "+14155550199")
    await call(client, {"messageId": id, "status": "delivered"})
    assert await state(services, id) == ("delivered", None)


async def test_a_repeated_event_does_not_fail_a_later_attempt(ada, client, services, drain, provider):
    """By the event's own id, or else by that of the signed request, for 72 hours."""
    id = await sent(ada, drain)
    again = "UPDATE messages SET state = 'sent', failure_code = NULL, handed_at = now() WHERE id = $1::uuid"
    for event, signing in (({"id": "e1"}, {}), ({}, {"id": "m1"})):
        body = {**event, "providerMessageId": "p-0", "status": "failed"}
        await call(client, body, **signing)
        assert (await state(services, id))[0] == "failed"
        await services.db.fetch(again, id)
        await call(client, body, **signing)
        assert (await state(services, id))[0] == "sent"


@pytest.mark.parametrize("body", [b"", b"{", b"1", b"null", b'"x"', orjson.dumps([{}] * 1001)])
async def test_what_can_t_be_read_is_400(body, client, provider):
    answer = await client.post(HOOK, content=body, headers=signed(FIRST, body))
    assert (answer.status_code, answer.json()["code"]) == (400, "bad_hook")


async def test_what_is_no_report_changes_nothing(ada, client, services, drain, provider):
    id = await sent(ada, drain)
    strange = [None, 1, {}, {"status": "failed"}, {"providerMessageId": "p-0"}, {"providerMessageId": ["p-0"]},
               {"providerMessageId": "p-0", "status": "levitated"}, {"providerMessageId": "p-0", "status": ["failed"]},
               {"providerMessageId": "p\x000", "status": "failed"},
               {"providerMessageId": "x" * 999, "status": "failed"}]  # fmt: skip
    assert (await call(client, {"events": strange})).status_code == 204
    assert await state(services, id) == ("sent", None)


@pytest.mark.parametrize("secret", ["x", "whsec_QUJD", "whsec_%%%", "QUJDREVGR0hJSktMTU5PUFFSU1RVVldYWVo="])
def test_a_secret_of_fewer_than_24_bytes_is_refused(secret: str) -> None:
    with pytest.raises(BadDsn, match="24 to 64 random bytes") as refused:
        connect("sms", f"post://127.0.0.1/send?receipts={quote(secret, safe='')}")
    assert secret not in str(refused.value)


async def test_the_secret_is_never_logged(ada, client, services, drain, provider, capsys):
    logs.configure("debug", "json")
    try:
        await sent(ada, drain)
        await call(client, {"providerMessageId": "p-0", "status": "failed"})
        await call(client, {}, SECOND)
        logs.structlog.get_logger("postern.test").info("x", dsn=provider.dsn("a", FIRST), plain=f"by {FIRST}")
        printed = capsys.readouterr()
    finally:
        logs.configure("info", "json")
    assert "whsec_***" in printed.err + printed.out
    for secret in (FIRST, SECOND, MAIL):
        for spelling in (secret, quote(secret, safe=""), secret[10:30]):
            assert spelling not in printed.err + printed.out
