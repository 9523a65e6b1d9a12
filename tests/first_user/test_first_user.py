"""The one-time link makes the first administrator, and nobody else ever."""

import asyncio
import logging

import pytest

from core import logs
from postern import operator
from resolvers import first_user
from resolvers.first_user import LINK_SECONDS
from shapes.users import UserStatus
from tests.support.people import Person

EMAIL = "first@example.com"
CODE = "first_user_link_gone"
MUTATION = "mutation($input:FirstUser!){createFirstUser(input:$input){accessToken tokenType}}"


def _input(token: str, email: str = EMAIL, password: str = "correct horse battery") -> dict[str, str]:
    return {"token": token, "email": email, "password": password}


async def _rest(client, token: str, **changes: str) -> tuple[int, dict]:
    answer = await client.post("/auth/first-user", json=_input(token, **changes))
    return answer.status_code, answer.json()


async def _graphql(client, token: str, **changes: str) -> dict:
    sent = {"query": MUTATION, "variables": {"input": _input(token, **changes)}}
    return (await client.post("/graphql", json=sent)).json()


async def _link(services) -> str:
    secret = await first_user.new_link(services)
    assert secret is not None
    return secret


async def test_it_makes_an_administrator_who_is_logged_in(client, services):
    status, body = await _rest(client, await _link(services))
    assert status == 200, body
    bearer = {"Authorization": f"Bearer {body['accessToken']}"}
    me = (await client.get("/auth/me", headers=bearer)).json()
    assert (me["email"], me["roles"], me["status"]) == (EMAIL, ["admin", "user"], "active")
    login = {"email": EMAIL, "password": "correct horse battery"}
    assert (await client.post("/auth/login", json=login)).status_code == 200
    assert (await client.get("/users", headers=bearer)).status_code == 200
    audited = "SELECT count(*) FROM audit_entries WHERE operation = 'first_user.create'"
    assert await services.db.fetchval(audited) > 0


async def test_by_the_other_door(client, services):
    body = await _graphql(client, await _link(services))
    assert body["data"]["createFirstUser"]["tokenType"] == "Bearer"


async def test_of_twenty_at_once_one_makes_one(client, services):
    secrets = [await _link(services), await _link(services)]  # each API process prints one
    calls = [_rest(client, secrets[number % 2], email=f"{number}@example.com") for number in range(20)]
    answers = await asyncio.gather(*calls)
    assert sorted(status for status, _ in answers) == [200] + [410] * 19
    assert {body["code"] for status, body in answers if status != 200} == {CODE}
    assert await services.db.fetchval("SELECT count(*) FROM users") == 1


@pytest.mark.parametrize("gone", ["used", "wrong", "too old", "another start", "not ours alone"])
async def test_a_link_that_is_gone(client, services, gone):
    secret = await _link(services)
    if gone == "used":
        assert (await _rest(client, secret))[0] == 200
    elif gone == "wrong":
        secret = secret[:-1] + ("A" if secret[-1] != "A" else "B")
    elif gone == "too old":
        (key,) = await services.store.client.keys("first-user")
        assert 0 < await services.store.client.ttl(key) <= LINK_SECONDS == 15 * 60
        await services.store.client.expire(key, 0)
    elif gone == "another start":
        await _link(services)
    else:
        await operator.create_user(services, "cli@example.com", admin=True)
    status, body = await _rest(client, secret, email="second@example.com")
    assert (status, body["code"]) == (410, CODE)
    assert "postern open" in body["message"]
    body = await _graphql(client, secret, email="third@example.com")
    assert body["errors"][0]["extensions"]["code"] == CODE


async def test_who_registers_meanwhile_is_no_administrator_and_does_not_end_it(client, services, ada: Person):
    """Registration is open to strangers, who could take the link from its owner otherwise."""
    assert (await _rest(client, await _link(services), email=ada.email))[1]["code"] == "email_taken"
    assert (await _rest(client, await _link(services)))[0] == 200


async def test_an_installation_whose_administrators_are_suspended_has_none(client, services, admin: Person):
    assert await first_user.has_admin(services.db)
    await operator.move_user(services, admin.id, UserStatus.suspended)
    assert not await first_user.has_admin(services.db)
    assert (await _rest(client, await _link(services)))[0] == 200


async def test_what_is_sent_keeps_the_rules_of_a_registration(client, services):
    secret = await _link(services)
    assert (await _rest(client, secret, password="short"))[0] == 400
    assert (await _rest(client, secret, email="nobody"))[0] == 400
    assert (await _rest(client, secret))[0] == 200


@pytest.mark.settings(limit_login="5/60")
async def test_guesses_are_limited(client):
    answers = [await _rest(client, "x" * 43) for _ in range(7)]
    assert [status for status, _ in answers] == [410] * 5 + [429] * 2


async def test_only_its_hash_is_stored(services):
    secret = await _link(services)
    assert len(secret) >= 43  # 256 bits
    for key in await services.store.client.keys("*"):
        assert secret.encode() not in key
        if await services.store.client.type(key) == b"string":
            assert secret.encode() not in (await services.store.client.get(key) or b"")


@pytest.mark.parametrize("format", ["json", "pretty"])
async def test_no_log_has_it(client, services, capsys, format):
    logs.configure("debug", format)
    secret = await _link(services)
    await _rest(client, secret, email="nobody")
    await _graphql(client, secret, email="nobody")
    await services.db.fetch("ALTER TABLE users ADD CONSTRAINT broken CHECK (email <> 'a@example.com')")
    assert (await _rest(client, secret, email="a@example.com"))[0] == 500
    assert (await _rest(client, secret))[0] == 200
    assert (await _rest(client, secret, email="b@example.com"))[0] == 410
    written = capsys.readouterr()
    assert logging.getLogger().level == logging.DEBUG
    assert written.err.count("/auth/first-user") >= 4
    assert secret not in written.err + written.out


async def test_the_page_chooses_the_purposes(client, services):
    sent = {**_input(await _link(services)), "purposes": ["campaigns", "answers"]}
    made = await client.post("/auth/first-user", json=sent)
    assert made.status_code == 200, made.text
    bearer = {"Authorization": f"Bearer {made.json()['accessToken']}"}
    seen = (await client.get("/installation", headers=bearer)).json()
    assert seen == {
        "writesTexts": False,
        "modules": ["mail", "messengers", "people", "trade"],
        "billing": "off",
        "purposes": ["answers", "campaigns"],
    }


async def test_without_purposes_all_is_on_and_messages_cost(client, services):
    made = await client.post("/auth/first-user", json=_input(await _link(services)))
    bearer = {"Authorization": f"Bearer {made.json()['accessToken']}"}
    seen = (await client.get("/installation", headers=bearer)).json()
    assert (len(seen["modules"]), seen["billing"], seen["purposes"]) == (5, "prepaid", [])
