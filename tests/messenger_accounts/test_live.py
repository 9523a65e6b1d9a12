"""Live updates of accounts, by GraphQL subscriptions over a WebSocket."""

import base64

import asyncpg
import pytest

from core.errors import Unavailable
from core.pubsub import publish
from postern.app import make_app
from resolvers import messenger_accounts
from schema.frame import subscriptions
from schema.frame import websocket as door
from tests.support.messengers import PLAIN, RIGHT_CODE, UNUSED, added, ok, wrong
from tests.support.sockets import Closed, connected, live
from tests.support.waits import until

pytestmark = [pytest.mark.rotating, pytest.mark.settings(sandbox_moment=0.2, qr_attempts=1000)]

QUERY = """
subscription($id: ID) { messengerAccountChanged(id: $id) {
  at account { uuid state step { value } } pairingCode { value } qrCode { value expiresAt png screenshotUrl }
} }
"""


def bearer(person):
    return f"Bearer {person.token}"


async def states(socket, *wanted, id="1"):
    """The changes until the account was in each of these states, in this order."""
    seen = []
    for state in wanted:
        while True:
            payload = await socket.next(id)
            assert "errors" not in payload, payload
            seen.append(payload["data"]["messengerAccountChanged"])
            if seen[-1]["account"]["state"] == state:
                break
    return seen


async def test_a_login_as_it_happens(app, ada, host):
    id = await added(ada, UNUSED)
    async with live(app, bearer(ada)) as socket:
        await socket.subscribe(QUERY, {"id": id})
        (first,) = await states(socket, "stopped")
        assert first["account"]["uuid"] == id
        assert first["qrCode"] is None
        await wrong(ada, "setState", UNUSED, setState=True)
        *_, waiting = await states(socket, "waitQr")
        assert waiting["qrCode"]["value"].startswith("sandbox://telegram/")
        assert base64.b64decode(waiting["qrCode"]["png"]).startswith(b"\x89PNG")
        # The QR is renewed before anybody has to ask.
        while (again := (await states(socket, "waitQr"))[-1])["qrCode"] == waiting["qrCode"]:
            pass
        assert again["qrCode"]["value"] != waiting["qrCode"]["value"]
        await ok(ada, "forceStop", UNUSED)
        await states(socket, "stopped")
        await ok(ada, "enablePhoneAuth", UNUSED, phone=PLAIN)
        await wrong(ada, "setState", UNUSED, setState=True)
        await states(socket, "waitCode")
        await ok(ada, "solveChallenge", UNUSED, code=RIGHT_CODE)
        await states(socket, "working")
        await ok(ada, "deleteAccount", UNUSED)
        while (message := await socket.receive())["type"] == "next":
            pass
        assert message == {"id": "1", "type": "complete"}


async def test_another_name_is_a_change(app, ada):
    id = await added(ada, PLAIN)
    query = "subscription($id: ID) { messengerAccountChanged(id: $id) { account { name } } }"
    async with live(app, bearer(ada)) as socket:
        await socket.subscribe(query, {"id": id})
        await socket.next("1")
        await ok(ada, "updateAccount", PLAIN, name="another")
        change = await socket.next("1")
        assert change["data"]["messengerAccountChanged"] == {"account": {"name": "another"}}


async def test_all_of_the_caller_s_and_nobody_else_s(app, ada, bob, host):
    first, second = await added(ada, UNUSED), await added(ada, "another")
    await added(bob, UNUSED)
    async with (
        live(app, bearer(ada)) as socket,
        live(app, None, headers={"authorization": bearer(bob)}) as his,
    ):
        await socket.subscribe(QUERY)
        assert {(await states(socket, "stopped"))[0]["account"]["uuid"] for _ in range(2)} == {first, second}
        await his.subscribe(QUERY)
        await states(his, "stopped")
        await wrong(ada, "setState", UNUSED, setState=True)
        *_, waiting = await states(socket, "waitQr")
        assert waiting["account"]["uuid"] == first
        await ok(bob, "forceStop", UNUSED)
        await his.send(type="ping")
        assert await his.receive() == {"type": "pong"}  # and nothing of ada's before


async def test_another_s_account(app, ada, bob):
    id = await added(ada)
    async with live(app, bearer(bob)) as socket:
        await socket.subscribe(QUERY, {"id": id})
        (error,) = (await socket.next())["errors"]
        assert error["extensions"]["code"] == "account_not_found"
        # The connection goes on.
        await socket.subscribe(QUERY, id="2")
        await socket.send(type="complete", id="2")
        await socket.send(type="ping")
        assert await socket.receive() == {"type": "pong"}


@pytest.mark.parametrize(
    ("token", "reason"),
    [(None, "unauthenticated"), ("Bearer x.y.z", "invalid_token"), ("no", "unauthenticated")],
)
async def test_who_is_nobody_is_not_let_in(app, token, reason):
    with pytest.raises(Closed) as closed:
        async with live(app, token):
            pass
    assert (closed.value.code, closed.value.reason) == (4403, reason)


async def test_the_allowlist_is_asked_before_the_handshake(make_settings, tmp_path):
    (tmp_path / "ip-allowlist.conf").write_text("192.0.2.1\n")
    made = make_app(make_settings(ip_allowlist_mode="Enforce"))
    for headers, wanted in (
        ({}, "websocket.http.response.start"),
        ({"x-real-ip": "192.0.2.2"}, "websocket.http.response.start"),
        ({"x-real-ip": "192.0.2.1"}, "websocket.accept"),
    ):
        async with connected(made, headers=headers) as socket:
            assert (await socket.event())["type"] == wanted
    await made.services.close()


async def test_it_ends_with_the_login(app, ada, admin, monkeypatch):
    monkeypatch.setattr(subscriptions, "CHECK_SECONDS", 0.05)
    async with live(app, bearer(ada)) as socket:
        await socket.subscribe(QUERY)
        await admin.data("mutation($i:ID!){suspendUser(id:$i){id}}", {"i": str(ada.id)})
        with pytest.raises(Closed) as closed:
            await socket.receive()
    assert (closed.value.code, closed.value.reason) == (4403, "session_ended")


async def test_the_socket_s_own_credential_counts(app, ada, bob, services, monkeypatch, capfd):
    """Beside a header of the handshake, which a browser or a proxy may have sent."""
    monkeypatch.setattr(subscriptions, "CHECK_SECONDS", 0.05)
    await added(ada, "hers")
    await added(bob, "his")
    query = "subscription { messengerAccountChanged { account { login owner { email } } } }"
    async with live(app, bearer(bob), headers={"authorization": bearer(ada)}) as socket:
        await socket.subscribe(query)
        account = (await socket.next())["data"]["messengerAccountChanged"]["account"]
        assert account == {"login": "his", "owner": {"email": bob.email}}
        assert [*subscriptions._open] == [bob.id]
        # Another user's logout is nothing to it, and the owner's ends it.
        assert (await ada.rest("POST", "/auth/logout")).is_success
        await publish(services.store, f"messengers:{bob.id}", {"type": "state"})
        assert (await socket.next())["data"]["messengerAccountChanged"]["account"] == account
        assert (await bob.rest("POST", "/auth/logout")).is_success
        with pytest.raises(Closed) as closed:
            while True:
                await socket.receive()
    assert (closed.value.code, closed.value.reason) == (4403, "session_ended")
    lines = [line for line in capfd.readouterr().err.splitlines() if '"live"' in line]
    assert [str(bob.id) in line and str(ada.id) not in line for line in lines] == [True]


@pytest.mark.parametrize(
    "away",
    [TimeoutError(), asyncpg.ConnectionDoesNotExistError("x"), asyncpg.InterfaceError("x"), Unavailable("x")],
    ids=lambda error: type(error).__name__,
)
@pytest.mark.parametrize("of_account", [True, False], ids=["one", "all"])
async def test_a_database_that_is_away_is_waited_for(
    app, ada, services, monkeypatch, capfd, away, of_account
):
    id = await added(ada)
    real, tries = messenger_accounts.mine, []

    async def mine(*arguments, **options):
        tries.append(1)
        if len(tries) <= 3:
            raise away
        return await real(*arguments, **options)

    async with live(app, bearer(ada)) as socket:
        await socket.subscribe(QUERY, {"id": id} if of_account else {})
        await states(socket, "stopped")
        monkeypatch.setattr(messenger_accounts, "mine", mine)
        topic = f"messenger:{id}" if of_account else f"messengers:{ada.id}"
        await publish(services.store, topic, {"type": "state", "account": id})
        await states(socket, "stopped")  # told when it is back, and once
        await socket.send(type="ping")
        assert await socket.receive() == {"type": "pong"}
    assert len(tries) == 4
    assert "Traceback" not in capfd.readouterr().err


async def test_all_of_the_caller_s_are_listed_when_the_database_is_back(app, ada, services, monkeypatch):
    await added(ada)
    real, tries = services.db.fetch, []

    async def fetch(*arguments):
        tries.append(1)
        if len(tries) <= 3:
            raise asyncpg.CannotConnectNowError("starting up")
        return await real(*arguments)

    async with live(app, bearer(ada)) as socket:
        monkeypatch.setattr(services.db, "fetch", fetch)
        await socket.subscribe(QUERY)
        await states(socket, "stopped")
    assert len(tries) > 3


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (asyncpg.DeadlockDetectedError("secret"), "concurrent_change"),
        (RuntimeError("secret"), "internal_error"),
    ],
    ids=["known", "a bug"],
)
async def test_what_is_wrong_otherwise_is_told_as_what_it_is(app, ada, services, monkeypatch, error, code):
    id = await added(ada)

    async def mine(*_, **__):
        raise error

    async with live(app, bearer(ada)) as socket:
        await socket.subscribe(QUERY, {"id": id})
        await states(socket, "stopped")
        monkeypatch.setattr(messenger_accounts, "mine", mine)
        await publish(services.store, f"messenger:{id}", {"type": "state", "account": id})
        payload = await socket.next()
        assert payload["errors"][0]["extensions"]["code"] == code
        assert "secret" not in str(payload)
        assert await socket.receive() == {"id": "1", "type": "complete"}


async def test_a_state_of_nobody_knows_which_account(app, ada, services):
    id = await added(ada)
    async with live(app, bearer(ada)) as socket:
        await socket.subscribe(QUERY)
        await states(socket, "stopped")
        for account in ({}, {"account": None}, {"account": "x"}, {"account": 7}):
            await publish(services.store, f"messengers:{ada.id}", {"type": "state", **account})
            assert (await states(socket, "stopped"))[0]["account"]["uuid"] == id


async def test_only_so_many_connections_and_subscriptions(app, ada, bob, monkeypatch):
    monkeypatch.setattr(subscriptions, "MOST_CONNECTIONS", 2)
    monkeypatch.setattr(door, "MOST_OPERATIONS", 2)
    async with live(app, bearer(ada)) as socket, live(app, bearer(ada)):
        with pytest.raises(Closed) as closed:
            async with live(app, bearer(ada)):
                pass
        assert closed.value.code == 4429
        async with live(app, bearer(bob)):
            pass
        for id in ("1", "2", "3"):
            await socket.subscribe(QUERY, id=id)
        (error,) = (await socket.next("3"))["errors"]
        assert error["extensions"]["code"] == "too_many_subscriptions"
    async with live(app, bearer(ada)):
        pass
    assert not subscriptions._open


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("no json", 4400),
        ("[]", 4400),
        ('"x"', 4400),
        ("{}", 4400),
        ('{"type": ["x"]}', 4400),
        ('{"type": "subscribe"}', 4400),
        ('{"type": "subscribe", "id": 1, "payload": {"query": "x"}}', 4400),
        ('{"type": "subscribe", "id": "1", "payload": []}', 4400),
        ('{"type": "subscribe", "id": "1", "payload": {"query": {}}}', 4400),
        ('{"type": "subscribe", "id": "1", "payload": {"query": "x", "variables": []}}', 4400),
        ('{"type": "connection_init"}', 4429),
        (f'{{"type": "{"x" * 200_000}"}}', 4400),
        (None, 4400),
    ],
    ids=lambda value: str(value)[:40],
)
async def test_what_is_no_message_ends_it(app, ada, text, code):
    async with live(app, bearer(ada)) as socket:
        await socket.raw(text)
        with pytest.raises(Closed) as closed:
            await socket.receive()
        assert closed.value.code == code


async def test_before_it_has_begun(app, ada, monkeypatch):
    async with connected(app, protocols=("graphql-ws",)) as socket:
        await socket.event()
        with pytest.raises(Closed) as closed:
            await socket.receive()
        assert closed.value.code == 4406
    async with connected(app) as socket:
        await socket.event()
        await socket.send(type="ping")
        assert await socket.receive() == {"type": "pong"}
        await socket.subscribe(QUERY)
        with pytest.raises(Closed) as closed:
            await socket.receive()
        assert closed.value.code == 4401
    async with connected(app) as socket:
        await socket.event()
        await socket.send(type="connection_init", payload=[1])
        with pytest.raises(Closed) as closed:
            await socket.receive()
        assert closed.value.code == 4400
    monkeypatch.setattr(door, "INIT_SECONDS", 0.05)
    async with connected(app) as socket:
        await socket.event()
        with pytest.raises(Closed) as closed:
            await socket.receive()
        assert closed.value.code == 4408


async def test_one_id_one_subscription(app, ada):
    async with live(app, bearer(ada)) as socket:
        await socket.subscribe(QUERY)
        await socket.subscribe(QUERY)
        with pytest.raises(Closed) as closed:
            await socket.receive()
        assert closed.value.code == 4409


@pytest.mark.parametrize(
    ("query", "code"),
    [
        ("{ me { id } }", "bad_request"),
        ("mutation { logout }", "bad_request"),
        ("subscription {", "bad_request"),
        ("subscription { nothing }", "bad_request"),
        ("subscription { messengerAccountChanged(id: [7]) { at } }", "bad_request"),
        ('subscription { messengerAccountChanged(id: "x") { at } }', "bad_id"),
    ],
    ids=str,
)
async def test_a_request_that_is_wrong_is_told_and_the_connection_goes_on(app, ada, query, code):
    async with live(app, bearer(ada)) as socket:
        await socket.subscribe(query)
        payload = await socket.next()
        assert payload["errors"][0]["extensions"]["code"] == code, payload
        await socket.send(type="ping")
        assert await socket.receive() == {"type": "pong"}


async def test_a_client_that_leaves_leaves_nothing_behind(app, ada, services):
    id = await added(ada)
    async with live(app, bearer(ada)) as socket:
        await socket.subscribe(QUERY, {"id": id})
        await states(socket, "stopped")
        assert await services.store.client.pubsub_numsub(f"announced:messenger:{id}") == [
            (f"announced:messenger:{id}".encode(), 1)
        ]

    async def silent():
        ((_, count),) = await services.store.client.pubsub_numsub(f"announced:messenger:{id}")
        return count == 0

    await until(silent)
    assert not subscriptions._open
    await publish(services.store, f"messenger:{id}", {"type": "state", "account": id})


async def test_chats_are_not_told_here(app, ada, services):
    id = await added(ada)
    async with live(app, bearer(ada)) as socket:
        await socket.subscribe(QUERY, {"id": id})
        await states(socket, "stopped")
        await publish(services.store, f"messenger:{id}", {"kind": "message", "item": id})
        await ok(ada, "deleteAccount", PLAIN)
        # What is announced of one account is told in its order, and the end is the first thing that comes.
        assert await socket.receive() == {"id": "1", "type": "complete"}
