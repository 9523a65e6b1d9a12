"""Codes are sent, checked, sent again and canceled, through both doors."""

import asyncio
import re
from datetime import timedelta
from typing import Any

import pytest

from engine.direct.dispatch import Dispatcher
from engine.verifications import upkeep
from engine.verifications.texts import code_words
from runtime.services import Services
from shapes.verifications import MASK
from tests.support.people import Person
from tests.verifications.codes import CHANNELS, RATES, check, code_of, other, sent, start

pytestmark = pytest.mark.settings(**CHANNELS, **RATES)

START = (
    "mutation($input:StartVerification!){startVerification(input:$input)"
    "{id uuid channel to purpose status tries sends messageIds pageUrl expiresAt resendAt}}"
)
CHECK = "mutation($id:ID!,$code:String!){checkVerification(id:$id,input:{code:$code}){status left}}"
LISTED = "query($where:VerificationWhere){verifications(where:$where){nodes{uuid status to} totalCount}}"


async def shift(services: Services, id: str, seconds: float) -> None:
    """Moves a verification into the past."""
    await services.db.fetch(
        "UPDATE verifications SET resend_at = resend_at - $2::interval, expires_at = expires_at - $2::interval"
        " WHERE id = $1",
        id,
        timedelta(seconds=seconds),
    )


async def test_both_doors(ada: Person, dispatcher: Dispatcher):
    answer = await start(ada)
    assert set(answer) == {"id", "channel", "status", "expiresAt", "resendAt", "pageUrl"}
    assert answer["status"] == "pending" and answer["pageUrl"] is None
    code = await code_of(dispatcher)
    assert len(code) == 6
    assert await check(ada, answer["id"], other(code)) == {"status": "wrong", "left": 4}
    assert await check(ada, answer["id"], f"{code[:3]} {code[3:]}") == {"status": "approved", "left": 0}
    assert await check(ada, answer["id"], code) == {"status": "used", "left": 0}
    shown = (await ada.rest("GET", f"/verifications/{answer['id']}")).json()
    assert (shown["status"], shown["tries"], shown["to"]) == ("approved", 1, "+14155550100")
    message = (await ada.rest("GET", f"/messages/{shown['messageIds'][0]}")).json()
    assert message["body"] == f"Your code is {MASK * 6}. Don't share it."
    assert message["status"] == "sent"

    asked = {"input": {"to": "anna@example.com", "channel": "email", "purpose": "sign-up", "length": 8}}
    second = (await ada.data(START, asked))["startVerification"]
    code = await code_of(dispatcher, "email")
    assert len(code) == 8 and sent()[-1].message.subject == "Your code"
    assert (await ada.data(CHECK, {"id": second["id"], "code": code}))["checkVerification"][
        "status"
    ] == "approved"
    listed = (await ada.rest("GET", "/verifications")).json()["items"]
    assert [row["id"] for row in listed] == [second["uuid"], answer["id"]]
    found = await ada.data(LISTED, {"where": {"to": {"eq": "+14155550100"}, "status": {"eq": "approved"}}})
    assert found["verifications"] == {
        "nodes": [{"uuid": answer["id"], "status": "approved", "to": "+14155550100"}],
        "totalCount": 1,
    }


async def test_five_tries(ada: Person, dispatcher: Dispatcher):
    id = (await start(ada))["id"]
    code = await code_of(dispatcher)
    answers = [await check(ada, id, other(code)) for _ in range(5)]
    assert [(answer["status"], answer["left"]) for answer in answers] == [
        ("wrong", 4), ("wrong", 3), ("wrong", 2), ("wrong", 1), ("too_many", 0),
    ]  # fmt: skip
    assert await check(ada, id, code) == {"status": "too_many", "left": 0}


async def test_starting_again_sends_the_same_code_and_keeps_the_tries(
    ada: Person, services: Services, dispatcher: Dispatcher
):
    first = await start(ada, length=8)
    code = await code_of(dispatcher)
    await check(ada, first["id"], other(code))
    early = await ada.rest("POST", "/verifications", json={"to": "+1 415 555 0100", "channel": "sms"})
    assert (early.status_code, early.json()["code"]) == (429, "resend_too_early")
    assert 25 <= int(early.headers["retry-after"]) <= 30
    for pause in (30, 60, 120, 120):
        await shift(services, first["id"], pause - 5)
        assert (await ada.rest("POST", f"/verifications/{first['id']}/resend")).status_code == 429
        await shift(services, first["id"], 5)
        again = await start(ada, "+1 415 555 0100", length=4, locale="de")
        assert again["id"] == first["id"] and again["expiresAt"] > first["expiresAt"]
        assert await code_of(dispatcher) == code
    assert "Ihr Code" in sent()[-1].message.body
    # Another purpose has a code of its own.
    assert (await start(ada, purpose="payment"))["id"] != first["id"]
    assert (await check(ada, first["id"], other(code)))["left"] == 3


async def test_resend(ada: Person, bob: Person, services: Services, dispatcher: Dispatcher):
    id = (await start(ada, template="{{code}} is the code of Acme", domain="acme.example"))["id"]
    code = await code_of(dispatcher)
    body = sent()[-1].message.body
    assert body == f"{code} is the code of Acme\n\n@acme.example #{code}"
    await shift(services, id, 31)
    assert (await bob.rest("POST", f"/verifications/{id}/resend")).json()["code"] == "verification_not_found"
    answer = await ada.rest("POST", f"/verifications/{id}/resend")
    assert (answer.status_code, answer.json()["id"]) == (202, id)
    await dispatcher.drain("sms")
    assert sent()[-1].message.body == body and sent()[-1].message.id != sent()[-2].message.id
    await check(ada, id, code)
    settled = await ada.rest("POST", f"/verifications/{id}/resend")
    assert (settled.status_code, settled.json()["code"]) == (409, "verification_settled")


async def test_ten_messages_and_fifteen_tries_a_day(ada: Person, services: Services, dispatcher: Dispatcher):
    for _ in range(10):
        await shift(services, (await start(ada))["id"], 130)
    refused = await ada.rest("POST", "/verifications", json={"to": "+14155550100", "channel": "sms"})
    assert (refused.status_code, refused.json()["code"]) == (429, "verification_limit")
    assert int(refused.headers["retry-after"]) <= 86_400
    other_address = "+14155550101"
    for number in range(3):
        id = (await start(ada, other_address))["id"]
        code = await code_of(dispatcher)
        statuses = [(await check(ada, id, other(code)))["status"] for _ in range(5)]
        assert statuses == ["wrong"] * 4 + ["too_many"], number
    refused = await ada.rest("POST", "/verifications", json={"to": other_address, "channel": "sms"})
    assert refused.json()["code"] == "verification_limit"


async def test_cancel(ada: Person, services: Services, dispatcher: Dispatcher):
    balance = await services.db.fetchval("SELECT balance FROM accounts WHERE id = $1", ada.account_id)
    id = (await start(ada))["id"]
    for _ in range(2):
        answer = await ada.rest("POST", f"/verifications/{id}/cancel")
        assert (answer.status_code, answer.json()["status"]) == (200, "canceled")
    before = len(sent())
    await dispatcher.drain("sms")
    assert len(sent()) == before
    message = (await ada.rest("GET", f"/messages/{answer.json()['messageIds'][0]}")).json()
    assert (message["status"], message["failureCode"]) == ("failed", "verification_settled")
    assert balance == await services.db.fetchval("SELECT balance FROM accounts WHERE id = $1", ada.account_id)
    assert (await check(ada, id, "123456"))["status"] == "canceled"
    assert (await start(ada))["id"] != id


async def test_a_code_expires(ada: Person, services: Services, dispatcher: Dispatcher):
    ids = [(await start(ada, purpose=purpose))["id"] for purpose in ("a", "b")]
    code = await code_of(dispatcher)
    for id in ids:
        await shift(services, id, 601)
    assert (await check(ada, ids[1], code))["status"] == "expired"
    await upkeep.expire(services)
    for id in ids:
        assert (await ada.rest("GET", f"/verifications/{id}")).json()["status"] == "expired"
    assert await services.db.fetchval("SELECT count(*) FROM verification_codes") == 0
    assert (await ada.rest("POST", f"/verifications/{ids[0]}/cancel")).json()[
        "code"
    ] == "verification_settled"
    assert (await start(ada, purpose="a"))["id"] != ids[0]


async def test_a_stranger_finds_nothing(ada: Person, bob: Person, admin: Person, dispatcher: Dispatcher):
    id = (await start(ada))["id"]
    code = await code_of(dispatcher)
    for method, path in (
        ("GET", ""), ("POST", "/check"), ("POST", "/resend"), ("POST", "/cancel"),
    ):  # fmt: skip
        answer = await bob.rest(
            method, f"/verifications/{id}{path}", json={"code": code} if path == "/check" else None
        )
        assert (answer.status_code, answer.json()["code"]) == (404, "verification_not_found"), path
    assert await bob.code(CHECK, {"id": id, "code": code}) == "verification_not_found"
    assert (await bob.rest("GET", "/verifications")).json()["items"] == []
    assert (await admin.rest("GET", f"/verifications/{id}")).json()["id"] == id
    # The same address is another one of each owner.
    assert (await start(bob))["id"] != id
    assert (await check(ada, id, code))["status"] == "approved"


async def test_a_stranger_does_not_wait_for_the_owner(ada: Person, bob: Person, services: Services):
    """The lock of a check would tell by its time that there is such a verification."""
    id = (await start(ada))["id"]
    async with services.db.transaction() as connection:
        await connection.fetch("SELECT FROM verifications WHERE id = $1 FOR UPDATE", id)
        answer = await bob.rest("POST", f"/verifications/{id}/check", json={"code": "123456"})
        assert answer.status_code == 404


async def test_idempotency(ada: Person, services: Services):
    body = {"to": "+14155550100", "channel": "sms", "returnUrl": "https://example.com/back"}
    first, again = [
        await ada.rest("POST", "/verifications", json=body, headers={"Idempotency-Key": "once"})
        for _ in range(2)
    ]
    assert again.json() == first.json() and first.json()["pageUrl"]
    assert again.headers["idempotent-replayed"] == "true"
    assert await services.db.fetchval("SELECT count(*) FROM messages") == 1
    # A check stores nothing that a code could be found by.
    for _ in range(2):
        path = f"/verifications/{first.json()['id']}/check"
        await ada.rest("POST", path, json={"code": "000000"}, headers={"Idempotency-Key": "check"})
    assert await services.db.fetchval("SELECT count(*) FROM idempotency_keys") == 1


async def test_texts(ada: Person, dispatcher: Dispatcher):
    texts = set()
    for language in ("en", "de", "es", "fr", "it", "nl", "pl", "pt-BR", "ru", "uk"):
        await start(ada, purpose=language, locale=language)
        code = await code_of(dispatcher)
        body = sent()[-1].message.body
        assert code in body and "{" not in body and MASK not in body
        texts.add(body.replace(code, ""))
        assert len(body) <= 70  # one SMS in any alphabet
    assert len(texts) == 10
    await start(ada, purpose="hash", appHash="FA+9qCX9VSu", template="{{ code }} is it")
    code = await code_of(dispatcher)
    assert sent()[-1].message.body == f"{code} is it\nFA+9qCX9VSu"
    await start(ada, "sandbox-device", channel="push", purpose="push", locale="fr")
    code = await code_of(dispatcher, "push")
    assert sent()[-1].message.subject == code_words("fr").title


async def test_digits_are_charged_and_not_the_mask(ada: Person, services: Services):
    """No SMS alphabet has the mask: with it, a text of 160 characters would be three messages."""
    await start(ada, template="x" * 154 + "{{ code }}")
    assert await services.db.fetchval("SELECT segments FROM messages") == 1


@pytest.mark.parametrize(
    "wrong",
    [
        {"length": 3},
        {"length": 9},
        {"ttlSeconds": 59},
        {"ttlSeconds": 3601},
        {"purpose": ""},
        {"purpose": "x" * 65},
        {"template": "no variable here"},
        {"template": "{{ code }} and {{ code }}"},
        {"template": "{{ code }} {{ name }}"},
        {"template": "{% if x %}{{ code }}{% endif %}"},
        {"template": f"{{{{ code }}}} {MASK}"},
        {"appHash": "short"},
        {"appHash": "FA+9qCX9VSu", "domain": "example.com"},
        {"domain": "https://example.com"},
        {"domain": "localhost"},
        {"channel": "email", "to": "a@example.com", "domain": "example.com"},
        {"channel": "carrier-pigeon"},
        {"to": "nobody"},
        {"to": ""},
        {"endUserIp": "300.1.1.1"},
        {"returnUrl": "http://example.com"},
        {"returnUrl": "javascript:alert(1)"},
        {"returnUrl": "https://user@example.com/"},
        {"returnUrl": "https://example.com/#part"},
        {"locale": "not a tag"},
        {"unknown": 1},
    ],
    ids=str,
)
async def test_bad_input(ada: Person, services: Services, wrong: dict[str, Any]):
    answer = await ada.rest("POST", "/verifications", json={"to": "+14155550100", "channel": "sms", **wrong})
    assert answer.status_code == 400, answer.text
    assert await services.db.fetchval("SELECT count(*) FROM verifications") == 0


@pytest.mark.parametrize("code", ["", "x", "1" * 33, "12a456", None, 123456, "１２３４５６"], ids=repr)
async def test_codes_that_are_none_cost_no_try(ada: Person, code: Any):
    id = (await start(ada))["id"]
    answer = await ada.rest("POST", f"/verifications/{id}/check", json={"code": code})
    assert answer.status_code == 400
    assert code is None or code == "" or str(code) not in answer.text
    assert (await ada.rest("GET", f"/verifications/{id}")).json()["tries"] == 0


async def test_what_is_not_sent_leaves_nothing(ada: Person, bob: Person, services: Services):
    await ada.rest("POST", "/block/%2B14155550100")
    blocked = await ada.rest("POST", "/verifications", json={"to": "+14155550100", "channel": "sms"})
    assert (blocked.status_code, blocked.json()["code"]) == (400, "recipient_blocked")
    await services.db.fetch("UPDATE accounts SET balance = 0 WHERE owner_id = $1", bob.id)
    unpaid = await bob.rest("POST", "/verifications", json={"to": "+14155550100", "channel": "sms"})
    assert unpaid.status_code == 402
    for table in (
        "verifications",
        "verification_codes",
        "verification_days",
        "verification_counters",
        "messages",
    ):
        assert await services.db.fetchval(f"SELECT count(*) FROM {table}") == 0, table


async def test_many_starts_of_an_address_at_once(ada: Person, services: Services):
    answers = await asyncio.gather(
        *(
            ada.rest("POST", "/verifications", json={"to": "+14155550100", "channel": "sms"})
            for _ in range(20)
        )
    )
    assert sorted(answer.status_code for answer in answers) == [202] + [429] * 19
    assert await services.db.fetchval("SELECT count(*) FROM messages") == 1


async def test_metadata_of_a_user_opens_no_code(ada: Person, bob: Person, dispatcher: Dispatcher):
    id = (await start(ada))["id"]
    await dispatcher.drain("sms")
    for person in (ada, bob):
        body = {
            "to": "+14155550109",
            "channel": "sms",
            "body": f"x {MASK * 6}",
            "metadata": {"verification": id},
        }
        assert (await person.rest("POST", "/messages", json=body)).status_code == 202
        await dispatcher.drain("sms")
        assert sent()[-1].message.body == f"x {MASK * 6}"
    assert not re.search("[0-9]{6}", sent()[-1].message.body)
