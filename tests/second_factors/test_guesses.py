"""Whoever knows a password can try few codes, and can't keep the owner from logging in."""

import math
from contextlib import suppress
from types import SimpleNamespace
from typing import Any

import pytest

from core.errors import RateLimited
from resolvers.auth import factors
from runtime.services import Services
from tests.auth.doors import BOTH, Auth
from tests.second_factors.factor import second_factor
from tests.second_factors.test_login import log_in
from tests.support.people import PASSWORD, Person

PROXIED = {
    "trusted_proxies": ["127.0.0.0/8"],
    "limit_login": "1000000/60",
    "limit_login_global": "1000000/60",
}
HOME = {"X-Real-IP": "203.0.113.8"}
GUESSES, ADDRESSES = 10_000, 100


def _stranger(number: int) -> dict[str, str]:
    return {"X-Real-IP": f"198.51.100.{number}"}


def _wrong(code: str, number: int) -> str:
    """Returns a code that is none of the three that count, but for a chance of 1 in 300,000."""
    return f"{(int(code) + 7 + 13 * number) % 10**6:06d}"


@pytest.mark.settings(**PROXIED)
async def test_the_sixth_wrong_code_in_five_minutes_is_refused(auth: Auth, ada: Person):
    factor = await second_factor(ada, **HOME)
    codes = [
        (await log_in(auth, ada, _wrong(factor.code(), turn), BOTH[turn % 2], **HOME)).code
        for turn in range(7)
    ]
    assert codes == ["otp_invalid"] * 5 + ["rate_limited"] * 2
    refused = await log_in(auth, ada, factor.code(), **HOME)  # guessing right is no way around it
    assert (refused.code, refused.answer.status_code) == ("rate_limited", 429)
    assert int(refused.answer.headers["retry-after"]) <= 60
    # A recovery code is a guess like another.
    assert (await log_in(auth, ada, factor.recovery_codes[0], **HOME)).code == "rate_limited"


@pytest.mark.settings(**PROXIED)
async def test_right_codes_count_for_nothing(auth: Auth, ada: Person, services: Services):
    factor = await second_factor(ada, **HOME)
    for code in factor.recovery_codes[:8]:
        assert (await log_in(auth, ada, code, **_stranger(1))).code is None
    assert await services.store.client.keys("limit:second-factor*") == []


@pytest.mark.settings(**PROXIED)
async def test_strangers_use_up_their_codes_and_not_the_owner_s(auth: Auth, ada: Person):
    factor = await second_factor(ada, **HOME)
    codes = [
        (await log_in(auth, ada, _wrong(factor.code(), number), **_stranger(number))).code
        for number in range(40)
    ]
    assert codes == ["otp_invalid"] * 25 + ["rate_limited"] * 15
    assert (await log_in(auth, ada, factor.code(), **_stranger(99))).code == "rate_limited"
    assert (await log_in(auth, ada, factor.code(), **HOME)).code is None


@pytest.mark.settings(**PROXIED)
async def test_of_ten_thousand_guesses_in_a_day_fifty_are_tried(
    auth: Auth, ada: Person, services: Services, monkeypatch: pytest.MonkeyPatch
):
    """Of 100 strangers who know the password, over 24 hours. The buckets are those in memory, on a clock of the test:
    Redis' script, which does the same, reads the time of Redis.
    """
    factor = await second_factor(ada, **HOME)
    user = await factors.USER_BY_ID.first(services.db, id=ada.id)
    seconds, tried = 0.0, []
    monkeypatch.setattr("core.rate_limits.time", SimpleNamespace(monotonic=lambda: seconds))
    services.store._broken_until = math.inf
    for number in range(GUESSES):
        seconds = number * 86_400 / GUESSES
        address = _stranger(number % ADDRESSES)["X-Real-IP"]
        op = SimpleNamespace(services=services, ctx=SimpleNamespace(client_address=address))
        with suppress(RateLimited):
            await factors.count_code(op, user)
            tried.append(address)
    services.store._broken_until = 0.0
    assert 40 <= len(tried) <= 50
    assert (await log_in(auth, ada, factor.code(), **HOME)).code is None


@pytest.mark.settings(limit_login="1000/60", trusted_proxies=["127.0.0.0/8"])
async def test_an_address_from_before_the_factor_is_a_stranger_s(auth: Auth, ada: Person):
    """A thief of the password has logged in from there; only where the app was confirmed is the owner at home."""
    thief = _stranger(7)
    assert (await log_in(auth, ada, None, **thief)).code is None
    factor = await second_factor(ada, **HOME)
    for number in range(25):
        await log_in(auth, ada, _wrong(factor.code(), number), **_stranger(100 + number))
    assert (await log_in(auth, ada, _wrong(factor.code(), 1), **thief)).code == "rate_limited"


async def test_a_wrong_password_and_a_missing_code_take_the_same_steps(
    auth: Auth, ada: Person, services: Services, monkeypatch: pytest.MonkeyPatch
):
    """The times are the same because the work is: the statements and the check of the password, counted here."""
    await second_factor(ada)
    steps: list[str] = []
    fetch, verify, take = services.db.fetchrow, services.passwords.verify, services.limiter.take

    def noted(name: str, call: Any) -> Any:
        async def run(*arguments: Any, **named: Any) -> Any:
            steps.append(name)
            return await call(*arguments, **named)

        return run

    monkeypatch.setattr(services.db, "fetchrow", noted("read", fetch))
    monkeypatch.setattr(services.db, "fetch", noted("read", services.db.fetch))
    monkeypatch.setattr(services.passwords, "verify", noted("verify", verify))
    monkeypatch.setattr(services.limiter, "take", noted("take", take))
    monkeypatch.setattr(services.db.session, "begin", noted("begin", services.db.session.begin))
    seen = []
    for password, code in ((PASSWORD, "second_factor_required"), ("wrong horse battery", "bad_credentials")):
        steps.clear()
        done = await auth.call("rest", "login", {"email": ada.email, "password": password})
        assert done.code == code
        seen.append([*steps])
    assert seen[0] == seen[1]
    assert seen[0].count("verify") == 1
    assert "begin" not in seen[0]
