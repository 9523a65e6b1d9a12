"""Topics, subscriptions of contacts to them, and the proof of what has happened."""

import asyncio

import asyncpg
import pytest

from runtime.services import Services
from tests.consent.made import contact, history, states, subscribe, topic, withdraw
from tests.event_feed.test_event_feed import opened, read
from tests.support.people import Person

NO_CHANGE = {"active": 0, "pending": 0, "unchanged": 1, "invalid": []}


async def test_a_topic_is_made_changed_and_deleted_while_nothing_uses_it(ada: Person):
    translations = [{"locale": "de", "name": "Neues", "description": None}]
    news = await topic(ada, name="News", translations=translations)
    assert (await ada.rest("POST", "/topics", json={"key": "news", "name": "x"})).json()[
        "code"
    ] == "topic_exists"
    offers = await topic(ada, "offers")
    taken = await ada.rest("PATCH", f"/topics/{offers}", json={"key": "news"})
    assert (taken.status_code, taken.json()["code"]) == (409, "topic_exists")
    changed = (await ada.rest("PATCH", f"/topics/{news}", json={"name": "All news", "public": False})).json()
    assert (changed["name"], changed["public"], changed["key"]) == ("All news", False, "news")
    seen = await ada.data("{topics{nodes{key optIn translations{locale name}}}}")
    assert seen["topics"]["nodes"] == [
        {"key": "offers", "optIn": "none", "translations": []},
        {"key": "news", "optIn": "none", "translations": [{"locale": "de", "name": "Neues"}]},
    ]
    await subscribe(ada, [await contact(ada)], [news])
    assert (await ada.rest("DELETE", f"/topics/{news}")).json()["code"] == "topic_in_use"
    assert (await ada.rest("DELETE", f"/topics/{offers}")).status_code == 204


async def test_a_subscription_is_made_once_and_tells_what_has_happened(ada: Person, bob: Person):
    start, news, anna = await opened(ada), await topic(ada), await contact(ada)
    asked = {"evidence": "form 17", "text": "Yes, send me news."}
    assert await subscribe(ada, [anna], [news], **asked) == {
        "active": 1, "pending": 0, "unchanged": 0, "invalid": [],
    }  # fmt: skip
    assert await subscribe(ada, [anna], [news], **asked) == NO_CHANGE
    assert await states(ada) == ["active"]
    (entry,) = (await ada.rest("GET", "/consents", params={"contactId": anna})).json()["items"]
    assert (entry["action"], entry["source"], entry["text"], entry["evidence"], entry["actorId"]) == (
        "recorded", "api", "Yes, send me news.", "form 17", str(ada.id),
    )  # fmt: skip
    assert await withdraw(ada, [anna], reason="by phone") == {"withdrawn": 1, "invalid": []}
    assert await history(ada) == [("recorded", "api"), ("withdrawn", "api")]
    events = (await read(ada, start))["events"]
    told = [event for event in events if event["subject"] == "topicSubscription"]
    assert [(event["type"], event["data"]["contactUuid"]) for event in told] == [
        ("subscription.confirmed", anna), ("subscription.withdrawn", anna),
    ]  # fmt: skip
    for path in ("/topics", "/topic-subscriptions", "/consents"):
        assert (await bob.rest("GET", path)).json()["items"] == []


async def test_who_has_withdrawn_is_subscribed_again_by_evidence_alone(ada: Person):
    news, anna = await topic(ada), await contact(ada)
    await subscribe(ada, [anna], [news])
    await withdraw(ada, [anna])
    answer = await subscribe(ada, [anna], [news])
    assert (answer["active"], [each["code"] for each in answer["invalid"]]) == (0, ["withdrawn"])
    assert await states(ada) == ["withdrawn"]
    assert (await subscribe(ada, [anna], [news], evidence="in the shop"))["active"] == 1
    assert await states(ada) == ["active"]


async def test_a_refusal_before_any_subscription_stands(ada: Person):
    news, anna = await topic(ada), await contact(ada)
    assert await withdraw(ada, [anna], [news], channel="email") == {"withdrawn": 1, "invalid": []}
    assert (await subscribe(ada, [anna], [news]))["invalid"][0]["code"] == "withdrawn"


async def test_others_rows_and_missing_addresses_are_named(ada: Person, bob: Person):
    news, anna, of_bob = await topic(ada), await contact(ada), await contact(bob)
    answer = await subscribe(ada, [anna, of_bob], [news], channel="sms")
    assert {(each["contactUuid"], each["code"]) for each in answer["invalid"]} == {
        (anna, "no_address"), (of_bob, "contact_not_found"),
    }  # fmt: skip
    assert (await subscribe(ada, [anna], [await topic(bob)], 404))["code"] == "topic_not_found"


async def test_what_has_happened_can_be_neither_changed_nor_deleted(ada: Person, services: Services):
    await subscribe(ada, [await contact(ada)], [await topic(ada)], text="Yes.")
    for statement in (
        "UPDATE consent_entries SET action = 'confirmed'",
        "DELETE FROM consent_entries",
        "UPDATE consent_texts SET text = 'No.'",
        "DELETE FROM consent_texts",
    ):
        with pytest.raises(asyncpg.RaiseError, match="can be added only"):
            await services.db.fetch(statement)


async def test_a_deleted_contact_leaves_the_proof(ada: Person):
    anna = await contact(ada)
    await subscribe(ada, [anna], [await topic(ada)])
    assert (await ada.rest("DELETE", f"/contacts/{anna}")).status_code == 204
    assert (await states(ada), await history(ada)) == ([], [("recorded", "api")])


@pytest.mark.parametrize(
    ("kept", "gone", "expected"),
    [("active", "withdrawn", "withdrawn"), ("withdrawn", "active", "withdrawn"), (None, "active", "active"),
     ("active", None, "active"), (None, "withdrawn", "withdrawn")],
)  # fmt: skip
async def test_a_merge_keeps_the_stricter_wish(
    ada: Person, kept: str | None, gone: str | None, expected: str
):
    news, anna, other = await topic(ada), await contact(ada), await contact(ada, "a@example.com")
    for person, state in ((anna, kept), (other, gone)):
        if state is not None:
            await subscribe(ada, [person], [news])
        if state == "withdrawn":
            await withdraw(ada, [person])
    await ada.rest("POST", f"/contacts/{anna}/merge", json={"otherUuid": other})
    rows = (await ada.rest("GET", "/topic-subscriptions")).json()["items"]
    assert [(row["contactUuid"], row["state"]) for row in rows] == [(anna, expected)]
    # What happened to the other contact is still found at this one.
    seen = await ada.data(f'{{contact(id:"{anna}"){{consentEntries(first:9){{nodes{{action}}}}}}}}')
    assert len(seen["contact"]["consentEntries"]["nodes"]) >= (kept is not None) + (gone is not None)


async def test_many_requests_at_once_change_each_subscription_once(ada: Person):
    topics = [await topic(ada, f"t{number}") for number in range(5)]
    contacts = [await contact(ada, f"c{number}@example.com") for number in range(20)]
    answers = await asyncio.gather(
        *(subscribe(ada, contacts[::step], topics[::-step]) for step in (1, -1, 1, -1))
    )
    assert sum(answer["active"] for answer in answers) == 100
    entries = (await ada.rest("GET", "/consents", params={"limit": "100"})).json()
    assert len(entries["items"]) == 100
