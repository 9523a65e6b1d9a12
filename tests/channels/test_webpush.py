"""Tests what only Web Push has: subscriptions, encryption, VAPID, and endpoints that are not to be trusted."""

import base64
import json
import time
from uuid import uuid4

import http_ece
import pytest
from cryptography.hazmat.primitives.asymmetric import ec, rsa
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat

from channels import BadDsn, connect, webpush
from channels.port import HookRequest, Outgoing, Result
from channels.webpush import LONGEST, WebPushChannel
from core import outbound
from core.outbound import Guard
from tests.channels.http_stub import Reply
from tests.channels.peer import patient
from tests.channels.peer_webpush import SUBJECT, b64, peer, point


async def sink(channel, events):
    raise AssertionError("Web Push reports nothing")


def message(to, body="Hello", key=None, **more):
    id = uuid4()
    return Outgoing(id=id, key=key or f"{id}.1", to=to, body=body, **more)


@pytest.fixture
async def push():
    async with peer() as push:
        push.channel = connect("push", patient(push.dsn))
        await push.channel.open(sink)
        yield push
        await push.channel.close()


async def send(push, to=None, **more):
    [outcome] = await push.channel.send([message(to or push.recipient, **more)])
    return outcome


async def test_the_request(push):
    outcome = await send(push, subject="Title", body="Grüße 👋", metadata={"data": {"url": "/x"}}, key="k1")
    assert outcome.result is Result.sent
    assert outcome.provider_message_id == f"{push.stub.url}/message/1"
    [received] = push.received
    assert received.extra["told"] == {
        "title": "Title",
        "body": "Grüße 👋",
        "data": {"url": "/x"},
        "tag": "k1",
    }
    headers = received.extra["headers"]
    assert (headers["ttl"], headers["urgency"], len(headers["topic"])) == ("86400", "normal", 32)
    assert push.channel.hook(HookRequest("POST", "https://x/", {}, b"")) == []


async def test_a_repeated_key_has_the_same_topic_and_another_text_another(push):
    for key in ("a", "a", "b"):
        await send(push, key=key)
    topics = [request.extra["headers"]["topic"] for request in push.received]
    assert topics[0] == topics[1] != topics[2]
    bodies = [seen.body for seen in push.stub.seen]
    assert len({body[:16] for body in bodies}) == 3, "a salt is never used again"
    assert len({body[21:86] for body in bodies}) == 3, "nor a key pair"


async def test_metadata(push):
    await send(push, metadata={"ttl": 0, "urgency": "high", "topic": "news_1"})
    headers = push.received[0].extra["headers"]
    assert (headers["ttl"], headers["urgency"], headers["topic"]) == ("0", "high", "news_1")


@pytest.mark.parametrize(
    "metadata",
    [
        {"ttl": -1},
        {"ttl": "60"},
        {"ttl": True},
        {"ttl": 10**9},
        {"urgency": "urgent"},
        {"topic": "a" * 33},
        {"topic": "a\r\nX: y"},
        {"topic": ""},
        {"topic": 1},
        {"data": object()},
    ],
)
async def test_metadata_that_cannot_be_sent(push, metadata):
    outcome = await send(push, metadata=metadata)
    assert (outcome.result, outcome.code) == (Result.refused, "invalid_content")
    assert push.stub.seen == []


async def test_the_example_of_rfc_8291_is_read_as_we_write():
    """RFC 8291 §5: the same library call, turned round, gives the RFC's plain text."""
    body = (
        "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBr"
        "u3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN"
    )
    private = int.from_bytes(webpush._base64("q1dXpw3UpT5VOmu_cf_v6ih07Aems3njxI-JWgLcM94"))
    key = ec.derive_private_key(private, ec.SECP256R1())
    auth = webpush._base64("BTBZMqHH6r4Tts7J_aSIgg")
    plain = http_ece.decrypt(webpush._base64(body), private_key=key, auth_secret=auth)
    assert plain == b"When I grow up, I want to be a watermelon"
    subscription = webpush._Subscription(None, point(key), auth)
    assert http_ece.decrypt(webpush._encrypted(b"x", subscription), private_key=key, auth_secret=auth) == b"x"


async def test_the_longest_message_is_one_record_of_4096_bytes(push):
    key = "k"
    room = LONGEST - len(json.dumps({"body": "", "tag": key}, separators=(",", ":")))
    assert (await send(push, body="x" * room, key=key)).result is Result.sent
    assert len(push.stub.seen[0].body) == 4096
    outcome = await send(push, body="x" * (room + 1), key=key)
    assert (outcome.result, outcome.code) == (Result.refused, "too_long")
    assert len(push.stub.seen) == 1


async def test_the_token_is_signed_once_an_origin_until_it_grows_old(push, monkeypatch):
    await send(push)
    await send(push)
    now = time.time()
    monkeypatch.setattr(webpush.time, "time", lambda: now + 86400 / 4 + 1)
    await send(push)
    tokens = [seen.headers["authorization"] for seen in push.stub.seen]
    assert tokens[0] == tokens[1] != tokens[2]


async def test_the_tokens_kept_are_bounded(push, monkeypatch):
    monkeypatch.setattr(webpush, "MOST_TOKENS", 5)
    for number in range(20):
        push.channel._authorization(f"https://{number}.example")
    assert len(push.channel._tokens) <= 5


def altered(push, **changes):
    subscription = json.loads(push.recipient)
    for name, value in changes.items():
        (subscription["keys"] if name in ("p256dh", "auth") else subscription)[name] = value
    return json.dumps(subscription)


async def test_recipients_that_are_no_subscription(push):
    off_curve = b64(b"\x04" + b"\x01" * 64)
    compressed = b64(b"\x02" + point(push.browser)[1:33])
    wrong = [
        "",
        "null",
        "[]",
        "1",
        "{}",
        "device-token",
        "[" * 5000,
        '{"endpoint": 1, "keys": 2}',
        altered(push, endpoint=5),
        altered(push, p256dh="!!!"),
        altered(push, p256dh=None),
        altered(push, p256dh=off_curve),
        altered(push, p256dh=compressed),
        altered(push, auth="AAAA"),
        altered(push, auth="A"),
        altered(push, keys={}),
        altered(push, endpoint="https://10.0.0.1/x"),
        altered(push, endpoint="http://169.254.169.254/"),
        altered(push, endpoint="file:///etc/passwd"),
        altered(push, endpoint="http://[::1]:9999/"),
        altered(push, endpoint="not a url"),
    ]
    for to in wrong:
        [outcome] = await push.channel.send([message(to)])
        assert (outcome.result, outcome.code) == (Result.refused, "invalid_recipient"), to
        assert outcome.reason
    assert push.stub.seen == []


async def test_padded_and_plain_base64_are_read_too(push):
    padded = base64.b64encode(point(push.browser)).decode()
    [outcome] = await push.channel.send([message(altered(push, p256dh=padded))])
    assert outcome.result is Result.sent


async def test_an_endpoint_that_is_not_public_is_never_called(push):
    """The service's own guard, and a name that resolves inside: no connection."""
    channel = WebPushChannel(private_key=push.ours, subject=SUBJECT)
    await channel.open(sink)
    [outcome] = await channel.send([message(push.recipient)])
    assert (outcome.result, outcome.code) == (Result.refused, "invalid_recipient")
    assert "not public" in outcome.reason
    await channel.close()

    async def inside(host, port):
        return ["127.0.0.1"]

    channel = WebPushChannel(private_key=push.ours, subject=SUBJECT, guard=Guard(resolver=inside))
    await channel.open(sink)
    to = altered(push, endpoint=f"http://push.example:{push.stub.port}/x")
    [outcome] = await channel.send([message(to)])
    assert (outcome.result, outcome.code) == (Result.refused, "invalid_recipient")
    await channel.close()
    assert push.stub.connections == 0


async def test_the_services_guard_is_the_one_configured_at_start(push):
    channel = WebPushChannel(private_key=push.ours, subject=SUBJECT)
    outbound.configure(["127.0.0.0/8"])
    try:
        await channel.open(sink)
        assert (await channel.send([message(push.recipient)]))[0].result is Result.sent
        await channel.close()
    finally:
        outbound.configure([])


async def test_an_endpoint_whose_host_is_an_ipv6_address(push):
    channel = WebPushChannel(private_key=push.ours, subject=SUBJECT, guard=Guard(["::1"]))
    await channel.open(sink)
    [outcome] = await channel.send([message(altered(push, endpoint="http://[::1]:9999/x"))])
    assert (outcome.result, outcome.code) == (Result.refused, "invalid_recipient")
    await channel.close()


ANSWERS = [
    (Reply(200), Result.sent, None),
    (Reply(202, b"", {"location": "https://push.example/m/1"}), Result.sent, None),
    (Reply(400, b"UnauthorizedRegistration"), Result.refused, "rejected"),
    (Reply(401, b"no"), Result.misconfigured, "bad_credentials"),
    (Reply(403, b"the VAPID credentials do not correspond"), Result.refused, "key_mismatch"),
    (Reply(403, b'{"reason":"BadJwtToken"}'), Result.misconfigured, "bad_credentials"),
    (Reply(404), Result.refused, "unregistered"),
    (Reply(410), Result.refused, "unregistered"),
    (Reply(413), Result.refused, "too_long"),
    (Reply(429, b"", {"retry-after": "60"}), Result.throttled, "throttled"),
    (Reply(500), Result.unknown, "server_error"),
    (Reply(502), Result.unknown, "server_error"),
    (Reply(503), Result.transient, "unavailable"),
    (Reply(302, b"", {"location": "http://169.254.169.254/"}), Result.refused, "rejected"),
    (Reply(405), Result.refused, "rejected"),
]


@pytest.mark.parametrize(("reply", "result", "code"), ANSWERS)
async def test_answers(push, reply, result, code):
    push.stub.answer = lambda seen: reply
    outcome = await send(push)
    assert (outcome.result, outcome.code) == (result, code)
    if result is Result.sent:
        assert outcome.provider_message_id == reply.headers.get("location")


@pytest.mark.parametrize(
    "reply", [Reply(401), Reply(403, b"BadJwtToken"), Reply(407), Reply(404), Reply(302)]
)
async def test_an_unknown_server_cannot_say_that_our_credentials_are_wrong(push, reply):
    """`misconfigured` stops a whole project, and anybody can make a subscription that points to their own server."""
    channel = connect("push", patient(push.dsn).replace("&services=127.0.0.1", ""))
    await channel.open(sink)
    push.stub.answer = lambda seen: reply
    [outcome] = await channel.send([message(push.recipient)])
    assert outcome.result is Result.refused
    await channel.close()


@pytest.mark.parametrize("status", [429, 503])
async def test_a_wait_is_bounded(push, status):
    push.stub.answer = lambda seen: Reply(status, b"", {"retry-after": "99999999"})
    assert (await send(push)).retry_after == 3600


def test_known_services():
    channel = connect("push", f"webpush://?private_key={b64(b'1' * 32)}&subject=mailto:a@b.example")
    for host in ("fcm.googleapis.com", "updates.push.services.mozilla.com", "web.push.apple.com"):
        assert channel._is_service(host)
    for host in ("evilfcm.googleapis.com", "push.apple.com.evil.example", "googleapis.com", "push.apple.com"):
        assert not channel._is_service(host)


def test_keys_and_contacts(tmp_path):
    key = ec.generate_private_key(ec.SECP256R1())
    path = tmp_path / "vapid.pem"

    def dsn(private_key=path, subject="mailto:ops@example.com", more=""):
        return f"webpush://?private_key={private_key}&subject={subject}{more}"

    def pem(key, form=PrivateFormat.PKCS8):
        path.write_bytes(key.private_bytes(Encoding.PEM, form, NoEncryption()))

    for form in (PrivateFormat.PKCS8, PrivateFormat.TraditionalOpenSSL):
        pem(key, form)
        channel = connect("push", dsn())
        assert channel._vapid.public_key.public_numbers() == key.public_key().public_numbers()
    secret = b64(key.private_numbers().private_value.to_bytes(32))
    for text in (secret, secret + "%3D"):
        assert connect("push", dsn(text))
    assert connect("push", dsn(secret, "https://example.com", "&ttl=60&allow=10.0.0.0/8%2C::1"))

    for wrong in (
        dsn(tmp_path / "none.pem"),
        dsn("x" * 5000),
        dsn(b64(b"\0" * 32)),
        dsn(secret, "ops"),
        dsn(secret, "mailto:ops"),
        dsn(secret, more="&allow=private"),
        dsn(secret, more="&ttl=-1"),
        f"webpush://?private_key={secret}",
        "webpush://?subject=mailto:a@b.example",
    ):
        with pytest.raises(BadDsn) as bad:
            connect("push", wrong)
        assert secret not in str(bad.value)
    for other in (ec.generate_private_key(ec.SECP384R1()), rsa.generate_private_key(65537, 2048)):
        pem(other)
        with pytest.raises(BadDsn, match="P-256"):
            connect("push", dsn())
    path.write_text("-----BEGIN NOTHING-----")
    with pytest.raises(BadDsn, match="P-256"):
        connect("push", dsn())
