"""`/user`, Area B's users: the same people as under `/users`, with `uuid`."""

import asyncio

import pytest

from tests.support.people import PASSWORD

UNKNOWN = "01890000-0000-7000-8000-000000000000"
BOTH = ("rest", "graphql")
CREATE = (
    "mutation($input: NewUser!) { createUser(input: $input) { id uuid email displayName status roles"
    " createdAt updatedAt invitationToken invitationExpiresAt } }"
)


async def _find(person, door, **by):
    """The user's uuid, or the code of what went wrong."""
    if door == "rest":
        answer = await person.rest("GET", "/user", params=by)
        return answer.json()["uuid"] if answer.status_code == 200 else answer.json()["code"]
    variables = {"id": by.get("uuid"), "email": by.get("email")}
    body = await person.graphql(
        "query($id: ID, $email: String) { findUser(id: $id, email: $email) { uuid } }", variables
    )
    return body["errors"][0]["extensions"]["code"] if "errors" in body else body["data"]["findUser"]["uuid"]


async def _create(person, door, **input):
    if door == "rest":
        answer = await person.rest("POST", "/user/create", json=input)
        assert answer.status_code in (201, 400, 403, 409)
        return answer.json() if answer.is_success else answer.json()["code"]
    body = await person.graphql(CREATE, {"input": input})
    return body["errors"][0]["extensions"]["code"] if "errors" in body else body["data"]["createUser"]


async def test_the_same_user_in_both_areas(ada):
    here, there = (await ada.rest("GET", "/user")).json(), (await ada.rest("GET", "/auth/me")).json()
    assert here.pop("uuid") == there.pop("id") == str(ada.id)
    assert here == there


@pytest.mark.parametrize("door", BOTH)
async def test_who_finds_whom(ada, bob, admin, door):
    assert await _find(ada, door) == str(ada.id)
    assert await _find(ada, door, uuid=str(ada.id)) == str(ada.id)
    assert await _find(ada, door, email="Ada@Example.com") == str(ada.id)
    for other in (
        {"uuid": str(bob.id)},
        {"email": bob.email},
        {"uuid": UNKNOWN},
        {"email": "no@example.com"},
    ):
        assert await _find(ada, door, **other) == "user_not_found"
    assert await _find(admin, door) == str(admin.id)
    assert await _find(admin, door, uuid=str(bob.id)) == str(bob.id)
    assert await _find(admin, door, email="BOB@example.com") == str(bob.id)
    assert await _find(admin, door, uuid=UNKNOWN) == "user_not_found"
    assert await _find(admin, door, email="no@example.com") == "user_not_found"
    for person in (ada, admin):
        both = {"uuid": str(ada.id), "email": ada.email}
        assert await _find(person, door, **both) == "validation_failed"


async def test_a_question_that_is_none(ada):
    for wrong in ("uuid=x", "email=x", "email=", f"email={'x' * 300}@example.com", "id=x"):
        assert (await ada.rest("GET", f"/user?{wrong}")).status_code == 400


@pytest.mark.parametrize("door", BOTH)
async def test_with_a_password_one_is_in(admin, auth, door):
    made = await _create(admin, door, email="New@Example.com", displayName="New", password=PASSWORD)
    assert (made["email"], made["displayName"], made["status"], made["roles"]) == (
        "new@example.com", "New", "active", ["user"],
    )  # fmt: skip
    assert (made["invitationToken"], made["invitationExpiresAt"]) == (None, None)
    access, _ = await auth.tokens("new@example.com")
    me = await auth.call(door, "me", token=access)
    assert me.data["id" if door == "rest" else "uuid"] == made["uuid"]
    accounts = await auth.client.get("/accounts", headers={"authorization": f"Bearer {access}"})
    assert len(accounts.json()["items"]) == 1
    assert await _create(admin, door, email="new@EXAMPLE.com", password=PASSWORD) == "email_taken"


@pytest.mark.parametrize("door", BOTH)
async def test_without_one_an_invitation_lets_him_in(admin, auth, door):
    made = await _create(admin, door, email="new@example.com", roles=["admin", "user"])
    assert (made["status"], made["roles"]) == ("invited", ["admin", "user"])
    assert made["invitationExpiresAt"]
    assert (await auth.login("new@example.com")).code == "bad_credentials"
    accepted = {"token": made["invitationToken"], "password": PASSWORD}
    assert (await auth.call("graphql", "acceptInvitation", accepted)).code is None
    assert (await auth.login("new@example.com")).code is None
    assert await _find(admin, door, email="new@example.com") == made["uuid"]
    answer = await admin.rest("GET", "/user?email=new@example.com")
    assert "invitationToken" not in answer.json()


@pytest.mark.parametrize("door", BOTH)
async def test_only_administrators_create(ada, admin, services, door):
    assert await _create(ada, door, email="new@example.com", password=PASSWORD) == "forbidden"
    for wrong in (
        {"email": "x"},
        {"email": "new@example.com", "password": "short"},
        {"email": "new@example.com", "password": ""},
        {"email": "new@example.com", "roles": []},
        {"email": "new@example.com", "displayName": "x" * 65},
        {"email": "new@example.com", "displayName": "a\nb"},
    ):
        assert await _create(admin, door, **wrong) == "validation_failed"
    assert await services.db.fetchval("SELECT count(*) FROM users") == 2


async def test_of_many_at_once_one_is_created(admin, services):
    done = await asyncio.gather(
        *(_create(admin, BOTH[n % 2], email=f"{'nN'[n % 2]}ew@example.com") for n in range(10))
    )
    assert done.count("email_taken") == 9
    assert await services.db.fetchval("SELECT count(*) FROM accounts") == 2


async def test_who_deletes_whom(ada, bob, admin, auth):
    assert (await ada.rest("DELETE", "/user")).status_code == 400  # never by mistake
    for other in (str(bob.id), UNKNOWN):
        refused = await ada.rest("DELETE", f"/user?uuid={other}")
        assert (refused.status_code, refused.json()["code"]) == (404, "user_not_found")
    assert (await auth.login(bob.email)).code is None
    deleted = await ada.rest("DELETE", f"/user?uuid={ada.id}")
    assert (deleted.status_code, deleted.content) == (204, b"")
    assert await auth.me(ada.token) == "session_ended"
    for _ in range(2):
        assert (await admin.rest("DELETE", f"/user?uuid={bob.id}")).status_code == 204
    assert (await admin.rest("GET", f"/user?uuid={bob.id}")).json()["status"] == "deleted"
    assert (await admin.rest("DELETE", f"/user?uuid={admin.id}")).json()["code"] == "last_admin"
