"""Stop words and how they are undone, and complaints: what they do to the block list."""

from typing import Any

import pytest

from core.settings import Settings
from engine.inbound.stop_words import is_start_word, is_stop_word
from rest.frame.unsubscribe_texts import words_of
from tests.events.hooks import counts
from tests.events.test_replies import sms
from tests.support.people import Person
from tests.support.records import PHONE, Records

WORDS = Settings.model_fields["stop_words"].get_default(call_default_factory=True)
LANGUAGES = ("en", "de", "es", "fr", "it", "nl", "pl", "pt", "ru", "uk", "ar", "he", "fa")


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_button_of_the_unsubscribe_page_is_a_stop_word(language: str) -> None:
    assert is_stop_word(words_of(language).button, WORDS)


@pytest.mark.parametrize(
    "text",
    ["please stop", "STOP please!", "Stop now.", "stop all", "Stop, thanks", "STOP - thank you",
        "thank you, stop now please",
     "Bitte abmelden", "Stopp, danke", "стоп, пожалуйста", "Спасибо, отписаться", "arrêt s'il vous plaît",
     "Baja, gracias",
     "Afmelden alstublieft", "proszę, wypisz mnie", "відписатися, дякую", "unsubscribe all"],
)  # fmt: skip
def test_words_of_courtesy_beside_a_stop_word(text: str) -> None:
    assert is_stop_word(text, WORDS)


@pytest.mark.parametrize(
    "text",
    ["please", "thank you", "all", "now", "please don't stop", "stop it please", "stop you", "", "all now"],
)
def test_words_of_courtesy_alone_are_none(text: str) -> None:
    assert not is_stop_word(text, WORDS)


@pytest.mark.parametrize("text", ["STOPALL", "End", "quit!", "CANCEL please", "revoke", "Stop All"])
def test_the_carriers_words_count_by_sms_alone(text: str) -> None:
    assert is_stop_word(text, WORDS, "sms")
    assert not is_stop_word(text, [], "sms")  # an operator may switch stop words off
    for channel in (None, "email", "telegram", "whatsapp", "push"):
        assert is_stop_word(text, WORDS, channel) == (text == "Stop All")


def test_start_words() -> None:
    assert all(map(is_start_word, ("START", "unstop", "Start, please", " UNSTOP! ")))
    assert not any(map(is_start_word, ("", "started", "start it", "don't start")))


async def listed(person: Person) -> list[tuple[str, str, str]]:
    rows = (await person.rest("GET", "/block/list")).json()["items"]
    return [(row["phone"], row["reason"], row["scope"]) for row in rows]


async def test_start_removes_the_block_of_a_stop_word(records: Records, ada: Any, services: Any) -> None:
    await records.make(ada)
    for stop, start in (("STOP", "START"), ("quit", "Unstop please"), ("STOP", "start")):
        await sms(services, stop)
        assert await listed(ada) == [(PHONE, "optOut", "all")]
        await sms(services, stop)
        await sms(services, start)
        assert await listed(ada) == []


@pytest.mark.parametrize(
    ("reason", "scope"),
    [
        ("manual", "all"),
        ("unsubscribed", "promotional"),
        ("hardBounce", "all"),
        ("complaint", "all"),
        ("complaint", "promotional"),
    ],
)
async def test_start_leaves_what_stood_before(
    records: Records, ada: Any, services: Any, reason: str, scope: str
) -> None:
    await records.make(ada)
    await ada.rest("POST", f"/block/{PHONE}", json={"reason": reason, "scope": scope})
    await sms(services, "START")
    assert await listed(ada) == [(PHONE, reason, scope)]
    for _ in range(2):
        await sms(services, "STOP")
        assert await listed(ada) == [(PHONE, "complaint" if reason == "complaint" else "optOut", "all")]
    for _ in range(2):
        await sms(services, "START")
        assert await listed(ada) == [(PHONE, reason, scope)]


@pytest.mark.parametrize(
    ("door", "reason", "left"),
    [
        ("rest", None, "manual"), ("rest", "complaint", "complaint"), ("graphql", "hardBounce", "hardBounce"),
        ("hook", "complaint", "complaint"),
    ],
)  # fmt: skip
async def test_start_leaves_what_came_after(
    records: Records, ada: Any, services: Any, door: str, reason: str | None, left: str
) -> None:
    id = await records.make(ada)
    await sms(services, "STOP")
    if door == "rest":
        await ada.rest("POST", f"/block/{PHONE}", json={"reason": reason} if reason else {})
    elif door == "graphql":
        await ada.data(
            "mutation($p:String!){blockPhone(phone:$p,input:{reason:hardBounce}){reason}}", {"p": PHONE}
        )
    else:
        assert await counts(ada, {"event": "complaint", "messageId": str(id)}) == (1, 0, 0)
    await sms(services, "START")
    assert await listed(ada) == [(PHONE, left, "all")]


async def test_start_that_cannot_be_assigned_only_takes_the_stop_word_back(
    records: Records, ada: Any, bob: Any, services: Any
) -> None:
    sent = [await records.make(person) for person in (ada, bob)]
    await sms(services, "STOP")
    assert await listed(ada) == await listed(bob) == [(PHONE, "optOut", "all")]
    await records.set("replied_at = NULL", *sent)
    before = await records.replies()
    stopping = [await records.project(person, stop_on_reply=True) for person in (ada, bob)]
    queued = [
        await records.make(person, "queued", project=project)
        for person, project in zip((ada, bob), stopping, strict=True)
    ]
    await sms(services, "Start please")
    assert await listed(ada) == await listed(bob) == []
    assert await records.replies() == before
    assert [(await records.row(id))["replied_at"] for id in sent] == [None, None]
    assert [await records.status(id) for id in queued] == ["queued", "queued"]


async def test_start_by_hook_in_any_letter_case_is_its_owner_s(records: Records, ada: Any, bob: Any) -> None:
    for person in (ada, bob):
        await records.make(person, channel="email", to="Anna@example.com")
        assert (await counts(person, {"event": "reply", "from": "anna@example.com", "text": "stop"}))[0] == 1
    assert (await counts(ada, {"event": "reply", "from": "ANNA@example.com", "text": "start"}))[0] == 1
    assert await listed(ada) == []
    assert await listed(bob) == [("Anna@example.com", "optOut", "all")]


@pytest.mark.parametrize("word", ["complaint", "complained", "spam"])
async def test_a_complaint_blocks_everything(records: Records, ada: Any, bob: Any, word: str) -> None:
    to = "Anna@example.com"
    id = await records.make(ada, channel="email", to=to)
    before = await records.status(id)
    event = {"event": "status", "messageId": str(id), "status": word}
    assert await counts(bob, event) == (0, 0, 1)
    assert await counts(ada, event) == (1, 0, 0)
    assert await listed(ada) == [(to, "complaint", "all")]
    assert await listed(bob) == []
    assert await records.status(id) == before
    await ada.rest("POST", f"/block/unblock/{to}")
    assert await counts(ada, {"type": f"email.{word}", "data": {"messageId": str(id)}}) == (1, 0, 0)
    assert await listed(ada) == [(to, "complaint", "all")]


async def test_a_complaint_about_a_direct_message_or_about_an_address(ada: Any, services: Any) -> None:
    mail = {"to": "anna@example.com", "channel": "email", "body": "x", "metadata": {"subject": "s"}}
    id = (await ada.rest("POST", "/messages", json=mail)).json()["id"]
    await services.db.fetch("UPDATE messages SET provider_message_id = 'p1'")
    assert await counts(ada, {"id": "c1", "event": "complained", "providerMessageId": "p1"}) == (1, 0, 0)
    assert await counts(ada, {"id": "c1", "event": "complained", "providerMessageId": "p1"}) == (0, 1, 0)
    assert await listed(ada) == [("anna@example.com", "complaint", "all")]
    assert (await ada.rest("GET", f"/messages/{id}")).json()["status"] == "queued"
    # An engine that knows the address alone, and one that names nothing.
    data = {
        "q": [
            {"event": "spam", "address": "Bob@example.com"},
            {"event": "spam", "messageId": "x"},
            {"event": "spam"},
        ]
    }
    answer = await ada.data("mutation($q:[JSON!]!){deliverEvents(input:{events:$q}){accepted unknown}}", data)
    assert answer["deliverEvents"] == {"accepted": 1, "unknown": 2}
    assert ("Bob@example.com", "complaint", "all") in await listed(ada)


@pytest.mark.parametrize(
    ("fields", "blocked"),
    [
        ({"phone": "49 170 1234567"}, "+491701234567"),
        ({"address": "491701234567@c.us", "from": "+14155550199"}, "+491701234567"),
        ({"to": "+49 (170) 123-45-67"}, "+491701234567"),
        ({"recipient": "Anna_b"}, "@Anna_b"),
        ({"email": " Anna@example.com"}, "Anna@example.com"),
    ],
)
async def test_a_complaint_names_its_recipient_in_any_spelling(
    ada: Any, fields: dict[str, str], blocked: str
) -> None:
    assert await counts(ada, {"event": "complaint", **fields}) == (1, 0, 0)
    assert await listed(ada) == [(blocked, "complaint", "all")]


@pytest.mark.parametrize(
    "fields",
    [{"from": "+14155550199"}, {"sender": "news@example.com"}, {"address": "Anna B."}, {"to": "12"},
        {"email": "a@b@c"}],
)  # fmt: skip
async def test_a_complaint_that_names_no_recipient_blocks_nobody(ada: Any, fields: dict[str, str]) -> None:
    assert await counts(ada, {"event": "complaint", **fields}) == (0, 0, 1)
    assert await listed(ada) == []


async def test_a_complaint_counts_when_it_is_repeated_after_its_message_is_known(
    records: Records, ada: Any, services: Any
) -> None:
    early = {"id": "c1", "event": "complaint", "providerMessageId": "p1"}
    assert await counts(ada, early) == (0, 0, 1)
    id = await records.make(ada)
    await services.db.fetch("UPDATE message_records SET provider_message_id = 'p1' WHERE id = $1", id)
    assert await counts(ada, early) == (1, 0, 0)
    assert await listed(ada) == [(PHONE, "complaint", "all")]
    assert await counts(ada, early) == (0, 1, 0)
