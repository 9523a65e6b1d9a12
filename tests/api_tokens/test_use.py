"""API tokens have when they were used and refused last, and there are events of both."""

from typing import Any

import pytest

from runtime.services import Services
from runtime.viewers.token_use import TokenUses
from tests.api_tokens.made import caller, exchanged, made
from tests.event_feed.test_event_feed import opened, read
from tests.support.people import Person
from tests.support.waits import until

USE = "query($id:ID!){apiToken(id:$id){lastUsedAt lastUsedIp lastRefusedAt lastRefusal}}"


async def _use(person: Person, id: str) -> Any:
    return (await person.data(USE, {"id": id}))["apiToken"]


async def _is_used(person: Person, id: str) -> Any:
    """Waits for the use, which is written after the answer."""

    async def used() -> bool:
        return (await _use(person, id))["lastUsedAt"] is not None

    await until(used)
    return await _use(person, id)


async def _is_refused(person: Person, id: str, refusal: str) -> None:
    async def refused() -> bool:
        return (await _use(person, id))["lastRefusal"] == refusal

    await until(refused)


@pytest.mark.settings(trusted_proxies=["127.0.0.1"])
async def test_a_token_has_when_and_from_where_it_was_used(ada: Person, services: Services):
    token, id = await made(ada)
    assert await _use(ada, id) == dict.fromkeys(("lastUsedAt", "lastUsedIp", "lastRefusedAt", "lastRefusal"))
    await caller(ada, token).rest("GET", "/accounts", headers={"x-real-ip": "2001:db8::7"})
    used = await _is_used(ada, id)
    assert (used["lastUsedIp"], used["lastRefusedAt"]) == ("2001:db8::7", None)
    # In the same minute it is not written again.
    await caller(ada, token).rest("GET", "/accounts", headers={"x-real-ip": "192.0.2.1"})
    assert (await _use(ada, id))["lastUsedIp"] == "2001:db8::7"
    services.single(TokenUses, lambda: TokenUses(services.db), TokenUses.close)._recorded.clear()
    await caller(ada, token).rest("GET", "/accounts", headers={"x-real-ip": "192.0.2.1"})

    async def is_moved() -> bool:
        return (await _use(ada, id))["lastUsedIp"] == "192.0.2.1"

    await until(is_moved)


async def test_a_login_that_is_refreshed_uses_its_token(ada: Person, services: Services):
    token, id = await made(ada)
    pair = await exchanged(ada, token)
    first = (await _is_used(ada, id))["lastUsedAt"]
    services.single(TokenUses, lambda: TokenUses(services.db), TokenUses.close)._recorded.clear()
    await ada.client.post("/auth/refresh", json={"refreshToken": pair["refreshToken"]})

    async def is_later() -> bool:
        return (await _use(ada, id))["lastUsedAt"] > first

    await until(is_later)


async def test_a_refusal_is_told_once_an_hour(ada: Person, services: Services):
    start = await opened(ada)
    token, id = await made(ada, scopes=["accounts:read"])
    pair = await exchanged(ada, token)
    # A login that the token has opened is limited by it, and what its user may not do either is no refusal of it.
    assert await caller(ada, pair["accessToken"]).code("{messages{nodes{id}}}") == "forbidden"
    await _is_refused(ada, id, "messages:read")
    assert (await caller(ada, token).rest("GET", "/settings")).status_code == 403

    async def told() -> list[Any]:
        return [
            event["data"]["lastRefusal"]
            for event in (await read(ada, start))["events"]
            if event["type"] == "apiToken.refused"
        ]

    async def is_told() -> bool:
        return await told() == ["messages:read"]

    await until(is_told)
    await services.db.fetch("UPDATE api_tokens SET last_refused_at = now() - interval '61 minutes'")
    services.single(TokenUses, lambda: TokenUses(services.db), TokenUses.close)._recorded.clear()
    assert (await caller(ada, token).rest("GET", "/settings")).status_code == 403
    await _is_refused(ada, id, "settings:read")

    async def is_told_again() -> bool:
        return len(await told()) >= 2

    await until(is_told_again)


@pytest.mark.settings(trusted_proxies=["127.0.0.1"])
async def test_an_address_and_an_amount_beyond_the_limits_are_refusals(ada: Person):
    sms = {"to": "+14155550100", "channel": "sms", "body": "hi"}
    away, id = await made(ada, networks=["192.0.2.0/24"])
    assert (await caller(ada, away).rest("GET", "/accounts")).status_code == 403
    await _is_refused(ada, id, "token_network")
    poor, id = await made(ada, preset="send", spendPerDay=0.001)
    assert (await caller(ada, poor).rest("POST", "/messages", json=sms)).status_code == 402
    await _is_refused(ada, id, "token_spend_limit")


async def test_a_token_that_is_locked_delays_nobody(ada: Person, services: Services):
    token, id = await made(ada)
    async with services.db.transaction() as connection:
        await connection.execute("SELECT FROM api_tokens FOR UPDATE")
        assert (await caller(ada, token).rest("GET", "/accounts")).status_code == 200
        await services.single(TokenUses, lambda: TokenUses(services.db), TokenUses.close).close()
    assert (await _use(ada, id))["lastUsedAt"] is None
