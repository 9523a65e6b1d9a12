"""A code by one channel after the other: the same code, one verification, and each message paid by its digits."""

from decimal import Decimal
from uuid import UUID

import pytest

from engine.chains import stepper
from engine.direct.dispatch import Dispatcher
from runtime.services import Services
from shapes.verifications import MASK
from tests.support.people import Person
from tests.verifications.codes import CHANNELS, RATES, check, code_of, sent

pytestmark = pytest.mark.settings(**CHANNELS, **RATES)

CHAIN = {
    "to": "+14155550100",
    "chain": [{"channel": "sms", "within": 30}, {"channel": "email", "to": "anna@example.com"}],
}
START = "mutation($input:StartVerification!){startVerification(input:$input){uuid channel to messageIds}}"


async def step(services: Services) -> None:
    await services.db.fetch(
        "UPDATE message_chains SET began_at = began_at - interval '31 seconds', due_at = now()"
        " WHERE settled_at IS NULL"
    )
    await stepper.take_chains_on(services)


async def test_the_next_channel_has_the_same_code(ada: Person, services: Services, dispatcher: Dispatcher):
    answer = await ada.rest("POST", "/verifications", json=CHAIN)
    assert answer.status_code == 202, answer.text
    by_sms = await code_of(dispatcher)
    await step(services)
    assert await code_of(dispatcher, "email") == by_sms
    assert [message.message.to for message in sent()[-2:]] == ["+14155550100", "anna@example.com"]
    shown = (await ada.rest("GET", f"/verifications/{answer.json()['id']}")).json()
    (message,) = shown["messageIds"]
    chain = (await ada.rest("GET", f"/messages/{message}")).json()
    assert [each["deliveryState"] for each in chain["steps"]] == ["sent", "sent"]
    assert MASK in chain["body"] and by_sms not in chain["body"]
    rows = await services.db.fetch("SELECT segments, body FROM messages WHERE chain_id = $1", UUID(message))
    assert {row["segments"] for row in rows} == {1}
    assert await check(ada, answer.json()["id"], by_sms) == {"status": "approved", "left": 0}


async def test_after_the_right_code_nothing_further_arrives(
    ada: Person, services: Services, dispatcher: Dispatcher
):
    before = await services.db.fetchval("SELECT balance FROM accounts WHERE id = $1", ada.account_id)
    started = (await ada.data(START, {"input": CHAIN}))["startVerification"]
    assert (started["channel"], started["to"]) == ("sms", "+14155550100")
    code = await code_of(dispatcher)
    await check(ada, started["uuid"], code)
    count = len(sent())
    await step(services)
    await dispatcher.drain("email")
    assert len(sent()) == count
    paid = await services.db.fetchval("SELECT balance FROM accounts WHERE id = $1", ada.account_id)
    assert before - paid == Decimal("0.01")


async def test_starting_again_is_a_chain_again(ada: Person, services: Services, dispatcher: Dispatcher):
    id = (await ada.rest("POST", "/verifications", json=CHAIN)).json()["id"]
    code = await code_of(dispatcher)
    await services.db.fetch("UPDATE verifications SET resend_at = now()")
    answer = await ada.rest("POST", f"/verifications/{id}/resend")
    assert answer.status_code == 202, answer.text
    assert await code_of(dispatcher) == code
    await step(services)
    assert await code_of(dispatcher, "email") == code


@pytest.mark.parametrize(
    "fields",
    [
        {"channel": "sms"},
        {"chain": []},
        {"chain": [{"channel": "sms"}, {"channel": "email", "to": "a@example.com"}]},
        {"chain": [{"channel": "sms", "within": 30}, {"channel": "sms"}]},
        {"chain": [{"channel": "whatsapp"}]},
        {"chain": [{"channel": "sms", "within": 4}, {"channel": "email", "to": "a@example.com"}]},
        {"chain": [{"channel": "sms", "within": 30}, {"channel": "email"}]},
    ],
    ids=range(7),
)
async def test_a_wrong_chain_sends_nothing(ada: Person, services: Services, fields: dict):
    answer = await ada.rest("POST", "/verifications", json={**CHAIN, **fields})
    assert answer.status_code == 400, answer.text
    assert await services.db.fetchval("SELECT count(*) FROM messages") == 0
