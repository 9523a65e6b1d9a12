"""Logging in with a second factor."""

import asyncio

import pytest

from resolvers.second_factors import RECOVERY_CODES
from runtime.services import Services
from tests.auth.doors import BOTH, Auth, Outcome
from tests.second_factors.factor import begun, second_factor
from tests.support.people import PASSWORD, Person
from tests.support.shifted import shift

pytestmark = pytest.mark.settings(limit_second_factor="1000/300")
FROM_CONSOLE = {"origin": "http://postern.test", "x-postern-console": "1"}


async def log_in(auth: Auth, person: Person, otp: str | None, door: str = "rest", **headers: str) -> Outcome:
    input = {"email": person.email, "password": PASSWORD, **({"otp": otp} if otp else {})}
    return await auth.call(door, "login", input, headers=headers)


@pytest.mark.parametrize("door", BOTH)
async def test_a_login_needs_the_password_and_a_code(auth: Auth, ada: Person, door: str):
    factor = await second_factor(ada)
    assert (await log_in(auth, ada, None, door)).code == "second_factor_required"
    wrong = {"email": ada.email, "password": "wrong horse battery"}
    # A right code says nothing without the password, and is not used up by it.
    for otp in ({}, {"otp": factor.code()}):
        assert (await auth.call(door, "login", {**wrong, **otp})).code == "bad_credentials"
    done = await log_in(auth, ada, factor.code(), door)
    assert done.code is None
    assert await auth.me(done.data["accessToken"]) is None


async def test_who_has_none_needs_no_code(auth: Auth, ada: Person):
    assert (await log_in(auth, ada, None)).code is None
    assert (await log_in(auth, ada, "123456")).code is None
    await begun(ada)  # it counts when it is confirmed
    assert (await log_in(auth, ada, None)).code is None


@pytest.mark.parametrize("door", BOTH)
async def test_a_code_counts_once_and_in_no_older_step(auth: Auth, ada: Person, door: str):
    factor = await second_factor(ada)
    assert (await log_in(auth, ada, factor.code(0), door)).code == "otp_invalid"  # it has confirmed the app
    assert (await log_in(auth, ada, factor.code(1), door)).code is None
    for used in (1, 0, -1):
        assert (await log_in(auth, ada, factor.code(used), door)).code == "otp_invalid"


async def test_of_fifty_logins_with_one_code_one_gets_in(auth: Auth, ada: Person):
    factor = await second_factor(ada)
    code = factor.code()
    codes = [each.code for each in await asyncio.gather(*(log_in(auth, ada, code) for _ in range(50)))]
    assert codes.count(None) == 1
    assert codes.count("otp_invalid") == 49


async def test_a_recovery_code_replaces_the_code_once(auth: Auth, ada: Person, services: Services):
    factor = await second_factor(ada)
    assert len(set(factor.recovery_codes)) == RECOVERY_CODES
    first, second, *_ = factor.recovery_codes
    assert (await log_in(auth, ada, first.lower().replace("-", ""))).code is None
    assert (await log_in(auth, ada, first)).code == "otp_invalid"
    codes = [each.code for each in await asyncio.gather(*(log_in(auth, ada, second) for _ in range(5)))]
    assert sorted(codes, key=str) == [None] + ["otp_invalid"] * 4
    listed = (await ada.rest("GET", "/auth/second-factors")).json()
    assert listed["recoveryCodes"] == RECOVERY_CODES - 2
    stored = await services.db.fetch("SELECT code_hash FROM recovery_codes")
    assert {len(row["code_hash"]) for row in stored} == {32}


@pytest.mark.parametrize("otp", ["12345", "1234567", "", "12345a", "１２３４５６", "AAAA-AAAA-AAAA-AAA1"])
async def test_what_is_no_code_is_refused_before_anything_else(auth: Auth, ada: Person, otp: str):
    input = {"email": ada.email, "password": PASSWORD, "otp": otp}
    for door in BOTH:
        done = await auth.call(door, "login", input)
        assert done.code == "validation_failed"
        assert "six digits" in str(done.message)
        assert not otp or otp not in str(done.message)


@pytest.mark.parametrize("seconds", [90, -90])
async def test_the_database_s_clock_counts(
    auth: Auth, ada: Person, services: Services, monkeypatch: pytest.MonkeyPatch, seconds: int
):
    factor = await second_factor(ada)
    await services.db.fetchval("SELECT 1")
    code = factor.code()
    shift(monkeypatch, seconds / 3600)
    assert (await log_in(auth, ada, code)).code is None


async def test_the_secret_is_encrypted_and_bound_to_its_row(auth: Auth, ada: Person, services: Services):
    factor = await second_factor(ada)
    sealed = await services.db.fetchval("SELECT secret_encrypted FROM second_factors")
    assert factor.secret.encode() not in sealed
    assert services.vault.open(sealed, f"second_factors.secret:{factor.id}") == factor.secret
    await services.db.fetch("UPDATE second_factors SET secret_encrypted = '\\x02'")
    sent = {"email": ada.email, "password": PASSWORD, "otp": factor.code()}
    refused = await ada.client.post("/auth/login", json=sent)
    assert (refused.status_code, refused.json()["code"]) == (503, "second_factor_unreadable")
    assert (await log_in(auth, ada, factor.recovery_codes[0])).code is None


async def test_a_code_that_did_not_open_a_login_is_not_used(
    auth: Auth, ada: Person, monkeypatch: pytest.MonkeyPatch
):
    """A process that dies before the commit leaves nothing: code and login are one transaction."""
    factor = await second_factor(ada)

    async def dies(*_: object, **__: object) -> None:
        raise ConnectionError("killed")

    code = factor.code()
    with monkeypatch.context() as killed:
        killed.setattr("resolvers.auth.open_session", dies)
        sent = {"email": ada.email, "password": PASSWORD, "otp": code}
        assert (await auth.client.post("/auth/login", json=sent)).status_code >= 500
    assert (await log_in(auth, ada, code)).code is None


async def test_the_console_takes_the_code_too(ada: Person):
    factor = await second_factor(ada)
    headers = FROM_CONSOLE
    sent = {"email": ada.email, "password": PASSWORD}
    refused = await ada.client.post("/console/session", json=sent, headers=headers)
    assert (refused.status_code, refused.json()["code"]) == (401, "second_factor_required")
    sent["otp"] = factor.code()
    assert (await ada.client.post("/console/session", json=sent, headers=headers)).status_code == 204
