"""Topics and consent: topics, their subscribers and sign-up forms."""

from typing import Any

from tests.console.steps import Tab
from tests.console.users import call, new_user
from tests.support.live import Live
from tests.support.people import Person

_IN_DIALOG = "document.querySelector('[role=dialog]') !== null"
_TOPICS = "{ topics { nodes { uuid key name optIn public translations { locale name } } } }"
_FORMS = "{ signupForms { nodes { uuid name topicUuids text enabled } } }"
_TOPIC = "mutation ($i: NewTopic!) { createTopic(input: $i) { uuid } }"
_CONTACT = "mutation ($i: UpsertContact!) { upsertContact(input: $i) { uuid } }"
_SUBSCRIBE = "mutation ($i: SubscribeContacts!) { subscribeContacts(input: $i) { active } }"
ANNA = {"name": "Anna Berg", "addresses": [{"channel": "email", "address": "anna@example.com"}]}


def _submits(page: Tab) -> None:
    page.page.click("[role=dialog] button[type=submit]")
    page.page.wait(f"!({_IN_DIALOG})")


def new_topic(live: Live, user: Person, key: str, name: str, **values: Any) -> str:
    made = call(live, user, _TOPIC, i={"key": key, "name": name, **values})
    return str(made["createTopic"]["uuid"])


def test_a_topic_is_added_edited_and_kept_while_a_form_names_it(page: Tab, live: Live) -> None:
    user = new_user(live)
    page.comes_as(user, "/console/contacts")
    page.press("Topics")
    page.is_at("/console/contacts/topics")
    page.sees("There is no topic yet.")
    page.press("Add a topic")
    page.page.wait(_IN_DIALOG)
    page.fill("Name", "Our newsletter")
    page.fill("Key", "newsletter")
    page.press("Add a language")
    page.fill("Language 1", "de")
    page.fill("Name in language 1", "Unser Newsletter")
    _submits(page)
    page.sees_row("Our newsletter", "newsletter", "Advertising", "Double opt-in", "Everybody")
    (topic,) = call(live, user, _TOPICS)["topics"]["nodes"]
    assert topic["translations"] == [{"locale": "de", "name": "Unser Newsletter"}]
    page.press("Edit Our newsletter")
    page.page.wait(_IN_DIALOG)
    page.fill("Name", "Shop news")
    page.page.click("[role=dialog] input[role=switch]")
    _submits(page)
    page.sees_row("Shop news", "Its subscribers")

    page.press("Sign-up forms")
    page.press("Add a form")
    page.page.wait(_IN_DIALOG)
    page.fill("Name", "Join us")
    page.press("Shop news")
    page.fill("What people agree to", "Yes, send me news.")
    _submits(page)
    page.sees_row("Join us", "Shop news", "On")
    (form,) = call(live, user, _FORMS)["signupForms"]["nodes"]
    assert (form["topicUuids"], form["text"]) == ([topic["uuid"]], "Yes, send me news.")
    page.press("Link and HTML of Join us")
    page.sees(f'<form method="post" action="{page.url}/signup/{form["uuid"]}">')
    page.sees(f"{page.url}/signup/{form['uuid']}")
    page.press("Close")
    page.page.wait(f"!({_IN_DIALOG})")

    page.press("Topics")
    page.press("Delete Shop news")
    page.press("Delete")
    page.sees("Contacts, a sign-up form or a project use this topic.")
    page.press("Cancel")
    page.press("Sign-up forms")
    page.press("Delete Join us")
    page.press("Delete")
    page.sees("There is no form yet.")
    page.press("Topics")
    page.press("Delete Shop news")
    page.press("Delete")
    page.sees("There is no topic yet.")
    assert call(live, user, _TOPICS)["topics"]["nodes"] == []


def test_a_topic_shows_its_subscribers_by_state(page: Tab, live: Live) -> None:
    user = new_user(live)
    topic = new_topic(live, user, "news", "News", optIn="none")
    contact = call(live, user, _CONTACT, i=ANNA)["upsertContact"]["uuid"]
    subscribed = {"contactUuids": [contact], "topicUuids": [topic], "channel": "email"}
    assert call(live, user, _SUBSCRIBE, i=subscribed)["subscribeContacts"] == {"active": 1}
    page.comes_as(user, "/console/contacts/topics")
    page.press("News")
    page.is_at(f"/console/contacts/topics/{topic}")
    page.sees_row("Anna Berg", "anna@example.com", "Email", "Subscribed")
    page.press("State")
    page.press("Withdrawn")
    page.is_at(f"/console/contacts/topics/{topic}?state=withdrawn")
    page.sees("No contact matches.")
    page.press("Clear filters")
    page.press("Anna Berg")
    page.is_at(f"/console/contacts/{contact}")
