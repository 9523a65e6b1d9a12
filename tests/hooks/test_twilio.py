"""Twilio calls POST /hooks/twilio/sms through the whole application; its API is on loopback."""

import asyncio
import base64
import hmac
from collections.abc import AsyncIterator, Mapping
from typing import Any
from urllib.parse import urlencode
from uuid import UUID

import httpx
import pytest

from core.settings import Settings
from tests.channels import peer_twilio
from tests.channels.peer import Scenario, patient
from tests.channels.peer_twilio import TOKEN, Twilio
from tests.support.gateway import Gateway

PUBLIC = "https://gate.example.com"
HOOK = "/hooks/twilio/sms"


@pytest.fixture
async def twilio() -> AsyncIterator[Twilio]:
    async with peer_twilio.peer() as made:
        yield made


@pytest.fixture
def settings(make_settings: Any, twilio: Twilio, request: pytest.FixtureRequest) -> Settings:
    """Twilio may take long: it calls our hook meanwhile. `@pytest.mark.settings(hangs=True)`: not very long."""
    first = twilio.dsn if request.node.get_closest_marker("settings") else patient(twilio.dsn)
    second = "twilio://AC2:other-token@127.0.0.1?from=%2B15005550007"
    made: Settings = make_settings(channel_sms=f"{first}, {second}", public_url=PUBLIC + "/")
    return made


def sign(fields: Mapping[str, str], url: str = PUBLIC + HOOK, token: str = TOKEN) -> str:
    """https://www.twilio.com/docs/usage/security, by hand."""
    text = url + "".join(name + fields[name] for name in sorted(fields))
    return base64.b64encode(hmac.digest(token.encode(), text.encode(), "sha1")).decode()


async def call(
    client: httpx.AsyncClient, fields: Mapping[str, str], signature: str | None = "", path: str = HOOK
) -> httpx.Response:
    """`signature`: the right one when empty, none at all when None."""
    headers = {"content-type": "application/x-www-form-urlencoded"}
    if signature is not None:
        headers["x-twilio-signature"] = signature or sign(fields, PUBLIC + path)
    return await client.post(path, content=urlencode(fields), headers=headers)


def status(sid: str, status: str, **more: str) -> dict[str, str]:
    return {"MessageSid": sid, "SmsSid": sid, "MessageStatus": status, "To": "+1", "From": "+2", **more}


async def sent(gateway: Gateway, person: Any, drain: Any) -> tuple[UUID, str]:
    """A message that Twilio has, and its sid."""
    id = await gateway.send(person)
    await drain("sms")
    row = await gateway.row(id)
    assert row["state"] == "sent"
    return id, row["provider_message_id"]


async def test_a_status_callback_delivers(
    gateway: Gateway, ada: Any, drain: Any, client: httpx.AsyncClient, twilio: Twilio
) -> None:
    id, sid = await sent(gateway, ada, drain)
    assert twilio.received[0].extra["StatusCallback"] == PUBLIC + HOOK
    answer = await call(client, status(sid, "delivered"))
    assert (answer.status_code, answer.content) == (204, b"")
    shown = (await ada.rest("GET", f"/messages/{id}")).json()
    assert (shown["status"], shown["providerMessageId"]) == ("delivered", sid)


async def test_a_failure_refunds_once_however_often_it_is_told(
    gateway: Gateway, ada: Any, drain: Any, client: httpx.AsyncClient
) -> None:
    id, sid = await sent(gateway, ada, drain)
    failure = status(sid, "undelivered", ErrorCode="30005")
    answers = await asyncio.gather(*(call(client, failure) for _ in range(20)))
    assert {answer.status_code for answer in answers} == {204}
    row = await gateway.row(id)
    assert (row["state"], row["failure_code"]) == ("failed", "invalid_recipient")
    assert await gateway.refunds(id) == 1
    balance = (await ada.rest("GET", f"/accounts/{ada.account_id}/balance")).json()["balance"]
    assert balance == 100


WRONG = {
    "missing": None,
    "another token": sign(status("SM1", "delivered"), token="wrong"),
    "another body": sign(status("SM1", "sent")),
    "another host": sign(status("SM1", "delivered"), "http://postern.test" + HOOK),
    "another channel": sign(status("SM1", "delivered"), PUBLIC + HOOK + "-2"),
    "nonsense": "nonsense",
    "no ASCII": "ÿ",
}


async def test_without_the_right_signature_nothing_happens(
    gateway: Gateway, ada: Any, client: httpx.AsyncClient
) -> None:
    id = await gateway.send(ada)
    await gateway.set("state = 'sending', provider = 'twilio', provider_message_id = 'SM1'", id)
    for why, signature in WRONG.items():
        headers = {"content-type": "application/x-www-form-urlencoded"}
        if signature is not None:
            headers["x-twilio-signature"] = signature
        raw = [(name.encode(), value.encode("latin-1")) for name, value in headers.items()]
        answer = await client.post(HOOK, content=urlencode(status("SM1", "delivered")), headers=raw)
        assert (answer.status_code, answer.json()["code"]) == (401, "bad_signature"), why
        assert TOKEN not in answer.text
    assert await gateway.state(id) == "sending"
    assert await gateway.count("early_reports") == 0


async def test_replayed_and_out_of_order(
    gateway: Gateway, ada: Any, drain: Any, client: httpx.AsyncClient
) -> None:
    id, sid = await sent(gateway, ada, drain)
    for word in ("queued", "delivered", "delivered", "sent", "sending", "undelivered", "delivered"):
        assert (await call(client, status(sid, word))).status_code == 204
    assert await gateway.moves(id) == ["sending", "sent", "delivered"]


async def test_a_message_that_we_do_not_know_yet(
    gateway: Gateway, ada: Any, drain: Any, client: httpx.AsyncClient, twilio: Twilio
) -> None:
    """Twilio tells the delivery before it answers the request that made the message."""
    real = twilio.answer

    async def tells_first(seen: Any) -> Any:
        reply: Any = real(seen)
        callback = status(httpx.Response(201, content=reply.body).json()["sid"], "delivered")
        assert (await call(client, callback)).status_code == 204
        assert await gateway.count("early_reports") == 1
        return reply

    twilio.stub.answer = tells_first
    id = await gateway.send(ada)
    await drain("sms")
    assert await gateway.state(id) == "delivered"
    assert await gateway.moves(id) == ["sending", "sent", "delivered"]
    assert await gateway.count("early_reports") == 0


async def test_a_message_of_somebody_elses_changes_nothing(
    gateway: Gateway, ada: Any, client: httpx.AsyncClient
) -> None:
    id = await gateway.send(ada)
    assert (await call(client, status("SM-strange", "delivered"))).status_code == 204
    assert await gateway.count("early_reports") == 1
    assert await gateway.state(id) == "queued"


@pytest.mark.settings(hangs=True)
async def test_what_became_unknown_is_not_resolved_by_a_sid_that_we_never_heard(
    gateway: Gateway, ada: Any, drain: Any, client: httpx.AsyncClient, twilio: Twilio
) -> None:
    twilio.script(Scenario.hang_after)
    id = await gateway.send(ada)
    await drain("sms")
    assert await gateway.state(id) == "unknown"
    assert (await call(client, status("SM" + "0" * 32, "delivered"))).status_code == 204
    assert await gateway.state(id) == "unknown"


async def test_the_second_channel_has_its_own_hook_and_token(
    gateway: Gateway, ada: Any, client: httpx.AsyncClient
) -> None:
    id = await gateway.send(ada)
    await gateway.set("state = 'sending', provider = 'twilio-2', provider_message_id = 'SM1'", id)
    callback, path = status("SM1", "delivered"), HOOK + "-2"
    assert (await call(client, callback, path=path)).status_code == 401  # signed by the first one's token
    assert (await call(client, callback)).status_code == 204
    assert await gateway.state(id) == "sending"  # the first one's SM1 is another message
    answer = await call(client, callback, sign(callback, PUBLIC + path, "other-token"), path)
    assert answer.status_code == 204
    assert await gateway.state(id) == "delivered"


async def test_no_such_channel(client: httpx.AsyncClient, gateway: Gateway) -> None:
    for path in (
        "twilio/sms-3", "twilio/email", "smpp/sms", "nothing/sms", "twilio/sms-%C2%B2", "twilio/sms-",
        "twilio/sms-" + "9" * 5000,
    ):  # fmt: skip
        answer = await call(client, status("SM1", "delivered"), "x", f"/hooks/{path}")
        assert answer.status_code == 404, answer.text
        assert answer.json()["code"] in {"channel_not_found", "not_found"}


async def test_what_cannot_be_read_is_refused(client: httpx.AsyncClient, gateway: Gateway) -> None:
    for fields in (
        {"Body": "no sid"},
        status("SM1", "exploded"),
        {"MessageSid": "SM1", "SmsStatus": "received"},
    ):
        answer = await call(client, fields)
        assert (answer.status_code, answer.json()["code"]) == (400, "bad_hook"), answer.text
    assert await gateway.count("messages") == 0


async def test_a_query_is_covered_by_the_signature(
    gateway: Gateway, ada: Any, client: httpx.AsyncClient
) -> None:
    id = await gateway.send(ada)
    await gateway.set("state = 'sending', provider = 'twilio', provider_message_id = 'SM1'", id)
    path = HOOK + "?tag=a%20b&x=1"
    assert (await call(client, status("SM1", "sent"), sign(status("SM1", "sent")), path)).status_code == 401
    assert (await call(client, status("SM1", "sent"), path=path)).status_code == 204
    assert await gateway.state(id) == "sent"


async def test_the_sandbox_and_smtp_have_nothing_to_tell(client: httpx.AsyncClient, gateway: Gateway) -> None:
    assert (await client.post("/hooks/sandbox/email")).status_code == 204
    assert (await client.get(HOOK)).status_code == 405


# What comes in


def text(sid: str, body: str, sender: str = "+14155550100") -> dict[str, str]:
    return {"MessageSid": sid, "SmsStatus": "received", "From": sender, "To": "+15005550006", "Body": body}


async def test_a_text_belongs_to_who_wrote_to_that_number(
    gateway: Gateway, ada: Any, bob: Any, admin: Any, client: httpx.AsyncClient
) -> None:
    await gateway.reached(ada)
    await gateway.reached(bob, "+14155550101")
    for _ in range(2):  # told twice
        assert (await call(client, text("SM7", "STOP"))).status_code == 204
    (message,) = [
        item
        for item in (await ada.rest("GET", "/messages")).json()["items"]
        if item["direction"] == "inbound"
    ]
    assert message == {
        "sendAt": None, "steps": None,
        "id": message["id"], "accountId": str(ada.account_id), "direction": "inbound", "channel": "sms",
        "status": "delivered", "to": "+15005550006", "from": None, "body": "STOP", "providerMessageId": "SM7",
        "createdAt": message["createdAt"], "updatedAt": message["updatedAt"], "category": "transactional",
        "trial": False, "price": 0, "pricePrefix": None, "priceVersionId": None, "sender": message["sender"],
        "templateId": None, "templateVersion": None, "templateLocale": None,
        "reportedBy": None, "deliveryState": "delivered", "failureCode": None, "failureReason": None,
        "waitingFor": None,
    }  # fmt: skip
    assert (await bob.rest("GET", f"/messages/{message['id']}")).status_code == 404
    bobs = (await bob.rest("GET", "/messages")).json()["items"]
    assert [message["direction"] for message in bobs] == ["outbound"]
    # A stranger's belongs to the administrator.
    assert (await call(client, text("SM8", "hello", "+14155559999"))).status_code == 204
    row = await gateway.db.fetchrow("SELECT * FROM messages WHERE provider_message_id = 'SM8'")
    assert (row["owner_id"], row["sender"]) == (admin.id, "+14155559999")


async def test_any_text_comes_in(gateway: Gateway, ada: Any, client: httpx.AsyncClient) -> None:
    await gateway.reached(ada)
    for number, body in enumerate(("", "a\0b", "ж😀" * 5000, "x" * 10_000, "&=%+\r\n")):
        assert (await call(client, text(f"SM{number}", body))).status_code == 204
        row = await gateway.db.fetchrow(
            "SELECT owner_id, body FROM messages WHERE provider_message_id = $1", f"SM{number}"
        )
        assert (row["owner_id"], row["body"]) == (ada.id, body.replace("\0", ""))


async def test_an_unsigned_text_does_not_come_in(
    gateway: Gateway, ada: Any, client: httpx.AsyncClient
) -> None:
    await gateway.reached(ada)
    assert (await call(client, text("SM9", "hi"), None)).status_code == 401
    assert await gateway.count("messages WHERE direction = 'inbound'") == 0
