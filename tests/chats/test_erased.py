"""Nothing is written by a messenger account to a person who is being erased."""

from typing import Any
from uuid import UUID

import pytest

from core.errors import BadRequest, Unavailable
from core.ids import uuid7
from engine.messengers import call_client, sending
from engine.messengers.attempts import NewMessage
from runtime.services import Services
from tests.chats.conftest import ANNA
from tests.consent.made import contact
from tests.persons.test_erasing import finished
from tests.support.people import Person

_CHAT = """
INSERT INTO messenger_chats (id, account_id, kind, thread, phone, username, last_at)
VALUES ($1, $2, 'user', $3, $4, $5, now())
"""
_WRITTEN = "SELECT count(*) FROM messenger_messages"


@pytest.fixture
async def row(services: Services, account: UUID, monkeypatch: pytest.MonkeyPatch) -> Any:
    """The account, whose calls fail in a way that allows another attempt."""

    async def ask(*_: Any, **__: Any) -> None:
        raise Unavailable("away", code="messenger_unavailable")

    monkeypatch.setattr(call_client, "ask", ask)
    await services.db.fetch(_CHAT, uuid7(), account, "4711", ANNA, "anna")
    await services.db.fetch(_CHAT, uuid7(), account, "4712", "+14155550102", "bert")
    return await services.db.fetchrow("SELECT *, true AS held FROM messenger_accounts")


async def code(services: Services, row: Any, to: str, key: str | None = None) -> str:
    with pytest.raises((BadRequest, Unavailable)) as raised:
        await sending.send(services, row, NewMessage(to, "x"), key=key)
    return raised.value.code


async def test_a_person_who_is_being_erased_is_not_written_to(services: Services, ada: Person, row: Any):
    assert await code(services, row, ANNA, "later") == "messenger_unavailable"
    phone = [{"channel": "telegram", "address": ANNA}]
    made = await contact(ada, addresses=phone)
    answer = await ada.rest("POST", "/persons/erase", json={"contactUuid": made})
    assert answer.status_code == 202
    before = await services.db.fetchval(_WRITTEN)
    for to in (ANNA, "4711", "@anna", "@Anna"):
        assert await code(services, row, to) == "recipient_blocked"
    assert (
        await code(services, row, ANNA, "later") == "recipient_blocked"
    )  # surely not sent by the first attempt
    assert await services.db.fetchval(_WRITTEN) == before
    for to in ("+14155550102", "4712", "@bert"):
        assert await code(services, row, to) == "messenger_unavailable"
    await finished(services, ada, answer.json()["id"])
    assert await code(services, row, ANNA) == "messenger_unavailable"


async def test_other_owners_may_write_to_the_person(services: Services, ada: Person, bob: Person, row: Any):
    answer = await bob.rest("POST", "/persons/erase", json={"channel": "sms", "address": ANNA})
    assert answer.status_code == 202
    assert await code(services, row, ANNA) == "messenger_unavailable"
