"""Tests the media of messages, outgoing and incoming."""

import asyncio
import base64
from contextlib import asynccontextmanager
from uuid import UUID

import pytest

from core.errors import Unavailable
from engine.messengers import call_client, call_handler, media
from messengers.port import Content
from messengers.sandbox import SandboxConnection
from shapes.chats import ContentKind
from tests.chats.conftest import came, hold, make_account
from tests.chats.live import ADA, BOB, connect
from tests.support.messengers import ok, wrong
from tests.support.tcp import serving
from tests.support.waits import until

PNG = b"\x89PNG\r\n\x1a\n" + b"picture" * 100
LOGIN = "14155550100"


@asynccontextmanager
async def answer_server(answer: bytes, endless: int = 0):
    """Answers every request on loopback with `answer`, and then sends `endless` MiB more."""

    async def talk(reader, writer):
        await reader.readuntil(b"\r\n\r\n")
        writer.write(answer)
        for _ in range(endless):
            writer.write(b"x" * 2**20)
            await writer.drain()

    async with serving(talk) as port:
        yield f"http://127.0.0.1:{port}/a/picture.png"


def http(body: bytes, status: str = "200 OK", *more: str, length: int | None = None) -> bytes:
    lines = [f"HTTP/1.1 {status}", f"Content-Length: {len(body) if length is None else length}", *more]
    return "\r\n".join([*lines, "Connection: close", "", ""]).encode() + body


def with_content(*content: dict, to: str = BOB) -> dict:
    return {"msg": {"to": to, "text": "look", "content": list(content)}}


async def rows(services) -> int:
    return await services.db.fetchval("SELECT count(*) FROM messenger_messages WHERE outgoing")


LOCAL = pytest.mark.settings(outbound_allow=["127.0.0.1/32"], sandbox_moment=0.02)
INSIDE = [
    "http://127.0.0.1:9/x.png",
    "http://169.254.169.254/latest/meta-data",
    "http://[::1]/x",
    "http://[::ffff:127.0.0.1]/x",
    "http://2130706433/x",
    "http://0x7f.1/x",
    "http://localhost/x",
    "file:///etc/passwd",
    "gopher://127.0.0.1/x",
    "ftp://example.com/x",
    "javascript:alert(1)",
    "http://user:pass@127.0.0.1/",
    "not an address",
]


@pytest.mark.parametrize("src", INSIDE)
async def test_nothing_inside_is_fetched(services, ada, account, src):
    code, message = await wrong(ada, "sendMessage", LOGIN, **with_content({"type": "image", "src": src}))
    assert code.startswith("url_") or code == "bad_media", code
    assert "passwd" not in message and "meta-data" not in message
    assert await rows(services) == 0


BAD = {
    "not there": (http(b"no", "404 Not Found"), 0, "media_unavailable"),
    "redirect": (http(b"", "302 Found", "Location: http://169.254.169.254/"), 0, "media_unavailable"),
    "100 MB, said": (http(b"", length=100 * 2**20), 0, "media_too_large"),
    "100 MB, unsaid": (b"HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n", 100, "media_too_large"),
    "a page, not a picture": (http(b"<!DOCTYPE html><html>"), 0, "bad_media"),
    "nothing": (http(b""), 0, "bad_media"),
    "nonsense": (b"hello\r\n\r\n", 0, "media_unavailable"),
}


@LOCAL
@pytest.mark.parametrize("name", BAD)
async def test_what_can_t_be_had_leaves_nothing(services, ada, account, name):
    answer, endless, expected = BAD[name]
    async with answer_server(answer, endless) as src:
        code, message = await wrong(ada, "sendMessage", LOGIN, **with_content({"type": "image", "src": src}))
    assert code == expected and src not in message
    assert await rows(services) == 0


DATA = {
    "no base64": {"type": "image", "src": "data:image/png;base64,§§§"},
    "no comma": {"type": "image", "src": "data:image/png"},
    "a text as a picture": {"type": "image", "src": "data:text/plain,hello"},
    "no file": {"type": "file", "src": "file:nonsense"},
    "nobody's file": {"type": "file", "src": f"file:{UUID(int=7)}"},
}


@pytest.mark.parametrize("name", DATA)
async def test_bad_data(services, ada, account, name):
    code, _ = await wrong(ada, "sendMessage", LOGIN, **with_content(DATA[name]))
    assert code == "bad_media"
    many = [{"type": "file", "src": "data:,x"}] * 11
    assert (await wrong(ada, "sendMessage", LOGIN, **with_content(*many)))[0] == "validation_failed"
    assert await rows(services) == 0


async def test_another_s_file_is_none(services, ada, bob, account):
    made = await bob.rest("POST", "/file-uploader", files={"file": ("a.txt", b"bob's", "text/plain")})
    src = f"file:{made.json()['uuid']}"
    assert (await wrong(ada, "sendMessage", LOGIN, **with_content({"type": "file", "src": src})))[
        0
    ] == "bad_media"


@LOCAL
@pytest.mark.parametrize("held", [True, False])
@pytest.mark.parametrize("state", ["waitQr", "reconnecting", "syncing", "stopped"])
async def test_nothing_is_fetched_that_can_t_be_sent(services, ada, state, held, monkeypatch):
    async def fetch(*_):
        raise AssertionError("it was fetched")

    monkeypatch.setattr(media, "_fetch", fetch)
    id = await make_account(services, ada, state=state)
    if held:
        await hold(services, id)
    code, message = await wrong(
        ada, "sendMessage", LOGIN, **with_content({"type": "file", "src": "http://127.0.0.1:9/x"})
    )
    assert code == "wrong_state"
    assert f"The account is {state if held else 'stopped'}. " in message
    assert ("Show the QR code of getQr" in message) == (held and state == "waitQr")
    assert await rows(services) == 0


MIB = 2**20


@pytest.fixture
def small(monkeypatch):
    """A process that has room for five MiB of media, three of them for one user."""
    monkeypatch.setattr(media, "BUDGET_BYTES", 5 * MIB)
    monkeypatch.setattr(media, "BUDGET_BYTES_EACH", 3 * MIB)
    monkeypatch.setattr(media, "WAIT_SECONDS", 0.3)


@pytest.mark.settings(outbound_allow=["127.0.0.1/32"])
@pytest.mark.parametrize("declared", [True, False])
async def test_media_on_its_way_has_a_bound_in_all_and_for_each_user(
    services, ada, bob, account, small, monkeypatch, declared
):
    await make_account(services, bob, "bobs")
    going, go = [], asyncio.Event()

    async def ask(services, id, call, arguments, **_):
        going.append(id)
        await go.wait()
        raise Unavailable("away", code="messenger_unavailable")

    monkeypatch.setattr(call_client, "ask", ask)
    body = b"PK\x03\x04".ljust(MIB * 7 // 5, b"x")
    answer = http(body) if declared else b"HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n" + body

    async with answer_server(answer) as src:

        def send(person, login):
            return asyncio.create_task(
                wrong(person, "sendMessage", login, **with_content({"type": "file", "src": src}))
            )

        first = [send(ada, LOGIN) for _ in range(2)]
        await until(lambda: len(going) == 2)
        code, message = await send(ada, LOGIN)
        assert code == "rate_limited" and "your other messages" in message
        first.append(send(bob, "bobs"))
        await until(lambda: len(going) == 3)
        code, message = await send(bob, "bobs")  # the user might have more, and there is no more
        assert code == "unavailable" and "nothing was sent" in message
        # Who waits goes on when others are through.
        monkeypatch.setattr(media, "WAIT_SECONDS", 20.0)
        waiting = send(ada, LOGIN)
        await until(lambda: media.BUDGET._waiting)
        go.set()
        for task in (*first, waiting):
            assert (await task)[0] == "messenger_unavailable"
    assert media.BUDGET._reserved.total() == 0
    assert await rows(services) == 0


async def test_what_fails_to_load_keeps_no_room(services, ada, account, small):
    for content in (
        {"type": "image", "src": "data:image/png;base64,§§§"},
        {"type": "image", "src": "data:text/plain,hello"},
    ):
        await wrong(ada, "sendMessage", LOGIN, **with_content(content))
        assert media.BUDGET._reserved.total() == 0


@LOCAL
async def test_a_live_account_has_a_bound_too(services, ada, host, small, monkeypatch):
    id = await connect(services, ada, ADA)
    begun, go, real = [], asyncio.Event(), SandboxConnection.send

    async def send(self, message):
        begun.append(message)
        await go.wait()
        return await real(self, message)

    monkeypatch.setattr(SandboxConnection, "send", send)
    data = base64.b64encode(PNG.ljust(2 * MIB, b"x")).decode()

    def ask(number):
        medium = {"kind": "image", "data": data, "mime": "image/png", "name": "x.png"}
        arguments = {"item": str(UUID(int=number)), "to": f"+{BOB}", "media": [medium]}
        return call_client.ask(services, id, "send", arguments)

    first = asyncio.create_task(ask(1))
    await until(lambda: begun)
    with pytest.raises(Unavailable) as refused:
        await ask(2)
    assert refused.value.code == "messenger_unavailable" and "nothing was done" in refused.value.message
    go.set()
    assert (await first)["provider_id"]
    assert (await ask(2))["provider_id"]
    assert call_handler._BUDGET._reserved.total() == 0


@LOCAL
async def test_pictures_files_and_data_arrive_with_their_bytes(services, ada, bob, host, client):
    await connect(services, ada, ADA)
    await connect(services, bob, BOB)
    made = await ada.rest("POST", "/file-uploader", files={"file": ("list.csv", b"a,b\n1,2\n", "text/csv")})
    inline = "data:audio/ogg;base64," + base64.b64encode(b"OggS" + b"sound" * 20).decode()
    async with answer_server(http(PNG, "200 OK", "Content-Type: image/png")) as src:
        sent = await ok(
            ada,
            "sendMessage",
            ADA,
            **with_content(
                {"type": "image", "src": src},
                {"type": "file", "src": f"file:{made.json()['uuid']}", "filename": "report.csv"},
                {"type": "voice", "src": inline},
            ),
        )
    item = sent["results"][0]["result"]["item"]
    shown = (await ok(ada, "getChatMessageByItem", ADA, item=item))["message"]["content"]
    assert [(content["type"], content["filename"], content["size"]) for content in shown] == [
        ("image", "picture.png", len(PNG)),
        ("file", "report.csv", 8),
        ("voice", "voice", 104),
    ]
    assert shown[0]["src"] == src and "/messenger-media/" in shown[1]["src"]

    async def got():
        return (await ok(bob, "getChatMessages", BOB, to=ADA))["messages"]

    (message,) = await until(got)
    assert [content["type"] for content in message["content"]] == ["image", "file", "voice"]
    for one, data in zip(message["content"], (PNG, b"a,b\n1,2\n", b"OggS" + b"sound" * 20), strict=True):
        answer = await client.get(one["src"].partition("3000")[2] or one["src"])
        assert answer.content == data
        assert answer.headers["content-disposition"].startswith("attachment")
        assert answer.headers["x-content-type-options"] == "nosniff"


async def test_links_open_what_they_name_and_nothing_else(services, ada, bob, account, apply, outbox, client):
    src = "data:image/png;base64," + base64.b64encode(PNG).decode()
    await apply(came("1", content=[Content(ContentKind.image, src, "text/html", "../../evil\r\n.html")]))
    await apply(
        came("2", content=[Content(ContentKind.image, "https://messenger.internal/secret", None, None)])
    )
    first, second = (event.body["content"][0]["src"] for event in outbox)
    assert "messenger.internal" not in second and "messenger.internal" not in str(outbox)
    path = "/messenger-media/" + first.partition("/messenger-media/")[2]
    answer = await client.get(path)
    assert answer.status_code == 200 and answer.content == PNG
    assert answer.headers["content-security-policy"] == "sandbox; default-src 'none'"
    assert "\n" not in answer.headers["content-disposition"]
    bare, _, query = path.partition("?")
    item = bare.split("/")[2]
    other = path.replace(f"/{item}/0", f"/{item}/1")
    swapped = path.replace(item, "/messenger-media/" and str(UUID(int=9)))
    for wrong_path in (other, swapped, path + "x", f"{bare}?expires=1&signature={query.rpartition('=')[2]}"):
        assert (await client.get(wrong_path)).json()["code"] == "bad_link"
    assert (await client.get(bare)).status_code == 401
    assert (await ada.rest("GET", bare)).content == PNG
    assert (await bob.rest("GET", bare)).json()["code"] == "media_not_found"
    assert (await ada.rest("GET", f"/messenger-media/{item}/1")).json()["code"] == "media_not_found"
    assert (await ada.rest("GET", f"/messenger-media/{item}/100")).status_code == 400
    # A link is as good as its account's owner.
    for status in ("suspended", "deleted"):
        await services.db.fetch("UPDATE users SET status = $2 WHERE id = $1", ada.id, status)
        assert (await client.get(path)).json()["code"] == "media_not_found"
    await services.db.fetch("UPDATE users SET status = 'active' WHERE id = $1", ada.id)
    assert (await client.get(path)).content == PNG
    # What only the messenger has, when nobody holds the account.
    again = second.partition("/messenger-media/")[2]
    await services.db.fetch("UPDATE messenger_accounts SET state = 'stopped'")
    assert (await client.get(f"/messenger-media/{again}")).json()["code"] == "wrong_state"
    assert await make_account(services, bob)
