"""Rotation, reuse and races of refresh tokens: contract §1. What is revoked is looked up in the database."""

import asyncio

import pytest

from tests.auth.doors import BOTH, forget

LIVE_LEAVES = """
    SELECT count(*) FROM refresh_tokens JOIN sessions ON sessions.id = session_id
    WHERE used_at IS NULL AND revoked_at IS NULL
"""


async def _leave_grace(services):
    """Moves every use of a refresh token so far eleven seconds into the past."""
    await services.db.fetch("UPDATE refresh_tokens SET used_at = used_at - interval '11 seconds'")


async def _refreshed(auth, token, door="rest"):
    done = await auth.refresh(token, door)
    assert done.code is None, done.message
    return done.data["accessToken"], done.data["refreshToken"]


async def test_every_use_gives_a_new_pair_and_ends_the_old_token(auth, ada, services):
    access, token = await auth.tokens(ada.email)
    seen = {token}
    for turn in range(4):
        access, token = await _refreshed(auth, token, BOTH[turn % 2])
        assert token not in seen
        assert await auth.me(access) is None
        seen.add(token)
    assert await services.db.fetchval(LIVE_LEAVES) == 1
    rows = await services.db.fetch("SELECT id, parent_id FROM refresh_tokens ORDER BY id")
    assert [row["parent_id"] for row in rows] == [None, *(row["id"] for row in rows[:-1])]


async def test_a_lost_answer_is_given_again_for_ten_seconds(auth, ada, services):
    _, first = await auth.tokens(ada.email)
    access, second = await _refreshed(auth, first)
    for door in BOTH:
        again, same = await _refreshed(auth, first, door)
        assert same == second
        assert await auth.me(again) is None
    assert await auth.me(access) is None
    assert await services.db.fetchval(LIVE_LEAVES) == 1
    assert await services.db.fetchval("SELECT count(*) FROM refresh_tokens") == 2
    await _refreshed(auth, second)


@pytest.mark.parametrize("door", BOTH)
async def test_a_token_used_again_later_ends_the_whole_login_for_good(auth, ada, services, door):
    access, r0 = await auth.tokens(ada.email)
    other_access, other = await auth.tokens(ada.email)
    _, r1 = await _refreshed(auth, r0)
    _, r2 = await _refreshed(auth, r1)
    newest_access, r3 = await _refreshed(auth, r2)
    await _leave_grace(services)

    refused = await auth.refresh(r0, door)
    assert refused.code == "refresh_token_reused"
    assert door == "graphql" or refused.answer.status_code == 401
    # The refusal did not undo it.
    rows = await services.db.fetch(
        "SELECT revoked_at, revoked_reason FROM sessions WHERE revoked_at IS NOT NULL"
    )
    assert [row["revoked_reason"] for row in rows] == ["refresh token reused"]
    for token in (r3, r2, r1, r0):
        assert (await auth.refresh(token, door)).code == "session_ended"
    assert [await auth.me(token) for token in (access, newest_access)] == ["session_ended"] * 2
    # Another login of the same user is another family.
    assert await auth.me(other_access) is None
    await _refreshed(auth, other)


async def test_a_grandparent_has_no_grace(auth, ada, services):
    _, r0 = await auth.tokens(ada.email)
    _, r1 = await _refreshed(auth, r0)
    _, r2 = await _refreshed(auth, r1)
    assert (await auth.refresh(r0)).code == "refresh_token_reused"
    assert (await auth.refresh(r2)).code == "session_ended"
    assert await services.db.fetchval(LIVE_LEAVES) == 0


async def test_twenty_parallel_refreshes_leave_one_live_leaf(auth, ada, services):
    _, token = await auth.tokens(ada.email)
    done = await asyncio.gather(*(auth.refresh(token, BOTH[turn % 2]) for turn in range(20)))
    assert [outcome.code for outcome in done] == [None] * 20
    (following,) = {outcome.data["refreshToken"] for outcome in done}
    assert await services.db.fetchval(LIVE_LEAVES) == 1
    assert await services.db.fetchval("SELECT count(*) FROM refresh_tokens") == 2
    await _refreshed(auth, following)


async def test_parallel_reuse_after_the_grace_revokes_once_and_nobody_gets_through(auth, ada, services):
    _, token = await auth.tokens(ada.email)
    _, newest = await _refreshed(auth, token)
    await _leave_grace(services)
    done = await asyncio.gather(*(auth.refresh(token) for _ in range(10)), auth.refresh(newest))
    assert {outcome.code for outcome in done[:10]} == {"refresh_token_reused", "session_ended"}
    assert [outcome.code for outcome in done[:10]].count("refresh_token_reused") == 1
    assert await services.db.fetchval(LIVE_LEAVES) == 0


async def test_what_is_no_refresh_token_is_401(auth, ada, services):
    access, token = await auth.tokens(ada.email)
    strange = (
        "x",
        "",
        access,
        ada.token,
        token[:-1],
        token + "x",
        token.swapcase(),
        "pst_" + token,
        "é" * 40,
    )
    for door in BOTH:
        for strange_token in strange:
            refused = await auth.refresh(strange_token, door)
            assert refused.code == ("invalid_refresh_token" if strange_token else "validation_failed"), (
                strange_token
            )
            assert door == "graphql" or refused.answer.status_code == (401 if strange_token else 400)
        assert (await auth.refresh("x" * 513, door)).code == "validation_failed"
        assert (await auth.refresh("nul\0", door)).code == "validation_failed"
        # And a refresh token is no access token.
        assert await auth.me(token, door) == "invalid_token"
    await services.db.fetch("UPDATE refresh_tokens SET expires_at = now() - interval '1 second'")
    refused = await auth.refresh(token)
    assert (refused.answer.status_code, refused.code) == (401, "session_ended")
    assert refused.answer.headers["www-authenticate"] == "Bearer"


async def test_a_refreshed_access_token_obeys_what_ended_the_others(auth, ada, services):
    """The version in it is the user's of now, not of the login."""
    access, token = await auth.tokens(ada.email)
    await services.db.fetch("UPDATE users SET token_version = token_version + 1")
    await forget(services)
    assert await auth.me(access) == "session_ended"
    renewed, _ = await _refreshed(auth, token)
    assert await auth.me(renewed) is None
