"""Files, both ways."""

import os
from uuid import uuid4

import pytest
from telethon.tl import types

from messengers.port import Media, Outgoing, Refused
from messengers.telegram import chats
from shapes.chats import ContentKind
from tests.support.waits import until

JPEG = b"\xff\xd8\xff\xe0" + os.urandom(2000)


def media(
    kind: ContentKind, data: bytes = b"some bytes", mime: str = "application/octet-stream", **more
) -> Media:
    return Media(kind, data, mime, **more)


def stored(telegram, message) -> bytes:
    content = (
        message.media.photo if isinstance(message.media, types.MessageMediaPhoto) else message.media.document
    )
    return telegram.world.files[content.id].data


@pytest.mark.parametrize(
    ("sent", "shown"),
    [
        (media(ContentKind.image, JPEG, "image/jpeg"), (ContentKind.image, "image/jpeg", None)),
        (media(ContentKind.image, b"<svg/>", "image/svg+xml", name="a.svg"),
            (ContentKind.image, "image/svg+xml", "a.svg")),
        (media(ContentKind.video, mime="video/mp4", name="v.mp4"), (ContentKind.video, "video/mp4", "v.mp4")),
        (media(ContentKind.audio, mime="audio/mpeg"), (ContentKind.audio, "audio/mpeg", "audio.mp3")),
        (media(ContentKind.voice), (ContentKind.voice, "audio/ogg", None)),
        (media(ContentKind.file, mime="application/pdf", name="a.pdf"), (ContentKind.file, "application/pdf", "a.pdf")),
    ],
    ids=["image", "odd image", "video", "audio", "voice", "file"],
)  # fmt: skip
async def test_each_kind_arrives_as_what_it_is(telegram, enter, bob, sent, shown):
    _, connection = await enter()
    done = await connection.send(Outgoing(uuid4(), "+14155550101", "look", [sent]))
    (got,) = bob.box.values()
    assert got.message == "look"
    assert stored(telegram, got) == sent.data
    (own,) = await connection.history(done.thread, 10)
    (content,) = own.content
    assert (content.kind, content.mime, content.name, content.size) == (*shown, len(sent.data))
    back = await connection.fetch(done.thread, done.provider_id, 0)
    assert (back.kind, back.mime, back.name, back.data) == (*shown, sent.data)


async def test_a_picture_that_is_none_goes_as_a_file(telegram, enter, bob):
    _, connection = await enter()
    broken = media(ContentKind.image, b"no picture at all", "image/jpeg", name="a.jpg")
    await connection.send(Outgoing(uuid4(), "+14155550101", "look", [broken]))
    (got,) = bob.box.values()
    assert isinstance(got.media, types.MessageMediaDocument)
    assert stored(telegram, got) == broken.data


@pytest.mark.parametrize("megabytes", [1, 10])
async def test_large_files_in_parts(telegram, enter, bob, megabytes):
    _, connection = await enter()
    large = media(ContentKind.file, os.urandom(megabytes * 1024 * 1024 + 17), name="large.bin")
    done = await connection.send(Outgoing(uuid4(), "+14155550101", "", [large]))
    assert telegram.count("SaveBigFilePart" if megabytes == 10 else "SaveFilePart") == 4 * megabytes + 1
    assert stored(telegram, next(iter(bob.box.values()))) == large.data
    if megabytes == 1:
        back = await connection.fetch(done.thread, done.provider_id, 0)
        assert back.data == large.data


async def test_several_files_and_one_text(enter, bob):
    _, connection = await enter()
    files = [media(ContentKind.file, bytes([number]), name=f"{number}.bin") for number in range(3)]
    out = Outgoing(uuid4(), "+14155550101", "three", files)
    first = await connection.send(out)
    assert [each.message for each in bob.box.values()] == ["three", "", ""]
    assert await connection.send(out) == first
    assert len(bob.box) == 3


async def test_what_is_too_long_for_a_caption_goes_before_it(enter, bob):
    _, connection = await enter()
    await connection.send(Outgoing(uuid4(), "+14155550101", "😀" * 600, [media(ContentKind.file)]))
    assert [each.message for each in bob.box.values()] == ["😀" * 600, ""]


async def test_the_same_item_with_a_file_reaches_nobody_twice(telegram, enter, bob):
    own, connection = await enter()
    out = Outgoing(uuid4(), "+14155550101", "once", [media(ContentKind.file)])
    first = await connection.send(out)
    await connection.close()
    before = len(own.sink.changes)
    again = await own.start()
    await own.sink.reach("working", after=before + 1)
    second = await again.send(out)
    assert (second.provider_id, second.thread) == (first.provider_id, first.thread)
    assert telegram.count("SendMedia") == 2
    assert len(bob.box) == 1


async def test_a_connection_cut_while_a_file_is_sent(telegram, enter, bob):
    _, connection = await enter()
    await connection.person("+14155550101")
    telegram.trouble("SaveFilePart", cut=True)
    telegram.trouble("SendMedia", cut=True)
    await connection.send(Outgoing(uuid4(), "+14155550101", "through", [media(ContentKind.file)]))
    assert [each.message for each in bob.box.values()] == ["through"]


async def test_what_cannot_be_sent(enter, bob):
    _, connection = await enter()
    with pytest.raises(Refused):
        await connection.send(Outgoing(uuid4(), "+14155550101", "", [media(ContentKind.file, b"")]))
    with pytest.raises(Refused):
        await connection.send(Outgoing(uuid4(), "+14155550101", "", [media(ContentKind.file)] * 11))
    assert not bob.box


async def test_a_file_that_comes_in(telegram, enter, ada, bob):
    own, connection = await enter()
    attributes = [types.DocumentAttributeFilename("bill.pdf")]
    made = telegram.world.store(b"%PDF", photo=False, mime="application/pdf", attributes=attributes)
    telegram.world.write(bob, ada, "your bill", media=made)
    await until(lambda: own.sink.messages)
    (got,) = own.sink.messages
    (content,) = got.content
    assert (got.text, content.kind, content.name, content.mime, content.size) == (
        "your bill", ContentKind.file, "bill.pdf", "application/pdf", 4,
    )  # fmt: skip
    back = await connection.fetch(got.thread, got.provider_id, 0)
    assert (back.kind, back.data, back.name) == (ContentKind.file, b"%PDF", "bill.pdf")


async def test_what_cannot_be_fetched(telegram, enter, ada, bob, monkeypatch):
    own, connection = await enter()
    telegram.world.write(bob, ada, "no file")
    telegram.world.write(bob, ada, "", media=telegram.world.store(b"x" * 100, photo=False, mime="text/plain"))
    await until(lambda: len(own.sink.messages) == 2)
    text, file = own.sink.messages
    for number, index in ((text.provider_id, 0), (file.provider_id, 1), ("4000", 0), ("none", 0), ("²", 0)):
        with pytest.raises(Refused):
            await connection.fetch(text.thread, number, index)
    monkeypatch.setattr(chats, "FILE_BYTES", 99)
    with pytest.raises(Refused) as refused:
        await connection.fetch(file.thread, file.provider_id, 0)
    assert refused.value.code == "media_too_large"


@pytest.mark.parametrize(
    ("made", "text"),
    [
        (types.MessageMediaGeo(types.GeoPoint(13.4, 52.5, 0)), "geo:52.500000,13.400000"),
        (types.MessageMediaContact("14155550102", "Carl", "C.", "", 0), "Carl C. +14155550102"),
        (types.MessageMediaDice(3, "🎲"), "🎲"),
    ],
    ids=["place", "contact", "dice"],
)
async def test_what_is_neither_text_nor_file_has_words(telegram, enter, ada, bob, made, text):
    own, _ = await enter()
    telegram.world.write(bob, ada, "", media=made)
    await until(lambda: own.sink.messages)
    assert (own.sink.messages[0].text, own.sink.messages[0].content) == (text, ())
