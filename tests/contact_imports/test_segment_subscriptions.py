"""The contacts of a segment are subscribed in bulk: whom that is, who stays withdrawn, and that nothing is repeated."""

import asyncio
import signal
from typing import Any

from tests.consent.made import contact, history, states, subscribe, topic, withdraw
from tests.consent.test_segments import field, segment, where
from tests.contact_imports.test_contact_imports import shown, start
from tests.imports.conftest import Lists
from tests.support.people import Person
from tests.support.waits import until
from tests.webhooks.conftest import Spawn

NUMBERS = ("subscribed", "subscribedBefore", "withdrawnBefore", "withoutAddress")


async def bulk(person: Person, topic_id: str, expected: int = 202, **values: Any) -> Any:
    """Asks for the subscription of a segment's contacts, and returns the import that does it."""
    body = {"topicUuids": [topic_id], "channel": "email", "evidence": "from the shop", **values}
    answer = await person.rest("POST", "/contacts/imports/segment", json=body)
    assert answer.status_code == expected, answer.text
    return answer.json()


def numbers(done: Any) -> tuple[int, ...]:
    return tuple(done["contacts"][name] for name in NUMBERS)


async def test_the_contacts_of_a_segment_are_subscribed_and_withdrawals_stand(ada: Person, lists: Lists):
    news = await topic(ada, optIn="double")
    await ada.rest("POST", "/contact-fields", json={"key": "city", "type": "text"})
    berlin, bonn = {"city": "Berlin"}, {"city": "Bonn"}
    for number in range(3):
        await contact(ada, f"new{number}@example.com", fields=berlin)
    before = await contact(ada, "before@example.com", fields=berlin)
    gone = await contact(ada, "gone@example.com", fields=berlin)
    await contact(ada, "bonn@example.com", fields=bonn)
    phone = {"addresses": [{"channel": "sms", "address": "+14155550100"}], "fields": berlin}
    assert (await ada.rest("POST", "/contacts", json=phone)).status_code == 200
    await subscribe(ada, [before, gone], [news], evidence="form")
    await withdraw(ada, [gone])
    chosen = (await segment(ada, where(field("city", eq="Berlin"))))["id"]

    for expected in ((3, 1, 1, 1), (0, 4, 1, 1)):  # again changes nothing
        made = await bulk(ada, news, segmentUuid=chosen)
        assert (made["status"], made["fileUuid"]) == ("processing", None)
        done = await lists.read(ada, made)
        assert (done["status"], done["total"], numbers(done)) == ("ready", 0, expected)
    assert sorted(await states(ada)) == ["active"] * 4 + ["withdrawn"]
    assert (await history(ada))[3:] == [("recorded", "api")] * 3
    (entry, *_) = (await ada.rest("GET", "/consents")).json()["items"]
    assert (entry["evidence"], entry["actorId"]) == ("from the shop", str(ada.id))


async def test_without_a_segment_all_contacts_of_that_time_are_subscribed(
    ada: Person, bob: Person, lists: Lists
):
    news = await topic(ada)
    await contact(ada)
    await contact(bob, "bob@example.com")
    made = await bulk(ada, news)
    await contact(ada, "late@example.com")
    assert numbers(await lists.read(ada, made)) == (1, 0, 0, 0)
    assert await states(bob) == []


async def test_what_is_not_the_callers_is_refused_and_evidence_is_needed(ada: Person, bob: Person):
    news = await topic(ada)
    of_bob = (await segment(bob, where({"contact": {"createdWithinDays": 7}})))["id"]
    assert (await bulk(ada, news, 404, segmentUuid=of_bob))["code"] == "segment_not_found"
    assert (await bulk(ada, await topic(bob), 404))["code"] == "topic_not_found"
    assert (await bulk(ada, news, 400, evidence=None))["code"] == "validation_failed"
    assert (await bulk(ada, news, 400, evidence=""))["code"] == "validation_failed"


async def test_a_segment_whose_field_is_gone_ends_with_the_reason(ada: Person, lists: Lists):
    news = await topic(ada)
    (made_field,) = [
        (await ada.rest("POST", "/contact-fields", json={"key": "city", "type": "text"})).json()["id"]
    ]
    await contact(ada)
    chosen = (await segment(ada, where(field("city", isSet=False))))["id"]
    made = await bulk(ada, news, segmentUuid=chosen)
    assert (await ada.rest("DELETE", f"/segments/{chosen}")).status_code in (200, 204)
    assert (await ada.rest("DELETE", f"/contact-fields/{made_field}")).status_code in (200, 204)
    done = await lists.read(ada, made)
    assert (done["status"], done["failureCode"]) == ("failed", "unknown_field")
    assert await states(ada) == []


async def test_both_doors_honour_an_idempotency_key(ada: Person):
    news = await topic(ada)
    body = {"topicUuids": [news], "channel": "email", "evidence": "from the shop"}
    seen = [
        await ada.rest("POST", "/contacts/imports/segment", json=body, headers={"idempotency-key": "k"})
        for _ in range(2)
    ]
    assert seen[0].json()["uuid"] == seen[1].json()["uuid"]


async def test_chosen_contacts_stay_withdrawn_if_that_is_asked_for(ada: Person):
    news, anna, bert = await topic(ada), await contact(ada), await contact(ada, "bert@example.com")
    await subscribe(ada, [anna], [news])
    await withdraw(ada, [anna])
    answer = await subscribe(ada, [anna, bert], [news], evidence="from the shop", keepWithdrawn=True)
    assert (answer["active"], [each["code"] for each in answer["invalid"]]) == (1, ["withdrawn"])
    assert sorted(await states(ada)) == ["active", "withdrawn"]


async def test_a_list_says_who_was_subscribed_or_withdrawn_before(ada: Person, lists: Lists):
    news = await topic(ada)
    anna, bert = await contact(ada), await contact(ada, "bert@example.com")
    await subscribe(ada, [anna, bert], [news])
    await withdraw(ada, [bert])
    rows = [{"Email": f"{name}@example.com"} for name in ("anna", "bert", "carl")]
    asked = {"topicUuids": [news], "channel": "email", "evidence": "from the shop"}
    done = await lists.read(ada, await start(ada, rows=rows, subscribe=asked))
    assert numbers(done) == (1, 1, 1, 0)


async def test_a_worker_that_dies_leaves_the_rest_to_another(ada: Person, spawn: Spawn, lists: Lists):
    """The first one is killed between two pages; the next one goes on, and subscribes nobody again."""
    count, news = 2500, await topic(ada)
    rows = [{"Email": f"p{number}@example.com"} for number in range(count)]
    await lists.read(ada, await start(ada, rows=rows))
    made = await bulk(ada, news)
    dying = spawn(2, FAULT_AT="contacts.added")
    assert await asyncio.wait_for(dying.ended(), 120) == -signal.SIGKILL
    half = (await ada.rest("GET", f"/recipient-import/{made['uuid']}")).json()
    assert (half["status"], half["contacts"]["subscribed"]) == ("processing", 1000)
    spawn(60)

    async def ready() -> bool:
        return (await shown(ada, made))["status"] == "ready"

    await until(ready)
    done = (await ada.rest("GET", f"/recipient-import/{made['uuid']}")).json()
    assert numbers(done) == (count, 0, 0, 0)
    entries = await ada.data("{consentEntries{totalCount}}")
    assert entries["consentEntries"]["totalCount"] == count
