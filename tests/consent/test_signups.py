"""Sign-up forms, the double opt-in, and the page of preferences: what people do, and what programs and strangers do."""

import asyncio
import re
from dataclasses import replace
from typing import Any
from urllib.parse import urlsplit
from uuid import UUID

import httpx
import pytest

from channels.sandbox import box
from core.rate_limits import Limit
from engine import unsubscribe
from engine.consent import capped, expiry
from engine.direct.dispatch import Dispatcher
from engine.direct.withheld_links import OPT_IN
from engine.texts import recipient_links
from resolvers import signups
from runtime.services import Services
from tests.consent.made import contact, history, states, subscribe, topic, withdraw
from tests.consent.test_audience import project, start
from tests.event_feed.test_event_feed import opened, read
from tests.support.people import People, Person
from tests.support.projects import Projects


@pytest.fixture
async def cara(people: People) -> Person:
    """Somebody with money for the messages that ask."""
    return await people.make(credit="10")


async def form(person: Person, topics: list[str], **values: Any) -> str:
    body = {"name": "News", "topicUuids": topics, "text": "Yes, send me news.", **values}
    answer = await person.rest("POST", "/signup-forms", json=body)
    assert answer.status_code == 201, answer.text
    return str(answer.json()["id"])


async def sign_up(client: httpx.AsyncClient, id: str, expected: int = 200, **fields: Any) -> httpx.Response:
    answer = await client.post(f"/signup/{id}", data={"email": "anna@example.com", **fields})
    assert answer.status_code == expected, answer.text
    return answer


async def mails(services: Services, dispatcher: Dispatcher, prefix: str = "/opt-in/") -> list[str]:
    """Delivers what is queued, and returns the paths of the links that are in the messages."""
    box().outbox.clear()
    await dispatcher.drain("email")
    bodies = [accepted.message.body for accepted in box().outbox]
    return [urlsplit(link).path for body in bodies for link in re.findall(rf"http\S*{prefix}\S+", body)]


async def test_the_whole_way_of_somebody_who_signs_up(
    services: Services, dispatcher: Dispatcher, client: httpx.AsyncClient, cara: Person
):
    news, offers = await topic(cara, optIn="double"), await topic(cara, "offers", optIn="double")
    id = await form(cara, [news, offers])
    page = await client.get(f"/signup/{id}")
    assert page.status_code == 200
    assert "Yes, send me news." in page.text
    assert page.text.count('type="checkbox"') == 2
    none = await sign_up(client, id, 400, name="Anna")  # nobody is subscribed to what was not chosen
    assert "Tick what you want to get." in none.text
    assert await states(cara) == []
    answer = await sign_up(client, id, name="Anna", topic=["news", "offers"])
    assert "Look into your mailbox" in answer.text
    assert await states(cara) == ["pending", "pending"]
    (link,) = await mails(services, dispatcher)  # one for both topics
    # Whoever may read the list of messages sees an example in its place, which confirms nothing.
    (stored,) = (await cara.rest("GET", "/messages")).json()["items"]
    example = urlsplit(OPT_IN.example(services.settings)).path
    assert (example in stored["body"], link in stored["body"], len(example)) == (True, False, len(link))
    assert (await client.post(example)).status_code == 404
    for _ in range(3):  # programs that look for malware open it
        assert (await client.get(link)).status_code == 200
    assert await states(cara) == ["pending", "pending"]
    for _ in range(2):
        confirmed = await client.post(link)
        assert (confirmed.status_code, "Thank you" in confirmed.text) == (200, True)
    assert await states(cara) == ["active", "active"]
    assert await history(cara, topicId=news) == [("asked", "form"), ("confirmed", "page")]
    entries = (await cara.rest("GET", "/consents")).json()["items"]
    assert {entry["text"] for entry in entries} == {"Yes, send me news."}
    assert {entry["ip"] for entry in entries} == {None}
    (person,) = (await cara.rest("GET", "/contacts")).json()["items"]
    assert (person["name"], person["addresses"][0]["verifiedAt"] is not None) == ("Anna", True)


@pytest.mark.settings(consent_ip=True)
async def test_the_proof_has_the_network_address_if_the_installation_keeps_it(
    dispatcher: Dispatcher, services: Services, client: httpx.AsyncClient, cara: Person
):
    await sign_up(client, await form(cara, [await topic(cara, optIn="double")]))
    (entry,) = (await cara.rest("GET", "/consents")).json()["items"]
    assert entry["ip"] == "127.0.0.1"


async def test_programs_that_open_links_confirm_nothing(
    services: Services,
    dispatcher: Dispatcher,
    client: httpx.AsyncClient,
    cara: Person,
    monkeypatch: pytest.MonkeyPatch,
):
    monkeypatch.setattr(signups, "PAGES", Limit("signup-pages", 1_000_000, 1.0))
    news = await topic(cara, optIn="double")
    contacts = [await contact(cara, f"c{number}@example.com") for number in range(200)]
    await subscribe(cara, contacts, [news])
    links = await mails(services, dispatcher)
    assert len(links) == len(contacts)
    for link in links * 10:
        assert (await client.get(link)).status_code == 200
    count = "SELECT count(*) FROM topic_subscriptions WHERE state <> 'pending'"
    assert await services.db.fetchval(count) == 0


async def test_a_stranger_changes_nothing_of_a_known_contact(
    dispatcher: Dispatcher, services: Services, client: httpx.AsyncClient, cara: Person
):
    news, free = await topic(cara, optIn="double"), await topic(cara, "free")
    anna = await contact(cara, name="Anna")
    await subscribe(cara, [anna], [free])
    await withdraw(cara, [anna])
    id = await form(cara, [news, free])
    await sign_up(client, id, name="Mallory", locale="ru", topic=["news", "free"])
    seen = (await cara.rest("GET", f"/contacts/{anna}")).json()
    assert (seen["name"], seen["locale"]) == ("Anna", None)
    # Who has withdrawn is asked, also where a subscription needs no confirmation.
    assert await states(cara) == ["pending", "pending"]
    assert len(await mails(services, dispatcher)) == 1


async def test_who_asks_again_gets_another_message_a_few_times(
    dispatcher: Dispatcher, services: Services, client: httpx.AsyncClient, cara: Person
):
    id = await form(cara, [await topic(cara, optIn="double")])
    for _ in range(9):
        await sign_up(client, id)
    assert len(await mails(services, dispatcher)) == 5
    await sign_up(client, id, email="bert@example.com")  # others are not affected
    assert len(await mails(services, dispatcher)) == 1


@pytest.mark.settings(limit_signup_owner="3/86400")
async def test_a_flood_of_the_form_is_bounded_for_the_owner(
    dispatcher: Dispatcher, services: Services, client: httpx.AsyncClient, cara: Person
):
    id = await form(cara, [await topic(cara, optIn="double")])
    answers = await asyncio.gather(*(sign_up(client, id, email=f"c{n}@example.com") for n in range(12)))
    assert len({answer.text for answer in answers}) == 1
    assert len([key async for key in services.store.client.scan_iter("limit:signup-address:*")]) == 3
    assert len(await mails(services, dispatcher)) == 3


async def capped_forms(person: Person, after: str) -> list[str]:
    page = await read(person, after, types="subscribe.capped")
    return [event["data"]["uuid"] for event in page["events"]]


@pytest.mark.settings(limit_signup_owner="3/86400", limit_signup_address="1/86400")
async def test_the_owner_is_told_once_a_day_that_the_forms_ask_no_more(
    services: Services, client: httpx.AsyncClient, cara: Person
):
    start, id = await opened(cara), await form(cara, [await topic(cara, optIn="double")])
    for _ in range(3):  # beyond the limit of an address
        await sign_up(client, id)
    assert await capped_forms(cara, start) == []
    for number in range(6):
        await sign_up(client, id, email=f"c{number}@example.com")
    assert await capped_forms(cara, start) == [id]
    services.single(capped._Emitted, capped._Emitted).owner_ids.clear()  # another process
    await sign_up(client, id, email="d@example.com")
    assert await capped_forms(cara, start) == [id]
    services.single(capped._Emitted, capped._Emitted).owner_ids.clear()
    await services.db.fetch("UPDATE event_feeds SET signups_capped_at = now() - interval '25 hours'")
    await sign_up(client, id, email="e@example.com")
    assert await capped_forms(cara, start) == [id, id]


async def test_programs_that_fill_in_every_field_are_ignored(client: httpx.AsyncClient, cara: Person):
    id = await form(cara, [await topic(cara, optIn="double")])
    await sign_up(client, id, website="https://spam.example.com")
    assert await states(cara) == []


async def test_without_money_nothing_is_stored_and_the_answer_is_the_same(
    client: httpx.AsyncClient, people: People
):
    poor = await people.make()
    answer = await sign_up(client, await form(poor, [await topic(poor, optIn="double")]))
    assert "Look into your mailbox" in answer.text
    assert (await states(poor), (await poor.rest("GET", "/contacts")).json()["items"]) == ([], [])


async def test_what_is_no_form_or_no_address_is_refused(client: httpx.AsyncClient, cara: Person):
    news = await topic(cara, optIn="double")
    id = await form(cara, [news], redirectUrl="https://example.com/thanks")
    await sign_up(client, id, 400, email="nobody")
    await sign_up(client, id, 400, topic="other")
    assert (await sign_up(client, id, 303)).headers["location"] == "https://example.com/thanks"
    await cara.rest("PATCH", f"/signup-forms/{id}", json={"enabled": False})
    await sign_up(client, id, 404)
    assert (await client.get("/opt-in/AAAA")).status_code == 404


async def test_the_api_asks_with_one_message_and_says_who_can_not_be_asked(
    dispatcher: Dispatcher, services: Services, client: httpx.AsyncClient, cara: Person
):
    topics = [await topic(cara, key, optIn="double") for key in ("news", "offers")]
    anna, bert = await contact(cara), await contact(cara, "bert@example.com")
    await cara.rest("POST", "/block/bert@example.com")
    answer = await subscribe(cara, [anna, bert], topics)
    assert (answer["pending"], [each["code"] for each in answer["invalid"]]) == (4, ["recipient_blocked"])
    (link,) = await mails(services, dispatcher)
    await client.post(link)
    assert await states(cara, contactId=anna) == ["active", "active"]
    device = [{"channel": "push", "address": "device"}]
    carl = await contact(cara, "carl@example.com", addresses=device)
    assert (await subscribe(cara, [carl], topics, 400, channel="push"))["code"] == "evidence_needed"


async def test_who_does_not_confirm_is_reminded_once_and_forgotten(
    dispatcher: Dispatcher, services: Services, client: httpx.AsyncClient, cara: Person
):
    news = await topic(cara, optIn="double")
    id = await form(cara, [news])
    anna = await contact(cara)
    await subscribe(cara, [anna], [news], evidence="form 1")
    await withdraw(cara, [anna])
    await sign_up(client, id)
    await sign_up(client, id, email="new@example.com")
    links = await mails(services, dispatcher)
    for days, expected in ((2, 0), (2, 2), (1, 0)):
        await services.db.fetch("UPDATE opt_ins SET created_at = created_at - $1 * interval '1 day'", days)
        await expiry.remind_and_forget(services)
        reminders = await mails(services, dispatcher)
        assert len(reminders) == expected
        assert [(await client.get(link)).status_code for link in reminders] == [200] * expected
        links += reminders
    await services.db.fetch("UPDATE opt_ins SET created_at = created_at - interval '3 days'")
    await expiry.remind_and_forget(services)
    # What was withdrawn before is so again; whom the form has added is gone.
    rows = (await cara.rest("GET", "/topic-subscriptions")).json()["items"]
    assert [(row["contactUuid"], row["state"]) for row in rows] == [(anna, "withdrawn")]
    assert [each["id"] for each in (await cara.rest("GET", "/contacts")).json()["items"]] == [anna]
    assert [(await client.post(link)).status_code for link in links] == [404] * 4


async def preferences(services: Services, contact: str) -> str:
    links = recipient_links.of(services, [recipient_links.PREFERENCES], UUID(contact), UUID(contact))
    return urlsplit(links[recipient_links.PREFERENCES]).path


async def test_a_person_chooses_what_to_get(services: Services, client: httpx.AsyncClient, ada: Person):
    translations = [{"locale": "de", "name": "Neues"}]
    news = await topic(ada, translations=translations)
    hidden = await topic(ada, "staff", public=False)
    secret = await topic(ada, "secret", public=False)
    anna = await contact(ada, addresses=[{"channel": "sms", "address": "+14155550100"}])
    await subscribe(ada, [anna], [news, hidden])
    path = await preferences(services, anna)
    page = (await client.get(path)).text
    boxes = re.findall(r'type="checkbox" name="topic" value="([-0-9a-z:]+)"( checked)?', page)
    assert boxes == [
        (f"{news}:email", " checked"), (f"{news}:sms", ""), (f"{hidden}:email", " checked"), (f"{hidden}:sms", ""),
    ]  # fmt: skip
    seen = re.findall(r'name="shown" value="([-0-9a-z:]+)"', page)
    assert seen == [box for box, _ in boxes]
    await client.post(path)  # whoever sends nothing has seen nothing
    assert set(await states(ada)) == {"active"}
    assert secret not in page
    saved = await client.post(path, data={"topic": [f"{news}:sms"], "shown": seen, "locale": "de"})
    assert "Gespeichert." in saved.text
    assert "Neues" in saved.text
    rows = (await ada.rest("GET", "/topic-subscriptions")).json()["items"]
    assert {(row["topicUuid"], row["channel"], row["state"]) for row in rows} == {
        (news, "email", "withdrawn"), (news, "sms", "active"), (hidden, "email", "withdrawn"),
    }  # fmt: skip
    assert (await ada.rest("GET", f"/contacts/{anna}")).json()["locale"] == "de"
    await client.post(path, data={"topic": f"{news}:email", "shown": seen, "nothing": "1"})
    assert await states(ada) == ["withdrawn"] * 4  # also of what never was
    assert (await subscribe(ada, [anna], [hidden], channel="sms"))["invalid"][0]["code"] == "withdrawn"
    assert (await client.get(f"{path[:-2]}xx")).status_code == 404


async def test_one_click_withdraws_the_topics_of_the_email_and_nothing_else(
    services: Services, client: httpx.AsyncClient, projects: Projects, ada: Person
):
    box().outbox.clear()
    news, offers = await topic(ada), await topic(ada, "offers")
    anna = await contact(ada)
    await subscribe(ada, [anna], [news, offers])
    id = await project(ada, [news], text="Hello {{ preferences_url }}")
    await start(ada, id)
    await projects.work()
    (accepted,) = box().outbox
    assert f"{await preferences(services, anna)}" in accepted.message.body
    path = urlsplit(accepted.message.headers["List-Unsubscribe"].strip("<>")).path
    page = (await client.get(path)).text
    assert "Unsubscribe?" in page
    assert "<li><bdi>news</bdi></li>" in page
    assert await preferences(services, anna) in page
    for _ in range(2):
        assert (await client.post(path, data={"List-Unsubscribe": "One-Click"})).status_code == 200
    assert "You are unsubscribed" in (await client.get(path)).text
    assert await states(ada, topicId=news) == ["withdrawn"]
    assert await states(ada, topicId=offers) == ["active"]
    assert await history(ada, topicId=news) == [("recorded", "api"), ("withdrawn", "unsubscribeLink")]
    assert (await ada.rest("GET", "/block/count")).json() == {"count": 0}
    # Without the contact it blocks, as of any other email.
    await ada.rest("DELETE", f"/contacts/{anna}")
    await client.post(path)
    assert (await ada.rest("GET", "/block/count")).json() == {"count": 1}


async def test_a_recipient_who_is_no_contact_gets_the_unsubscribe_link(projects: Projects, ada: Person):
    box().outbox.clear()
    await projects.make(ada, ["x@example.com"], text="{{ preferences_url }}")
    await projects.work()
    (accepted,) = box().outbox
    assert "/unsubscribe/" in accepted.message.body


async def test_a_token_of_one_kind_is_none_of_another(
    services: Services, client: httpx.AsyncClient, ada: Person
):
    anna = UUID(await contact(ada))
    token = unsubscribe.token(services.key("unsubscribe"), anna)
    assert (await client.get(f"/preferences/{token}")).status_code == 404
    assert (await client.post(f"/opt-in/{token}")).status_code == 404


async def test_an_old_link_does_not_revive_a_later_withdrawal(
    dispatcher: Dispatcher, services: Services, client: httpx.AsyncClient, cara: Person
):
    news = await topic(cara, optIn="double")
    id = await form(cara, [news])
    await sign_up(client, id)
    await sign_up(client, id)
    first, second = await mails(services, dispatcher)
    await client.post(first)
    (person,) = (await cara.rest("GET", "/contacts")).json()["items"]
    await withdraw(cara, [person["id"]])
    assert (await client.post(second)).status_code == 200
    assert await states(cara) == ["withdrawn"]


async def test_an_address_in_another_spelling_is_asked_and_becomes_the_first_choice(
    dispatcher: Dispatcher, services: Services, client: httpx.AsyncClient, cara: Person
):
    news = await topic(cara, optIn="double")
    anna = await contact(
        cara, "work@example.com", addresses=[{"channel": "email", "address": "Anna@Example.com"}]
    )
    await sign_up(client, await form(cara, [news]), email="ANNA@example.com")
    (link,) = await mails(services, dispatcher)
    await client.post(link)
    assert await states(cara) == ["active"]
    addresses = (await cara.rest("GET", f"/contacts/{anna}")).json()["addresses"]
    assert [(each["address"], each["primary"]) for each in addresses] == [
        ("work@example.com", False), ("Anna@example.com", True),
    ]  # fmt: skip
    await cara.rest(
        "PATCH", f"/contacts/{anna}", json={"addresses": [{"channel": "email", "address": "a@b.com"}]}
    )
    assert (await client.get(link)).status_code == 404


async def test_a_page_of_the_owner_may_be_led_to_and_no_text_of_strangers_becomes_a_name(
    dispatcher: Dispatcher, services: Services, client: httpx.AsyncClient, cara: Person
):
    news = await topic(cara, optIn="double")
    id = await form(cara, [news], redirectUrl="https://shop.example.com/thanks")
    page = await client.get(f"/signup/{id}")
    assert "form-action 'self' https://shop.example.com;" in page.headers["content-security-policy"]
    await sign_up(client, id, 303, name="Win at https://evil.example.com")
    (person,) = (await cara.rest("GET", "/contacts")).json()["items"]
    assert person["name"] == ""
    for url in ("https://example.com/\u0441", "javascript:x", "http://["):
        body = {"name": "x", "topicUuids": [news], "redirectUrl": url}
        assert (await cara.rest("POST", "/signup-forms", json=body)).status_code == 400


async def test_asking_needs_the_right_to_send(cara: Person):
    news, anna = await topic(cara, optIn="double"), await contact(cara)
    made = await cara.data('mutation{createApiToken(input:{name:"x",scopes:["contacts:write"]}){token}}')
    limited = replace(cara, token=made["createApiToken"]["token"])
    assert (await subscribe(limited, [anna], [news], 403))["code"] == "forbidden"
    assert (await subscribe(limited, [anna], [news], evidence="form"))["active"] == 1
