"""SMS by country: what is refused costs nothing, and a cap lets exactly so many through."""

import asyncio
import math
from collections import Counter
from decimal import Decimal
from typing import Any

import pytest

from engine.direct import service_messages
from engine.direct.new_messages import NewMessage
from runtime.services import Services
from tests.support.people import Person
from tests.support.waits import until

DE, FR, GB = "+4930123456", "+33612345678", "+447400123456"


async def send(person: Person, to: str = DE, **options: Any) -> Any:
    body = {"to": to, "channel": "sms", "body": "hi"}
    return await person.rest("POST", "/messages", json=body, **options)


async def send_patiently(person: Person) -> int:
    """Sends, and again for as long as the account is busy. The status of the answer."""
    while (answer := await send(person)).status_code == 503:
        await asyncio.sleep(0.1)
    return int(answer.status_code)


async def put(person: Person, **rule: Any) -> None:
    answer = await person.rest("PUT", "/country-rules", json=rule)
    assert answer.status_code == 200, answer.text


async def left(person: Person, to: str = DE) -> Any:
    return (await person.rest("GET", "/country-rules/check", params={"to": to})).json()["leftThisHour"]


async def balance(services: Services, person: Person) -> Decimal:
    value: Decimal = await services.db.fetchval(
        "SELECT balance FROM accounts WHERE id = $1", person.account_id
    )
    return value


async def test_a_country_that_is_not_allowed_is_refused_by_both_doors_and_costs_nothing(
    ada: Person, admin: Person, services: Services
):
    await put(admin, scope="installation", deny=["FR"])
    await put(ada, allow=["DE", "FR"])
    mutation = 'mutation($to:String!){sendMessage(input:{to:$to,channel:sms,body:"hi"}){uuid}}'
    for to, country, whose in ((FR, "FR", "installation"), (GB, "GB", "user")):
        refused = await send(ada, to)
        body = refused.json()
        assert (refused.status_code, body["code"]) == (400, "country_not_allowed")
        assert country in body["message"]
        errors = (await ada.graphql(mutation, {"to": to}))["errors"]
        assert errors[0]["extensions"]["details"] == {"country": country, "refusedBy": whose}
        trial = await ada.rest("POST", "/test-sending", json={"to": to, "channel": "sms", "text": "hi"})
        assert (trial.status_code, trial.json()["code"]) == (400, "country_not_allowed"), trial.text
    assert await balance(services, ada) == 100
    assert (await send(ada)).status_code == 202
    email = {"to": "a@example.com", "channel": "email", "body": "hi", "metadata": {"subject": "s"}}
    assert (await ada.rest("POST", "/messages", json=email)).status_code == 202
    await put(admin, scope="installation")
    await put(admin, userUuid=str(ada.id))
    assert (await send(ada, FR)).status_code == 202  # at once


async def test_of_two_hundred_at_once_a_cap_of_fifty_accepts_exactly_fifty(
    ada: Person, admin: Person, services: Services
):
    await put(admin, scope="installation", perHour=50)
    statuses = await asyncio.gather(*(send_patiently(ada) for _ in range(200)))
    assert Counter(statuses) == {202: 50, 429: 150}
    refused = await send(ada)
    assert refused.json()["code"] == "rate_limited"
    assert "DE" in refused.json()["message"]
    assert 1 <= int(refused.headers["retry-after"]) <= 72
    assert await balance(services, ada) == 100 - 50 * Decimal("0.01")
    assert (await send(ada, FR)).status_code == 202  # another country has a cap of its own
    (limit,) = (await ada.rest("GET", "/country-rules")).json()["limited"]
    assert (limit["country"], limit["cap"], limit["ownerUuid"]) == ("DE", "hour", str(ada.id))
    assert len((await admin.rest("GET", "/country-rules")).json()["limited"]) == 1


async def test_what_is_refused_for_another_reason_takes_nothing_from_the_cap(
    ada: Person, admin: Person, services: Services
):
    await put(ada, perHour=10, perDay=20)
    await services.db.fetch("UPDATE accounts SET balance = 0.02 WHERE id = $1", ada.account_id)
    assert (await ada.rest("POST", f"/block/{DE}")).status_code == 200
    assert (await send(ada)).json()["code"] == "recipient_blocked"
    assert await left(ada) == 10
    await ada.rest("POST", f"/block/unblock/{DE}")
    for status in (202, 202, 402, 402):
        assert (await send(ada)).status_code == status
    assert await left(ada) == 8


async def test_a_repeated_request_counts_once_also_at_the_same_time(ada: Person):
    await put(ada, perHour=10)
    key = {"Idempotency-Key": "one"}
    answers = await asyncio.gather(*(send(ada, headers=key) for _ in range(8)))
    assert {answer.status_code for answer in answers} <= {202, 409}
    assert (await send(ada, headers=key)).status_code == 202
    assert await left(ada) == 9
    other = await ada.rest(
        "POST", "/messages", json={"to": DE, "channel": "sms", "body": "other"}, headers=key
    )
    assert other.status_code == 422
    assert await left(ada) == 9


async def test_a_reached_cap_answers_a_repeated_request_as_before(ada: Person):
    await put(ada, perHour=1)
    key = {"Idempotency-Key": "one"}
    first = await send(ada, headers=key)
    assert (await send(ada)).status_code == 429
    again = await send(ada, headers=key)
    assert (again.status_code, again.json()["id"]) == (202, first.json()["id"])


async def test_nobody_gets_room_by_changing_a_rule_but_an_administrator_gives_it(ada: Person, admin: Person):
    await put(ada, perDay=3)
    for _ in range(3):
        assert (await send(ada)).status_code == 202
    for cap in (3, 2, 1):
        await put(ada, perDay=cap)
        assert (await send(ada)).status_code == 429
    await put(admin, userUuid=str(ada.id), perDay=2)  # raised from 1: it holds at once
    assert [(await send(ada)).status_code for _ in range(3)] == [202, 202, 429]
    await put(
        admin, userUuid=str(ada.id)
    )  # no cap, and then one that is higher: what was counted does not come back
    await put(admin, userUuid=str(ada.id), perDay=4)
    assert [(await send(ada)).status_code for _ in range(5)] == [202, 202, 202, 202, 429]


async def test_without_redis_each_process_counts_by_itself(ada: Person, services: Services):
    await put(ada, perHour=5)
    services.store._broken_until = math.inf
    answers = await asyncio.gather(*(send(ada) for _ in range(8)))
    assert Counter(answer.status_code for answer in answers) == {202: 5, 429: 3}
    services.store._broken_until = 0.0
    assert (await send(ada)).status_code == 202  # Redis has not heard of them


async def test_messages_of_the_service_itself_count_and_are_refused(ada: Person, services: Services):
    await put(ada, deny=["FR"], perHour=3)

    async def ask(*to: str) -> str:
        messages = [NewMessage("sms", each, "hi", {}) for each in to]
        try:
            async with services.db.transaction() as connection:
                sent = await service_messages.send_for_owner(services, connection, ada.id, messages)
        except Exception as error:
            return str(getattr(error, "code", error))
        return f"{sum(id is not None for id in sent)} sent"

    assert await ask(FR) == "country_not_allowed"
    assert await ask(FR, DE) == "1 sent"  # one recipient does not keep the others from it
    assert await ask(DE, DE, DE) == "rate_limited"
    limits = "SELECT count(*) FROM country_limits WHERE owner_id = $1"

    async def recorded() -> bool:  # although the transaction was rolled back
        return bool(await services.db.fetchval(limits, ada.id) == 1)

    await until(recorded)
    assert await left(ada) == 2
    assert (await ada.rest("POST", f"/block/{DE}")).status_code == 200
    assert await ask(DE, "+4930123457") == "1 sent"
    assert await left(ada) == 1


async def test_an_hour_has_one_event_for_each_country(ada: Person, bob: Person):
    start = (await ada.rest("GET", "/events")).json()["next"]
    await put(ada, perHour=1)
    for to in (DE, DE, DE, FR, FR):
        await send(ada, to)

    async def limited() -> list[str]:
        page = (await ada.rest("GET", "/events", params={"after": start, "types": "country.limited"})).json()
        return sorted(event["data"]["country"] for event in page["events"])

    await until(lambda: _has(limited, 2))
    assert await limited() == ["DE", "FR"]
    assert (await bob.rest("GET", "/country-rules")).json()["limited"] == []


async def _has(read: Any, count: int) -> bool:
    return len(await read()) >= count


async def test_who_changes_rules_in_a_loop_is_limited_and_slows_nobody(ada: Person, bob: Person):
    async def change(number: int) -> int:
        rule = {"deny": ["FR"], "perHour": 1000 - number // 4}
        return (await ada.rest("PUT", "/country-rules", json=rule)).status_code

    changes = asyncio.gather(*(change(number) for number in range(90)))
    assert {await send_patiently(bob) for _ in range(20)} == {202}
    statuses = Counter(await changes)
    assert 0 < statuses[429] <= 30  # of 60 at once, and then one a second
    assert statuses[200] >= 1
    assert statuses[200] + statuses[403] + statuses[429] == 90


@pytest.mark.parametrize("rule", [{}, {"deny": ["FR"]}], ids=["none", "of another user"])
async def test_without_a_rule_no_country_is_looked_up(
    ada: Person, bob: Person, rule: dict[str, Any], monkeypatch: pytest.MonkeyPatch
):
    await put(bob, **rule)

    def fail(phone: str) -> str:
        raise AssertionError(phone)

    monkeypatch.setattr("engine.sms.country_rules.country_of", fail)
    assert (await send(ada)).status_code == 202
