"""Replies, by SMS and by hook: whom they answer, and the words that stop everything."""

from typing import Any

import pytest

from channels.port import Inbound
from core.settings import Settings
from engine.inbound.stop_words import is_stop_word
from engine.worker import receive_events
from tests.events.hooks import counts
from tests.support.gateway import Gateway
from tests.support.records import PHONE, Records

WORDS = Settings.model_fields["stop_words"].get_default(call_default_factory=True)


@pytest.mark.parametrize(
    "text",
    ["stop", "STOP", " Stop. \n", "«СТОП!»", "Стоп", "отписаться", "ARRÊT", "arre\u0302t", "Arret…", "¡Baja!",
        "S.T.O.P.",
     "ＳＴＯＰ", "stop 🛑", "st\u00adop", "Stopp\x00"],
)  # fmt: skip
def test_stop_words(text: str) -> None:
    assert is_stop_word(text, WORDS)


@pytest.mark.parametrize(
    "text",
    ["", "!!!", "don't stop", "stop it", "nonstop", "s top", "стопка", "stop " + "!" * 300],
)
def test_other_words(text: str) -> None:
    assert not is_stop_word(text, WORDS)
    assert not is_stop_word(text, [])


def test_words_of_an_operator() -> None:
    assert is_stop_word("ยกเลิก!", ["ยกเลิก"])
    assert is_stop_word("stop   ALL", ["Stop all", "!!"])
    assert not is_stop_word("ยกเลก", ["ยกเลิก"])
    assert not is_stop_word("?", ["!!"])


async def sms(services: Any, text: str, sender: str = PHONE, **more: Any) -> int:
    (channel,) = services.routes.of("sms")
    return await receive_events(services, channel, [Inbound(sender, "Acme", text, **more)])


async def test_a_reply_belongs_to_the_newest_message(records: Records, ada: Any, services: Any) -> None:
    old, new = await records.make(ada), await records.make(ada)
    await records.set("sent_at = now() - interval '1 day'", old)
    queued = await records.make(ada, "queued")
    assert await sms(services, "Yes!", provider_message_id="in1") == 1
    assert await sms(services, "Yes!", provider_message_id="in1") == 0
    answered = await records.row(new)
    assert answered["replied_at"] >= answered["sent_at"]
    assert (await records.row(old))["replied_at"] is None
    (reply,) = await records.replies()
    assert (reply["body"], reply["status"], reply["to"], reply["price"]) == ("Yes!", "delivered", PHONE, 0)
    assert (reply["project_id"], reply["recipient_id"]) == (answered["project_id"], answered["recipient_id"])
    counted = await records.counted()
    assert (counted["total"], counted["replied"]) == (3, 1)
    assert await records.status(queued) == "queued"
    assert await records.blocked(ada) == {}
    # It is one of the gateway's own messages too.
    (message,) = (await ada.rest("GET", "/messages")).json()["items"]
    assert (message["direction"], message["body"]) == ("inbound", "Yes!")
    # The first answer is the one that counts.
    await sms(services, "And another thing")
    assert (await records.row(new))["replied_at"] == answered["replied_at"]
    assert len(await records.replies()) == 2


async def test_whom_a_reply_answers(records: Records, ada: Any, bob: Any, admin: Any, services: Any) -> None:
    """Two have written within a week: nobody can tell, and neither may read it."""
    ids = [await records.make(ada), await records.make(bob)]
    await sms(services, "yes please")
    assert await records.replies() == []
    await records.set("sent_at = now() - interval '8 days', handed_at = now() - interval '8 days'", ids[0])
    await sms(services, "yes, you")
    (reply,) = await records.replies()
    assert reply["owner_id"] == bob.id
    await records.set("sent_at = now() - interval '31 days', handed_at = now() - interval '31 days'", *ids)
    await sms(services, "much later")
    assert len(await records.replies()) == 1


async def test_a_direct_message_and_a_project_s(
    records: Records, ada: Any, bob: Any, services: Any, gateway: Gateway
) -> None:
    """A reply goes to the last user who wrote, by direct message or by project."""
    mine = await records.make(ada)
    await records.set("sent_at = now() - interval '9 days', handed_at = now() - interval '9 days'", mine)
    await gateway.reached(bob, PHONE)
    await gateway.set("sent_at = now() - interval '8 days'")
    await sms(services, "hello")
    rows = await records.db.fetch("SELECT owner_id FROM messages WHERE direction = 'inbound'")
    assert [row["owner_id"] for row in rows] == [bob.id]
    assert await records.replies() == []


async def test_a_stop_word_stops_all_of_an_owner_s_projects(
    records: Records, ada: Any, bob: Any, services: Any
) -> None:
    answered = await records.make(ada)
    queued = [await records.make(ada, "queued"), await records.make(ada, "queued", channel="whatsapp")]
    others = [await records.make(ada, "queued", to="+14155550199"), await records.make(bob, "queued")]
    await sms(services, "Стоп!")
    assert await records.blocked(ada) == {PHONE: "optOut"}
    assert await records.blocked(bob) == {}
    for id in queued:
        row = await records.row(id)
        assert (row["status"], row["failure_code"], row["price"]) == ("skipped", "opted_out", 0)
    assert [await records.status(id) for id in others] == ["queued", "queued"]
    assert (await records.row(answered))["replied_at"] is not None
    # Nothing is answered.
    assert await records.count("messages WHERE direction = 'outbound'") == 0


async def test_a_stop_word_is_heard_by_everybody_whom_it_may_mean(
    records: Records, ada: Any, bob: Any, people: Any, services: Any, gateway: Gateway
) -> None:
    eve = await people.make(credit="1")
    await records.make(ada)
    await gateway.reached(bob, PHONE)
    long_ago = await records.make(eve)
    await records.set("sent_at = now() - interval '8 days'", long_ago)
    await sms(services, "STOP")  # nobody is an administrator here, who would have read it
    assert await records.blocked(ada) == await records.blocked(bob) == {PHONE: "optOut"}
    assert await records.blocked(eve) == {}


async def test_a_stop_word_after_a_direct_message_blocks_too(
    records: Records, ada: Any, services: Any, gateway: Gateway
) -> None:
    await gateway.reached(ada, PHONE)
    await sms(services, "stop")
    assert await records.blocked(ada) == {PHONE: "optOut"}


async def test_projects_that_stop_on_a_reply(records: Records, ada: Any, services: Any) -> None:
    await records.make(ada)
    stops, goes = await records.project(ada, stop_on_reply=True), await records.project(ada)
    one = await records.make(ada, "queued", project=stops)
    other = await records.make(ada, "queued", project=goes)
    somebody = await records.make(ada, "queued", project=stops, to="+14155550199")
    await records.set("price = 0.02", one)  # charged in an earlier attempt
    await records.db.fetch("UPDATE accounts SET balance = balance - 0.02 WHERE id = $1", ada.account_id)
    await records.db.fetch(
        "INSERT INTO ledger_entries (id, account_id, kind, amount, reference) VALUES ($1, $2, 'charge', -0.02, $1)",
        one, ada.account_id,
    )  # fmt: skip
    await sms(services, "I'm interested")
    row = await records.row(one)
    assert (row["status"], row["failure_code"]) == ("canceled", "replied")
    assert [await records.status(id) for id in (other, somebody)] == ["queued", "queued"]


@pytest.mark.parametrize(
    ("channel", "to", "sender"),
    [
        ("whatsapp", "+79991234567", "79991234567"),
        ("whatsapp", "+79991234567", "79991234567@c.us"),
        ("whatsapp", "+79991234567", "79991234567:12@s.whatsapp.net"),
        ("telegram", "+79991234567", "+7 (999) 123-45-67"),
        ("telegram", "@ada_lovelace", "ada_lovelace"),
        ("telegram", "123456789", "123456789"),
        ("email", "anna@example.com", "Anna@Example.com"),
    ],
)
async def test_replies_by_hook_find_the_address(
    channel: str, to: str, sender: str, records: Records, ada: Any, bob: Any
) -> None:
    id = await records.make(ada, channel=channel, to=to)
    assert await counts(bob, {"event": "reply", "from": sender, "text": "stop"}) == (0, 0, 1)
    assert await counts(ada, {"event": "reply", "from": sender, "text": "hi", "channel": channel}) == (
        1,
        0,
        0,
    )
    assert (await records.row(id))["replied_at"] is not None
    gateway = {"hook_type": "message", "source": channel, "item": "i9", "from": sender, "outgoing": False}
    assert await counts(ada, {**gateway, "text": "Stop"}, {**gateway, "text": "Stop"}) == (1, 1, 0)
    assert await records.blocked(ada) == {to: "optOut"}
    assert [row["body"] for row in await records.replies()] == ["hi", "Stop"]
