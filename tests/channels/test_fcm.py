"""Tests what only FCM has: its access tokens, its errors and its message format."""

import asyncio
import json
from types import SimpleNamespace
from uuid import uuid4

import pytest

from channels import BadDsn, connect
from channels.port import HookRequest, Outgoing, Result
from tests.channels.http_stub import HttpStub, Reply, Wire
from tests.channels.peer import patient
from tests.channels.peer_fcm import error, peer
from tests.support.waits import PATIENCE, until

pytestmark = pytest.mark.servers


async def sink(channel, events):
    raise AssertionError("FCM reports nothing")


def message(to="device", body="Hello", **more):
    id = uuid4()
    return Outgoing(id=id, key=f"{id}.1", to=to, body=body, **more)


@pytest.fixture
async def fcm():
    async with peer() as fcm:
        fcm.channel = connect("push", patient(fcm.dsn))
        await fcm.channel.open(sink)
        yield fcm
        await fcm.channel.close()


async def send(fcm, *args, **more):
    [outcome] = await fcm.channel.send([message(*args, **more)])
    return outcome


async def test_the_message(fcm):
    data = {"url": "/inbox", "count": 3, "nested": {"a": [1]}, "none": None}
    outcome = await send(fcm, subject="Title", body="Grüße 👋", metadata={"data": data})
    assert outcome.provider_message_id == "projects/postern-test/messages/0:1"
    payload = fcm.received[0].extra
    assert payload["token"] == "device"
    assert payload["notification"] == {"title": "Title", "body": "Grüße 👋"}
    assert payload["data"] == {"url": "/inbox", "count": "3", "nested": '{"a":[1]}', "none": "null"}
    assert fcm.channel.hook(HookRequest("POST", "https://x/", {}, b"")) == []


async def test_a_repeated_key_gives_the_same_tag_and_a_long_one_fits(fcm):
    long = Outgoing(id=uuid4(), key="k" * 200, to="device", body="x")
    await fcm.channel.send([long])
    await fcm.channel.send([long])
    first, second = (received.key for received in fcm.received)
    assert first == second
    assert len(first) == 64


@pytest.mark.parametrize("data", ["text", [1], {"a": "\ud800"}])
async def test_data_that_cannot_be_sent(fcm, data):
    outcome = await send(fcm, metadata={"data": data})
    assert (outcome.result, outcome.code) == (Result.refused, "invalid_content")


@pytest.mark.parametrize(
    ("reply", "result", "code"),
    [
        (error(404, "NOT_FOUND", "x", fcm="UNREGISTERED"), Result.refused, "unregistered"),
        (error(404, "NOT_FOUND", "Requested entity was not found."), Result.refused, "unregistered"),
        (Reply(404, b"<html>"), Result.misconfigured, "wrong_address"),
        (
            error(
                400,
                "INVALID_ARGUMENT",
                "Invalid registration token",
                fcm="INVALID_ARGUMENT",
                field="message.token",
            ),
            Result.refused,
            "invalid_recipient",
        ),
        (
            error(400, "INVALID_ARGUMENT", "The registration token is not a valid FCM registration token"),
            Result.refused,
            "invalid_recipient",
        ),
        (error(400, "INVALID_ARGUMENT", "Android message is too big"), Result.refused, "too_long"),
        (
            error(400, "INVALID_ARGUMENT", "Invalid value", field="message.data[0].value"),
            Result.refused,
            "invalid_content",
        ),
        (error(403, "PERMISSION_DENIED", "x", fcm="SENDER_ID_MISMATCH"), Result.refused, "sender_mismatch"),
        (error(403, "PERMISSION_DENIED", "API not enabled"), Result.misconfigured, "bad_credentials"),
        (
            error(401, "UNAUTHENTICATED", "x", fcm="THIRD_PARTY_AUTH_ERROR"),
            Result.misconfigured,
            "bad_credentials",
        ),
        (error(429, "RESOURCE_EXHAUSTED", "x", fcm="QUOTA_EXCEEDED"), Result.throttled, "throttled"),
        (Reply(429), Result.throttled, "throttled"),
        (error(503, "UNAVAILABLE", "x", fcm="UNAVAILABLE"), Result.transient, "unavailable"),
        (Reply(503), Result.transient, "unavailable"),
        (
            error(500, "INTERNAL", "Internal error encountered.", fcm="INTERNAL"),
            Result.unknown,
            "server_error",
        ),
        (Reply(502, b"<html>"), Result.unknown, "server_error"),
        (Reply(200, b"<html>"), Result.unknown, "bad_answer"),
        (Reply.of(500, {"error": "odd", "details": 1}), Result.unknown, "server_error"),
        (
            Reply.of(400, {"error": {"details": [1, {"fieldViolations": [2]}, {"errorCode": 3}]}}),
            Result.refused,
            "invalid_content",
        ),
    ],
)
async def test_answers(fcm, reply, result, code):
    fcm.take = lambda seen: reply
    outcome = await send(fcm)
    assert (outcome.result, outcome.code) == (result, code)
    assert outcome.reason
    assert outcome.retry_after == (60 if result is Result.throttled else None)


async def test_retry_after_is_honoured(fcm):
    for status in (429, 503):
        fcm.take = lambda seen, status=status: Reply(status, b"", {"retry-after": "11"})
        assert (await send(fcm)).retry_after == 11


# Access tokens


async def test_one_token_serves_all_until_it_nears_its_end(fcm):
    outcomes = await fcm.channel.send([message() for _ in range(50)])
    assert {outcome.result for outcome in outcomes} == {Result.sent}
    await send(fcm)
    assert len(fcm.tokens) == 1, "fetched once, though fifty senders needed it"
    fcm.channel._credentials.expiry = fcm.channel._credentials.expiry.replace(year=2020)
    await fcm.channel.send([message() for _ in range(50)])
    assert len(fcm.tokens) == 2


async def test_a_token_revoked_early_is_replaced_and_nothing_is_lost(fcm):
    await send(fcm)
    fcm.tokens.append("someone else's")
    outcomes = await fcm.channel.send([message() for _ in range(20)])
    assert {outcome.result for outcome in outcomes} == {Result.sent}
    assert len(fcm.received) == 21
    assert len(fcm.tokens) <= 4, "a late 401 for the old token does not throw away the new one"


async def test_bad_credentials_ask_for_a_new_token_only_once(fcm):
    fcm.take = lambda seen: error(401, "UNAUTHENTICATED", "no")
    assert (await send(fcm)).result is Result.misconfigured
    assert len(fcm.tokens) == 2


@pytest.mark.parametrize(
    ("reply", "result", "code"),
    [
        (
            Reply.of(400, {"error": "invalid_grant", "error_description": "Invalid JWT Signature."}),
            Result.misconfigured,
            "bad_credentials",
        ),
        (Reply.of(401, {"error": "unauthorized_client"}), Result.misconfigured, "bad_credentials"),
        (Wire.hang, Result.transient, None),
        (Wire.reset, Result.transient, "connect_failed"),
        (Reply.of(200, {"no": "token"}), Result.misconfigured, "bad_credentials"),
    ],
)
async def test_a_token_server_in_trouble_means_that_nothing_was_sent(fcm, reply, result, code):
    fcm.grant = lambda seen: reply
    if reply is Wire.hang:
        fcm.channel._timeout = 1.5
    outcomes = await fcm.channel.send([message() for _ in range(3)])
    fcm.channel._timeout = PATIENCE
    assert {outcome.result for outcome in outcomes} == {result}
    assert code is None or {outcome.code for outcome in outcomes} == {code}
    assert fcm.received == []
    del fcm.grant
    assert (await send(fcm)).result is Result.sent


@pytest.mark.parametrize("address", ["nonsense", "ftp://127.0.0.1/token", "http://127.0.0.1:1/token"])
async def test_a_token_server_that_can_not_be_called(fcm, address):
    fcm.write_credentials(token_uri=address)
    channel = connect("push", patient(fcm.dsn))
    await channel.open(sink)
    [outcome] = await channel.send([message()])
    assert (outcome.result, outcome.code) == (Result.transient, "connect_failed")
    await channel.close()
    assert fcm.received == []


async def test_a_token_server_is_reached_by_the_guarded_client(fcm):
    """It follows no redirect, with which the assertion would go elsewhere, and it names itself."""
    agents = []

    def moved(seen):
        agents.append(seen.headers["user-agent"])
        return Reply.of(307, {"error": "moved"}, location=f"{fcm.stub.url}/elsewhere")

    fcm.grant = moved
    assert (await send(fcm)).result is Result.misconfigured
    assert agents == ["Postern"]


async def test_a_token_server_that_is_overloaded(fcm):
    """google-auth itself tries again after a second; the sender does not wait for that longer than it may."""
    fcm.grant = lambda seen: Reply.of(503, {"error": "unavailable"})
    fcm.channel._timeout = 1.5
    outcome = await send(fcm)
    assert outcome.result is Result.transient
    await fcm.channel.close()
    await fcm.channel.close()


async def test_a_token_that_fails_after_its_retries(fcm, monkeypatch):
    monkeypatch.setattr("google.auth._exponential_backoff.time", SimpleNamespace(sleep=lambda seconds: None))
    fcm.grant = lambda seen: Reply.of(503, {"error": "temporarily_unavailable"})
    channel = connect("push", patient(fcm.dsn))
    await channel.open(sink)
    [outcome] = await channel.send([message()])
    assert outcome.result is Result.transient
    await channel.close()


async def test_a_sender_that_gives_up_leaves_the_refresh_to_the_others(fcm):
    gate = asyncio.Event()
    grant = fcm.grant

    async def slow(seen):
        await gate.wait()
        return grant(seen)

    fcm.stub.answer = lambda seen: slow(seen) if seen.target == "/token" else fcm.take(seen)
    hasty = asyncio.create_task(fcm.channel.send([message()]))
    patient = asyncio.create_task(fcm.channel.send([message()]))
    await until(lambda: any(seen.target == "/token" for seen in fcm.stub.seen))
    hasty.cancel()
    gate.set()
    [outcome] = await patient
    assert outcome.result is Result.sent
    assert len(fcm.tokens) == 1


# Configuration


async def test_project_and_address(fcm):
    async with HttpStub(lambda seen: Reply.of(200, {"name": "n"})) as other:
        channel = connect(
            "push", f"{patient(fcm.dsn).replace(fcm.stub.url, other.url)}&project=my-other.project:1"
        )
        await channel.open(sink)
        assert (await channel.send([message()]))[0].result is Result.sent
        await channel.close()
        assert other.seen[0].target == "/v1/projects/my-other.project:1/messages:send"


async def test_files_that_cannot_be_used(fcm, tmp_path):
    def refused(text):
        with pytest.raises(BadDsn) as bad:
            connect("push", f"fcm://?credentials={tmp_path / 'key.json'}{text}")
        assert "PRIVATE KEY" not in str(bad.value)
        return str(bad.value)

    assert "cannot be read" in refused("")
    for content in ("", "[]", "{}", "null", "not json", json.dumps({"type": "authorized_user"})):
        (tmp_path / "key.json").write_text(content)
        assert "not a service-account key" in refused("")
    good = json.loads(fcm.path.read_text())
    (tmp_path / "key.json").write_text(json.dumps(good | {"private_key": good["private_key"][:300]}))
    assert "not a service-account key" in refused("")
    (tmp_path / "key.json").write_text(json.dumps({k: v for k, v in good.items() if k != "project_id"}))
    assert "?project=" in refused("")
    (tmp_path / "key.json").write_text(json.dumps(good))
    assert "must be a URL" in refused("&base=fcm.googleapis.com")
    assert "project" in refused("&project=../x")
    with pytest.raises(BadDsn, match="credentials"):
        connect("push", "fcm://")
