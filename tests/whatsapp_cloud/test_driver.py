"""The driver against Meta's API on loopback: what the conformance suite does not ask of all drivers."""

import asyncio
from datetime import UTC, datetime
from types import SimpleNamespace
from typing import Any
from uuid import uuid4

import pytest

from core.outbound import client
from messengers.port import (
    Media,
    Outgoing,
    Refused,
    Throttled,
    Uncertain,
    Unreachable,
    Unsupported,
    WrongStep,
)
from messengers.whatsapp_cloud import CloudConnection, CloudDriver, graph
from messengers.whatsapp_cloud.messages import LARGEST
from shapes.chats import ChatMessageStatus, ContentKind
from shapes.messenger_accounts import AccountState
from tests.channels.http_stub import HttpStub, Reply, Wire
from tests.support.waits import until
from tests.whatsapp_cloud.lives import PICTURE, TO, Told, text, working
from tests.whatsapp_cloud.meta import Meta, Number, error

# sending


async def test_a_text(live: CloudConnection, number: Number, meta: Meta) -> None:
    meta.wa_ids["5491112345678"] = "541112345678"  # how WhatsApp writes it is another matter
    message = text("see https://example.com", "+5491112345678", reply_to="wamid.X#9001")
    sent = await live.send(message)
    [taken] = number.taken
    assert (sent.provider_id, sent.thread) == (taken.pop("wamid"), "541112345678")
    assert sent.status is ChatMessageStatus.server
    assert taken == {
        "messaging_product": "whatsapp", "recipient_type": "individual", "to": "5491112345678", "type": "text",
        "text": {"body": "see https://example.com", "preview_url": True},
        "context": {"message_id": "wamid.X"}, "biz_opaque_callback_data": str(message.item),
    }  # fmt: skip


async def test_to_whom(live: CloudConnection, number: Number) -> None:
    user, group = "US.13491208655302741918", "Y2FwaV9ncm91cDoxNzA1NTU1MDEzOToxMjAzNjM0MDQ2OTQyMzM4MjAZD"
    assert (await live.send(text(to=user))).thread == user
    assert (await live.send(text(to="16505551234"))).thread == "16505551234"
    assert (await live.send(text(to=group))).thread == group
    assert [(message.get("to"), message.get("recipient"), message["recipient_type"]) for message in number.taken] == [
        (None, user, "individual"), ("16505551234", None, "individual"), (group, None, "group"),
    ]  # fmt: skip
    with pytest.raises(Refused) as caught:
        await live.send(text(to="@somebody"))
    assert caught.value.code == "invalid_recipient"


async def test_files(live: CloudConnection, number: Number, meta: Meta) -> None:
    note = Media(ContentKind.file, b"%PDF", "application/pdf", "note.pdf")
    voice = Media(ContentKind.voice, b"OggS", "audio/ogg", "v.ogg")
    message = text("look", media=[PICTURE, note, voice], reply_to="wamid.Y")
    sent = await live.send(message)
    ids = list(meta.media)
    assert [meta.media[id][:2] for id in ids] == [
        ("image/jpeg", PICTURE.data), ("application/pdf", b"%PDF"), ("audio/ogg", b"OggS"),
    ]  # fmt: skip
    parts = [
        {name: message[name] for name in (message["type"], "biz_opaque_callback_data")}
        for message in number.taken
    ]
    assert parts == [
        {"image": {"id": ids[0], "caption": "look"}, "biz_opaque_callback_data": str(message.item)},
        {"document": {"id": ids[1], "filename": "note.pdf"}, "biz_opaque_callback_data": f"{message.item}/1"},
        {"audio": {"id": ids[2], "voice": True}, "biz_opaque_callback_data": f"{message.item}/2"},
    ]
    assert sent.provider_id == number.taken[0]["wamid"]
    assert ["context" in message for message in number.taken] == [True, False, False]


async def test_a_text_that_is_no_caption_comes_first(live: CloudConnection, number: Number) -> None:
    voice = Media(ContentKind.voice, b"OggS", "audio/ogg")
    sent = await live.send(text("listen", media=[voice]))
    await live.send(text("x" * 2000, media=[PICTURE]))
    assert [message["type"] for message in number.taken] == ["text", "audio", "text", "image"]
    assert sent.provider_id == number.taken[0]["wamid"]


@pytest.mark.parametrize(
    ("params", "components"),
    [
        (None, None),
        (["Jim", 7], [{"type": "body",
            "parameters": [{"type": "text", "text": "Jim"}, {"type": "text", "text": "7"}]}]),
        (
            {"name": "Jim"},
            [{"type": "body", "parameters": [{"type": "text", "parameter_name": "name", "text": "Jim"}]}],
        ),
        ([{"type": "button", "index": "0"}], [{"type": "button", "index": "0"}]),
    ],
    ids=["none", "list", "named", "meta"],
)  # fmt: skip
async def test_a_template(live: CloudConnection, number: Number, params: Any, components: Any) -> None:
    template = {"name": "order_shipped", "language": "de", **({"params": params} if params else {})}
    await live.send(Outgoing(uuid4(), TO, template=template))
    wanted: dict[str, Any] = {"name": "order_shipped", "language": {"code": "de"}}
    assert number.taken[0]["type"] == "template"
    assert number.taken[0]["template"] == ({**wanted, "components": components} if components else wanted)


async def test_a_template_with_a_picture(live: CloudConnection, number: Number, meta: Meta) -> None:
    await live.send(Outgoing(uuid4(), TO, template={"name": "t"}, media=[PICTURE]))
    [id] = meta.media
    assert number.taken[0]["template"]["components"] == [
        {"type": "header", "parameters": [{"type": "image", "image": {"id": id}}]}
    ]
    with pytest.raises(Unsupported):
        await live.send(Outgoing(uuid4(), TO, template={"name": "t"}, media=[PICTURE, PICTURE]))


async def test_what_can_be_seen_before(
    live: CloudConnection, number: Number, meta: Meta, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(LARGEST, ContentKind.image, 5)
    for message, code in (
        (text(""), "empty_message"),
        (text("x" * 4097), "text_too_long"),
        (text(media=[PICTURE]), "media_too_large"),
        (Outgoing(uuid4(), TO, template={}), "empty_message"),
        (Outgoing(uuid4(), TO, template={"language": "de"}), "template_mismatch"),
        (text("\ud800"), "rejected"),
        (text(media=[Media(ContentKind.file, b"<html>", "text/html")]), "media_refused"),
    ):
        with pytest.raises(Refused) as caught:
            await live.send(message)
        assert caught.value.code == code
    assert not number.taken
    assert not meta.media


@pytest.mark.parametrize(
    ("answer", "kind", "code"),
    [
        (error(400, 131047), Refused, "outside_window"),
        (error(400, 131026, "Message +16505551234 undeliverable"), Refused, "undeliverable"),
        (error(400, 131021), Refused, "invalid_recipient"),
        (error(400, 131030), Refused, "recipient_not_allowed"),
        (error(400, 131050), Refused, "opted_out"),
        (error(400, 131049), Refused, "not_delivered"),
        (error(402, 131042), Refused, "payment_problem"),
        (error(400, 131051), Refused, "unsupported_message"),
        (error(404, 132001), Refused, "template_not_found"),
        (error(400, 132000), Refused, "template_mismatch"),
        (error(400, 132012), Refused, "template_mismatch"),
        (error(400, 132015), Refused, "template_paused"),
        (error(400, 132016), Refused, "template_disabled"),
        (error(400, 132068), Refused, "template_refused"),
        (error(400, 100, "Param text['body'] is wrong"), Refused, "rejected"),
        (error(400, 999999), Refused, "rejected"),
        (Reply(413, b""), Refused, "rejected"),
        (error(400, 4), Throttled, "throttled"),
        (error(400, 130429), Throttled, "throttled"),
        (error(400, 131056), Throttled, "throttled"),
        (error(429, 80007), Throttled, "throttled"),
        (Reply(429, b""), Throttled, "throttled"),
        (error(500, 1), Unreachable, "messenger_unavailable"),
        (error(503, 2), Unreachable, "messenger_unavailable"),
        (error(500, 131000), Unreachable, "messenger_unavailable"),
        (Reply(503, b""), Unreachable, "messenger_unavailable"),
        (Reply(302, b"", {"location": "http://169.254.169.254/"}), Unreachable, "messenger_unavailable"),
        (Reply(502, b"<html>"), Uncertain, "uncertain"),
        (Reply(500, b'{"error": 5}'), Uncertain, "uncertain"),
        (Reply(200, b"nonsense"), Uncertain, "uncertain"),
        (Reply(200, b"[]"), Uncertain, "uncertain"),
        (Reply.of(200, {"messages": []}), Uncertain, "uncertain"),
        (Reply.of(200, {"messages": [{"id": 5}]}), Uncertain, "uncertain"),
        (Wire.reset, Uncertain, "uncertain"),
        (Wire.close, Uncertain, "uncertain"),
    ],
    ids=range(35),
)  # fmt: skip
async def test_what_an_answer_means(
    live: CloudConnection, recorder: Told, number: Number, meta: Meta, answer: Any, kind: Any, code: str
) -> None:
    meta.wrong["16505551234"] = answer
    with pytest.raises(kind) as caught:
        await live.send(text("a secret text"))
    assert (type(caught.value), caught.value.code) == (kind, code)
    reason = caught.value.reason
    assert "a secret text" not in reason
    assert "16505551234" not in reason
    assert number.token not in reason
    assert reason.endswith(".")
    if isinstance(caught.value, Throttled):
        assert caught.value.until > datetime.now(UTC)
    assert recorder.states == [AccountState.working]
    assert not number.taken


async def test_a_template_that_meta_holds_back(live: CloudConnection, meta: Meta) -> None:
    message = {
        "contacts": [{"wa_id": "16505551234"}],
        "messages": [{"id": "wamid.H", "message_status": "paused"}],
    }
    meta.wrong["16505551234"] = Reply.of(200, message)
    sent = await live.send(Outgoing(uuid4(), TO, template={"name": "t"}))
    assert (sent.provider_id, sent.status) == ("wamid.H", ChatMessageStatus.pending)


async def test_how_long_to_wait(live: CloudConnection, meta: Meta) -> None:
    usage = '{"123": [{"type": "whatsapp", "estimated_time_to_regain_access": 19}]}'
    for headers, least, most in (
        ({"retry_after": "7"}, 0, 8),
        ({"retry_after": "9999999"}, 86300, 86400),
        ({"retry_after": "Sat, 21 Nov 2026 10:02:00 GMT", "date": "Sat, 21 Nov 2026 10:00:00 GMT"}, 90, 120),
        ({"x_business_use_case_usage": usage}, 19 * 60 - 30, 19 * 60 + 1),
        ({"x_business_use_case_usage": "[1]"}, 30, 61),
        ({"retry_after": "soon", "x_business_use_case_usage": (
            '{"a": [{"estimated_time_to_regain_access": '
            '1e99}]}'
        )}, 3600, 86401),
    ):  # fmt: skip
        meta.wrong["16505551234"] = error(400, 80007, **headers)
        with pytest.raises(Throttled) as caught:
            await live.send(text())
        seconds = (caught.value.until - datetime.now(UTC)).total_seconds()
        assert least <= seconds <= most, headers


async def test_credentials_that_are_refused_meanwhile_end_the_account(
    live: CloudConnection, recorder: Told, number: Number
) -> None:
    number.refused = (401, 190)
    with pytest.raises(WrongStep) as caught:
        await live.send(text())
    assert caught.value.code == "credentials_refused"
    assert recorder.states == [AccountState.working, AccountState.failed]
    assert recorder.changes[-1].code == "credentials_refused"
    assert not await live.probe()
    number.refused = (403, 131031)
    with pytest.raises(WrongStep):
        await live.read("16505551234", "wamid.X")
    assert recorder.states[-1] is AccountState.blocked


async def test_a_part_of_a_message(live: CloudConnection, number: Number, meta: Meta) -> None:
    """The first part was taken: that nothing was sent would be a lie."""
    answers = iter([None, error(400, 131047)])
    right = meta.stub.answer

    def answer(seen: Any) -> Any:
        return (next(answers) if seen.target.endswith("/messages") else None) or right(seen)

    meta.stub.answer = answer
    with pytest.raises(Uncertain) as caught:
        await live.send(text("listen", media=[Media(ContentKind.audio, b"ID3", "audio/mpeg")]))
    assert "part" in caught.value.reason
    assert len(number.taken) == 1


async def test_silence_is_uncertain_only_once_the_message_has_left(
    driver: CloudDriver, number: Number, recorder: Told, meta: Meta, monkeypatch: pytest.MonkeyPatch
) -> None:
    live = await working(driver, number, recorder)
    bounds: list[tuple[float, asyncio.Timeout]] = []

    def timeout(seconds: float) -> asyncio.Timeout:
        bounds.append((seconds, asyncio.timeout(seconds)))
        return bounds[-1][1]

    monkeypatch.setattr(client, "asyncio", SimpleNamespace(timeout=timeout))
    meta.after["16505551234"] = Wire.hang
    sending = asyncio.create_task(live.send(text()))
    await until(lambda: number.taken)
    [(seconds, bound)] = bounds
    assert seconds == graph.SECONDS
    bound.reschedule(0)  # these are over; fewer might be so before it has left
    with pytest.raises(Uncertain):
        await sending
    assert len(number.taken) == 1
    monkeypatch.setattr(graph, "SECONDS", 0.5)
    meta.stub.die()  # takes nothing any more
    with pytest.raises(Unreachable):
        await live.send(text())
    with pytest.raises(Unreachable):
        await live.me()
    meta.stub.revive()
    await live.close()


async def test_a_connection_that_has_ended_meanwhile_is_not_used(
    live: CloudConnection, number: Number, meta: Meta
) -> None:
    for _ in range(5):
        await live.send(text())
        meta.stub.drop_connections()
        await until(lambda: not meta.stub._live)
    assert len(number.taken) == 5


# reading and typing


async def test_read_and_typing(live: CloudConnection, number: Number) -> None:
    with pytest.raises(Unsupported):
        await live.act("16505551234", "typing")
    await live.read("16505551234", "wamid.IN1#90001")
    await live.act("+16505551234", "typing")
    await live.act("16505551234", "none")
    with pytest.raises(Unsupported):
        await live.act("16505551234", "recording")
    with pytest.raises(Unsupported):
        await live.person("+16505551234")
    read = {"messaging_product": "whatsapp", "status": "read", "message_id": "wamid.IN1"}
    assert number.marked == [read, {**read, "typing_indicator": {"type": "text"}}]


# files that came in


async def test_fetching(live: CloudConnection, number: Number, meta: Meta) -> None:
    id = meta.keep(number, b"OggS" * 100, "audio/ogg; codecs=opus")
    media = await live.fetch("16505551234", f"wamid.X#{id}", 0)
    assert (media.data, media.mime, media.kind) == (b"OggS" * 100, "audio/ogg", ContentKind.audio)
    other = meta.keep(meta.number(), b"secret", "image/png")
    for provider_id, index in ((f"wamid.X#{other}", 0), (f"wamid.X#{id}", 1), ("wamid.X", 0)):
        with pytest.raises((Refused, WrongStep)):
            await live.fetch("16505551234", provider_id, index)


async def test_the_access_token_goes_to_meta_alone(live: CloudConnection, number: Number, meta: Meta) -> None:
    seen: list[Any] = []

    def note(request: Any) -> Reply:
        seen.append(request)
        return Reply(200, b"x")

    async with HttpStub(note) as elsewhere:
        right = meta.answer
        for url in (
            f"{elsewhere.url}/x", "http://lookaside.fbsbx.com/x", "https://lookaside.fbsbx.com.evil.example/x",
            "https://evilfbsbx.com/x", "https://lookaside.fbsbx.com:8443/x", "file:///etc/passwd", "//x", "None",
            "http://[",
        ):  # fmt: skip
            meta.stub.answer = lambda request, url=url: Reply.of(200, {"url": url, "mime_type": "image/png"})
            with pytest.raises(Refused) as caught:
                await live.fetch("16505551234", "wamid.X#90001", 0)
            assert caught.value.code == "media_unavailable"
        meta.stub.answer = right
    assert not seen


async def test_a_file_that_is_too_large_or_gone(
    live: CloudConnection, meta: Meta, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("messengers.whatsapp_cloud.LARGEST", 1000)
    url = f"{meta.stub.url}/download/1"
    for size, reply, code in (
        (1001, Reply(200, b"x"), "media_too_large"),
        (1, Reply(200, b"x" * 1001), "media_too_large"),  # it lied
        (1, Reply(404, b""), "media_unavailable"),
    ):
        where = Reply.of(200, {"url": url, "file_size": size, "mime_type": "image/png"})
        meta.stub.answer = lambda seen, where=where, reply=reply: (
            reply if "download" in seen.target else where
        )
        with pytest.raises(Refused) as caught:
            await live.fetch("16505551234", "wamid.X#90001", 0)
        assert caught.value.code == code
