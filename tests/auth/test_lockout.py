"""Strangers elsewhere lock no owner out of logging in, and IPv6 networks count whole."""

import math
import time

import pytest

from core.passwords import Passwords
from core.tokens import digest
from resolvers.auth import login_limits
from tests.auth.doors import BOTH
from tests.support.people import PASSWORD

WRONG = "wrong horse battery"
PROXIED = {"trusted_proxies": ["127.0.0.0/8"]}
HOME = {"X-Real-IP": "203.0.113.8"}


def _stranger(number: int) -> dict[str, str]:
    return {"X-Real-IP": f"198.51.100.{number}"}


async def _guesses(auth, email, count):
    """Codes of so many wrong passwords, each from another address."""
    return [
        (await auth.login(email, WRONG, BOTH[number % 2], **_stranger(number))).code
        for number in range(count)
    ]


@pytest.mark.settings(limit_login="3/300", **PROXIED)
async def test_who_logged_in_from_an_address_before_is_not_locked_out_by_strangers(auth, ada):
    assert (await auth.login(ada.email, **HOME)).code is None
    assert "rate_limited" in await _guesses(auth, ada.email, 6)
    for door in BOTH:
        assert (await auth.login(ada.email.upper(), door=door, **HOME)).code is None
    assert (await auth.login(ada.email, **_stranger(99))).code == "rate_limited"


@pytest.mark.settings(limit_login="3/300", **PROXIED)
async def test_guesses_from_such_an_address_are_limited_too(auth, ada, bob):
    assert (await auth.login(ada.email, **HOME)).code is None
    codes = [(await auth.login(ada.email, WRONG, BOTH[turn % 2], **HOME)).code for turn in range(5)]
    assert codes == ["bad_credentials"] * 3 + ["rate_limited"] * 2
    # And of nobody else's login is the address a known one.
    assert "rate_limited" in await _guesses(auth, bob.email, 4)
    assert (await auth.login(bob.email, **HOME)).code == "rate_limited"


@pytest.mark.settings(limit_login="3/300", **PROXIED)
async def test_guesses_at_others_from_the_owner_s_address_do_not_lock_the_owner_out(auth, ada):
    assert (await auth.login(ada.email, **HOME)).code is None
    for turn in range(6):  # somebody behind the same router
        last = (await auth.login(f"{turn}@example.com", WRONG, **HOME)).code
    assert last == "rate_limited"
    assert (await auth.login(ada.email, **HOME)).code is None


@pytest.mark.settings(limit_login="3/300", limit_login_global="5/300", **PROXIED)
async def test_strangers_who_use_up_everybody_s_share_do_not_lock_the_owner_out(auth, ada):
    assert (await auth.login(ada.email, **HOME)).code is None
    for number in range(9):
        last = (await auth.login(f"{number}@example.com", WRONG, **_stranger(number))).code
    assert last == "rate_limited"
    assert (await auth.login(ada.email, **HOME)).code is None


@pytest.mark.settings(limit_login="9/300", limit_login_global="5/300", **PROXIED)
async def test_logins_from_known_addresses_take_nothing_from_new_ones(auth, ada, bob):
    """Accounts are free to open: their holders could keep everybody else from logging in at a new address."""
    assert [(await auth.login(ada.email, **HOME)).code for _ in range(9)] == [None] * 9
    assert (await auth.login(bob.email, **_stranger(1))).code is None


@pytest.mark.settings(limit_login="2/3000", **PROXIED)
async def test_who_is_known_at_an_address_can_be_asked_there_a_bounded_number_of_times(auth, ada):
    assert (await auth.login(ada.email, **HOME)).code is None
    for turn in range(31):  # refused tries count too
        await auth.login(f"{turn}@example.com", WRONG, BOTH[turn % 2], **HOME)
    refused = await auth.login(ada.email, WRONG, **HOME)
    assert refused.code == "rate_limited"
    assert refused.answer.headers["ratelimit-limit"] == "32"


async def _make_known(auth, services, email, headers):
    """Logs in, and takes back what that counted."""
    assert (await auth.login(email, **headers)).code is None
    await services.store.client.delete(*await services.store.client.keys("limit:*"))


@pytest.mark.settings(limit_login="2/3000", limit_login_global="20/3000", **PROXIED)
async def test_strangers_with_accounts_of_their_own_do_not_lock_an_owner_out(auth, ada, people, services):
    owner, stranger = {"X-Real-IP": "2001:db8:0:1::1"}, {"X-Real-IP": "2001:db8:0:2::1"}
    await _make_known(auth, services, ada.email, owner)
    emails = [(await people.make(f"{number}@example.com")).email for number in range(17)]
    for email in emails:
        await _make_known(auth, services, email, stranger)
    codes = [(await auth.login(email, WRONG, **stranger)).code for email in emails * 2]
    assert codes == ["bad_credentials"] * 32 + ["rate_limited"] * 2
    assert (await auth.login(ada.email, **owner)).code is None
    assert (await auth.login(ada.email, **_stranger(1))).code is None


@pytest.mark.settings(limit_login="1/3000", **PROXIED)
async def test_an_ipv6_network_counts_whole_for_known_addresses_too(auth, ada, services):
    """A /64 may make 16 tries in all, a /56 may make 64."""
    near, far = {"X-Real-IP": "2001:db8:0:ff00::1"}, {"X-Real-IP": "2001:db8:0:aa00::1"}
    for headers in (near, far):
        await _make_known(auth, services, ada.email, headers)
    for turn in range(64):
        neighbour = {"X-Real-IP": f"2001:db8:0:ff{1 + turn // 16:02x}::1"}
        await auth.login(f"{turn}@example.com", WRONG, **neighbour)
    refused = await auth.login(ada.email, **near)
    assert refused.code == "rate_limited"
    assert refused.answer.headers["ratelimit-limit"] == "64"
    assert (await auth.login(ada.email, **far)).code is None


@pytest.mark.settings(limit_login="2/300", **PROXIED)
async def test_a_new_password_makes_all_addresses_unknown_but_the_one_it_was_set_from(auth, ada):
    thief, new = _stranger(200), "another horse battery"
    assert (await auth.login(ada.email, **thief)).code is None
    input = {"currentPassword": PASSWORD, "newPassword": new}
    changed = await auth.call("graphql", "changePassword", input, token=ada.token, headers=HOME)
    assert changed.code is None
    assert "rate_limited" in await _guesses(auth, ada.email, 4)
    assert (await auth.login(ada.email, WRONG, **thief)).code == "rate_limited"
    assert (await auth.login(ada.email, new, **HOME)).code is None


async def _change_password(auth, person, new):
    input = {"currentPassword": PASSWORD, "newPassword": new}
    assert (
        await auth.call("graphql", "changePassword", input, token=person.token, headers=HOME)
    ).code is None


@pytest.mark.settings(limit_login="2/300", **PROXIED)
async def test_a_new_password_makes_addresses_unknown_while_redis_is_away_too(auth, ada, services):
    thief = _stranger(200)
    assert (await auth.login(ada.email, **thief)).code is None
    services.store._broken_until = math.inf
    await _change_password(auth, ada, "another horse battery")
    services.store._broken_until = 0.0
    assert "rate_limited" in await _guesses(auth, ada.email, 4)
    assert (await auth.login(ada.email, WRONG, **thief)).code == "rate_limited"


@pytest.mark.settings(limit_login="2/300", **PROXIED)
async def test_a_login_with_the_old_password_is_not_remembered_after_the_new_one(auth, ada, monkeypatch):
    thief, late = _stranger(200), []
    remember = login_limits.remember_address

    async def later(*arguments):
        late.append(arguments)

    monkeypatch.setattr("resolvers.auth.remember_address", later)
    assert (await auth.login(ada.email, **thief)).code is None
    monkeypatch.setattr("resolvers.auth.remember_address", remember)
    await _change_password(auth, ada, "another horse battery")
    (arguments,) = late
    await remember(*arguments)
    assert "rate_limited" in await _guesses(auth, ada.email, 4)
    assert (await auth.login(ada.email, WRONG, **thief)).code == "rate_limited"


@pytest.mark.settings(limit_login="2/300", **PROXIED)
async def test_an_address_stays_known_when_its_login_renews_an_outdated_hash(auth, ada, services):
    services.passwords = Passwords(memory_kib=128)
    assert (await auth.login(ada.email, **HOME)).code is None
    assert "rate_limited" in await _guesses(auth, ada.email, 4)
    assert (await auth.login(ada.email, **HOME)).code is None


@pytest.mark.settings(limit_login="2/300", **PROXIED)
@pytest.mark.parametrize(("days", "code"), [(89, None), (91, "rate_limited")])
async def test_an_address_is_known_for_so_long(auth, ada, services, days, code):
    assert (await auth.login(ada.email, **HOME)).code is None
    redis = services.store.client
    (key,) = await redis.keys("login:known:*")
    (home,) = await redis.zrange(key, 0, -1)
    assert (
        await auth.login(ada.email, **_stranger(99))
    ).code is None  # what is kept now ends 90 days from now
    await redis.zadd(key, {home: time.time() - days * 86_400})
    assert "rate_limited" in await _guesses(auth, ada.email, 4)
    assert (await auth.login(ada.email, **HOME)).code == code


@pytest.mark.settings(limit_login="3/300", limit_login_global="5/300", **PROXIED)
@pytest.mark.parametrize("door", BOTH)
async def test_an_api_token_s_holder_is_not_locked_out_either(auth, ada, door):
    done = await auth.call("graphql", "createApiToken", {"name": "script"}, token=ada.token)
    token = done.data["token"]

    async def exchange(token, headers):
        return (await auth.call(door, "exchange", {"token": token}, headers=headers)).code

    assert await exchange(token, HOME) is None
    codes = [await exchange(f"pst_{number}", _stranger(number)) for number in range(7)]
    assert codes[-1] == "rate_limited"
    assert await exchange(token, HOME) is None


@pytest.mark.settings(**PROXIED)
async def test_so_many_addresses_of_a_login_are_known_and_no_more(auth, ada, services):
    for number in range(25):
        assert (await auth.login(ada.email, **_stranger(number))).code is None
    (key,) = await services.store.client.keys("login:known:*")
    assert await services.store.client.zcard(key) == 20
    assert 89 * 86_400 < await services.store.client.ttl(key) <= 90 * 86_400
    # What is kept there names neither the login nor where it came from.
    stored = key + b"".join(await services.store.client.zrange(key, 0, -1))
    assert b"198.51.100" not in stored
    assert b"ada" not in stored


@pytest.mark.settings(**PROXIED)
async def test_the_counters_do_not_tell_who_logs_in_from_where(auth, ada, services):
    for _ in range(2):  # not known, then known
        assert (await auth.login(ada.email, **HOME)).code is None
    counters = {key.decode() for key in await services.store.client.keys("limit:login*")}
    address = HOME["X-Real-IP"]
    assert len(counters) == 5
    for counter in counters - {f"limit:login:tries:{address}", f"limit:login:ip:{address}"}:
        assert address not in counter
        assert digest(ada.email).hex() not in counter


@pytest.mark.parametrize(
    ("network", "most"),
    [
        ("2001:db8:0:ff00::{:x}", 2),  # one /64
        ("2001:db8:0:ff{:02x}::1", 8),  # one /56, 4 times as much
        ("2001:db8:0:{:02x}00::1", 32),  # one /48, 16 times as much
        ("2001:db8:{:x}::1", 40),  # networks of 40 customers
    ],
)
@pytest.mark.settings(limit_login="2/3000", **PROXIED)
async def test_an_ipv6_network_counts_whole(auth, network, most):
    codes = [
        (
            await auth.login(
                f"{number}@example.com", WRONG, BOTH[number % 2], **{"X-Real-IP": network.format(number)}
            )
        ).code
        for number in range(40)
    ]
    assert codes == ["bad_credentials"] * most + ["rate_limited"] * (40 - most)


@pytest.mark.settings(limit_register="1/3600", **PROXIED)
async def test_registrations_are_counted_by_ipv6_networks_too(auth):
    codes = []
    for number in range(6):
        body = {"email": f"{number}@example.com", "password": PASSWORD}
        headers = {"X-Real-IP": f"2001:db8:0:ff{number:02x}::1"}
        codes.append((await auth.call("rest", "register", body, headers=headers)).code)
    assert codes == [None] * 4 + ["rate_limited"] * 2
