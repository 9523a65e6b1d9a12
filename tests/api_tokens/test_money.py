"""API tokens charge only their accounts, and at most an amount a day."""

import asyncio
from decimal import Decimal
from typing import Any
from uuid import UUID

import pytest

from core.errors import AppError
from postern.operator import create_token
from runtime.services import Services
from tests.api_tokens.made import CREATE, caller, exchanged, made
from tests.support.people import Person

SMS = {"to": "+14155550100", "channel": "sms", "body": "hi"}
UPDATE = "mutation($id:ID!,$i:ApiTokenPatch!){updateApiToken(id:$id,input:$i){spendPerDay accountIds}}"


async def _send(person: Person, **changes: Any) -> tuple[int, str | None]:
    answer = await person.rest("POST", "/messages", json={**SMS, **changes})
    return answer.status_code, answer.json().get("code")


async def _spent(services: Services, id: str) -> Decimal:
    return Decimal(
        await services.db.fetchval("SELECT spent FROM api_token_spend WHERE token_id = $1", UUID(id))
    )


@pytest.mark.parametrize(
    ("limits", "code"),
    [
        ({"spendPerDay": 1}, "limit_needs_no_projects"),
        ({"spendPerDay": 1, "preset": "campaigns"}, "limit_needs_no_projects"),
        ({"spendPerDay": 1, "scopes": ["recipients:write"]}, "limit_needs_no_projects"),
        ({"spendPerDay": 0, "preset": "send"}, "validation_failed"),
        ({"spendPerDay": -1, "preset": "send"}, "validation_failed"),
        ({"spendPerDay": 0.0000001, "preset": "send"}, "validation_failed"),
        ({"accountIds": [], "preset": "send"}, "validation_failed"),
        ({"accountIds": ["01890000-0000-7000-8000-000000000000"], "preset": "send"}, "unknown_account"),
    ],
)
async def test_limits_of_money_that_cannot_be(ada: Person, limits: dict[str, Any], code: str):
    assert await ada.code(CREATE, {"i": {"name": "t", **limits}}) == code
    answer = await ada.rest("POST", "/api-tokens", json={"name": "t", **limits})
    assert (answer.status_code, answer.json()["code"]) == (400, code)


async def test_a_limit_and_what_it_does_not_reach_never_meet(ada: Person, bob: Person):
    _, id = await made(ada, preset="send", spendPerDay=1)
    for patch in ({"scopes": None}, {"scopes": ["projects:send"]}):
        answer = await ada.rest("PATCH", f"/api-tokens/{id}", json=patch)
        assert (answer.status_code, answer.json()["code"]) == (400, "limit_needs_no_projects")
    answer = await ada.rest("PATCH", f"/api-tokens/{id}", json={"accountIds": [str(bob.account_id)]})
    assert answer.json()["code"] == "unknown_account"
    answer = await ada.rest("PATCH", f"/api-tokens/{id}", json={"scopes": None, "spendPerDay": None})
    assert answer.status_code == 200, answer.text
    assert (answer.json()["scopes"], answer.json()["spendPerDay"]) == (None, None)


async def test_a_token_charges_its_accounts_alone(ada: Person, services: Services):
    second = (await ada.rest("POST", "/accounts", json={"name": "second", "currency": "USD"})).json()["id"]
    await services.db.fetch("UPDATE accounts SET balance = 1 WHERE id = $1", UUID(second))
    token, _ = await made(ada, preset="send", accountIds=[second])
    pair = await exchanged(ada, token)
    for credential in (token, pair["accessToken"]):
        limited = caller(ada, credential)
        assert await _send(limited, accountId=str(ada.account_id)) == (403, "token_account")
        answer = await limited.rest("POST", "/messages", json=SMS)  # the only account that it may charge
        assert (answer.status_code, answer.json()["accountId"]) == (202, second)
        # To see an account is another thing than to charge it.
        assert (await limited.rest("GET", f"/accounts/{ada.account_id}")).status_code == 200
    both, _ = await made(ada, preset="send", accountIds=[second, str(ada.account_id)])
    answer = await caller(ada, both).rest("POST", "/messages", json=SMS)
    assert answer.json()["accountId"] == str(ada.account_id)  # as without a limit: the oldest


async def test_no_more_than_the_limit_of_a_day_is_spent_by_many_at_once(ada: Person, services: Services):
    token, id = await made(ada, preset="send", spendPerDay=0.1)
    pair = await exchanged(ada, token)
    callers = [caller(ada, credential) for credential in (token, pair["accessToken"])]
    answers = await asyncio.gather(*(_send(callers[number % 2]) for number in range(50)))
    assert sorted(answers, key=str) == [(202, None)] * 10 + [(402, "token_spend_limit")] * 40
    assert await _spent(services, id) == Decimal("0.1")
    assert await _send(ada) == (202, None)  # the user's own login has no limit
    # A higher limit holds at once, for the login too.
    await ada.data(UPDATE, {"id": id, "i": {"spendPerDay": "0.11"}})
    assert [await _send(callers[1]), await _send(callers[0])] == [(202, None), (402, "token_spend_limit")]


async def test_the_next_day_begins_with_nothing_spent(ada: Person, services: Services):
    token, id = await made(ada, preset="send", spendPerDay=0.01)
    limited = caller(ada, token)
    assert [await _send(limited), await _send(limited)] == [(202, None), (402, "token_spend_limit")]
    await services.db.fetch("UPDATE api_token_spend SET day = day - 1")
    assert await _send(limited) == (202, None)
    assert await _spent(services, id) == Decimal("0.01")
    # A request that began the day before, and comes late, counts for the new day.
    await services.db.fetch("UPDATE api_token_spend SET day = day + 1")
    assert await _send(limited) == (402, "token_spend_limit")
    assert await _spent(services, id) == Decimal("0.01")


async def test_what_is_not_written_is_not_spent(ada: Person, services: Services):
    token, id = await made(ada, preset="send", spendPerDay=1)
    limited = caller(ada, token)
    headers = {"idempotency-key": "one"}
    first = await limited.rest("POST", "/messages", json=SMS, headers=headers)
    again = await limited.rest("POST", "/messages", json=SMS, headers=headers)
    assert first.json()["id"] == again.json()["id"]
    assert await _spent(services, id) == Decimal("0.01")
    assert (await ada.rest("POST", "/block/+14155550100")).status_code < 300
    assert await _send(limited) == (400, "recipient_blocked")
    assert await _spent(services, id) == Decimal("0.01")
    await services.db.fetch("UPDATE accounts SET balance = 0 WHERE id = $1", ada.account_id)
    assert await _send(limited, to="+14155550101") == (402, "insufficient_balance")
    assert await _spent(services, id) == Decimal("0.01")


async def test_the_command_line_limits_money_too(ada: Person, bob: Person, services: Services):
    limits: dict[str, Any] = {"account_ids": [str(ada.account_id)], "spend_per_day": "0.02"}
    token = await create_token(
        services, ada.email, "shop", ["send"], expires_at="2100-01-01T00:00:00Z", **limits
    )
    (row,) = (await ada.data("{apiTokens{nodes{accountIds spendPerDay expiresAt}}}"))["apiTokens"]["nodes"]
    assert (row["accountIds"], float(row["spendPerDay"])) == ([str(ada.account_id)], 0.02)
    assert row["expiresAt"].startswith("2100-01-01")
    assert (await caller(ada, token).rest("GET", "/messages")).status_code == 200
    for scopes, wrong, code in (
        ([], limits, "limit_needs_no_projects"),
        (["send"], {"account_ids": [str(bob.account_id)]}, "unknown_account"),
        (["send"], {"spend_per_day": "0"}, "validation_failed"),
        (["send"], {"account_ids": ["7"]}, "validation_failed"),
        (["send"], {"expires_at": "2020-01-01T00:00:00Z"}, "validation_failed"),
    ):
        with pytest.raises(AppError) as refused:
            await create_token(services, ada.email, "shop", scopes, **wrong)
        assert refused.value.code == code, wrong


async def test_messages_that_are_refused_take_nothing_of_the_limit_from_those_beside_them(
    ada: Person, services: Services
) -> None:
    token, id = await made(ada, preset="send", spendPerDay=0.1)
    limited = caller(ada, token)
    assert (await ada.rest("POST", "/block/+14155550199")).status_code < 300
    refused = (_send(limited, to="+14155550199") for _ in range(40))
    paid = (_send(limited) for _ in range(10))
    answers = await asyncio.gather(*refused, *paid)
    assert answers == [(400, "recipient_blocked")] * 40 + [(202, None)] * 10
    assert await _spent(services, id) == Decimal("0.1")
