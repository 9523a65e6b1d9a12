"""Tests what ends a login and what doesn't: contract §1."""

import asyncio
from uuid import UUID

import pytest

from tests.auth.doors import BOTH
from tests.auth.test_login import Slow
from tests.support.people import PASSWORD
from tests.support.waits import PATIENCE

NEW = "another horse battery"


async def _api_token(auth, access):
    done = await auth.call("graphql", "createApiToken", {"name": "script"}, token=access)
    return done.data["token"]


async def test_logout_ends_this_login_at_once_and_no_other(auth, ada, bob, services):
    for door in BOTH:
        access, refresh = await auth.tokens(ada.email)
        other, other_refresh = await auth.tokens(ada.email)
        assert await auth.me(access) is None  # now it is cached
        done = await auth.call(door, "logout", token=access)
        assert done.code is None
        if door == "rest":
            assert (done.answer.status_code, done.answer.content) == (204, b"")
        assert [await auth.me(access, each) for each in BOTH] == ["session_ended"] * 2
        assert (await auth.refresh(refresh)).code == "session_ended"
        assert (await auth.call(door, "logout", token=access)).code == "session_ended"
        assert await auth.me(other) is None
        assert (await auth.refresh(other_refresh)).code is None
    assert await auth.me(bob.token) is None
    assert await services.db.fetchval("SELECT count(*) FROM sessions WHERE revoked_reason = 'logout'") == 2


async def test_an_api_token_is_no_login(auth, ada):
    token = await _api_token(auth, ada.token)
    refused = await auth.call("rest", "logout", token=token)
    assert (refused.answer.status_code, refused.code) == (400, "not_a_login")
    assert await auth.me(token) is None


async def test_logout_everywhere_ends_every_login_and_spares_api_tokens(auth, ada, bob):
    pairs = [await auth.tokens(ada.email) for _ in range(3)]
    api_token = await _api_token(auth, ada.token)
    assert [await auth.me(access) for access, _ in pairs] == [None] * 3
    assert (await auth.call("graphql", "logoutEverywhere", token=pairs[0][0])).data is True
    for access, refresh in pairs:
        assert [await auth.me(access, door) for door in BOTH] == ["session_ended"] * 2
        assert (await auth.refresh(refresh)).code == "session_ended"
    assert await auth.me(api_token) is None
    assert await auth.me(bob.token) is None
    assert await auth.me((await auth.tokens(ada.email))[0]) is None


@pytest.mark.settings(limit_login="4/300")
async def test_a_new_password_ends_every_login_and_gives_a_new_one(auth, ada):
    async def change(token, current, new):
        input = {"currentPassword": current, "newPassword": new}
        return await auth.call("graphql", "changePassword", input, token=token)

    old, old_refresh = await auth.tokens(ada.email)
    assert (await change(old, "not my password", NEW)).code == "bad_credentials"
    assert (await change(old, PASSWORD, "short")).code == "validation_failed"
    assert await auth.me(old) is None
    done = await change(old, PASSWORD, NEW)
    assert done.code is None
    assert await auth.me(old) == "session_ended"
    assert (await auth.refresh(old_refresh)).code == "session_ended"
    access = done.data["accessToken"]
    assert await auth.me(access) is None
    assert (await auth.refresh(done.data["refreshToken"])).code is None
    assert (await auth.login(ada.email, PASSWORD)).code == "bad_credentials"
    assert (await auth.login(ada.email, NEW)).code is None
    # Guesses through a stolen access token are counted too.
    assert [(await change(access, "guess", NEW)).code for _ in range(3)] == [
        "bad_credentials", "bad_credentials", "rate_limited",
    ]  # fmt: skip


async def _suspend(auth, admin, user):
    assert (await auth.call("graphql", "suspendUser", token=admin.token, id=str(user.id))).code is None


async def _suspend_by_patch(auth, admin, user):
    answer = await admin.rest("PATCH", f"/users/{user.id}", json={"status": "suspended"})
    assert answer.json()["status"] == "suspended"


async def _delete(auth, admin, user):
    assert (await admin.rest("DELETE", f"/users/{user.id}")).status_code == 204


async def _delete_himself(auth, admin, user):
    assert (await user.rest("DELETE", f"/users/{user.id}")).status_code == 204


@pytest.mark.parametrize("end", [_suspend, _suspend_by_patch, _delete, _delete_himself])
async def test_suspension_and_deletion_kill_every_credential_at_once(auth, ada, bob, admin, services, end):
    access, refresh = await auth.tokens(ada.email)
    api_token = await _api_token(auth, access)
    assert [await auth.me(token) for token in (access, ada.token, api_token)] == [None] * 3  # cached
    await end(auth, admin, ada)
    for door in BOTH:
        assert [await auth.me(token, door) for token in (access, ada.token)] == ["session_ended"] * 2
        assert await auth.me(api_token, door) == "invalid_token"
        assert (await auth.refresh(refresh, door)).code == "session_ended"
    assert (await auth.login(ada.email)).answer.status_code == 403
    assert (await auth.login(ada.email, NEW)).answer.status_code == 401
    assert await auth.me(bob.token) is None
    if "delete" in end.__name__:
        taken = {"email": ada.email, "password": PASSWORD}
        assert (await auth.call("rest", "register", taken)).code == "email_taken"
        assert (
            await auth.call("graphql", "activateUser", token=admin.token, id=str(ada.id))
        ).code == "bad_transition"
    else:
        # Let in again, the user needs a new login: what was killed stays dead.
        assert (await auth.call("graphql", "activateUser", token=admin.token, id=str(ada.id))).code is None
        assert await auth.me(access) == "session_ended"
        assert await auth.me(api_token) == "invalid_token"
        assert (await auth.refresh(refresh)).code == "session_ended"
        assert await auth.me((await auth.tokens(ada.email))[0]) is None


async def test_a_role_given_or_taken_counts_at_once(auth, ada, admin):
    assert (await ada.rest("GET", "/users")).status_code == 403
    for roles, status in ((["admin", "user"], 200), (["user"], 403)):
        assert (await admin.rest("PATCH", f"/users/{ada.id}", json={"roles": roles})).status_code == 200
        assert (await ada.rest("GET", "/users")).status_code == status


async def test_an_invitation_lets_one_in_once(auth, admin, ada, services):
    async def invite(email, token=admin.token, **more):
        return await auth.call("graphql", "inviteUser", {"email": email, **more}, token=token)

    async def accept(token, password=NEW, **more):
        return await auth.call("graphql", "acceptInvitation", {"token": token, "password": password, **more})

    assert (await invite("eve@example.com", ada.token)).code == "forbidden"
    assert (await invite(ada.email)).code == "email_taken"
    invited = (await invite("Eve@Example.com", roles=["admin", "user"])).data
    rows = await services.db.fetch("SELECT * FROM users WHERE id = $1", UUID(invited["userId"]))
    assert invited["token"] not in str([list(row.values()) for row in rows])
    assert (await auth.login("eve@example.com", NEW)).code == "bad_credentials"

    assert (await accept(invited["token"][:-1])).code == "unauthenticated"
    assert (await accept(invited["token"], "short")).code == "validation_failed"
    done = await accept(invited["token"], displayName="Eve")
    assert done.code is None
    me = (await auth.call("rest", "me", token=done.data["accessToken"])).data
    assert (me["email"], me["status"], me["displayName"], me["roles"]) == (
        "eve@example.com", "active", "Eve", ["admin", "user"],
    )  # fmt: skip
    assert (await auth.refresh(done.data["refreshToken"])).code is None
    assert (await auth.login("eve@example.com", NEW)).code is None
    assert (await accept(invited["token"])).code == "unauthenticated"

    late = (await invite("late@example.com")).data
    await services.db.fetch("UPDATE users SET invitation_expires_at = now() - interval '1 second'")
    assert (await accept(late["token"])).code == "unauthenticated"
    gone = (await invite("gone@example.com")).data
    assert (await admin.rest("DELETE", f"/users/{gone['userId']}")).status_code == 204
    assert (await accept(gone["token"])).code == "unauthenticated"


async def test_an_api_token_is_shown_once_and_works_until_it_is_revoked_or_expires(auth, ada, bob, services):
    issued = (await auth.call("graphql", "createApiToken", {"name": "nightly"}, token=ada.token)).data
    token, row = issued["token"], issued["apiToken"]
    assert token.startswith("pst_")
    assert len(token) >= 47
    assert (row["name"], row["hint"], row["expiresAt"], row["revokedAt"]) == (
        "nightly",
        token[-4:],
        None,
        None,
    )
    assert [await auth.me(token, door) for door in BOTH] == [None] * 2
    listed = await auth.call("graphql", "apiTokens", token=ada.token)
    assert [node["uuid"] for node in listed.data["nodes"]] == [row["uuid"]]
    assert token not in listed.answer.text
    rows = await services.db.fetch("SELECT * FROM api_tokens")
    assert token not in str([list(row.values()) for row in rows])
    assert (await auth.call("graphql", "apiTokens", token=bob.token)).data == {"nodes": []}

    # Its owner, and nobody else, can revoke it; twice is no error.
    assert (await auth.call("graphql", "revokeApiToken", token=bob.token, id=row["uuid"])).code == "not_found"
    assert await auth.me(token) is None
    for _ in range(2):
        assert (await auth.call("graphql", "revokeApiToken", token=ada.token, id=row["uuid"])).code is None
        assert [await auth.me(token, door) for door in BOTH] == ["invalid_token"] * 2

    expiring = {"name": "short", "expiresAt": "2999-01-01T00:00:00Z"}
    token = (await auth.call("graphql", "createApiToken", expiring, token=ada.token)).data["token"]
    assert await auth.me(token) is None
    await services.db.fetch("UPDATE api_tokens SET expires_at = now() - interval '1 second'")
    assert await auth.me(token) == "invalid_token"
    for bad in ("pst_", "pst_x", token + "x", token.upper(), "PST_" + token[4:]):
        assert await auth.me(bad) == "invalid_token", bad
    for input in (
        {"name": ""},
        {"name": "x" * 65},
        {"name": "two\nlines"},
        {"name": "past", "expiresAt": "2020-01-01T00:00:00Z"},
        {"name": "zoneless", "expiresAt": "2999-01-01T00:00:00"},
        {"name": "never", "expiresAt": "tomorrow"},
    ):
        refused = await auth.call("graphql", "createApiToken", input, token=ada.token)
        assert refused.code in ("validation_failed", "bad_request"), (input, refused)


async def test_of_two_new_passwords_at_once_the_second_finds_its_login_ended(auth, ada, services):
    async def change(new):
        input = {"currentPassword": PASSWORD, "newPassword": new}
        return await auth.call("graphql", "changePassword", input, token=ada.token)

    usual, services.passwords = services.passwords, (slow := Slow())
    first = asyncio.create_task(change("the thief's password"))
    await asyncio.wait_for(slow.checked.wait(), PATIENCE)
    services.passwords = usual
    assert (await change(NEW)).code is None
    slow.go_on.set()
    assert (await first).code == "session_ended"
    assert (await auth.login(ada.email, NEW)).code is None


def test_a_proxy_that_is_no_network_is_refused_at_the_start(make_settings):
    for bad in ("10.0.0.1/8", "proxy.internal", "10.0.0.0/8,nonsense"):
        with pytest.raises(ValueError, match=r"does not appear to be|has host bits set"):
            make_settings(trusted_proxies=bad)
    assert make_settings(trusted_proxies="10.0.0.0/8, 192.0.2.1,::1").trusted_proxies[2] == "::1"
