"""Tests what only Twilio has: its codes, its answers, its signatures and its callbacks."""

import base64
import hashlib
import hmac
from urllib.parse import urlencode
from uuid import uuid4

import pytest

from channels import BadDsn, connect
from channels.port import BadHook, BadSignature, HookRequest, Inbound, Outgoing, Receipt, Result
from channels.twilio import CODES, TwilioChannel, signature
from tests.channels.http_stub import Reply
from tests.channels.peer import patient
from tests.channels.peer_twilio import ACCOUNT, TOKEN, error, peer

DOCUMENTED = "https://mycompany.com/myapp.php?foo=1&bar=2"


async def sink(channel, events):
    raise AssertionError("Twilio's news come by its hook")


def message(body="Hello", to="+14155550123"):
    return Outgoing(id=uuid4(), key="key", to=to, body=body)


@pytest.fixture
async def twilio():
    async with peer() as twilio:
        twilio.channel = connect("sms", patient(twilio.dsn))
        await twilio.channel.open(sink)
        yield twilio
        await twilio.channel.close()


async def outcome_of(twilio, reply):
    twilio.stub.answer = lambda seen: reply
    [outcome] = await twilio.channel.send([message()])
    return outcome


async def test_the_request(twilio):
    [outcome] = await twilio.channel.send([message("Grüße 👋")])
    assert outcome.result is Result.sent
    assert outcome.provider_message_id.startswith("SM")
    [seen] = twilio.stub.seen
    assert seen.form == {
        "To": "+14155550123",
        "From": "+15005550006",
        "Body": "Grüße 👋",
        "StatusCallback": "https://gate.example.com/hooks/twilio/sms",
    }
    assert seen.headers["authorization"].startswith("Basic ")


async def test_messaging_service_api_key_and_no_callback(twilio):
    service = "MG" + "1b" * 16
    dsn = (
        f"twilio://SK123:key-secret@127.0.0.1:{twilio.stub.port}?scheme=http&from={service}"
        f"&account={ACCOUNT}&auth_token={TOKEN}"
    )
    channel = connect("sms", dsn)
    await channel.open(sink)
    await channel.send([message()])
    await channel.close()
    [seen] = twilio.stub.seen
    assert seen.form == {"To": "+14155550123", "Body": "Hello", "MessagingServiceSid": service}
    assert seen.target == f"/2010-04-01/Accounts/{ACCOUNT}/Messages.json"
    assert base64.b64decode(seen.headers["authorization"].split()[1]) == b"SK123:key-secret"


async def test_connections_are_kept_between_batches(twilio):
    for _ in range(3):
        await twilio.channel.send([message() for _ in range(10)])
    assert len(twilio.stub.seen) == 30
    assert twilio.stub.connections <= 10


@pytest.mark.parametrize("code", CODES)
async def test_every_code_of_the_table(twilio, code):
    result, ours, _ = CODES[code]
    outcome = await outcome_of(twilio, error(400, code, "The number +14155550123 …", retry_after="7"))
    assert (outcome.result, outcome.code) == (result, ours)
    assert str(code) in outcome.reason
    assert "+1415" not in outcome.reason
    assert outcome.retry_after == (7 if result in (Result.throttled, Result.transient) else None)


@pytest.mark.parametrize(
    ("reply", "result", "code"),
    [
        (error(400, 21211, "x"), Result.refused, "invalid_recipient"),
        (error(400, 21610, "x"), Result.refused, "opted_out"),
        (error(400, 21614, "x"), Result.refused, "not_mobile"),
        (error(400, 99999, "new"), Result.refused, "rejected"),
        (error(401, 20003, "x"), Result.misconfigured, "bad_credentials"),
        (error(403, 99999, "x"), Result.misconfigured, "bad_credentials"),
        (Reply(404, b"<html>"), Result.misconfigured, "wrong_address"),
        (error(429, 20429, "x"), Result.throttled, "throttled"),
        (Reply(429), Result.throttled, "throttled"),
        # A 5xx: nobody knows, unless Twilio says what happened, or 503 says that nothing did.
        (error(500, 20500, "Internal server error"), Result.unknown, "server_error"),
        (error(500, 20503, "x"), Result.transient, "unavailable"),
        (Reply(500, b"<html>"), Result.unknown, "server_error"),
        (Reply(502), Result.unknown, "server_error"),
        (Reply(504), Result.unknown, "server_error"),
        (Reply(503), Result.transient, "unavailable"),
        # 201 means made; 200 with something else is somebody else's page.
        (Reply(201, b"cut off {"), Result.sent, None),
        (Reply(200, b"<html>Log in to the network</html>"), Result.unknown, "bad_answer"),
        (Reply.of(201, {"sid": "SM1", "status": "accepted"}), Result.sent, None),
        (Reply.of(201, {"sid": "SM1", "status": "failed", "error_code": 30007}), Result.refused, "filtered"),
        (Reply(302, b"", {"location": "/x"}), Result.misconfigured, "wrong_address"),
    ],
)
async def test_answers(twilio, reply, result, code):
    outcome = await outcome_of(twilio, reply)
    assert (outcome.result, outcome.code) == (result, code)


async def test_a_secret_that_the_server_repeats_is_masked(twilio):
    outcome = await outcome_of(twilio, error(400, 99999, f"what is {TOKEN}?"))
    assert TOKEN not in outcome.reason
    assert "what is ***?" in outcome.reason


@pytest.mark.parametrize(
    "dsn",
    [
        "twilio://api.twilio.com?from=+1",
        "twilio://AC1@?from=+1",
        "twilio://AC1:t@",
        "twilio://AC1:t@?from=+1&scheme=ftp",
        "twilio://AC1%2F..:t@?from=+1",
        "twilio://SK1:t@?from=+1",
        "twilio://AC1:t@?from=+1&callback=gate.example.com",
        "twilio://AC1:t@?from=+1&timeout=0",
        "twilio://AC1:t@?from=+1&tiemout=1",
    ],
)
def test_dsns_that_cannot_be_used(dsn):
    with pytest.raises(BadDsn):
        connect("sms", dsn)


@pytest.mark.parametrize(
    ("host", "base"),
    [
        ("", "https://api.twilio.com"),
        ("sms.example:8443", "https://sms.example:8443"),
        ("[::1]", "https://[::1]"),
    ],
)
def test_where_requests_go(host, base):
    channel = connect("sms", f"twilio://AC1:t@{host}?from=+1")
    assert isinstance(channel, TwilioChannel)
    assert str(channel._url) == f"{base}/2010-04-01/Accounts/AC1/Messages.json"


def test_a_callback_with_a_path_is_used_as_it_is():
    channel = connect("sms", "twilio://AC1:t@?from=+1&callback=https://gate.example.com/hooks/twilio/2")
    assert channel._callback == {"StatusCallback": "https://gate.example.com/hooks/twilio/2"}


# Signatures


def test_the_signature_of_twilios_documentation():
    """twilio.com/docs/usage/security, and the request-validator tests of Twilio's own libraries."""
    fields = {
        "CallSid": "CA1234567890ABCDE",
        "Caller": "+14158675309",
        "Digits": "1234",
        "From": "+14158675309",
        "To": "+18005551212",
    }
    assert signature("12345", DOCUMENTED, list(fields.items())) == b"RSOYDt4T1cUTdK1PDd93/VVr8B8="
    fields["Caller"] = fields["From"] = "+12349013030"
    assert signature("12345", DOCUMENTED, list(fields.items())) == b"0/KCTR6DLpKmkAf8muzZqo1nDgQ="


def hooks(token="12345"):
    return connect("sms", f"twilio://AC1:{token}@?from=+1")


def sign(url, fields=(), token="12345"):
    """Computed without our own function."""
    text = url + "".join(name + value for name, value in sorted(fields))
    return base64.b64encode(hmac.digest(token.encode(), text.encode(), "sha1")).decode()


def form(fields, *, url="https://gate.example.com/hooks/twilio/sms", signed=None, **headers):
    pairs = list(fields.items()) if isinstance(fields, dict) else fields
    return HookRequest(
        method="POST",
        url=url,
        headers={
            "content-type": "application/x-www-form-urlencoded; charset=UTF-8",
            "x-twilio-signature": sign(url, pairs) if signed is None else signed,
            **headers,
        },
        body=urlencode(pairs).encode(),
    )


STATUS = {"MessageSid": "SM1", "SmsSid": "SM1", "MessageStatus": "delivered", "To": "+1", "From": "+2"}


@pytest.mark.parametrize(
    ("status", "code", "events"),
    [
        ("queued", None, []),
        ("accepted", None, []),
        ("sending", None, []),
        ("sent", None, [(Result.sent, None)]),
        ("delivered", None, [(Result.delivered, None)]),
        ("read", None, [(Result.delivered, None)]),
        ("undelivered", "30003", [(Result.refused, "unreachable_handset")]),
        ("undelivered", "30006", [(Result.refused, "not_mobile")]),
        ("failed", "30005", [(Result.refused, "invalid_recipient")]),
        ("failed", "39999", [(Result.refused, "failed")]),
        ("failed", "abc", [(Result.refused, "failed")]),
        ("canceled", None, [(Result.refused, "canceled")]),
    ],
)
def test_status_callbacks(status, code, events):
    fields = STATUS | {"MessageStatus": status} | ({"ErrorCode": code} if code else {})
    receipts = hooks().hook(form(fields))
    assert [(receipt.result, receipt.code) for receipt in receipts] == events
    assert all(isinstance(receipt, Receipt) and receipt.provider_message_id == "SM1" for receipt in receipts)
    if code == "30003":
        assert "30003" in receipts[0].reason


def test_an_incoming_text():
    fields = {
        "MessageSid": "SM2",
        "SmsStatus": "received",
        "From": "+14155550123",
        "To": "+15005550006",
        "Body": "СТОП & + 100%\n👋",
        "NumMedia": "0",
        "FromCity": "",
    }
    [inbound] = hooks().hook(form(fields))
    assert inbound == Inbound("+14155550123", "+15005550006", "СТОП & + 100%\n👋", "SM2")
    del fields["SmsStatus"]
    assert hooks().hook(form(fields)) == [inbound]


def test_a_get_callback_has_its_fields_in_the_url():
    url = "https://gate.example.com/hooks/twilio/sms?" + urlencode(STATUS)
    [receipt] = hooks().hook(HookRequest("GET", url, {"x-twilio-signature": sign(url)}, b""))
    assert receipt == Receipt("SM1", Result.delivered)


def test_a_body_that_is_no_form_is_covered_by_its_digest():
    body = b'{"MessageSid": "SM1"}'
    url = (
        "https://gate.example.com/h?MessageSid=SM1&MessageStatus=sent&bodySHA256="
        + hashlib.sha256(body).hexdigest()
    )
    headers = {"content-type": "application/json", "x-twilio-signature": sign(url)}
    assert hooks().hook(HookRequest("POST", url, headers, body)) == [Receipt("SM1", Result.sent)]
    with pytest.raises(BadSignature):
        hooks().hook(HookRequest("POST", url, headers, body + b" "))
    with pytest.raises(BadSignature):
        hooks().hook(HookRequest("POST", url.replace("bodySHA256=", "bodySHA256=é"), headers, body))
    plain = "https://gate.example.com/h?MessageSid=SM1&MessageStatus=sent"
    with pytest.raises(BadSignature):  # nothing covers this body
        hooks().hook(
            HookRequest(
                "POST", plain, {"content-type": "text/plain", "x-twilio-signature": sign(plain)}, body
            )
        )


@pytest.mark.parametrize(
    "called",
    ["https://gate.example.com/h", "https://gate.example.com:443/h", "https://gate.example.com:8443/h"],
)
def test_the_port_may_be_in_the_signed_url_or_not(called):
    bare = "https://gate.example.com/h"
    for signed_url in (called, bare):
        assert hooks().hook(form(STATUS, url=called, signed=sign(signed_url, STATUS.items())))
    if called == bare:
        assert hooks().hook(
            form(STATUS, url=called, signed=sign("https://gate.example.com:443/h", STATUS.items()))
        )


def test_a_field_given_twice():
    fields = [*STATUS.items(), ("MediaUrl", "b"), ("MediaUrl", "a"), ("MediaUrl", "a")]
    url = "https://gate.example.com/h"
    assert hooks().hook(form(fields, url=url, signed=sign(url, set(fields))))


@pytest.mark.parametrize("signed", ["", "x", "é", sign("https://other.example/", STATUS.items()), "A" * 28])
def test_forged_signatures(signed):
    with pytest.raises(BadSignature):
        hooks().hook(form(STATUS, signed=signed))


def test_what_was_altered_by_one_byte_or_signed_by_another():
    good = form(STATUS)
    assert hooks().hook(good)
    with pytest.raises(BadSignature):
        hooks("12346").hook(good)
    for body in (good.body.replace(b"SM1", b"SM2", 1), good.body + b"&x=", b""):
        with pytest.raises(BadSignature):
            hooks().hook(HookRequest("POST", good.url, good.headers, body))
    with pytest.raises(BadSignature):
        hooks().hook(HookRequest("POST", good.url + "?x=1", good.headers, good.body))
    with pytest.raises(BadSignature):
        hooks().hook(HookRequest("POST", good.url, {}, good.body))


@pytest.mark.parametrize("body", [b"\xff=1", b"a=%ff", b"&".join([b"a=1"] * 400)])
def test_forms_that_cannot_be_read(body):
    request = form(STATUS)
    with pytest.raises(BadSignature):
        hooks().hook(HookRequest("POST", request.url, request.headers, body))


@pytest.mark.parametrize(
    "fields",
    [
        {"x": "1"},
        STATUS | {"MessageStatus": "teleported"},
        {"MessageSid": "SM1", "SmsStatus": "received", "Body": "x", "From": "+1"},
    ],
)
def test_signed_but_not_to_be_understood(fields):
    with pytest.raises(BadHook):
        hooks().hook(form(fields))


def test_the_hook_is_signed_with_the_accounts_token_though_an_api_key_sends():
    channel = connect("sms", "twilio://SK1:key@?from=+1&account=AC1&auth_token=12345")
    assert channel.hook(form(STATUS))
