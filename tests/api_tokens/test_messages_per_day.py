"""API tokens send at most so many messages a day, whether messages cost money or not."""

import asyncio
from typing import Any
from uuid import UUID

import pytest

from core.errors import AppError
from postern.operator import create_token
from runtime.services import Services
from shapes.purposes import Billing
from tests.api_tokens.made import CREATE, caller, exchanged, made
from tests.purposes.switch import switch
from tests.support.people import People, Person

SMS = {"to": "+14155550100", "channel": "sms", "body": "hi"}
SEND = "mutation($i:SendMessage!){sendMessage(input:$i){uuid}}"
UPDATE = "mutation($id:ID!,$i:ApiTokenPatch!){updateApiToken(id:$id,input:$i){spendPerDay messagesPerDay}}"


async def _send(person: Person, **changes: Any) -> tuple[int, str | None]:
    answer = await person.rest("POST", "/messages", json={**SMS, **changes})
    return answer.status_code, answer.json().get("code")


async def _counted(services: Services, id: str) -> int:
    return int(
        await services.db.fetchval("SELECT messages FROM api_token_messages WHERE token_id = $1", UUID(id))
    )


@pytest.mark.parametrize("billing", Billing)
async def test_twenty_at_once_send_as_many_as_the_limit_says(
    people: People, services: Services, billing: Billing
):
    person = await people.make(credit="1" if billing is Billing.prepaid else "0")
    await switch(services, billing)
    token, id = await made(person, preset="send", messagesPerDay=5)
    second = (await person.rest("POST", "/accounts", json={"name": "s", "currency": "USD"})).json()["id"]
    await services.db.fetch("UPDATE accounts SET balance = 1 WHERE id = $1", UUID(second))
    pair = await exchanged(person, token)
    callers = [caller(person, credential) for credential in (token, pair["accessToken"])]
    accounts = [str(person.account_id), second]
    answers = await asyncio.gather(
        *(_send(callers[number % 2], accountId=accounts[number % 3 == 0]) for number in range(20))
    )
    assert sorted(answers, key=str) == [(202, None)] * 5 + [(429, "token_message_limit")] * 15
    assert await _counted(services, id) == 5
    assert await services.db.fetchval("SELECT count(*) FROM messages") == 5
    assert await callers[0].code(SEND, {"i": SMS}) == "token_message_limit"
    assert await _send(person) == (202, None)  # the user's own login has no limit
    # A higher limit holds at once, for the login too.
    await person.data(UPDATE, {"id": id, "i": {"messagesPerDay": 6}})
    assert [await _send(callers[1]), await _send(callers[0])] == [(202, None), (429, "token_message_limit")]
    answer = await callers[0].rest("POST", "/messages", json=SMS)
    assert 1 <= int(answer.headers["retry-after"]) <= 86_400
    assert "6 messages a day" in answer.json()["message"] and answer.json()["details"] == {
        "messagesPerDay": 6
    }


async def test_the_next_day_begins_with_no_message(ada: Person, services: Services):
    token, id = await made(ada, preset="send", messagesPerDay=1)
    limited = caller(ada, token)
    assert [await _send(limited), await _send(limited)] == [(202, None), (429, "token_message_limit")]
    await services.db.fetch("UPDATE api_token_messages SET day = day - 1")
    assert await _send(limited) == (202, None)
    # A request that began the day before, and comes late, counts for the new day.
    await services.db.fetch("UPDATE api_token_messages SET day = day + 1")
    assert await _send(limited) == (429, "token_message_limit")
    assert await _counted(services, id) == 1


async def test_what_is_not_written_does_not_count(ada: Person, services: Services):
    token, id = await made(ada, preset="send", messagesPerDay=2, spendPerDay=0.01)
    limited, headers = caller(ada, token), {"idempotency-key": "one"}
    first = await limited.rest("POST", "/messages", json=SMS, headers=headers)
    again = await limited.rest("POST", "/messages", json=SMS, headers=headers)
    assert first.json()["id"] == again.json()["id"]
    assert (await ada.rest("POST", "/block/+14155550199")).status_code < 300
    assert await _send(limited, to="+14155550199") == (400, "recipient_blocked")
    assert await _send(limited) == (402, "token_spend_limit")
    assert await _counted(services, id) == 1
    free = {"channel": "push", "to": "device-token"}  # costs nothing, and counts
    assert [await _send(limited, **free), await _send(limited, **free)] == [
        (202, None),
        (429, "token_message_limit"),
    ]


@pytest.mark.parametrize(
    ("limits", "code"),
    [
        ({"messagesPerDay": 1}, "limit_needs_no_projects"),
        ({"messagesPerDay": 1, "preset": "campaigns"}, "limit_needs_no_projects"),
        ({"messagesPerDay": 0, "preset": "send"}, "validation_failed"),
    ],
)
async def test_limits_that_cannot_be(ada: Person, limits: dict[str, Any], code: str):
    assert await ada.code(CREATE, {"i": {"name": "t", **limits}}) == code
    answer = await ada.rest("POST", "/api-tokens", json={"name": "t", **limits})
    assert (answer.status_code, answer.json()["code"]) == (400, code)


async def test_money_is_no_limit_where_nothing_costs(ada: Person, services: Services):
    token, id = await made(ada, preset="send", spendPerDay=0.01)
    await switch(services, Billing.off)
    limits = {"name": "t", "preset": "send", "spendPerDay": 1}
    assert await ada.code(CREATE, {"i": limits}) == "billing_off"
    answer = await ada.rest("POST", "/api-tokens", json=limits)
    assert (answer.status_code, answer.json()["code"]) == (400, "billing_off")
    assert "`messagesPerDay`" in answer.json()["message"]
    with pytest.raises(AppError, match="messagesPerDay"):
        await create_token(services, ada.email, "shop", ["send"], spend_per_day="1")
    # A token of before has its limit still, which never binds; a client may send it back as it is.
    assert [await _send(caller(ada, token)) for _ in range(3)] == [(202, None)] * 3
    answer = await ada.rest("PATCH", f"/api-tokens/{id}", json={"spendPerDay": 0.01, "messagesPerDay": 3})
    assert (answer.json()["spendPerDay"], answer.json()["messagesPerDay"]) == (0.01, 3)
    answer = await ada.rest("PATCH", f"/api-tokens/{id}", json={"spendPerDay": 0.02})
    assert answer.json()["code"] == "billing_off"
    assert (await ada.data(UPDATE, {"id": id, "i": {"spendPerDay": None}}))["updateApiToken"] == {
        "spendPerDay": None,
        "messagesPerDay": 3,
    }


async def test_the_command_line_limits_messages(ada: Person, services: Services):
    token = await create_token(services, ada.email, "shop", ["send"], messages_per_day="1")
    limited = caller(ada, token)
    assert [await _send(limited), await _send(limited)] == [(202, None), (429, "token_message_limit")]
    with pytest.raises(AppError, match="--messages-per-day"):
        await create_token(services, ada.email, "shop", ["send"], messages_per_day="many")
