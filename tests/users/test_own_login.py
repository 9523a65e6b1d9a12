"""Emails, roles, status and deletion are for an own login: a token that leaks does not become the account."""

from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from runtime.services import Services
from tests.api_tokens.made import caller, exchanged, made
from tests.second_factors.factor import second_factor
from tests.support.people import People, Person

UPDATE = "mutation($id: ID!, $input: UserPatch!) { updateUser(id: $id, input: $input) { uuid } }"
_BY_ID = "mutation($id: ID!) {{ answer: {}(id: $id){} }}"
_ROW = "SELECT email, roles, status, password_hash, token_version FROM users WHERE id = $1"

Call = Callable[[Person, Person], Awaitable[str | None]]


async def _rest(person: Person, method: str, path: str, json: Any = None) -> str | None:
    answer = await person.rest(method, path, json=json)
    if answer.status_code < 300:
        return None
    assert answer.status_code == 403, answer.text
    return str(answer.json()["code"])


async def _graphql(person: Person, query: str, variables: Any) -> str | None:
    body = await person.graphql(query, variables)
    return body["errors"][0]["extensions"]["code"] if "errors" in body else None


def _patch(**input: Any) -> dict[str, Call]:
    name = next(iter(input))

    async def rest(by: Person, of: Person) -> str | None:
        return await _rest(by, "PATCH", f"/users/{of.id}", input)

    async def graphql(by: Person, of: Person) -> str | None:
        return await _graphql(by, UPDATE, {"id": str(of.id), "input": input})

    return {f"PATCH {name}": rest, f"updateUser {name}": graphql}


def _by_id(mutation: str, fields: str, method: str, path: str) -> dict[str, Call]:
    async def rest(by: Person, of: Person) -> str | None:
        return await _rest(by, method, path.format(of.id))

    async def graphql(by: Person, of: Person) -> str | None:
        return await _graphql(by, _BY_ID.format(mutation, fields), {"id": str(of.id)})

    return {f"{method} {path}": rest, mutation: graphql}


OWN: dict[str, Call] = {
    **_patch(email="new@example.com"),
    **_by_id("deleteUser", "", "DELETE", "/users/{}"),
    "DELETE /user?uuid=": _by_id("deleteUser", "", "DELETE", "/user?uuid={}")["DELETE /user?uuid={}"],
}
ADMINS: dict[str, Call] = {
    **OWN,
    **_patch(roles=["admin", "user"]),
    **_patch(status="suspended"),
    **_by_id("suspendUser", " { uuid }", "POST", "/users/{}/suspend"),
    **_by_id("activateUser", " { uuid }", "POST", "/users/{}/activate"),
}


async def _credentials(person: Person, permission: str) -> dict[str, Person]:
    every, _ = await made(person)
    scoped, _ = await made(person, scopes=[permission, "users:write"])
    return {
        "a token without scopes": caller(person, every),
        "a token with scopes": caller(person, scoped),
        "a login from a token": caller(person, (await exchanged(person, every))["accessToken"]),
        "a login from a token with scopes": caller(person, (await exchanged(person, scoped))["accessToken"]),
    }


@pytest.fixture
async def by_own_tokens(ada: Person) -> dict[str, Person]:
    return await _credentials(ada, "users:write")


async def test_a_users_own_tokens_change_neither_email_nor_existence(
    ada: Person, by_own_tokens: dict[str, Person], services: Services, subtests: Any
):
    before = await services.db.fetchrow(_ROW, ada.id)
    for name, credential in by_own_tokens.items():
        for operation, call in OWN.items():
            with subtests.test(f"{name}: {operation}"):
                assert await call(credential, ada) == "needs_login"
                assert await services.db.fetchrow(_ROW, ada.id) == before


@pytest.mark.parametrize("operation", ADMINS)
async def test_an_administrators_tokens_change_no_user(
    operation: str, admin: Person, bob: Person, services: Services, subtests: Any
):
    if operation.startswith(("activate", "POST /users/{}/activate")):
        await services.db.fetch("UPDATE users SET status = 'suspended' WHERE id = $1", bob.id)
    before = await services.db.fetchrow(_ROW, bob.id)
    for name, credential in (await _credentials(admin, "users:admin")).items():
        with subtests.test(name):
            assert await ADMINS[operation](credential, bob) == "needs_login"
            assert await services.db.fetchrow(_ROW, bob.id) == before
    assert await ADMINS[operation](admin, bob) is None
    assert await services.db.fetchrow(_ROW, bob.id) != before


@pytest.mark.parametrize("operation", OWN)
async def test_an_own_login_changes_it_at_once(operation: str, ada: Person, services: Services):
    before = await services.db.fetchrow(_ROW, ada.id)
    assert await OWN[operation](ada, ada) is None
    after = await services.db.fetchrow(_ROW, ada.id)
    assert (after["email"], after["status"]) in {("new@example.com", "active"), (before["email"], "deleted")}


async def test_a_member_who_manages_changes_nothing_of_the_owner(
    ada: Person, bob: Person, services: Services, subtests: Any
):
    await services.db.fetch(
        "INSERT INTO memberships (id, owner_id, member_id, email, role, invited_by, joined_at)"
        " VALUES (gen_random_uuid(), $1, $2, $3, 'manager', $1, now())",
        ada.id, bob.id, bob.email,
    )  # fmt: skip
    member = Person(bob.id, bob.email, bob.account_id, bob.token, bob.client, acts_for=ada.id)
    before = await services.db.fetchrow(_ROW, ada.id)
    for operation, call in OWN.items():
        with subtests.test(operation):
            assert await call(member, ada) == "forbidden"
            assert await services.db.fetchrow(_ROW, ada.id) == before


async def test_an_equal_email_and_other_fields_pass_by_token(ada: Person, by_own_tokens: dict[str, Person]):
    for credential in by_own_tokens.values():
        input = {"email": ada.email.upper(), "displayName": "Ada L.", "locale": "de", "status": "active"}
        answer = await credential.rest("PATCH", f"/users/{ada.id}", json=input)
        assert answer.status_code == 200, answer.text
        assert (answer.json()["email"], answer.json()["displayName"]) == (ada.email, "Ada L.")
        body = {"email": "new@example.com", "displayName": "Eve"}
        assert (await credential.rest("PATCH", f"/users/{ada.id}", json=body)).status_code == 403
        assert (await ada.rest("GET", "/auth/me")).json()["displayName"] == "Ada L."


async def test_an_administrators_token_makes_users_but_no_administrators(
    admin: Person, people: People, services: Services, subtests: Any
):
    for name, credential in (await _credentials(admin, "users:admin")).items():
        with subtests.test(name):
            for path in ("/user/create", "/auth/invitations"):
                made = {"email": f"{name.replace(' ', '-')}{len(path)}@example.com"}
                eve = {"email": "eve@example.com", "roles": ["admin", "user"]}
                assert await _rest(credential, "POST", path, eve) == "needs_login"
                assert await _rest(credential, "POST", path, made) is None
            # The roles of a user who has not joined yet are another user's roles, too.
            again = {"email": made["email"], "roles": ["admin"]}
            assert await _rest(credential, "POST", "/auth/invitations", again) == "needs_login"
            assert await _rest(credential, "POST", "/auth/invitations", made) is None
    assert await services.db.fetchval("SELECT count(*) FROM users WHERE 'admin' = ANY(roles)") == 1
    assert await _rest(admin, "POST", "/user/create", {**eve, "password": "correct horse"}) is None


async def test_an_administrator_with_a_second_factor_gives_a_code_first(
    admin: Person, bob: Person, services: Services
):
    await second_factor(admin)
    await services.db.fetch("UPDATE sessions SET second_factor_at = now() - interval '11 minutes'")
    for call in ADMINS.values():
        assert await call(admin, bob) in {"second_factor_needed", None}
    assert (
        await _rest(admin, "PATCH", f"/users/{bob.id}", {"email": "b@example.com"}) == "second_factor_needed"
    )
    assert (await services.db.fetchrow(_ROW, bob.id))["status"] == "active"
