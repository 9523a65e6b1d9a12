"""Invitations that are given again, and API tokens that must not beget others."""

import asyncio

from resolvers.auth.token_rows import MOST_API_TOKENS
from tests.support.people import PASSWORD

NEW = "a brand new password"


async def _invite(auth, admin, email, **more):
    return await auth.call("graphql", "inviteUser", {"email": email, **more}, token=admin.token)


async def _accept(auth, token):
    return await auth.call("graphql", "acceptInvitation", {"token": token, "password": NEW})


async def test_an_invitation_that_was_lost_is_given_again(auth, admin, services):
    first = (await _invite(auth, admin, "eve@example.com", roles=["admin"], displayName="Eve")).data
    await services.db.fetch("UPDATE users SET invitation_expires_at = now() - interval '1 day'")
    second = (await _invite(auth, admin, "EVE@example.com", roles=["user"])).data
    assert second["userId"] == first["userId"]
    assert second["expiresAt"] > first["expiresAt"]
    assert (await _accept(auth, first["token"])).code == "unauthenticated"
    done = await _accept(auth, second["token"])
    assert done.code is None
    # The last answer says what the user may do.
    me = (await auth.call("rest", "me", token=done.data["accessToken"])).data
    assert (me["displayName"], me["roles"]) == ("Eve", ["user"])
    assert (
        await services.db.fetchval("SELECT count(*) FROM accounts WHERE owner_id::text = $1", first["userId"])
        == 1
    )
    # A user who is in, suspended or gone is not invited again.
    assert (await _invite(auth, admin, "eve@example.com")).code == "email_taken"
    for status in ("suspended", "deleted"):
        await services.db.fetch("UPDATE users SET status = $2 WHERE id::text = $1", first["userId"], status)
        assert (await _invite(auth, admin, "eve@example.com")).code == "email_taken"
    assert (await auth.login("eve@example.com", PASSWORD)).code == "bad_credentials"


async def test_of_many_invitations_at_once_one_is_good(auth, admin):
    done = await asyncio.gather(*(_invite(auth, admin, "eve@example.com") for _ in range(6)))
    tokens = [outcome.data["token"] for outcome in done if outcome.code is None]
    # Two may make the user at the same time.
    assert {outcome.code for outcome in done} <= {None, "email_taken"}
    codes = [(await _accept(auth, token)).code for token in tokens]
    assert sorted(codes, key=str) == [None, *["unauthenticated"] * (len(tokens) - 1)]


async def _make(auth, token, **more):
    return await auth.call("graphql", "createApiToken", {"name": "x", **more}, token=token)


async def test_an_api_token_makes_no_others(auth, ada):
    """A token that expires, or is about to be revoked, could outlive itself."""
    issued = (await _make(auth, ada.token, expiresAt="2999-01-01T00:00:00Z")).data["token"]
    assert await auth.me(issued) is None
    refused = await _make(auth, issued)
    assert (refused.code, "Log in" in refused.message) == ("needs_login", True)
    assert len((await auth.call("graphql", "apiTokens", token=ada.token)).data["nodes"]) == 1


async def test_api_tokens_are_bounded_exactly_and_those_that_have_ended_do_not_count(
    auth, ada, bob, services
):
    await services.db.fetch(
        "INSERT INTO api_tokens (id, user_id, name, token_hash, hint, expires_at, revoked_at)"
        " SELECT gen_random_uuid(), $1, 'x', sha256(n::text::bytea), 'xxxx',"
        " CASE WHEN n % 2 = 0 THEN now() - interval '1 second' END, CASE WHEN n % 2 = 1 THEN now() END"
        " FROM generate_series(1, 150) AS n",
        ada.id,
    )
    await services.db.fetch(
        "INSERT INTO api_tokens (id, user_id, name, token_hash, hint)"
        " SELECT gen_random_uuid(), $1, 'y', sha256(('y' || n)::bytea), 'yyyy' FROM generate_series(1, $2) AS n",
        ada.id, MOST_API_TOKENS - 3,
    )  # fmt: skip
    done = await asyncio.gather(*(_make(auth, ada.token) for _ in range(10)))
    assert sorted((outcome.code for outcome in done), key=str) == [None] * 3 + ["too_many_api_tokens"] * 7
    assert (await _make(auth, bob.token)).code is None
    listed = (await auth.call("graphql", "apiTokens", token=ada.token)).data["nodes"]
    token_id = next(row["uuid"] for row in listed if row["name"] == "y")
    await auth.call("graphql", "revokeApiToken", token=ada.token, id=token_id)
    assert (await _make(auth, ada.token)).code is None
