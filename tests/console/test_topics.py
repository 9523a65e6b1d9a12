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
_ENTRIES = "{ consentEntries { nodes { action evidence text } } }"
_MAKE = "mutation ($i: NewSendingProject!) { createSendingProject(input: $i) { uuid } }"
_AUDIENCE = """query ($id: ID!) {
  sendingProject(id: $id) { audience { topicUuids exceptTopicUuids exceptProjectUuids } }
}"""
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
    page.sees(f'method="post" action="{page.url}/signup/{form["uuid"]}"')
    page.sees(f"{page.url}/signup/{form['uuid']}")
    page.press("Close")
    page.page.wait(f"!({_IN_DIALOG})")

    page.press("Topics")
    page.press("Delete Shop news")
    page.press("Delete")
    page.sees("Contacts, a segment, a sign-up form, a series or a project use this topic.")
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


def test_a_contact_is_subscribed_with_evidence_and_withdrawn(page: Tab, live: Live) -> None:
    user = new_user(live)
    new_topic(live, user, "news", "News")
    contact = call(live, user, _CONTACT, i=ANNA)["upsertContact"]["uuid"]
    page.comes_as(user, f"/console/contacts/{contact}")
    page.sees("Not subscribed to any topic.")
    page.press("Subscribe")
    page.page.wait(_IN_DIALOG)
    page.press("News")
    page.fill("Evidence", "signed form no. 17")
    page.fill("Text that was seen", "Yes, send me news.")
    _submits(page)
    page.sees("1 subscription is active.")
    page.sees_row("News", "Email", "Subscribed")
    page.sees("Evidence: signed form no. 17")
    page.sees("Text that was seen: Yes, send me news.")
    page.press("Withdraw News, Email")
    page.page.wait(_IN_DIALOG)
    page.fill("What the person said", "asked for it by phone")
    page.press("Withdraw")
    page.sees("News is withdrawn.")
    page.sees_row("News", "Email", "Withdrawn")
    page.sees("Evidence: asked for it by phone")
    entries = call(live, user, _ENTRIES)["consentEntries"]["nodes"]
    assert [entry["action"] for entry in entries] == ["withdrawn", "recorded"]
    # A withdrawal stands, and the dialog shows the server's reason.
    page.press("Subscribe")
    page.page.wait(_IN_DIALOG)
    page.press("News")
    page.page.click("[role=dialog] input[value=ask]")
    page.page.click("[role=dialog] button[type=submit]")
    page.sees("The contact is left out.")


def test_a_project_goes_to_the_subscribers_of_a_topic(page: Tab, live: Live) -> None:
    user = new_user(live)
    news = new_topic(live, user, "news", "News", optIn="none")
    offers = new_topic(live, user, "offers", "Offers", optIn="none")
    new_topic(live, user, "terms", "Changes of terms", category="transactional")
    ben = {"name": "Ben", "addresses": [{"channel": "email", "address": "delivered@sandbox.postern.test"}]}
    people = [call(live, user, _CONTACT, i=one)["upsertContact"]["uuid"] for one in (ANNA, ben)]
    for contacts, topic in ((people, news), (people[:1], offers)):
        subscribed = {"contactUuids": contacts, "topicUuids": [topic], "channel": "email"}
        call(live, user, _SUBSCRIBE, i=subscribed)
    draft = {"name": "January", "channel": "email", "subject": "News", "text": "Hello {{ name }}"}
    id = call(live, user, _MAKE, i=draft)["createSendingProject"]["uuid"]
    page.comes_as(user, f"/console/projects/new?project={id}")
    page.press("Subscribers of topics")
    page.sees_no("Changes of terms")
    page.press("News")
    page.sees("Without the subscribers of")
    page.sees_no("Choose a file")
    page.press("Next: Text")
    page.press("Next: Time and speed")
    page.press("Next: Plan and start")
    page.sees("Recipients 2")
    page.sees("Will be sent 2")
    # The second group of boxes has the topics whose subscribers are left out.
    page.comes_as(user, f"/console/projects/new?project={id}")
    page.page.click(f"main .mantine-SimpleGrid-root input[value='{offers}']")
    page.sees("Saved")
    page.comes_as(user, f"/console/projects/new?project={id}&step=check")
    page.sees("Will be sent 1")
    audience = call(live, user, _AUDIENCE, id=id)["sendingProject"]["audience"]
    assert audience == {"topicUuids": [news], "exceptTopicUuids": [offers], "exceptProjectUuids": []}
    page.press("Send to 1")
    page.page.wait(_IN_DIALOG)
    page.press("Start")
    page.sees("Finished")
    page.sees("Subscribers of topics News")
    page.sees("Without the subscribers of Offers")


def test_the_page_of_preferences_is_shown_in_other_languages(page: Tab, live: Live) -> None:
    user = new_user(live)
    german = {"locale": "de", "name": "Unser Newsletter"}
    new_topic(live, user, "newsletter", "Our newsletter", translations=[german])
    page.comes_as(user, "/console/contacts/topics")
    page.sees("newsletter")
    # The frame has an origin of its own, so nobody looks into it: what is put there is kept.
    page.page.evaluate(
        "window.shown = []; const make = URL.createObjectURL;"
        "URL.createObjectURL = (blob) => { blob.text().then((text) => shown.push(text)); return make(blob); }; 1"
    )
    page.press("Page of preferences")
    page.sees_element("[role=dialog] iframe[sandbox='']")
    page.page.wait("shown.some((text) => text.includes('Our newsletter'))")
    page.page.click("[role=dialog] input")
    page.press("German")
    page.page.wait("shown.some((text) => text.includes('Unser Newsletter') && text.includes('Speichern'))")


def test_people_may_ask_for_their_data_if_the_owner_says_so(page: Tab, live: Live) -> None:
    user = new_user(live)
    page.comes_as(user, "/console/contacts/topics?preview=1")
    for tick, expected in (
        ("get a file with what is stored of them", ["export"]),
        ("have it erased", ["export", "erase"]),
    ):
        page.press(tick)
        page.page.wait(
            "document.querySelectorAll('[role=dialog] input:checked').length === " + str(len(expected))
        )
        assert call(live, user, "{ me { selfService } }")["me"]["selfService"] == expected
    page.press("have it erased")
    page.page.wait("document.querySelectorAll('[role=dialog] input:checked').length === 1")
    assert call(live, user, "{ me { selfService } }")["me"]["selfService"] == ["export"]
