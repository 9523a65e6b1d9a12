"""Inviting people, joining an owner, and ending it."""

from typing import Any

import pytest

from shapes.members import MOST_MEMBERS
from tests.event_feed.test_event_feed import opened, read
from tests.members.made import INVITE, acting, invited, joined
from tests.support.people import Person

CHANGE = (
    "mutation($id:ID!,$i:MemberPatch!){changeMember(id:$id,input:$i){role permissions hasOwnPermissions}}"
)


async def _refused(person: Person, method: str, path: str, **options: Any) -> tuple[int, str]:
    answer = await person.rest(method, path, **options)
    return answer.status_code, answer.json()["code"]


async def test_who_is_invited_joins_with_the_token_and_is_listed_on_both_sides(ada: Person, bob: Person):
    id, token = await invited(ada, bob, "editor")
    assert (await bob.rest("GET", "/memberships")).json() == []
    (row,) = (await ada.rest("GET", "/members")).json()["items"]
    assert (row["email"], row["userUuid"], row["joinedAt"]) == (bob.email, None, None)
    assert row["expiresAt"] is not None
    answer = await bob.rest("POST", "/memberships/accept", json={"token": token})
    assert answer.status_code == 200, answer.text
    (mine,) = (await bob.rest("GET", "/memberships")).json()
    assert mine == answer.json()
    assert (mine["ownerUuid"], mine["ownerEmail"], mine["role"]) == (str(ada.id), ada.email, "editor")
    assert "projects:write" in mine["permissions"] and "projects:send" not in mine["permissions"]
    (row,) = (await ada.data("{members(where:{joined:{eq:true}}){nodes{uuid userUuid expiresAt}}}"))[
        "members"
    ]["nodes"]
    assert row == {"uuid": id, "userUuid": str(bob.id), "expiresAt": None}
    assert (await ada.rest("GET", "/members", params={"joined": "false"})).json()["items"] == []


async def test_an_invitation_is_for_one_email_and_one_use(ada: Person, bob: Person, people):
    carol = await people.make("carol@example.com")
    _, token = await invited(ada, bob, "viewer")
    accept = ("POST", "/memberships/accept")
    assert await _refused(carol, *accept, json={"token": token}) == (403, "other_email")
    assert await _refused(ada, *accept, json={"token": token}) == (403, "other_email")
    _, newer = await invited(ada, bob, "sender")
    assert await _refused(bob, *accept, json={"token": token}) == (401, "invalid_invitation")
    assert (await bob.rest(*accept, json={"token": newer})).json()["role"] == "sender"
    assert await _refused(bob, *accept, json={"token": newer}) == (401, "invalid_invitation")
    assert await ada.code(INVITE, {"i": {"email": bob.email, "role": "viewer"}}) == "already_member"


async def test_an_invitation_expires(ada: Person, bob: Person, services):
    _, token = await invited(ada, bob, "viewer")
    await services.db.fetch("UPDATE memberships SET expires_at = now() - interval '1 second'")
    refused = await _refused(bob, "POST", "/memberships/accept", json={"token": token})
    assert refused == (401, "invalid_invitation")


async def test_who_can_invite_nobody(ada: Person, admin: Person, bob: Person):
    new = {"email": "x@example.com", "role": "viewer"}
    assert await _refused(admin, "POST", "/members", json=new) == (403, "admin_has_no_members")
    assert await _refused(ada, "POST", "/members", json={**new, "email": ada.email.upper()}) == (
        400,
        "own_email",
    )
    for names in (
        ["public"],
        ["members:write"],
        ["users:write"],
        ["users:admin"],
        ["profile:read"],
        ["projects:sent"],
    ):
        assert await _refused(ada, "POST", "/members", json={**new, "permissions": names}) == (
            400,
            "unknown_scope",
        )
    token = (await ada.rest("POST", "/api-tokens", json={"name": "t"})).json()["token"]
    assert await _refused(
        Person(ada.id, ada.email, ada.account_id, token, ada.client), "POST", "/members", json=new
    ) == (403, "needs_login")
    manager, _ = await joined(ada, bob, "manager")
    assert await _refused(manager, "POST", "/members", json=new) == (403, "forbidden")
    assert (await manager.rest("GET", "/members")).status_code == 200


async def test_an_owner_has_a_hundred_members(ada: Person, services):
    await services.db.fetch(
        "INSERT INTO memberships (id, owner_id, email, role)"
        " SELECT gen_random_uuid(), $1, i || '@example.com', 'viewer' FROM generate_series(1, $2::int) AS i",
        ada.id, MOST_MEMBERS,
    )  # fmt: skip
    new = {"email": "x@example.com", "role": "viewer"}
    assert await _refused(ada, "POST", "/members", json=new) == (409, "too_many_members")


@pytest.mark.parametrize("door", ["GraphQL", "REST"])
async def test_a_change_of_one_value_leaves_the_others(ada: Person, bob: Person, door: str):
    _, id = await joined(ada, bob, "viewer", permissions=["projects:read"])

    async def change(**values: Any) -> Any:
        if door == "GraphQL":
            return (await ada.data(CHANGE, {"id": id, "i": values}))["changeMember"]
        return (await ada.rest("PATCH", f"/members/{id}", json=values)).json()

    changed = await change(role="sender")
    assert changed["role"] == "sender" and changed["hasOwnPermissions"]
    assert changed["permissions"] == ["profile:read", "profile:write", "projects:read"]
    changed = await change(permissions=None)
    assert not changed["hasOwnPermissions"] and "projects:send" in changed["permissions"]


async def test_a_member_leaves_or_is_removed(ada: Person, bob: Person, people):
    member, id = await joined(ada, bob, "viewer")
    assert (await member.rest("GET", "/accounts")).status_code == 403
    (mine,) = (await bob.rest("GET", "/memberships")).json()
    carol = await people.make("carol@example.com")
    assert (await carol.rest("DELETE", f"/memberships/{mine['id']}")).status_code == 404
    assert (await carol.rest("DELETE", f"/members/{id}")).status_code == 404
    assert (await bob.rest("DELETE", f"/memberships/{mine['id']}")).status_code == 204
    assert await _refused(member, "GET", "/accounts") == (403, "not_a_member")
    assert (await ada.rest("GET", "/members")).json()["items"] == []
    _, id = await joined(ada, bob, "viewer")
    assert (await ada.rest("DELETE", f"/members/{id}")).json() == {"ended": []}
    assert await _refused(acting(bob, ada), "GET", "/accounts") == (403, "not_a_member")
    _, token = await invited(ada, bob, "viewer")
    (row,) = (await ada.rest("GET", "/members")).json()["items"]
    assert (await ada.rest("DELETE", f"/members/{row['id']}")).status_code == 200
    assert await _refused(bob, "POST", "/memberships/accept", json={"token": token}) == (
        401,
        "invalid_invitation",
    )


async def test_members_are_told_in_the_event_feed(ada: Person, bob: Person):
    start = await opened(ada)
    _, id = await joined(ada, bob, "viewer")
    await ada.rest("PATCH", f"/members/{id}", json={"role": "editor"})
    await ada.rest("DELETE", f"/members/{id}")
    told = [event for event in (await read(ada, start))["events"] if event["subject"] == "member"]
    kinds = [event["type"].removeprefix("member.") for event in told]
    assert kinds == ["invited", "joined", "changed", "removed"]
    assert {event["subjectId"] for event in told} == {id}
    assert told[2]["data"]["role"] == "editor" and "token" not in str(told)
