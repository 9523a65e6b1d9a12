"""Subscriptions as server-sent events, and what both doors of subscriptions share."""

import asyncpg
import pytest

from core.pubsub import publish
from resolvers import messenger_accounts
from schema.frame import sse, subscriptions
from tests.support.events import EVENTS, streaming
from tests.support.messengers import added, ok
from tests.support.sockets import Closed, live
from tests.support.waits import until

QUERY = """
subscription($id: ID) { messengerAccountChanged(id: $id) { account { uuid login state } } }
"""


def bearer(person):
    return f"Bearer {person.token}"


async def test_what_happens_to_an_account(app, ada):
    id = await added(ada)
    request = {"query": QUERY, "variables": {"id": id}, "operationName": None}
    async with streaming(app, bearer(ada), request) as events:
        assert events.status == 200
        assert events.headers["content-type"].startswith(EVENTS)
        assert "no-cache" in events.headers["cache-control"]
        assert "x-request-id" in events.headers
        assert "content-length" not in events.headers
        account = (await events.data())["messengerAccountChanged"]["account"]
        assert (account["uuid"], account["state"]) == (id, "stopped")
        assert events.signs == 1  # that it was let in, before anything else
        await ok(ada, "deleteAccount", account["login"])
        assert await events.next() == ("complete", None)
        assert await events.next() is None


async def test_by_get(app, ada):
    await added(ada)
    request = {
        "query": "subscription A { nothing } subscription B($id: ID) { messengerAccountChanged(id: $id) { at } }"
    }
    request["query"] = request["query"].replace("nothing", "messengerAccountChanged { at }")
    request |= {"operationName": "B", "variables": {"id": None}}
    async with streaming(app, bearer(ada), request, method="GET") as events:
        assert (await events.data())["messengerAccountChanged"]["at"]


@pytest.mark.parametrize(
    "accept", ["text/event-stream", "text/*", "*/*", "application/json, text/event-stream;q=0.1", ""]
)
async def test_who_takes_events_gets_them(app, ada, accept):
    await added(ada)
    async with streaming(app, bearer(ada), {"query": QUERY}, accept=accept) as events:
        assert await events.data()


@pytest.mark.parametrize(
    ("headers", "status", "code"),
    [
        ({"accept": "application/json"}, 406, "bad_request"),
        ({"accept": "text/event-stream;q=0"}, 406, "bad_request"),
        ({"content_type": "text/plain"}, 415, "bad_request"),
        ({"content_type": "application/x-www-form-urlencoded"}, 415, "bad_request"),
        ({"raw": b"{"}, 400, "bad_request"),
        ({"raw": b"[]"}, 400, "bad_request"),
        ({"raw": b'{"query": 7}'}, 400, "bad_request"),
        ({"raw": b'{"query": "x", "variables": []}'}, 400, "bad_request"),
        ({"authorization": "Bearer nonsense"}, 401, "invalid_token"),
    ],
    ids=str,
)
async def test_a_request_that_is_none_is_refused_before_the_stream(app, ada, headers, status, code):
    headers = {"authorization": bearer(ada), **headers}
    async with streaming(app, asked={"query": QUERY}, **headers) as events:
        assert events.status == status
        assert events.headers["content-type"] == "application/json"
        assert (await events.body())["errors"][0]["extensions"]["code"] == code
    assert not subscriptions._open


async def test_nobody_is_let_in_without_a_login(app, ada, client):
    for method, options in (("POST", {"json": {"query": QUERY}}), ("GET", {"params": {"query": QUERY}})):
        answer = await client.request(method, "/graphql/stream", headers={"accept": EVENTS}, **options)
        assert answer.status_code == 401
        assert answer.headers["www-authenticate"] == "Bearer"
        assert answer.json()["errors"][0]["extensions"]["code"] == "unauthenticated"
    for method in ("PUT", "DELETE", "PATCH"):
        assert (await client.request(method, "/graphql/stream", headers=ada.headers)).status_code == 405
    answer = await client.get(
        "/graphql/stream", params={"query": QUERY, "variables": "{"}, headers=ada.headers
    )
    assert answer.status_code == 400


@pytest.mark.parametrize(
    ("query", "code"),
    [
        ("{ me { id } }", "bad_request"),
        ("mutation { logout }", "bad_request"),
        ("subscription {", "bad_request"),
        ("subscription { nothing }", "bad_request"),
        ('subscription { messengerAccountChanged(id: "x") { at } }', "bad_id"),
        ((
            'subscription { messengerAccountChanged(id: "01890000-0000-7000-8000-000000000000") '
            '{ at } }'
        ), "account_not_found"),
    ],
    ids=str,
)  # fmt: skip
async def test_a_document_that_is_wrong_is_told_in_the_stream(app, ada, query, code):
    """The protocol says so, because an EventSource can't read the body of a 400."""
    async with streaming(app, bearer(ada), {"query": query}) as events:
        assert events.status == 200
        name, body = await events.next()
        assert name == "next"
        assert body["errors"][0]["extensions"]["code"] == code, body
        assert await events.next() == ("complete", None)
        assert await events.next() is None
    assert not subscriptions._open
    assert (await ada.rest("GET", "/auth/me")).is_success  # and it logged nobody out


async def test_another_site_reads_nothing(client, ada):
    """No CORS header, so that a browser keeps the answer from the page; and JSON from elsewhere asks first."""
    headers = {**ada.headers, "origin": "https://evil.example", "accept": "application/json"}
    answer = await client.get("/graphql/stream", params={"query": QUERY}, headers=headers)
    assert "access-control-allow-origin" not in answer.headers
    headers |= {"access-control-request-method": "POST", "access-control-request-headers": "authorization"}
    answer = await client.options("/graphql/stream", headers=headers)
    assert "access-control-allow-origin" not in answer.headers


async def test_it_ends_with_the_login(app, ada, admin, monkeypatch):
    monkeypatch.setattr(subscriptions, "CHECK_SECONDS", 0.05)
    async with streaming(app, bearer(ada), {"query": QUERY}) as events:
        await admin.data("mutation($i:ID!){suspendUser(id:$i){id}}", {"i": str(ada.id)})
        name, body = await events.next()
        assert (name, body["errors"][0]["extensions"]["code"]) == ("next", "session_ended")
        assert await events.next() == ("complete", None)
        assert await events.next() is None


async def test_other_roles_are_another_login(app, ada, admin, monkeypatch):
    monkeypatch.setattr(subscriptions, "CHECK_SECONDS", 0.05)
    mutation = "mutation($i:ID!){updateUser(id:$i,input:{roles:[admin,user]}){id}}"
    async with live(app, bearer(ada)), streaming(app, bearer(ada), {"query": QUERY}) as events:
        await admin.data(mutation, {"i": str(ada.id)})
        name, body = await events.next()
        assert (name, body["errors"][0]["extensions"]["code"]) == ("next", "session_ended")


async def test_a_database_that_is_away_ends_nothing(app, ada, services, monkeypatch):
    id = await added(ada)
    monkeypatch.setattr(subscriptions, "CHECK_SECONDS", 0.01)
    real, tries = services.viewers.identify, []

    async def identify(authorization):
        tries.append(1)
        raise asyncpg.CannotConnectNowError("starting up")

    async with streaming(app, bearer(ada), {"query": QUERY, "variables": {"id": id}}) as events:
        await events.data()
        monkeypatch.setattr(services.viewers, "identify", identify)
        await until(lambda: len(tries) > 3)
        monkeypatch.setattr(services.viewers, "identify", real)
        await publish(services.store, f"messenger:{id}", {"type": "state", "account": id})
        assert await events.data()


async def test_connections_of_both_doors_are_counted_together(app, ada, bob, monkeypatch):
    monkeypatch.setattr(subscriptions, "MOST_CONNECTIONS", 2)
    async with live(app, bearer(ada)), streaming(app, bearer(ada), {"query": QUERY}):
        async with streaming(app, bearer(ada), {"query": QUERY}) as third:
            assert third.status == 429
            assert (await third.body())["errors"][0]["extensions"]["code"] == "too_many_connections"
        with pytest.raises(Closed) as closed:
            async with live(app, bearer(ada)):
                pass
        assert (closed.value.code, closed.value.reason) == (4429, "too_many_connections")
        async with streaming(app, bearer(bob), {"query": QUERY}) as his:
            assert his.status == 200
    await until(lambda: not subscriptions._open)
    async with streaming(app, bearer(ada), {"query": QUERY}) as events:
        assert events.status == 200


async def test_signs_of_life(app, ada, monkeypatch):
    monkeypatch.setattr(sse, "KEEP_SECONDS", 0.02)
    id = await added(ada)
    async with streaming(app, bearer(ada), {"query": QUERY, "variables": {"id": id}}) as events:
        await events.data()

        async def heard():
            while not events._outbox.empty():
                events.signs += (await events._outbox.get())["body"] == b":\n\n"
            return events.signs > 3

        await until(heard)


async def test_who_leaves_leaves_nothing_behind(app, ada, services):
    id = await added(ada)

    async def listeners():
        ((_, count),) = await services.store.client.pubsub_numsub(f"announced:messenger:{id}")
        return count

    async with streaming(app, bearer(ada), {"query": QUERY, "variables": {"id": id}}) as events:
        await events.data()
        assert await listeners() == 1
    assert not subscriptions._open

    async def silent():
        return await listeners() == 0

    await until(silent)


async def test_who_does_not_read_is_dropped(app, ada, services, monkeypatch):
    """The server does not notice that the client reads nothing; the door has a bound of its own."""
    monkeypatch.setattr(subscriptions, "SEND_SECONDS", 0.1)
    id = await added(ada)
    async with streaming(app, bearer(ada), {"query": QUERY, "variables": {"id": id}}) as events:
        await events.data()
        events.reads = False
        await publish(services.store, f"messenger:{id}", {"type": "state", "account": id})
        await until(lambda: not subscriptions._open)


async def test_who_does_not_read_his_socket_is_dropped(app, ada, services, monkeypatch):
    monkeypatch.setattr(subscriptions, "SEND_SECONDS", 0.1)
    id = await added(ada)
    async with live(app, bearer(ada)) as socket:
        await socket.subscribe(QUERY, {"id": id})
        await socket.next()
        socket.stop_reading()
        await publish(services.store, f"messenger:{id}", {"type": "state", "account": id})
        await until(lambda: not subscriptions._open)


async def test_a_stop_ends_it_and_the_client_may_come_again(app, ada, services):
    """The stream ends without `complete`, which would tell the client that there is nothing more to come."""
    await added(ada)
    async with streaming(app, bearer(ada), {"query": QUERY}) as events, live(app, bearer(ada)) as socket:
        await events.data()
        services.stopping.set()
        assert await events.next() is None
        with pytest.raises(Closed) as closed:
            await socket.receive()
        assert closed.value.code == 1012
    services.stopping.clear()


async def test_a_bug_is_told_and_ends_it(app, ada, services, monkeypatch):
    id = await added(ada)

    async def mine(*_, **__):
        raise RuntimeError("secret")

    async with streaming(app, bearer(ada), {"query": QUERY, "variables": {"id": id}}) as events:
        await events.data()
        monkeypatch.setattr(messenger_accounts, "mine", mine)
        await publish(services.store, f"messenger:{id}", {"type": "state", "account": id})
        name, body = await events.next()
        assert (name, body["errors"][0]["extensions"]["code"]) == ("next", "internal_error")
        assert "secret" not in str(body)
        assert await events.next() == ("complete", None)
