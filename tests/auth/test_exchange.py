"""`POST /auth` and `POST /auth/token/refresh`: a login in place of an API token, which never outlives it."""

import asyncio
from datetime import UTC, datetime, timedelta

import pytest
from jose import jwt

from tests.auth.doors import BOTH, forget
from tests.support.people import PASSWORD


async def _token(auth, person, **more):
    """A new API token: the token, and its id."""
    done = await auth.call("graphql", "createApiToken", {"name": "script", **more}, token=person.token)
    return done.data["token"], done.data["apiToken"]["uuid"]


async def _revoke(auth, person, id):
    assert (await auth.call("graphql", "revokeApiToken", token=person.token, id=id)).code is None


async def _exchange(auth, token, door="rest"):
    return await auth.call(door, "exchange", {"token": token})


async def _refresh(auth, refresh_token, door="rest"):
    """Refreshes a token by the vendor-compatible route; GraphQL has one mutation for both routes."""
    if door == "graphql":
        return await auth.refresh(refresh_token, door)
    answer = await auth.client.post("/auth/token/refresh", json={"refreshToken": refresh_token})
    return answer.json()


@pytest.mark.parametrize("door", BOTH)
async def test_a_token_becomes_a_login(auth, ada, bob, door):
    token, _ = await _token(auth, ada)
    done = await _exchange(auth, token, door)
    assert done.answer.status_code == 200
    pair = done.data
    assert (pair["tokenType"], pair["expiresIn"]) == ("Bearer", 900)
    for each in BOTH:
        me = await auth.call(each, "me", token=pair["accessToken"])
        assert me.data["email"] == ada.email
    following = (
        await auth.client.post("/auth/token/refresh", json={"refreshToken": pair["refreshToken"]})
    ).json()
    assert await auth.me(following["accessToken"]) is None
    assert (await auth.refresh(following["refreshToken"], door)).code is None
    # It is a login like another: it can be ended, and the token makes new ones.
    assert (await auth.call(door, "logout", token=pair["accessToken"])).code is None
    assert await auth.me(following["accessToken"]) == "session_ended"
    assert (await _exchange(auth, token, door)).code is None


@pytest.mark.parametrize("door", BOTH)
async def test_a_login_dies_with_its_token_and_no_other_does(auth, ada, services, door):
    token, id = await _token(auth, ada)
    other, _ = await _token(auth, ada)
    pairs = [(await _exchange(auth, token, door)).data for _ in range(2)]
    spared = (await _exchange(auth, other, door)).data
    following = (await auth.refresh(pairs[1]["refreshToken"], door)).data
    dead = [pairs[0]["accessToken"], pairs[1]["accessToken"], following["accessToken"]]
    assert [await auth.me(access) for access in dead] == [None] * 3  # now they are cached
    await _revoke(auth, ada, id)
    assert [await auth.me(access, each) for access in dead for each in BOTH] == ["session_ended"] * 6
    for refresh_token in (pairs[0]["refreshToken"], following["refreshToken"]):
        assert (await auth.refresh(refresh_token, door)).code == "session_ended"
        answer = await auth.client.post("/auth/token/refresh", json={"refreshToken": refresh_token})
        assert (answer.status_code, answer.json()["code"]) == (401, "session_ended")
    assert (await _exchange(auth, token, door)).code == "invalid_token"
    assert await auth.me(spared["accessToken"]) is None
    assert (await auth.refresh(spared["refreshToken"], door)).code is None
    assert await auth.me(ada.token) is None
    await forget(services)
    assert [await auth.me(access) for access in dead] == ["session_ended"] * 3


async def test_of_a_login_and_a_revocation_at_once_no_login_is_left(auth, ada, services):
    for _ in range(8):
        token, id = await _token(auth, ada)
        *made, _ = await asyncio.gather(
            *(_exchange(auth, token, door) for door in BOTH), _revoke(auth, ada, id)
        )
        assert {outcome.code for outcome in made} <= {None, "invalid_token"}
        for tokens in made:
            if tokens.code is None:
                assert await auth.me(tokens.data["accessToken"]) == "session_ended"
    living = "SELECT count(*) FROM sessions WHERE api_token_id IS NOT NULL AND revoked_at IS NULL"
    assert await services.db.fetchval(living) == 0


async def test_a_login_ends_when_its_token_expires(auth, ada, services):
    soon = datetime.now(UTC) + timedelta(seconds=600)
    token, _ = await _token(auth, ada, expiresAt=soon.isoformat())
    pair = (await _exchange(auth, token)).data
    assert 0 < pair["expiresIn"] <= 600
    assert jwt.get_unverified_claims(pair["accessToken"])["exp"] <= soon.timestamp()
    pair = (await auth.refresh(pair["refreshToken"])).data
    assert 0 < pair["expiresIn"] <= 600
    assert jwt.get_unverified_claims(pair["accessToken"])["exp"] <= soon.timestamp()
    ends = await services.db.fetch("SELECT expires_at FROM refresh_tokens ORDER BY expires_at DESC")
    assert max(row.expires_at for row in ends) == soon

    # And when it has: nothing of it is good any more. (The access token's own end is checked above.)
    await services.db.fetch("UPDATE api_tokens SET expires_at = now() - interval '1 second'")
    assert (await _exchange(auth, token)).code == "invalid_token"
    await services.db.fetch("UPDATE refresh_tokens SET expires_at = now() - interval '1 second'")
    assert (await auth.refresh(pair["refreshToken"])).code == "session_ended"


@pytest.mark.parametrize("door", BOTH)
async def test_no_other_token_is_good(auth, ada, door):
    token, _ = await _token(auth, ada)
    _, refresh_token = await auth.tokens(ada.email)
    wrong = [
        token[:-1],
        token + "x",
        token.upper(),
        "pst_",
        refresh_token,
        ada.token[:512],
        PASSWORD,
        "é\u00a0",
    ]
    for credential in wrong:
        done = await _exchange(auth, credential, door)
        assert done.code == "invalid_token", credential
        if door == "rest":
            assert done.answer.status_code == 401
            assert done.answer.headers["www-authenticate"] == "Bearer"
    for malformed in ("", "x" * 513, "a\x00"):
        assert (await _exchange(auth, malformed, door)).code == "validation_failed"
    assert (await _refresh(auth, token)).get("code") == "invalid_refresh_token"


@pytest.mark.parametrize("door", BOTH)
@pytest.mark.parametrize(("end", "code"), [("suspendUser", "user_suspended"), ("deleteUser", "user_deleted")])
async def test_only_the_holder_learns_that_the_user_is_locked_out(auth, ada, admin, door, end, code):
    token, _ = await _token(auth, ada)
    revoked, id = await _token(auth, ada)
    await _revoke(auth, ada, id)
    pair = (await _exchange(auth, token, door)).data
    assert await auth.me(pair["accessToken"]) is None
    assert (await auth.call("graphql", end, token=admin.token, id=str(ada.id))).code is None
    assert await auth.me(pair["accessToken"]) == "session_ended"
    assert (await auth.refresh(pair["refreshToken"], door)).code == "session_ended"
    locked = await _exchange(auth, token, door)
    assert locked.code == code
    if door == "rest":
        assert locked.answer.status_code == 403
    assert (await _exchange(auth, token + "x", door)).code == "invalid_token"
    assert (await _exchange(auth, revoked, door)).code == "invalid_token"
    if end == "suspendUser":
        # Let in again, the user needs a new token: what was killed stays dead.
        assert (await auth.call("graphql", "activateUser", token=admin.token, id=str(ada.id))).code is None
        assert (await _exchange(auth, token, door)).code == "invalid_token"


async def test_such_a_login_can_t_make_a_token_that_outlives_it(auth, ada):
    token, _ = await _token(auth, ada)
    access = (await _exchange(auth, token)).data["accessToken"]
    refused = await auth.call("graphql", "createApiToken", {"name": "x"}, token=access)
    assert refused.code == "needs_login"


async def test_logout_everywhere_ends_the_login_and_spares_the_token(auth, ada):
    token, _ = await _token(auth, ada)
    pair = (await _exchange(auth, token)).data
    assert (await auth.call("graphql", "logoutEverywhere", token=ada.token)).code is None
    assert await auth.me(pair["accessToken"]) == "session_ended"
    assert (await auth.refresh(pair["refreshToken"])).code == "session_ended"
    assert (await _exchange(auth, token)).code is None


@pytest.mark.settings(limit_login="4/300")
@pytest.mark.parametrize("door", BOTH)
async def test_guesses_are_limited_by_address(auth, ada, door):
    token, _ = await _token(auth, ada)
    codes = [(await _exchange(auth, f"pst_{n}", door)).code for n in range(4)]
    assert codes == ["invalid_token"] * 4
    limited = await _exchange(auth, token, door)
    assert limited.code == "rate_limited"
    if door == "rest":
        assert limited.answer.status_code == 429
        assert int(limited.answer.headers["retry-after"]) > 0
    # A login with a password is not kept out by it.
    assert (await auth.login(ada.email)).code is None


@pytest.mark.settings(limit_login="3/300", trusted_proxies=["127.0.0.1/32"])
async def test_one_token_is_limited_from_all_addresses(auth, ada):
    token, _ = await _token(auth, ada)

    async def call(number, token):
        headers = {"x-real-ip": f"192.0.2.{number}"}
        return (await auth.call("rest", "exchange", {"token": token}, headers=headers)).code

    assert [await call(number, token) for number in range(5)] == [None] * 3 + ["rate_limited"] * 2
    other, _ = await _token(auth, ada)
    assert await call(9, other) is None


@pytest.mark.settings(limit_login_global="5/300")
async def test_all_guesses_together_are_limited(auth, ada):
    codes = [(await _exchange(auth, f"pst_{n}", BOTH[n % 2])).code for n in range(6)]
    assert codes == ["invalid_token"] * 5 + ["rate_limited"]
    assert (await auth.login(ada.email)).code is None
