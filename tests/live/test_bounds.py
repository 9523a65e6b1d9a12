"""Tests what one connection, one caller and one transaction may hold, and who is let in."""

import asyncio
from typing import Any

import asyncpg
import pytest

from core import change_events, pubsub
from core.change_events import ChangeEvents
from core.ids import uuid7
from core.pubsub import GAP, listening, publish
from resolvers import changes
from schema.frame import subscriptions
from schema.frame import websocket as door
from tests.support.documents import at_hand
from tests.support.events import streaming
from tests.support.sockets import Closed, Socket, connected, live
from tests.support.waits import PATIENCE, until

BAD = "{ bad }"
MESSAGES = "subscription { messageStatusChanged { uuid } }"
PROJECT = "subscription($id: ID) { sendingProjectProgress(id: $id) { status counts { total } } }"  # 2 points
_PROJECT = """
INSERT INTO sending_projects (id, owner_id, account_id, name, channel, status, text)
VALUES ($1, $2, $3, 'bounds', 'sms', 'stopped', 't')
"""
_MOVE = "UPDATE sending_projects SET status = $2 WHERE id = $1"


def bearer(person):
    return f"Bearer {person.token}"


class Gate:
    """Holds back what is sent to the sockets of a test while it is closed. `waiting` is how many puts wait for it."""

    def __init__(self) -> None:
        self.open = asyncio.Event()
        self.open.set()
        self.waiting = 0

    async def put(self, socket: Socket, message: dict[str, Any]) -> None:
        self.waiting += 1
        try:
            await self.open.wait()
        finally:
            self.waiting -= 1
        await socket._outbox.put(message)


@pytest.fixture
def gate(monkeypatch):
    made = Gate()

    async def put(socket, message):
        await made.put(socket, message)

    monkeypatch.setattr(Socket, "_put", put)
    return made


def listeners(services, person):
    hub = pubsub._HUBS.get(services.store)
    return (
        len(hub._listeners.get(f"announced:{change_events.messages_of(person.id)}".encode(), ()))
        if hub
        else 0
    )


# one connection


async def test_an_id_that_was_taken_again_is_not_lost(app, ada, services, gate):
    async with live(app, bearer(ada)) as socket:
        gate.open.clear()
        await socket.subscribe(BAD, id="x")
        await until(lambda: gate.waiting)  # it is being told: the client may know already
        await socket.subscribe(MESSAGES, id="x")
        await until(lambda: listeners(services, ada) == 1)
        gate.open.set()
        assert (await socket.receive())["type"] == "error"
        await socket.send(type="complete", id="x")
        await until(lambda: listeners(services, ada) == 0)  # it is known by its id, and ended
        await socket.subscribe(MESSAGES, id="x")
        await until(lambda: listeners(services, ada) == 1)
        await socket.subscribe(MESSAGES, id="x")
        with pytest.raises(Closed) as closed:
            await socket.receive()
        assert closed.value.code == 4409
    assert listeners(services, ada) == 0


async def test_no_subscription_outlives_its_connection(app, ada, services, gate):
    before = asyncio.all_tasks()
    async with live(app, bearer(ada)) as socket:
        for number in range(door.MOST_OPERATIONS):
            gate.open.clear()
            await socket.subscribe(BAD, id=str(number))
            await until(lambda: gate.waiting)
            if number < door.MOST_OPERATIONS - 1:
                await socket.subscribe(MESSAGES, id=str(number))
                await until(lambda wanted=number + 1: listeners(services, ada) == wanted)
            gate.open.set()
            assert (await socket.receive())["type"] == "error"
        await socket.subscribe(MESSAGES, id="last")
        await until(lambda: listeners(services, ada) == door.MOST_OPERATIONS)
        await socket.subscribe(MESSAGES, id="one more")
        (error,) = (await socket.next("one more"))["errors"]
        assert error["extensions"]["code"] == "too_many_subscriptions"
    assert listeners(services, ada) == 0
    left = [task.get_coro().__qualname__ for task in asyncio.all_tasks() - before]
    assert "_Connection._run" not in left


async def test_those_that_wait_to_say_that_they_failed_are_counted(app, ada, gate, monkeypatch):
    made = []

    class Kept(door._Connection):
        def __init__(self, *arguments):
            super().__init__(*arguments)
            made.append(self)

    def waiting():
        return gate.waiting + len(made[0]._sending._waiters or ())

    monkeypatch.setattr(door, "_Connection", Kept)
    async with live(app, bearer(ada)) as socket:
        gate.open.clear()
        for number in range(door.MOST_OPERATIONS):
            await socket.subscribe(BAD, id=str(number))
            await until(lambda wanted=number + 1: waiting() == wanted)
        for number in range(door.MOST_OPERATIONS, door.MOST_OPERATIONS + 10):
            await socket.subscribe(BAD, id=str(number))
        # The reader is told of the first of those, and reads no further.
        await until(lambda: waiting() == door.MOST_OPERATIONS + 1)
        assert socket._inbox.qsize() == 9
        gate.open.set()
        messages = [await socket.receive() for _ in range(door.MOST_OPERATIONS + 10)]
        assert {message["type"] for message in messages} == {"error"}
        assert sorted(int(message["id"]) for message in messages) == [*range(door.MOST_OPERATIONS + 10)]
        codes = {message["id"]: message["payload"][0]["extensions"]["code"] for message in messages}
        assert (codes["0"], codes[str(door.MOST_OPERATIONS)]) == ("bad_request", "too_many_subscriptions")


async def test_who_waits_for_others_to_be_told_does_not_wait_for_ever(services, monkeypatch):
    monkeypatch.setattr(subscriptions, "SEND_SECONDS", 0.05)
    nothing: Any = None
    connection = door._Connection(nothing, services, nothing)
    async with asyncio.timeout(PATIENCE), connection._sending:
        with pytest.raises(TimeoutError):
            await connection._send({"type": "pong"})
    assert connection._unread.is_set()


# what it costs


@pytest.fixture
async def project(ada, services, monkeypatch):
    at_hand(PROJECT)
    monkeypatch.setattr(changes, "STEP", 0.001)
    monkeypatch.setattr(changes, "LOOK_SECONDS", 10 * PATIENCE)
    monkeypatch.setattr(subscriptions, "LONGEST_PAUSE", 0.01)
    monkeypatch.setattr(subscriptions, "SHORTEST_PAUSE", 0.01)
    made = uuid7()
    await services.db.fetchval(_PROJECT, made, ada.id, ada.account_id)
    return made


async def move(services, person, project, status):
    await services.db.fetchval(_MOVE, project, status)
    await publish(services.store, change_events.projects_of(person.id), {"projects": [str(project)]})


async def code_of(socket, id="1"):
    payload = await socket.next(id)
    assert "errors" not in payload, payload
    return payload["data"]["sendingProjectProgress"]["status"]


@pytest.mark.settings(limit_graphql="1000/100000000")
async def test_each_event_is_paid_for(app, ada, services, project):
    key = f"user:{ada.id}"
    async with live(app, bearer(ada)) as socket:
        await socket.subscribe(PROJECT, {"id": str(project)})
        left = 999  # to begin costs a point
        for status in ("stopped", "draft", "stopped", "draft"):
            await move(services, ada, project, status)
            assert await code_of(socket) == status
            left -= 2
            assert services.budget.remaining(key) == left


@pytest.mark.settings(limit_graphql="1000/100000000")
async def test_what_an_event_does_not_have_is_given_back(app, ada, services, project):
    query = (
        "subscription($id: ID) { sendingProjectProgress(id: $id) { status messages(first: 50) { nodes { "
        "uuid } } } }"
    )
    at_hand(query)
    async with live(app, bearer(ada)) as socket:
        await socket.subscribe(query, {"id": str(project)})
        for status in ("draft", "stopped") * 15:  # 52 points each, if there were messages
            await code_of(socket)
            await move(services, ada, project, status)
        await code_of(socket)
        assert services.budget.remaining(f"user:{ada.id}") == 1000 - 1 - 31 * 2


@pytest.mark.settings(limit_graphql="7/100000000")
async def test_who_has_nothing_left_waits_and_is_told_the_last_state(app, ada, admin, services, project):
    variables = {"id": str(project)}
    async with live(app, bearer(ada)) as poor, live(app, bearer(admin)) as rich:
        await poor.subscribe(PROJECT, variables)
        for status in ("stopped", "draft", "stopped"):  # 1 to begin, and three times 2
            await move(services, ada, project, status)
            assert await code_of(poor) == status
        assert services.budget.remaining(f"user:{ada.id}") == 0
        await rich.subscribe(PROJECT, variables)
        await code_of(rich)
        for status in ("draft", "paused"):
            await move(services, ada, project, status)
            assert await code_of(rich) == status
        await poor.send(type="ping")
        assert await poor.receive() == {"type": "pong"}
        await services.budget.give(f"user:{ada.id}", 3)
        assert await code_of(poor) == "paused"  # the draft in between is not told
        await poor.send(type="ping")
        assert await poor.receive() == {"type": "pong"}


@pytest.mark.settings(limit_graphql="7/100000000")
async def test_by_events_too_and_who_waits_can_leave(app, ada, services, project):
    request = {"query": PROJECT, "variables": {"id": str(project)}}
    async with streaming(app, bearer(ada), request) as events, live(app, bearer(ada)) as socket:
        for status in ("stopped", "draft", "stopped"):
            await move(services, ada, project, status)
            assert (await events.data())["sendingProjectProgress"]["status"] == status
        await move(services, ada, project, "draft")
        await until(lambda: subscriptions._payment_locks)
        await socket.subscribe(PROJECT, {"id": str(project)})
        (error,) = (await socket.next())["errors"]
        assert error["extensions"]["code"] == "rate_limited"
    # Nobody holds a turn any more; who forgets it, and when, is the garbage collector's business.
    await until(lambda: not any(turn.locked() for turn in subscriptions._payment_locks.values()))
    assert not subscriptions._open


@pytest.mark.settings(limit_graphql="9/100000000")
async def test_several_wait_in_turn(app, ada, services, project):
    """None of them holds points for what may never come, and none is left out."""
    key = f"user:{ada.id}"
    async with live(app, bearer(ada)) as socket:
        for id in "abc":
            await socket.subscribe(PROJECT, {"id": str(project)}, id=id)
            assert await code_of(socket, id) == "stopped"
        assert services.budget.remaining(key) == 0
        await move(services, ada, project, "draft")
        await services.budget.give(key, 6)
        ids = set()
        for _ in "abc":
            message = await socket.receive()
            assert message["payload"]["data"]["sendingProjectProgress"]["status"] == "draft"
            ids.add(message["id"])
        assert ids == {*"abc"}
        assert services.budget.remaining(key) == 0


# who is let in


@pytest.mark.parametrize(
    "origin", ["http://[", "null", "", "file://", "https://evil.example", "http://[::1", "//", "http://"]
)
async def test_a_page_of_nobody_s_is_another_site_s(app, origin):
    assert app.services.settings.public_url is None
    for host in ({"host": "postern.test"}, {"host": ""}, {}):
        async with connected(app, headers={"origin": origin, **host}) as socket:
            assert (await socket.event())["type"] != "websocket.accept"


@pytest.mark.settings(public_url="https://postern.example/api")
async def test_our_own_pages_are_let_in(app):
    for origin in ("https://postern.example", "http://postern.test"):
        async with connected(app, headers={"origin": origin, "host": "postern.test"}) as socket:
            assert (await socket.event())["type"] == "websocket.accept"


@pytest.mark.parametrize(
    "away",
    [ConnectionRefusedError(111, "x"), asyncpg.CannotConnectNowError("x"), TimeoutError()],
    ids=["refused", "starting", "slow"],
)
async def test_with_the_database_away_the_client_may_come_again(app, ada, services, monkeypatch, away):
    async def identify(authorization):
        raise away

    monkeypatch.setattr(services.viewers, "identify", identify)
    with pytest.raises(Closed) as closed:
        async with live(app, bearer(ada)):
            pass
    assert (closed.value.code, closed.value.reason) == (1013, "database_unavailable")
    async with streaming(app, bearer(ada), {"query": MESSAGES}) as events:
        assert events.status == 503


# one transaction


async def test_what_is_noted_before_the_commit_is_bounded(services):
    outbox, owner, other = ChangeEvents(services.store), uuid7(), uuid7()
    try:
        async with listening(services.store, change_events.messages_of(owner)) as heard:
            with outbox.emitting():
                notes = change_events._RECORDER.get()
                for _ in range(5 * change_events.MOST):
                    change_events.message(owner, uuid7(), "sent")
                    assert len(notes.changes[change_events.messages_of(owner)]) <= change_events.MOST
                change_events.message(other, other, "sent")
                assert notes.changes[change_events.messages_of(other)] == {str(other): "sent"}
            async with asyncio.timeout(PATIENCE):
                assert await anext(heard) == GAP
    finally:
        await outbox.close()
