"""Mail providers report by HTTP: what is theirs counts once, and nothing else counts."""

import asyncio
import time
from decimal import Decimal
from typing import Any

import pytest

from channels import connect
from channels.port import Result
from engine.mail_reports import providers, recording, reference
from tests.channels.peer_smtp import peer
from tests.channels.smtp.rig import message, opened, send
from tests.mail_reports.made import mails
from tests.mail_reports.provider_calls import Brevo, Call, Caller, Mailgun, Postmark, Resend, SendGrid, Ses
from tests.mail_reports.providers import HOOK, Provider, provider, settings
from tests.support.gateway import gateway
from tests.support.records import records

__all__ = ["gateway", "mails", "provider", "records", "settings"]

CALLERS: dict[str, Any] = {made.source: made for made in (Ses, SendGrid, Mailgun, Postmark, Resend, Brevo)}
BLOCKED = [("Ada@example.net", "hardBounce", "all")]


@pytest.fixture(params=CALLERS)
def caller(request: pytest.FixtureRequest) -> Caller:
    made: Caller = CALLERS[request.param]()
    return made


async def test_a_bounce_counts_once_however_often_it_comes(provider: Provider):
    id, token = await provider.message()
    event = provider.caller.bounce(token, id)
    call = provider.caller.call(event)
    for _ in range(3):
        assert (await provider.make(call)).status_code in (204, 401)  # 401: it repeats a nonce
        row = await provider.mails.row(id)
        assert (row["state"], row["failure_code"]) == ("failed", "hard_bounce")
    assert await provider.mails.refunds() == [Decimal("0.01")]
    assert await provider.mails.blocks() == BLOCKED
    stored = await provider.stored()
    assert (stored["source"], stored["type"], stored["class"]) == (provider.caller.source, "bounce", "hard")
    assert (stored["address"], stored["status"], stored["code"]) == ("ada@example.net", "5.1.1", 550)
    assert await provider.count() == 1


async def test_a_complaint_blocks_and_changes_no_state(provider: Provider):
    id, token = await provider.message("delivered")
    assert await provider.reported(provider.caller.complaint(token, id), id) == (
        "complaint",
        None,
        "delivered",
    )
    assert await provider.mails.blocks() == [("Ada@example.net", "complaint", "all")]
    assert (await provider.mails.row(id))["complained_at"] is not None
    assert await provider.mails.refunds() == []


# The others sign no body: a token of ours names the message.
@pytest.mark.parametrize("caller", ["ses", "sendgrid", "resend"], indirect=True)
async def test_another_body_is_not_what_was_signed(provider: Provider):
    id, token = await provider.message()
    call = provider.caller.call(provider.caller.bounce("x" * 38, id))
    await provider.refused(Call(call.content.replace(b"x" * 38, token.encode()), call.headers))


async def test_without_a_signature_nothing_counts(provider: Provider):
    id, token = await provider.message()
    call = provider.caller.call(provider.caller.bounce(token, id))
    names = ("Signature", "signature", "SigningCertURL")
    content = call.content
    for name in names:
        content = content.replace(f'"{name}"'.encode(), f'"No{name}"'.encode())
    await provider.refused(Call(content, {"content-type": "application/json"}))


async def test_anothers_signature_counts_for_nothing(provider: Provider):
    id, token = await provider.message()
    await provider.refused(provider.caller.call(provider.caller.bounce(token, id), other_key=True))


@pytest.mark.parametrize(
    "caller", ["ses", "sendgrid", "mailgun", "resend"], indirect=True
)  # the others sign no time
@pytest.mark.parametrize("seconds", [-301, 310])
async def test_what_was_signed_at_another_time_counts_for_nothing(provider: Provider, seconds: int):
    id, token = await provider.message()
    event = provider.caller.bounce(token, id)
    await provider.refused(provider.caller.call(event, at=time.time() + seconds))


async def test_a_token_of_anothers_counts_for_nothing(provider: Provider):
    id, token = await provider.message()
    wrong = [
        reference.token(b"another key", id),
        token[:-1] + ("a" if token[-1] != "a" else "b"),
        "",
        "x" * 9000,
    ]
    for forged in wrong:
        if forged or provider.caller.source != "resend":
            await provider.report(provider.caller.bounce(forged, id))
    await provider.nothing()


async def test_what_can_not_be_read_is_a_bad_request(provider: Provider):
    if provider.caller.source in ("ses", "mailgun"):  # the signature is in the body
        for content in (b"", b"{", b"[]", b'"x"', b"[" * 5000):
            await provider.refused(Call(content, {}), 400)
        return
    for content in ("x", 1, None, [1], ["x"]):
        await provider.refused(provider.caller.call(content), 400)


async def test_events_of_other_kinds_change_nothing(provider: Provider):
    id, token = await provider.message()
    for kind in ("opened", "delivered", "Open", "email.opened", "", None, 7):
        await provider.report(_renamed(provider.caller.bounce(token, id), kind))
    await provider.nothing()


_KINDS = ("event", "notificationType", "RecordType", "type")


def _renamed(event: Any, kind: Any) -> Any:
    """Returns the event as one of another kind."""
    if isinstance(event, list):
        return [_renamed(item, kind) for item in event]
    if "event-data" in event:
        return {**event, "event-data": _renamed(event["event-data"], kind)}
    return {**event, next(name for name in _KINDS if name in event): kind}


async def test_fields_of_any_type_are_no_fault(provider: Provider):
    """A provider may change its format: that is no error of ours, and no reason to repeat the call for hours."""
    id, token = await provider.message()
    for value in (None, 1, 1.5, True, "", "\0", "\ud800", [], [None], [[]], {}, {"a": []}, "x" * 20_000):
        event = _replaced(provider.caller.bounce(token, id), value)
        answer = await provider.make(provider.caller.call(event))
        assert answer.status_code in (204, 400), answer.text
        for name in _names(provider.caller.bounce(token, id)):
            event = _replaced(provider.caller.bounce(token, id), value, name)
            answer = await provider.make(provider.caller.call(event))
            assert answer.status_code in (204, 400), (name, value, answer.text)


def _names(event: Any) -> set[str]:
    if isinstance(event, list):
        return set().union(*map(_names, event))
    if not isinstance(event, dict):
        return set()
    return set(event) | set().union(*map(_names, event.values()))


def _replaced(event: Any, value: Any, name: str | None = None) -> Any:
    """Returns the event with this value as every field, or as the field of a name."""
    if isinstance(event, list):
        return [_replaced(item, value, name) for item in event]
    if not isinstance(event, dict):
        return event if name else value
    return {key: value if key == name else _replaced(item, value, name) for key, item in event.items()}


async def test_a_database_that_fails_makes_the_provider_call_again(provider: Provider, monkeypatch: Any):
    id, token = await provider.message()
    call = provider.caller.call(provider.caller.bounce(token, id))

    async def fails(*_: Any) -> None:
        raise TimeoutError

    with monkeypatch.context() as patch:
        patch.setattr(recording, "record", fails)
        assert (await provider.make(call)).status_code >= 500
        await provider.nothing()
    assert (await provider.make(call)).status_code == 204
    assert (await provider.mails.row(id))["state"] == "failed"


@pytest.mark.parametrize("caller", ["sendgrid"], indirect=True)
async def test_callbacks_that_come_at_once_are_committed_together(provider: Provider, monkeypatch: Any):
    made = [await provider.message() for _ in range(30)]
    calls = [provider.caller.call(provider.caller.bounce(token, id)) for id, token in made] * 2
    transactions, record = list[int](), recording.record

    async def counted(db: Any, received: Any, rules: Any) -> Any:
        transactions.append(len(received))
        return await record(db, received, rules)

    monkeypatch.setattr(recording, "record", counted)
    answers = await asyncio.gather(*map(provider.make, calls))
    assert {answer.status_code for answer in answers} == {204}
    assert sum(transactions) == 60
    assert len(transactions) < 20, transactions
    assert await provider.count() == len(await provider.mails.refunds()) == 30


@pytest.mark.parametrize("caller", ["mailgun"], indirect=True)  # whose nonce may be used once
async def test_a_callback_that_waits_too_long_comes_again(provider: Provider, monkeypatch: Any):
    id, token = await provider.message()
    other, other_token = await provider.message()
    first, second = (
        provider.caller.call(provider.caller.bounce(*each)) for each in ((token, id), (other_token, other))
    )
    monkeypatch.setattr(providers, "_WAITS", 0.1)
    goes_on, begun, commit = asyncio.Event(), asyncio.Event(), providers.commit

    async def waits(*arguments: Any) -> Any:
        begun.set()
        await goes_on.wait()
        return await commit(*arguments)

    monkeypatch.setattr(providers, "commit", waits)
    task = asyncio.create_task(provider.make(first))
    await begun.wait()
    refused = await provider.make(second)
    assert (refused.status_code, refused.headers["retry-after"]) == (429, "1")
    goes_on.set()
    assert (await task).status_code == 204
    assert (await provider.make(second)).status_code == 204
    assert await provider.count() == 2


async def test_an_email_has_what_its_reports_bring_back(provider: Provider):
    names = reference.of_direct_message(b"k" * 32, message().id, message().id)
    async with peer() as server, opened(f"{server.dsn}&{provider.caller.options}") as channel:
        assert (await send(channel, message(reference=lambda: names))).result is Result.sent
        raw = server.raw[-1].decode()
        assert server.envelopes[-1].mail_from == "news@example.com"
    assert f"X-Postern-Ref: {names.token}\r\n" in raw
    assert FIELDS[provider.caller.source].format(names.token) in raw


FIELDS = {
    "ses": "X-Postern-Ref: {}\r\n",
    "mailgun": 'X-Mailgun-Variables: {{"postern-ref":"{}"}}\r\n',
    "postmark": "X-PM-Metadata-postern-ref: {}\r\n",
    "resend": "X-Postern-Ref: {}\r\n",
    "brevo": "X-Mailin-custom: postern-ref:{}\r\n",
    "sendgrid": 'X-SMTPAPI: {{"unique_args":{{"postern-ref":"{}"}}}}\r\n',
}


def test_the_channel_says_no_secret(caller: Caller):
    channel = connect("email", f"smtp://127.0.0.1?from=news@example.com&{caller.options}")
    secret = caller.options.partition("&")[2].partition("=")[2]
    assert secret not in f"{channel!r} {channel.mail_hook!r}"  # type: ignore[attr-defined]


async def test_other_addresses_are_not_found(provider: Provider):
    assert (await provider.client.post(f"{HOOK}-2")).status_code == 404
