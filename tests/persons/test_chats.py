"""Chats with somebody who is being erased: nothing is written, and what is being sent ends first."""

from uuid import UUID

import pytest

from core.ids import uuid7
from engine.messengers import call_client
from engine.messengers.host import Host
from engine.persons import erasing
from runtime.services import Services
from tests.chats.conftest import make_account
from tests.chats.live import ADA, BOB, connect
from tests.consent.made import contact
from tests.persons.test_erasing import finished
from tests.support.messengers import ok, wrong
from tests.support.people import Person
from tests.support.waits import until

pytestmark = pytest.mark.settings(sandbox_moment=0.02, limit_messenger_messages="100000/60")
_CHAT = """
INSERT INTO messenger_chats (id, account_id, thread, phone, username) VALUES ($1, $2, $3, $4, $5)
"""
_PENDING = """
INSERT INTO messenger_messages (id, account_id, outgoing, recipient, at, asked_at)
VALUES ($1, $2, true, $3, now(), now())
"""


async def begin(person: Person, contact: str) -> str:
    answer = await person.rest("POST", "/persons/erase", json={"contactUuid": contact})
    assert answer.status_code == 202, answer.text
    return str(answer.json()["id"])


async def test_nothing_is_written_to_who_is_being_erased(
    services: Services, ada: Person, bob: Person, host: Host
):
    account = await connect(services, ada, ADA)
    await connect(services, bob, BOB)
    made = await contact(ada, addresses=[{"channel": "sms", "address": f"+{BOB}"}])
    keyed = {"msg_to": BOB, "msg_text": "before", "idempotencyKey": "k1"}
    sent = (await ok(ada, "sendMessage", ADA, **keyed))["results"][0]["result"]
    erasure = await begin(ada, made)
    for to in (BOB, f"+{BOB}", sent["thread"]):
        assert (await wrong(ada, "sendMessage", ADA, msg_to=to, msg_text="x"))[0] == "recipient_blocked"
    mutation = """mutation($id:ID!,$to:String!){
      sendMessengerMessage(accountId:$id,input:{to:$to,text:"x",idempotencyKey:"k2"}){uuid}}"""
    assert await ada.code(mutation, {"id": str(account), "to": BOB}) == "recipient_blocked"
    # What was sent before is still answered, and others are written to.
    assert (await ok(ada, "sendMessage", ADA, **keyed))["results"][0]["result"]["item"] == sent["item"]
    await ok(ada, "sendMessage", ADA, msg_to="+15005550001", msg_text="x")
    assert (await finished(services, ada, erasure))["state"] == "done"
    await ok(ada, "sendMessage", ADA, msg_to=BOB, msg_text="anew")


async def test_a_user_name_and_its_chat_are_refused(
    services: Services, ada: Person, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(call_client, "_UNHEARD_SECONDS", 0.1)
    account = await make_account(services, ada, ADA)
    other = await make_account(services, ada, BOB)
    made = await contact(ada, addresses=[{"channel": "telegram", "address": "@Anna_Berg"}])
    await services.db.fetch(_CHAT, uuid7(), account, "t-anna", None, "anna_BERG")
    await services.db.fetch(_CHAT, uuid7(), account, "t-bert", "+14155550101", None)
    erasure = await begin(ada, made)
    # A chat that has come since the erasure began, too.
    await services.db.fetch(_CHAT, uuid7(), other, "t-later", None, "Anna_Berg")
    for login, to in ((ADA, "t-anna"), (ADA, "@anna_berg"), (BOB, "t-later"), (BOB, "@ANNA_BERG")):
        assert (await wrong(ada, "sendMessage", login, msg_to=to, msg_text="x"))[0] == "recipient_blocked"
    assert (await wrong(ada, "sendMessage", ADA, msg_to="t-bert", msg_text="x"))[0] == "messenger_unavailable"
    assert (await finished(services, ada, erasure))["state"] == "done"


async def test_what_is_being_sent_ends_first(services: Services, ada: Person):
    account = await make_account(services, ada, ADA)
    made = await contact(ada, addresses=[{"channel": "sms", "address": "+14155550101"}])
    ours, others = uuid7(), uuid7()
    await services.db.fetch(_PENDING, ours, account, "+14155550101")
    await services.db.fetch(_PENDING, others, account, "+14155550102")
    erasure = await begin(ada, made)

    async def waits() -> bool:
        await erasing.erase(services, UUID(erasure))
        shown = (await ada.rest("GET", f"/persons/erasures/{erasure}")).json()
        return bool(shown["stateReason"] == "Messages to the person are in flight.")

    await until(waits)
    await services.db.fetch("UPDATE messenger_messages SET status = 'server' WHERE id = $1", ours)
    assert (await finished(services, ada, erasure))["state"] == "done"
    left = await services.db.fetch("SELECT id FROM messenger_messages")
    assert [row["id"] for row in left] == [others]
