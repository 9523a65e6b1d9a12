"""Texts that come in by SMPP: whose they are, and each of them once."""

import asyncio
from collections.abc import AsyncIterator
from datetime import timedelta
from typing import Any
from uuid import UUID

import pytest

from channels.port import Inbound
from core.ids import uuid7
from core.settings import Settings
from engine.inbound import inbound_messages
from tests.channels import peer_smpp
from tests.channels.peer_smpp import Session, Smsc
from tests.support.gateway import Gateway
from tests.support.waits import until

NUMBER = "+14155550100"


@pytest.fixture
async def smsc() -> AsyncIterator[Smsc]:
    async with peer_smpp.peer() as made:
        yield made


@pytest.fixture
def settings(make_settings: Any, smsc: Smsc) -> Settings:
    made: Settings = make_settings(channel_sms=smsc.dsn)
    return made


async def bound(smsc: Smsc) -> Session:
    """Waits until the driver has bound its session, and returns it; the driver itself waits only a moment."""
    await until(lambda: any(session.role for session in smsc.sessions))
    return smsc.bound()


async def come(gateway: Gateway, *texts: Inbound, provider: str = "smpp") -> int:
    async with gateway.db.reading() as db:
        return await inbound_messages.receive(db, provider, texts)


async def owners(gateway: Gateway) -> list[UUID]:
    rows = await gateway.db.fetch("SELECT owner_id FROM messages WHERE direction = 'inbound' ORDER BY id")
    return [row["owner_id"] for row in rows]


async def test_a_text_becomes_a_message_of_who_wrote_to_its_sender(
    gateway: Gateway, ada: Any, bob: Any, drain: Any, smsc: Smsc
) -> None:
    await gateway.reached(ada, NUMBER)
    await gateway.reached(bob, "+14155550101")
    await gateway.reached(bob, "a@example.com", "email")
    assert await (await bound(smsc)).deliver(b"STOP") == 0
    listed = (await ada.rest("GET", "/messages")).json()["items"]
    (message,) = [message for message in listed if message["direction"] == "inbound"]
    assert (message["body"], message["to"], message["channel"]) == ("STOP", "Acme", "sms")
    assert (message["status"], message["accountId"]) == ("delivered", str(ada.account_id))
    assert (await ada.rest("GET", f"/messages/{message['id']}")).status_code == 200
    for other in ("", "/status"):
        assert (await bob.rest("GET", f"/messages/{message['id']}{other}")).status_code == 404
    assert all(
        item["direction"] == "outbound" for item in (await bob.rest("GET", "/messages")).json()["items"]
    )
    seen = await ada.data(
        "query($id: ID!) { message(id: $id) { direction price deliveryState } }", {"id": message["id"]}
    )
    assert seen["message"] == {"direction": "inbound", "price": 0, "deliveryState": "delivered"}
    # It is no message that we sent: it leaves no queue, and costs nothing.
    await gateway.hasten()
    assert await drain("sms") == 0


@pytest.mark.parametrize("weeks", [0, 2])
async def test_whom_it_answers_when_several_have_written(
    weeks: int, gateway: Gateway, ada: Any, bob: Any, admin: Any
) -> None:
    """Within a week nobody can tell, and a stranger must not read it; later it is the last one's."""
    (first,) = await gateway.queue(bob, 1, age=timedelta(weeks=weeks, seconds=1))
    await gateway.set("state = 'sending'", first)
    await gateway.set("state = 'sent'", first)
    await gateway.reached(ada, NUMBER)
    assert await come(gateway, Inbound(NUMBER, "Acme", "yes please", "1")) == 1
    assert await owners(gateway) == [ada.id if weeks else admin.id]


async def test_a_message_that_did_not_reach_the_number_is_no_conversation(
    gateway: Gateway, ada: Any, admin: Any
) -> None:
    await gateway.send(ada, NUMBER)
    assert await come(gateway, Inbound(NUMBER, "Acme", "hi", "1")) == 1
    assert await owners(gateway) == [admin.id]


async def test_a_strangers_text_belongs_to_the_oldest_active_administrator(
    gateway: Gateway, ada: Any, people: Any, drain: Any, smsc: Smsc, capsys: Any
) -> None:
    assert await (await bound(smsc)).deliver(b"to nobody") == 0
    assert await owners(gateway) == []
    assert "belongs to nobody" in capsys.readouterr().err
    gone = await people.make(admin=True)
    first = await people.make(admin=True)
    await people.make(admin=True)
    await gateway.db.fetch("UPDATE users SET status = 'suspended' WHERE id = $1", gone.id)
    assert await (await bound(smsc)).deliver(b"hello") == 0
    assert await owners(gateway) == [first.id]


async def test_the_same_text_is_kept_once(gateway: Gateway, ada: Any) -> None:
    ours = await gateway.reached(ada, NUMBER)
    text = Inbound(NUMBER, "Acme", "hi", "SM1")
    counted = await asyncio.gather(*(come(gateway, text) for _ in range(10)))
    assert sorted(counted) == [0] * 9 + [1]
    assert await come(gateway, text, text) == 0
    assert await come(gateway, text, provider="twilio") == 1  # another provider's SM1 is another text
    # A message that went out under the same id is none that came in.
    await gateway.set("provider = 'smpp', provider_message_id = 'SM2'", ours)
    assert await come(gateway, Inbound(NUMBER, "Acme", "hi", "SM2")) == 1
    # Without an id nobody can tell them apart: a person may well write the same thing twice.
    nameless = Inbound(NUMBER, "Acme", "yes")
    assert await come(gateway, nameless, nameless) == 2
    assert set(await owners(gateway)) == {ada.id}


@pytest.mark.parametrize(
    ("octets", "data_coding", "body"),
    [
        (b"hi\x00there", 3, "hithere"),
        ("ж😀".encode("utf-16-be"), 8, "ж😀"),
        (b"", 0, ""),
    ],
)
async def test_texts_of_every_kind(
    octets: bytes, data_coding: int, body: str, gateway: Gateway, ada: Any, drain: Any, smsc: Smsc
) -> None:
    await gateway.reached(ada, NUMBER)
    assert await (await bound(smsc)).deliver(octets, data_coding=data_coding) == 0
    row = await gateway.db.fetchrow("SELECT body FROM messages WHERE direction = 'inbound'")
    assert row["body"] == body


async def test_ten_kilobytes_in_parts(gateway: Gateway, ada: Any, drain: Any, smsc: Smsc) -> None:
    await gateway.reached(ada, NUMBER)
    text = "".join(f"{number:04} " for number in range(2000))
    parts = [text[at : at + 134].encode() for at in range(0, len(text), 134)]
    for number, part in reversed(list(enumerate(parts, 1))):
        header = bytes((5, 0, 3, 7, len(parts), number))
        assert await (await bound(smsc)).deliver(header + part, esm_class=0x40, data_coding=3) == 0
    row = await gateway.db.fetchrow("SELECT body FROM messages WHERE direction = 'inbound'")
    assert row["body"] == text
    assert len(row["body"]) == 10_000
    shown = (await ada.rest("GET", "/messages")).json()["items"]
    assert text in [message["body"] for message in shown]


async def test_a_text_without_a_known_writer_finds_the_one_who_writes_later(
    gateway: Gateway, ada: Any, admin: Any
) -> None:
    assert await come(gateway, Inbound(NUMBER, "Acme", "first", uuid7().hex)) == 1
    await gateway.reached(ada, NUMBER)
    assert await come(gateway, Inbound(NUMBER, "Acme", "second", uuid7().hex)) == 1
    assert await owners(gateway) == [admin.id, ada.id]
