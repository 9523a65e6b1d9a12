"""Logging in: contract §1; who is limited, and what a stranger can't tell."""

import asyncio
import json

import httpx
import pytest

from core.passwords import Passwords
from tests.auth.doors import BOTH, Auth
from tests.support.people import PASSWORD
from tests.support.waits import PATIENCE

WRONG = "wrong horse battery"
PROXIED = {"trusted_proxies": ["127.0.0.0/8"]}


async def test_the_right_password_gives_tokens(auth, ada, services):
    for door in BOTH:
        done = await auth.login(ada.email, door=door)
        assert done.code is None
        assert set(done.data) == {"accessToken", "refreshToken", "tokenType", "expiresIn"}
        assert (done.data["tokenType"], done.data["expiresIn"]) == ("Bearer", 900)
        assert await auth.me(done.data["accessToken"], door) is None
        assert len(done.data["refreshToken"]) >= 43  # 256 bits
        stored = json.dumps(
            [[str(value) for value in row] for row in await services.db.fetch("SELECT * FROM refresh_tokens")]
        )
        assert done.data["refreshToken"] not in stored
    assert (await auth.login(ada.email.upper())).code is None


async def test_an_unknown_email_and_a_wrong_password_look_alike(auth, ada, services):
    await services.db.fetch("UPDATE users SET status = 'suspended' WHERE id <> $1", ada.id)
    for door in BOTH:
        seen = set()
        for email in (ada.email, "nobody@example.com"):
            refused = await auth.login(email, WRONG, door)
            body = refused.answer.json()
            body.pop("timestamp", None)
            # What is left of the asker's points grows with time, whichever login it asked for.
            body.get("extensions", {"cost": {}})["cost"].pop("remaining", None)
            headers = dict(refused.answer.headers)
            del headers["x-request-id"], headers["content-length"]
            seen.add((refused.answer.status_code, json.dumps(body), json.dumps(headers, sort_keys=True)))
            assert refused.code == "bad_credentials"
        assert len(seen) == 1
    assert (await auth.login(ada.email, WRONG)).answer.headers["www-authenticate"] == "Bearer"


async def test_a_user_who_may_not_is_told_so_only_after_the_right_password(auth, ada, services):
    for status in ("suspended", "invited", "deleted"):
        await services.db.fetch("UPDATE users SET status = $1 WHERE id = $2", status, ada.id)
        for door in BOTH:
            assert (await auth.login(ada.email, WRONG, door)).code == "bad_credentials"
            refused = await auth.login(ada.email, PASSWORD, door)
            assert refused.code == f"user_{status}"
            assert door == "graphql" or refused.answer.status_code == 403
    assert await services.db.fetchval("SELECT count(*) FROM refresh_tokens") == 0


class Counting(Passwords):
    """Real hashing; keeps the parameters of each hash that was verified."""

    def __init__(self, memory_kib: int) -> None:
        super().__init__(memory_kib)
        self.verified: list[str] = []

    def _check(self, stored: str, password: str) -> bool:
        self.verified.append(stored.rsplit("$", 2)[0])
        return super()._check(stored, password)


async def test_the_same_work_is_done_whether_or_not_there_is_such_a_user(auth, ada, services):
    services.passwords = counting = Counting(64)
    without_password = "invited@example.com"
    await services.db.fetch(
        "INSERT INTO users (id, email, roles, status) VALUES (gen_random_uuid(), $1, '{user}', 'invited')",
        without_password,
    )
    for email in (ada.email, "nobody@example.com", without_password):
        assert (await auth.login(email, WRONG)).code == "bad_credentials"
    assert len(counting.verified) == 3
    assert set(counting.verified) == {counting._dummy.rsplit("$", 2)[0]}


async def test_an_outdated_hash_is_renewed_and_the_login_goes_on(auth, ada, services):
    before = await services.db.fetchval("SELECT password_hash FROM users WHERE id = $1", ada.id)
    services.passwords = Passwords(memory_kib=128)
    assert (await auth.login(ada.email)).code is None
    after = await services.db.fetchval("SELECT password_hash FROM users WHERE id = $1", ada.id)
    assert "m=64," in before
    assert "m=128," in after
    assert (await auth.login(ada.email)).code is None
    assert await services.db.fetchval("SELECT password_hash FROM users WHERE id = $1", ada.id) == after


class Slow(Passwords):
    """Real hashing; holds a login between its check and what follows."""

    def __init__(self, memory_kib: int = 64) -> None:
        super().__init__(memory_kib)
        self.checked, self.go_on = asyncio.Event(), asyncio.Event()

    async def verify(self, stored: str | None, password: str) -> bool:
        right = await super().verify(stored, password)
        self.checked.set()
        await self.go_on.wait()
        return right


@pytest.mark.parametrize("change", ["changePassword", "suspendUser", "logoutEverywhere"])
async def test_a_login_under_way_does_not_survive_what_ends_all_logins(auth, people, admin, services, change):
    """Else who knows the old password keeps a refresh token that outlives it."""
    usual = services.passwords
    for memory in (64, 128):  # as it is kept, and to be renewed on the way
        eve = await people.make()
        services.passwords = slow = Slow(memory)
        login = asyncio.create_task(auth.login(eve.email))
        await asyncio.wait_for(slow.checked.wait(), PATIENCE)
        services.passwords = usual
        if change == "changePassword":
            input = {"currentPassword": PASSWORD, "newPassword": WRONG}
            assert (await auth.call("graphql", change, input, token=eve.token)).code is None
        elif change == "suspendUser":
            for step in (change, "activateUser"):
                assert (await auth.call("graphql", step, token=admin.token, id=str(eve.id))).code is None
        else:
            assert (await auth.call("graphql", change, token=eve.token)).code is None
        slow.go_on.set()
        assert (await login).code == "bad_credentials"
        now, before = (WRONG, PASSWORD) if change == "changePassword" else (PASSWORD, WRONG)
        assert (await auth.login(eve.email, before)).code == "bad_credentials"
        assert (await auth.login(eve.email, now)).code is None


@pytest.mark.settings(limit_login="3/300", **PROXIED)
async def test_guesses_are_limited_by_email_over_all_addresses_and_both_doors(auth, ada):
    codes = []
    for turn in range(5):
        headers = {"X-Real-IP": f"203.0.113.{turn}"}
        codes.append((await auth.login(ada.email, WRONG, BOTH[turn % 2], **headers)).code)
    assert codes == ["bad_credentials"] * 3 + ["rate_limited"] * 2
    # Not even the right password tells anything meanwhile, and no spelling of the address gets around it.
    refused = await auth.login(ada.email.upper(), PASSWORD, **{"X-Real-IP": "203.0.113.99"})
    assert refused.answer.status_code == 429
    assert 1 <= int(refused.answer.headers["retry-after"]) <= 100
    assert refused.answer.headers["ratelimit-limit"] == "3"
    assert (
        await auth.login("else@example.com", WRONG, **{"X-Real-IP": "203.0.113.98"})
    ).code == "bad_credentials"


@pytest.mark.settings(limit_login="3/300", **PROXIED)
async def test_guesses_are_limited_by_address_over_all_emails_and_both_doors(auth):
    same = {"X-Real-IP": "203.0.113.7"}
    codes = [
        (await auth.login(f"{turn}@example.com", WRONG, BOTH[turn % 2], **same)).code for turn in range(5)
    ]
    assert codes == ["bad_credentials"] * 3 + ["rate_limited"] * 2
    assert (
        await auth.login("9@example.com", WRONG, **{"X-Real-IP": "203.0.113.8"})
    ).code == "bad_credentials"


@pytest.mark.settings(limit_login="3/300", trusted_proxies=["192.0.2.0/24"])
async def test_a_stranger_cannot_name_his_own_address(auth):
    codes = [
        (await auth.login(f"{turn}@example.com", WRONG, **{"X-Real-IP": f"203.0.113.{turn}"})).code
        for turn in range(5)
    ]
    assert codes == ["bad_credentials"] * 3 + ["rate_limited"] * 2


SPOOFS = {
    "no address": ["unknown", "", "1.2.3.4:80", "010.0.0.1", "1.2.3.4, 5.6.7.8"],
    "one IPv6 customer": [
        "2001:db8::1",
        "2001:db8::2",
        "2001:db8:0:0:1::",
        "2001:0db8::dead:beef",
        "2001:db8::1%x",
    ],
    "one IPv4 address": [
        "192.0.2.1",
        "::ffff:192.0.2.1",
        "::ffff:c000:201",
        " 192.0.2.1 ",
        "::FFFF:192.0.2.1",
    ],
}


@pytest.mark.settings(limit_login="3/300", **PROXIED)
async def test_another_spelling_is_not_another_address(auth):
    """One customer holds a whole IPv6 /64, and `::ffff:a.b.c.d` is a.b.c.d."""
    for what, spoofs in SPOOFS.items():
        codes = [
            (await auth.login(f"{turn}@{what.replace(' ', '-')}.test", WRONG, **{"X-Real-IP": spoof})).code
            for turn, spoof in enumerate(spoofs)
        ]
        assert codes == ["bad_credentials"] * 3 + ["rate_limited"] * 2, what


@pytest.mark.settings(limit_login="3/300", **PROXIED)
async def test_a_proxy_on_a_dual_stack_socket_is_trusted_by_its_ipv4_network(app):
    transport = httpx.ASGITransport(app, raise_app_exceptions=False, client=("::ffff:127.0.0.1", 1234))
    async with httpx.AsyncClient(transport=transport, base_url="http://postern.test") as client:
        codes = [
            (
                await Auth(client).login(f"{turn}@example.com", WRONG, **{"X-Real-IP": f"203.0.113.{turn}"})
            ).code
            for turn in range(5)
        ]
    assert codes == ["bad_credentials"] * 5


@pytest.mark.settings(limit_login="5/300")
async def test_thirty_aliases_in_one_document_are_thirty_guesses(client, ada):
    fields = " ".join(
        f'a{turn}: login(input: {{email: "{ada.email}", password: "{WRONG}"}}) {{ accessToken }}'
        for turn in range(30)
    )
    answer = (await client.post("/graphql", json={"query": f"mutation {{ {fields} }}"})).json()
    codes = [error["extensions"]["code"] for error in answer["errors"]]
    assert codes == ["bad_credentials"] * 5 + ["rate_limited"] * 25
    more = fields + f' b: login(input: {{email: "{ada.email}", password: "{WRONG}"}}) {{ accessToken }}'
    refused = (await client.post("/graphql", json={"query": f"mutation {{ {more} }}"})).json()
    assert "data" not in refused
    batch = await client.post("/graphql", json=[{"query": f"mutation {{ {fields} }}"}] * 2)
    assert batch.status_code == 400


@pytest.mark.settings(limit_login="2/300", limit_login_global="8/300", **PROXIED)
async def test_one_stranger_cannot_use_up_everybodys_share(auth, ada):
    for turn in range(12):
        await auth.login(f"{turn}@example.com", WRONG, **{"X-Real-IP": "203.0.113.7"})
    assert (await auth.login(ada.email, **{"X-Real-IP": "203.0.113.8"})).code is None
    for turn in range(12):  # many strangers can; the last bound is there for the machine
        await auth.login(f"{turn}@example.com", WRONG, **{"X-Real-IP": f"198.51.100.{turn}"})
    assert (await auth.login(ada.email, **{"X-Real-IP": "203.0.113.9"})).code == "rate_limited"


PASSWORDS = [
    ("composed and decomposed", "Zürich-Pässe", "Zu\u0308rich-Pa\u0308sse", True),
    ("compatibility forms", "ﬁle-ﬁle-ﬁle", "file-file-file", True),
    ("emoji", "🐴🔋📎🐴🔋📎🐴🔋", "🐴🔋📎🐴🔋📎🐴🔋", True),
    ("differs at byte 80", "x" * 80 + "a", "x" * 80 + "b", False),
    ("differs at the last of 1024", "x" * 1023 + "a", "x" * 1023 + "b", False),
    ("case", "correct horse", "Correct horse", False),
    ("spaces at the end", "correct horse", "correct horse ", False),
]


async def test_which_passwords_are_the_same(auth):
    for number, (what, chosen, typed, same) in enumerate(PASSWORDS):
        email = f"{number}@example.com"
        assert (await auth.call("rest", "register", {"email": email, "password": chosen})).code is None, what
        assert (await auth.login(email, chosen)).code is None, what
        assert (await auth.login(email, typed)).code == (None if same else "bad_credentials"), what


async def test_a_password_bomb_is_refused_before_it_is_hashed(auth, ada, services):
    services.passwords = counting = Counting(64)
    for door in BOTH:
        for bomb in ("x" * 1025, "x" * 200_000, "\0" * 8, "correct horse\0"):
            assert (await auth.login(ada.email, bomb, door)).code == "validation_failed"
    assert (await auth.login(ada.email, "x" * 3_000_000)).answer.status_code == 413
    assert counting.verified == []
