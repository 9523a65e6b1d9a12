"""The rules of a chain; a message without one gets the answers that it got before there were chains."""

from typing import Any

import pytest
from pydantic import ValidationError

from shapes import messages as single
from shapes.message_chains import SendMessage
from tests.message_chains.made import MAIL, PHONE, SMS, chain
from tests.support.people import Person

PLAIN: list[Any] = [
    {"to": PHONE, "channel": "sms", "body": "hi"},
    {},
    [],
    "x",
    None,
    {"to": None, "channel": None, "body": None},
    {"to": "", "channel": "fax", "body": ""},
    {"to": PHONE, "channel": "sms"},
    {"channel": "sms", "body": "x" * 1601},
    {"to": PHONE, "channel": "sms", "body": "hi", "more": 1},
    {"to": PHONE, "channel": "sms", "body": "hi", "validSeconds": 1, "category": "x"},
    {"to": "a\x00", "channel": "sms", "body": "hi", "metadata": []},
]


@pytest.mark.parametrize("data", PLAIN, ids=repr)
def test_a_message_without_a_chain_gets_the_answers_of_before(data: Any):
    def outcome(model: Any) -> Any:
        try:
            message = model.model_validate(data)
        except ValidationError as error:
            return [(each["type"], each["loc"], each["msg"]) for each in error.errors()]
        assert type(message) is single.SendMessage
        return message.model_dump()

    assert outcome(SendMessage) == outcome(single.SendMessage)


async def test_the_doors_name_what_a_message_lacks(ada: Person):
    answer = await ada.rest("POST", "/messages", json={"channel": "sms"})
    assert (answer.status_code, answer.json()["code"], answer.json()["message"]) == (
        400, "validation_failed", ["to: field required", "body: field required"],
    )  # fmt: skip
    refused = await ada.graphql('mutation { sendMessage(input: {channel: sms, body: "x"}) { uuid } }')
    assert refused["errors"][0]["extensions"]["code"] == "validation_failed"
    assert refused["errors"][0]["message"].startswith("to: ")


BAD = {
    "no step": chain(to=PHONE),
    "five steps": chain(*[SMS] * 5),
    "too short": chain({**SMS, "within": 4}, MAIL),
    "too long": chain({**SMS, "within": 86_401}, MAIL),
    "no within": chain({"channel": "sms", "to": PHONE}, MAIL),
    "no recipient": chain({"channel": "sms", "within": 60}, MAIL),
    "no body": {"chain": [SMS, MAIL]},
    "a channel, too": chain(SMS, MAIL, channel="sms"),
    "promotional": chain(SMS, MAIL, category="promotional"),
    "contact and to": chain(SMS, MAIL, to=PHONE, contactId="01a22967-20cc-7000-8853-524017654fb4"),
    "twice the same": chain(SMS, {**SMS, "to": "+1 415 555 0100"}),
    "read": chain({**SMS, "until": "read"}, MAIL),
    "never reported": chain(SMS, {**MAIL, "channel": "push", "until": "read", "to": "token"}),
    "fallback alone": {"to": PHONE, "channel": "sms", "body": "hi", "fallback": True},
}


@pytest.mark.parametrize("case", BAD, ids=str)
async def test_a_bad_chain_is_refused_by_both_doors(ada: Person, case: str):
    answer = await ada.rest("POST", "/messages", json=BAD[case])
    assert answer.status_code == 400, answer.text
    assert answer.json()["code"] in ("validation_failed", "bad_chain")
    refused = await ada.graphql(
        "mutation($input: SendMessage!) { sendMessage(input: $input) { uuid } }", {"input": BAD[case]}
    )
    assert refused["errors"][0]["extensions"]["code"] in ("validation_failed", "bad_chain")


@pytest.mark.settings(channel_email="smtp://127.0.0.1:9?from=a@example.com")
async def test_a_channel_that_never_reports_takes_accepted_alone(ada: Person):
    bad = await ada.rest("POST", "/messages", json=chain({**MAIL, "until": "delivered", "within": 60}, SMS))
    assert (bad.status_code, bad.json()["code"]) == (400, "bad_chain")
    assert bad.json()["details"] == {"channel": "email"}
    good = await ada.rest("POST", "/messages", json=chain({**MAIL, "within": 60}, SMS))
    steps = (await ada.rest("GET", f"/messages/{good.json()['id']}")).json()["steps"]
    assert [step["until"] for step in steps] == ["accepted", "delivered"]


async def test_a_promotional_chain_may_fall_back_if_it_says_so(ada: Person):
    answer = await ada.rest("POST", "/messages", json=chain(SMS, MAIL, category="promotional", fallback=True))
    assert answer.status_code == 202, answer.text


async def test_graphql_sends_a_chain(ada: Person):
    sent = await ada.data(
        "mutation($input: SendMessage!) { sendMessage(input: $input) { channel steps { channel to within until } } }",
        {"input": chain(SMS, MAIL)},
    )
    assert sent["sendMessage"]["steps"] == [
        {"channel": "sms", "to": PHONE, "within": 60, "until": "delivered"},
        {"channel": "email", "to": "ann@example.com", "within": 86_400, "until": "delivered"},
    ]
