"""A campaign to contacts is written with their fields, previewed and tested with one of them."""

from pathlib import Path

from tests.console.steps import Tab
from tests.console.test_files import choose
from tests.console.test_segments import new_contact, new_segment
from tests.console.test_topics import ANNA, new_topic
from tests.console.users import call, new_user
from tests.support.live import Live
from tests.support.people import Person

_DIALOG = "document.querySelector('[role=dialog]') !== null"
_FIELD = "mutation ($i: NewContactField!) { createContactField(input: $i) { uuid } }"
_SUBSCRIBE = "mutation ($i: SubscribeContacts!) { subscribeContacts(input: $i) { active } }"
_MAKE = "mutation ($i: NewSendingProject!) { createSendingProject(input: $i) { uuid } }"
_TRIALS = "{ trialMessages { nodes { to } } }"
_CHANNEL = "{ sendingProjects { nodes { channel audience { topicUuids } } } }"
_AUDIENCE = "{ sendingProjects { nodes { audience { topicUuids segmentUuids } } } }"
_DELIVERED = "delivered@sandbox.postern.test"


def _people(live: Live, user: Person) -> tuple[str, str]:
    """Makes two subscribers of a topic, one of them in a segment. Returns the topic and the segment."""
    call(live, user, _FIELD, i={"key": "city", "type": "text", "label": "City"})
    ben = {"name": "Ben", "addresses": [{"channel": "email", "address": _DELIVERED}]}
    people = [new_contact(live, user, ben, city="Paris"), new_contact(live, user, ANNA, city="Berlin")]
    topic = new_topic(live, user, "news", "News", optIn="none")
    subscribed = {"contactUuids": people, "topicUuids": [topic], "channel": "email"}
    call(live, user, _SUBSCRIBE, i=subscribed)
    paris = {"contact": {"fields": [{"key": "city", "eq": "Paris"}]}}
    return topic, new_segment(live, user, "In Paris", paris)


def test_a_text_to_subscribers_has_their_fields_and_is_seen_as_one_of_them_gets_it(
    page: Tab, live: Live
) -> None:
    user = new_user(live)
    topic, _ = _people(live, user)
    draft = {"name": "News", "channel": "email", "subject": "News", "audience": {"topicUuids": [topic]}}
    id = call(live, user, _MAKE, i={**draft, "text": "Hello {{ name }} from "})["createSendingProject"][
        "uuid"
    ]
    page.comes_as(user, f"/console/projects/new?project={id}&step=text")
    page.press("city")
    page.sees("Hello Anna Berg from Berlin")
    page.fill("For", "Ben")
    page.press(f"Ben ({_DELIVERED})")
    page.sees("Hello Ben from Paris")
    page.press("Send a test")
    page.page.wait(_DIALOG)
    page.sees("with the values of Ben")
    page.fill("Or one of your contacts", "Ben")
    page.sees_no("Anna Berg (anna@example.com)")
    page.press(f"Ben ({_DELIVERED})")
    page.press("Send the test")
    page.sees("Earlier tests")
    assert call(live, user, _TRIALS)["trialMessages"]["nodes"] == [{"to": _DELIVERED}]


def test_a_segment_shows_its_people_and_begins_a_project_to_them(page: Tab, live: Live) -> None:
    user = new_user(live)
    topic, segment = _people(live, user)
    page.comes_as(user, "/console/contacts/segments")
    page.press("In Paris")
    page.is_at(f"/console/contacts/segments/{segment}")
    page.sees("1 contact now")
    page.sees_row("Ben", _DELIVERED)
    page.press("Send to them")
    page.sees("“In Paris” is chosen. Advertising goes only to people who have agreed to a topic")
    page.press("Next: Text")
    page.sees("A topic is missing.")
    page.press("News")
    page.sees("The channel is now: Email.")
    page.press("Next: Text")
    page.sees("Saved")
    (project,) = call(live, user, _AUDIENCE)["sendingProjects"]["nodes"]
    assert project["audience"] == {"topicUuids": [topic], "segmentUuids": [segment]}


def test_a_segment_alone_gets_what_is_no_advertising(page: Tab, live: Live) -> None:
    user = new_user(live)
    _, segment = _people(live, user)
    page.comes_as(user, f"/console/projects/new?segment={segment}")
    page.sees("“In Paris” is chosen.")
    page.page.click("main input[role=switch]")
    page.sees_no("“In Paris” is chosen.")
    page.press("Next: Text")
    page.sees("Saved")
    (project,) = call(live, user, _AUDIENCE)["sendingProjects"]["nodes"]
    assert project["audience"] == {"topicUuids": [], "segmentUuids": [segment]}


def test_a_topic_begins_a_project_on_the_channel_of_its_subscribers(page: Tab, live: Live) -> None:
    user = new_user(live)
    topic, _ = _people(live, user)
    page.comes_as(user, f"/console/contacts/topics/{topic}")
    page.press("Send to them")
    page.sees("None of these people is reached on the channel SMS. The channel is now: Email.")
    page.press("Next: Text")
    page.fill("Subject", "News")
    page.fill("Plain text", "Hello")
    page.press("Next: Time and speed")
    page.sees("Saved")
    (project,) = call(live, user, _CHANNEL)["sendingProjects"]["nodes"]
    assert (project["channel"], project["audience"]["topicUuids"]) == ("email", [topic])


def test_a_plan_without_anybody_says_why(page: Tab, live: Live) -> None:
    user = new_user(live)
    topic, _ = _people(live, user)
    empty = new_topic(live, user, "sales", "Sales", optIn="none")
    for chosen, channel, why in (
        (empty, "email", "The topic has no subscribers."),
        (topic, "sms", "None of the 2 subscribers is subscribed on the channel SMS."),
    ):
        subject = "News" if channel == "email" else None
        draft = {"name": "News", "channel": channel, "subject": subject, "text": "Hello"}
        made = call(live, user, _MAKE, i={**draft, "audience": {"topicUuids": [chosen]}})
        id = made["createSendingProject"]["uuid"]
        page.comes_as(user, f"/console/projects/new?project={id}&step=check")
        page.sees(why)


def test_a_project_warns_of_a_column_about_consent(page: Tab, live: Live, tmp_path: Path) -> None:
    people = tmp_path / "people.csv"
    people.write_text("Name,Email,Opt-in\nAnna,anna@example.com,yes\nBen,ben@example.com,no\n")
    page.comes_as(new_user(live), "/console/projects/new")
    page.sees("Choose a file")
    choose(page, people)
    page.sees("A project does not look at consent")
    page.press("Import as contacts")
    page.sees("3 columns were found.")
    page.sees("The columns of consent count only for a topic")


def test_a_contact_is_written_to_from_its_page(page: Tab, live: Live) -> None:
    user = new_user(live)
    anna = new_contact(live, user, ANNA)
    page.comes_as(user, f"/console/contacts/{anna}")
    page.press("Write")
    page.page.wait(_DIALOG)
    page.is_at("/console/messages?send=1&through=email&recipient=anna%40example.com")
    value = "document.querySelector('[role=dialog] input[data-autofocus]').value"
    page.page.wait(f"{value} === 'anna@example.com'")


def test_what_was_imported_is_subscribed_and_gets_a_project(page: Tab, live: Live, tmp_path: Path) -> None:
    """The list was imported without a topic: a new one is made beside the result, and nothing is chosen again."""
    user = new_user(live)
    people = tmp_path / "people.csv"
    people.write_text("Name,Email\nAnna,anna@example.com\nBen,ben@example.com\n")
    page.comes_as(user, "/console/contacts/import")
    page.sees("Choose a file")
    choose(page, people)
    page.press("Import the list")
    page.sees("added: 2")
    page.press("Subscribe them to a topic")
    page.press("New topic")
    page.fill("Name", "News")
    page.press("Save")
    page.fill("Evidence", "signed in the shop")
    page.press("Subscribe")
    page.sees("subscribed: 2")
    page.press("Send to the subscribers of News")
    page.sees("The channel is now: Email.")
    page.press("Next: Text")
    page.fill("Subject", "News")
    page.fill("Plain text", "Hello")
    page.press("Next: Time and speed")
    page.sees("Saved")
    (project,) = call(live, user, _CHANNEL)["sendingProjects"]["nodes"]
    assert (project["channel"], len(project["audience"]["topicUuids"])) == ("email", 1)


def test_a_list_with_consent_asks_for_a_topic_and_gets_no_project_of_its_rows(
    page: Tab, live: Live, tmp_path: Path
) -> None:
    user = new_user(live)
    people = tmp_path / "people.csv"
    people.write_text("Name,Email,Consent\nAnna,anna@example.com,yes\nBen,ben@example.com,no\n")
    page.comes_as(user, "/console/contacts/import")
    page.sees("Choose a file")
    choose(page, people)
    page.sees("The columns of consent count only for a topic, and you have none.")
    page.press("New topic")
    page.fill("Name", "News")
    page.press("Save")
    page.sees_no("The columns of consent count only for a topic")
    page.fill("Evidence", "signed in the shop")
    page.press("Import the list")
    page.sees("added: 2 · subscribed: 1")
    page.sees("Send to the subscribers of News")


def test_contacts_of_a_segment_are_added_to_a_topic(page: Tab, live: Live) -> None:
    user = new_user(live)
    _people(live, user)
    empty = new_topic(live, user, "sales", "Sales", optIn="none")
    page.comes_as(user, f"/console/contacts/topics/{empty}")
    page.press("Add contacts")
    page.press("All contacts that you have now")
    page.fill("Evidence", "signed in the shop")
    page.page.click("[role=dialog] button[type=submit]")
    page.sees("subscribed: 2")
    page.sees_row("Ben", _DELIVERED)
    page.press("Add contacts")
    page.page.click("[role=dialog] input[value=all]")
    page.fill("Evidence", "signed in the shop")
    page.page.click("[role=dialog] button[type=submit]")
    page.sees("subscribed: 0 · subscribed before: 2")


def test_a_segment_says_its_conditions(page: Tab, live: Live) -> None:
    user = new_user(live)
    _, segment = _people(live, user)
    page.comes_as(user, f"/console/contacts/segments/{segment}")
    page.sees("City is Paris")
