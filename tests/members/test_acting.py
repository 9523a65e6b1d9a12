"""Acting for an owner: the header X-Postern-Owner, in every door and every cache."""

import asyncio
from typing import Any
from uuid import UUID

import pytest

from runtime.services import Services
from tests.api_tokens.made import caller, exchanged, made
from tests.auth.doors import forget
from tests.members.made import acting, joined
from tests.support.people import People, Person
from tests.support.sockets import Closed, connected, live
from tests.support.waits import until


async def _status(person: Person, path: str, method: str = "GET", **options: Any) -> tuple[int, str | None]:
    answer = await person.rest(method, path, **options)
    return answer.status_code, answer.json().get("code") if answer.status_code >= 400 else None


async def test_a_member_sees_the_owner_s_rows_and_without_the_header_their_own(ada: Person, bob: Person):
    member, _ = await joined(ada, bob, "billing")
    for _ in range(2):  # the second time from the caches
        ids = [row["id"] for row in (await member.rest("GET", "/accounts")).json()["items"]]
        assert ids == [str(ada.account_id)]
        ids = [row["id"] for row in (await bob.rest("GET", "/accounts")).json()["items"]]
        assert ids == [str(bob.account_id)]
        nodes = (await member.data("{accounts{nodes{uuid}}}"))["accounts"]["nodes"]
        assert nodes == [{"uuid": str(ada.account_id)}]
    own = Person(bob.id, bob.email, bob.account_id, bob.token, bob.client, bob.id)
    assert [row["id"] for row in (await own.rest("GET", "/accounts")).json()["items"]] == [
        str(bob.account_id)
    ]


async def test_the_profile_stays_the_person_s(ada: Person, bob: Person):
    member, _ = await joined(ada, bob, "viewer")
    assert (await member.rest("GET", "/auth/me")).json()["email"] == bob.email
    assert (await member.data("{me{email}}"))["me"]["email"] == bob.email
    assert (await member.rest("POST", "/auth/logout")).status_code == 204
    assert await _status(bob, "/accounts") == (401, "session_ended")
    assert (await ada.rest("GET", "/accounts")).status_code == 200


@pytest.mark.parametrize("owner", ["", "x", "00000000-0000-4000-8000-00000000000z"])
async def test_a_header_that_is_no_uuid(ada: Person, owner: str):
    assert await _status(ada, "/accounts", headers={"X-Postern-Owner": owner}) == (400, "bad_owner")
    body = await ada.graphql("{accounts{nodes{uuid}}}", **{"X-Postern-Owner": owner})
    assert body["errors"][0]["extensions"]["code"] == "bad_owner"


async def test_nobody_acts_for_a_stranger_an_unknown_user_or_an_administrator(
    ada: Person, bob: Person, admin: Person, services: Services
):
    unknown = "00000000-0000-4000-8000-000000000000"
    for owner in (ada.id, admin.id, unknown):
        assert await _status(bob, "/accounts", headers={"X-Postern-Owner": str(owner)}) == (
            403,
            "not_a_member",
        )
    member, _ = await joined(ada, bob, "manager")
    assert await _status(member, "/accounts") == (200, None)
    await services.db.fetch("UPDATE users SET roles = '{admin,user}' WHERE id = $1", ada.id)
    await services.viewers.invalidate(users=[ada.id])
    assert await _status(member, "/accounts") == (403, "not_a_member")


_UNKNOWN = "00000000-0000-4000-8000-000000000000"
# Written by hand, since a table that is read from the operations can't disagree with them.
_BEYOND_A_VIEWER: tuple[tuple[str, Any, str], ...] = (
    (f"POST /sending-project/start/{_UNKNOWN}", {}, "projects:send"),
    (f"POST /sending-project/stop/{_UNKNOWN}", {}, "projects:send"),
    (f"DELETE /sending-project/{_UNKNOWN}", None, "projects:write"),
    ("POST /messages", {"to": "+14155550100", "channel": "sms", "body": "x"}, "messages:send"),
    ("POST /block/+14155550100", {}, "blocks:write"),
    ("POST /webhooks", {"url": "https://example.com/x"}, "events:write"),
    ("POST /members", {"email": "x@example.com", "role": "viewer"}, "members:write"),
)


@pytest.mark.parametrize(("call", "body", "needed"), _BEYOND_A_VIEWER)
async def test_a_viewer_starts_sends_and_changes_nothing(
    ada: Person, bob: Person, call: str, body: Any, needed: str
):
    member, _ = await joined(ada, bob, "viewer")
    answer = await member.rest(*call.split(), json=body)
    assert answer.status_code == 403, answer.text
    assert needed in answer.text


async def test_an_administrator_who_acts_is_none(ada: Person, bob: Person, admin: Person):
    member, _ = await joined(ada, admin, "manager")
    assert await _status(admin, f"/accounts/{bob.account_id}") == (200, None)
    assert (await member.rest("GET", f"/accounts/{bob.account_id}")).status_code == 404
    assert await _status(member, "/users") == (403, "forbidden")


async def test_an_api_token_acts_for_nobody_else(ada: Person, bob: Person):
    await joined(ada, bob, "manager")
    token, _ = await made(bob)
    login = await exchanged(bob, token)
    for credential in (token, login["accessToken"]):
        person = caller(bob, credential)
        assert await _status(person, "/accounts", headers={"X-Postern-Owner": str(ada.id)}) == (
            403,
            "acting_needs_login",
        )
        assert await _status(person, "/accounts", headers={"X-Postern-Owner": str(bob.id)}) == (200, None)


async def test_a_suspended_owner_has_no_members_meanwhile(ada: Person, bob: Person, admin: Person):
    member, _ = await joined(ada, bob, "manager")
    await admin.data("mutation($i:ID!){suspendUser(id:$i){id}}", {"i": str(ada.id)})
    assert await _status(member, "/accounts") == (403, "not_a_member")
    await admin.data("mutation($i:ID!){activateUser(id:$i){id}}", {"i": str(ada.id)})
    assert await _status(member, "/accounts") == (200, None)


async def test_another_role_counts_at_once(ada: Person, bob: Person, services: Services):
    member, id = await joined(ada, bob, "viewer")
    assert await _status(member, "/messages") == (403, "forbidden")
    await ada.rest("PATCH", f"/members/{id}", json={"role": "support"})
    assert await _status(member, "/messages") == (200, None)
    await ada.rest("PATCH", f"/members/{id}", json={"permissions": ["statistics:read"]})
    assert await _status(member, "/messages") == (403, "forbidden")
    await forget(services)
    assert await _status(member, "/messages") == (403, "forbidden")
    (mine,) = (await bob.rest("GET", "/memberships")).json()
    granted = {each["name"] for each in (await member.rest("GET", "/permissions")).json() if each["granted"]}
    assert granted == set(mine["permissions"]) == {"profile:read", "profile:write", "statistics:read"}


async def test_redis_away_the_membership_is_read_from_the_database(
    ada: Person, bob: Person, services: Services, monkeypatch
):
    member, id = await joined(ada, bob, "billing")

    async def away(work: Any, otherwise: Any) -> Any:
        return otherwise

    monkeypatch.setattr(services.viewers._store, "attempt", away)
    assert await _status(member, "/accounts") == (200, None)
    assert (await ada.rest("DELETE", f"/members/{id}")).status_code == 200
    assert await _status(member, "/accounts") == (403, "not_a_member")


@pytest.mark.parametrize("owner", ["", "x"])
async def test_a_socket_for_no_uuid_is_refused(app, ada: Person, owner: str):
    async with connected(app) as socket:
        assert (await socket.event())["type"] == "websocket.accept"
        payload = {"Authorization": f"Bearer {ada.token}", "X-Postern-Owner": owner}
        await socket.send(type="connection_init", payload=payload)
        with pytest.raises(Closed) as closed:
            await socket.receive()
        assert closed.value.reason == "bad_owner"


@pytest.mark.parametrize("way", ["header", "payload"])
async def test_a_socket_ends_with_the_membership(app, ada: Person, bob: Person, monkeypatch, way: str):
    monkeypatch.setattr("schema.frame.subscriptions.CHECK_SECONDS", 0.05)
    _, id = await joined(ada, bob, "manager")
    headers = {"x-postern-owner": str(ada.id)}
    async with connected(app, headers=headers if way == "header" else {}) as socket:
        assert (await socket.event())["type"] == "websocket.accept"
        payload = {"Authorization": f"Bearer {bob.token}"}
        if way == "payload":
            payload["X-Postern-Owner"] = str(ada.id)
        await socket.send(type="connection_init", payload=payload)
        assert (await socket.receive())["type"] == "connection_ack"
        await socket.subscribe("subscription{events{type}}", {})
        await asyncio.sleep(0)
        await ada.rest("DELETE", f"/members/{id}")
        with pytest.raises(Closed) as closed:
            while True:
                await socket.next()
        assert closed.value.reason == "not_a_member"
    with pytest.raises(Closed) as closed:
        async with live(app, f"Bearer {bob.token}", headers=headers):
            pass
    assert closed.value.reason == "not_a_member"


async def test_idempotency_keys_of_two_members_are_two(ada: Person, bob: Person, people: People):
    carol = await people.make("carol@example.com")
    bodies = [{"shortcut": "a", "text": "x"}, {"shortcut": "b", "text": "y"}, {"shortcut": "c", "text": "z"}]
    persons = [ada, (await joined(ada, bob, "support"))[0], (await joined(ada, carol, "support"))[0]]
    key = {"Idempotency-Key": "the same"}
    for person, body in zip(persons, bodies, strict=True):
        for _ in range(2):
            answer = await person.rest("POST", "/canned-answers", json=body, headers=key)
            assert (answer.status_code, answer.json()["shortcut"]) == (201, body["shortcut"])
        assert answer.headers["idempotent-replayed"] == "true"


async def test_a_token_made_while_acting_is_the_owner_s_and_ends_with_the_membership(
    ada: Person, bob: Person
):
    member, id = await joined(ada, bob, "support")
    beyond = await member.rest("POST", "/api-tokens", json={"name": "t", "scopes": ["projects:read"]})
    assert (beyond.status_code, beyond.json()["code"]) == (403, "scope_beyond_yours")
    token, token_id = await made(member)
    other, _ = await made(ada)
    (row,) = (await member.rest("GET", "/api-tokens")).json()["items"]  # not the owner's others
    assert (row["id"], row["createdBy"]) == (token_id, str(bob.id))
    assert "messages:send" in row["scopes"] and "projects:read" not in row["scopes"]
    assert len((await ada.rest("GET", "/api-tokens")).json()["items"]) == 2
    assert (await bob.rest("GET", "/api-tokens")).json()["items"] == []
    program = caller(ada, token)
    assert await _status(program, "/messages") == (200, None)
    # What the member loses, the token loses.
    await ada.rest("PATCH", f"/members/{id}", json={"permissions": ["accounts:read"]})
    assert await _status(program, "/messages") == (403, "forbidden")
    assert await _status(program, "/accounts") == (200, None)
    await ada.rest("DELETE", f"/members/{id}", params={"keepTokens": False})
    assert await _status(program, "/accounts") == (401, "invalid_token")
    assert await _status(caller(ada, other), "/accounts") == (200, None)


async def is_waiting(services: Services) -> bool:
    """Returns whether a statement waits for a lock."""
    waiting = "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'"
    return bool(await services.db.fetchval(waiting))


async def test_a_token_is_not_made_beside_the_end_of_the_membership(
    ada: Person, bob: Person, services: Services
):
    member, id = await joined(ada, bob, "support")
    async with services.db.transaction() as connection:
        await connection.execute("DELETE FROM memberships WHERE id = $1", UUID(id))
        making = asyncio.create_task(member.rest("POST", "/api-tokens", json={"name": "t"}))
        await until(lambda: is_waiting(services))
    answer = await making
    assert (answer.status_code, answer.json()["code"]) == (403, "not_a_member")
    assert (await ada.rest("GET", "/api-tokens")).json()["items"] == []


async def test_the_owner_keeps_a_removed_member_s_token(ada: Person, bob: Person):
    member, id = await joined(ada, bob, "support")
    token, token_id = await made(member)
    assert (await ada.rest("DELETE", f"/members/{id}", params={"keepTokens": True})).status_code == 200
    assert await _status(caller(ada, token), "/messages") == (200, None)
    assert (await ada.rest("GET", f"/api-tokens/{token_id}")).json()["createdBy"] is None


async def test_a_suspended_member_s_tokens_pause(ada: Person, bob: Person, admin: Person):
    member, _ = await joined(ada, bob, "support")
    token, _ = await made(member)
    login = await exchanged(ada, token)
    assert await _status(caller(ada, login["accessToken"]), "/messages") == (200, None)
    await admin.data("mutation($i:ID!){suspendUser(id:$i){id}}", {"i": str(bob.id)})
    assert await _status(caller(ada, token), "/messages") == (401, "invalid_token")
    assert await _status(caller(ada, login["accessToken"]), "/messages") == (401, "session_ended")
    assert (await ada.rest("GET", "/messages")).status_code == 200
    assert await _status(acting(bob, ada), "/messages") == (401, "session_ended")
    refreshed = await ada.client.post("/auth/refresh", json={"refreshToken": login["refreshToken"]})
    assert (refreshed.status_code, refreshed.json()["code"]) == (401, "session_ended")
    assert (await ada.client.post("/auth", json={"token": token})).status_code == 401
    await admin.data("mutation($i:ID!){activateUser(id:$i){id}}", {"i": str(bob.id)})
    for credential in (token, login["accessToken"]):
        assert await _status(caller(ada, credential), "/messages") == (200, None)
