"""Nobody locks another out of logging in: known addresses have counters of their own, and IPv6 networks count whole."""

import pytest

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
    # Known logins have a share for all of them too.
    codes = [(await auth.login(ada.email, **HOME)).code for _ in range(3)]
    assert codes[-1] == "rate_limited"


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
    kept = key + b"".join(await services.store.client.zrange(key, 0, -1))
    assert b"198.51.100" not in kept
    assert b"ada" not in kept


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
