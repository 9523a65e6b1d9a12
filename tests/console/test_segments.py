"""Segments: the builder of their conditions, their sizes, and projects that are sent to them."""

from typing import Any

from tests.console.steps import Tab
from tests.console.test_topics import ANNA, new_topic
from tests.console.users import call, new_user
from tests.support.live import Live
from tests.support.people import Person

_DIALOG = "document.querySelector('[role=dialog]') !== null"
_FIELD = "mutation ($i: NewContactField!) { createContactField(input: $i) { uuid } }"
_CONTACT = "mutation ($i: UpsertContact!) { upsertContact(input: $i) { uuid } }"
_SUBSCRIBE = "mutation ($i: SubscribeContacts!) { subscribeContacts(input: $i) { active } }"
_SEGMENT = "mutation ($i: NewSegment!) { createSegment(input: $i) { uuid } }"
_SEGMENTS = "{ segments { nodes { uuid name size filter } } }"
_MAKE = "mutation ($i: NewSendingProject!) { createSendingProject(input: $i) { uuid } }"
_AUDIENCE = """query ($id: ID!) {
  sendingProject(id: $id) { audience { topicUuids segmentUuids exceptTopicUuids exceptSegmentUuids } }
}"""
BEN = {"name": "Ben", "addresses": [{"channel": "email", "address": "delivered@sandbox.postern.test"}]}


def new_contact(live: Live, user: Person, contact: dict[str, Any], **fields: Any) -> str:
    return str(call(live, user, _CONTACT, i=contact | {"fields": fields})["upsertContact"]["uuid"])


def new_segment(live: Live, user: Person, name: str, *conditions: dict[str, Any]) -> str:
    """Makes a segment of those who meet one of the conditions."""
    made = call(live, user, _SEGMENT, i={"name": name, "filter": {"all": [{"any": list(conditions)}]}})
    return str(made["createSegment"]["uuid"])


def _people(live: Live, user: Person) -> list[str]:
    """Makes Anna in Berlin and Ben in Paris, and the fields by which they differ."""
    for field in (
        {"key": "city", "type": "text", "label": "City"},
        {"key": "orders", "type": "number", "label": "Orders"},
    ):
        call(live, user, _FIELD, i=field)
    return [
        new_contact(live, user, ANNA, city="Berlin", orders=3),
        new_contact(live, user, BEN, city="Paris", orders=1),
    ]


def _chooses(page: Tab, label: str, option: str, place: int = 0) -> None:
    """Chooses an option of the list with this label; `place` counts those with the same."""
    inputs = (
        f"[...document.querySelectorAll('[role=dialog] label')]"
        f".filter((one) => one.innerText.replace(' *', '') === '{label}')"
    )
    page.page.wait(f"{inputs}.length > {place}")
    page.page.click("#" + page.page.evaluate(f"{inputs}[{place}].htmlFor").replace(":", "\\:"))
    page.press(option)


def _saves(page: Tab) -> None:
    page.page.wait("document.querySelector('[role=dialog] button[type=submit]')?.disabled === false")
    page.page.click("[role=dialog] button[type=submit]")
    page.page.wait(f"!({_DIALOG})")


def _of_field(**condition: Any) -> dict[str, Any]:
    return {"contact": {"fields": [condition]}}


def test_a_segment_is_made_by_the_builder_seen_growing_and_edited(page: Tab, live: Live) -> None:
    user = new_user(live)
    _people(live, user)
    page.comes_as(user, "/console/contacts")
    page.press("Segments")
    page.is_at("/console/contacts/segments")
    page.sees("There is no segment yet.")
    page.press("New segment")
    page.sees("Complete each condition")
    page.fill("Name", "New in Berlin")
    _chooses(page, "Field", "City")
    page.fill("Value", "Berlin")
    page.sees("1 contact now")
    page.sees("The newest: Anna Berg")
    page.press("Or: add a condition to group 1")
    page.sees("Complete each condition")
    _chooses(page, "What is asked", "Name", 1)
    page.fill("Words of the name", "ben")
    page.sees("2 contacts now")
    page.press("And: add a group")
    _chooses(page, "What is asked", "Added", 2)
    page.sees("2 contacts now")
    _saves(page)
    page.sees_row("New in Berlin", "2 contacts")
    (segment,) = call(live, user, _SEGMENTS)["segments"]["nodes"]
    assert segment["filter"]["all"] == [
        {"any": [_of_field(key="city", eq="Berlin"), {"contact": {"name": {"contains": "ben"}}}]},
        {"any": [{"contact": {"createdWithinDays": 7}}]},
    ]

    page.press("Edit New in Berlin")
    page.sees("2 contacts now")
    page.press("Remove: Condition 2 of group 1")
    page.sees("1 contact now")
    page.fill("Name", "Not in Berlin")
    page.press("Not: those who do not meet it")
    page.sees("The newest: Ben")
    _saves(page)
    page.sees_row("Not in Berlin", "1 contact")
    (segment,) = call(live, user, _SEGMENTS)["segments"]["nodes"]
    assert segment["name"] == "Not in Berlin"
    assert segment["filter"]["all"][0] == {"any": [{"not": True, **_of_field(key="city", eq="Berlin")}]}

    new_contact(live, user, {"name": "Carl", "externalId": "customer-3"})
    page.press("Count Not in Berlin again")
    page.sees_row("Not in Berlin", "2 contacts")


def test_conditions_on_subscriptions_and_messages_are_built(page: Tab, live: Live) -> None:
    user = new_user(live)
    anna, _ = _people(live, user)
    topic = new_topic(live, user, "news", "News", optIn="none")
    subscribed = {"contactUuids": [anna], "topicUuids": [topic], "channel": "email"}
    call(live, user, _SUBSCRIBE, i=subscribed)
    page.comes_as(user, "/console/contacts/segments?add=1")
    page.fill("Name", "Readers")
    _chooses(page, "What is asked", "Subscription")
    _chooses(page, "Topic", "News")
    page.sees("1 contact now")
    page.fill("Changed within days", "7")
    _chooses(page, "Channel", "SMS")
    page.sees("0 contacts now")
    _chooses(page, "Channel", "Email")
    page.sees("The newest: Anna Berg")
    _chooses(page, "Channel", "Any channel")
    page.sees("1 contact now")
    _chooses(page, "Channel", "Email")
    page.press("And: add a group")
    _chooses(page, "What is asked", "Messages of projects", 1)
    _chooses(page, "What happened", "Replied")
    page.fill("Within days", "30")
    page.sees("0 contacts now")
    _saves(page)
    page.sees_row("Readers", "0 contacts")
    (segment,) = call(live, user, _SEGMENTS)["segments"]["nodes"]
    assert [group["any"] for group in segment["filter"]["all"]] == [
        [{"subscription": {"topicUuid": topic, "channel": "email", "changedWithinDays": 7}}],
        [{"history": {"event": "replied", "withinDays": 30}}],
    ]
    page.open(f"/console/contacts/segments?edit={segment['uuid']}")
    page.sees("Group 2: any of these")
    page.sees("0 contacts now")


def test_a_refusal_is_a_sentence_in_the_dialog(page: Tab, live: Live) -> None:
    user = new_user(live)
    _people(live, user)
    new_segment(live, user, "Berlin", _of_field(key="city", eq="Berlin"))
    page.comes_as(user, "/console/contacts/segments?add=1")
    page.fill("Name", "Berlin")
    _chooses(page, "Field", "Orders")
    _chooses(page, "Comparison", "is at least")
    page.fill("Value", "many")
    page.sees("The field orders must be a number")
    page.fill("Value", "2")
    page.sees("1 contact now")
    page.page.click("[role=dialog] button[type=submit]")
    page.sees("You have a segment 'Berlin' already.")


def test_a_filter_that_the_fields_cannot_show_is_kept(page: Tab, live: Live) -> None:
    user = new_user(live)
    _people(live, user)
    new_segment(live, user, "Some orders", _of_field(key="orders", gte=2, lt=9))
    (before,) = call(live, user, _SEGMENTS)["segments"]["nodes"]
    page.comes_as(user, "/console/contacts/segments")
    page.press("Edit Some orders")
    page.sees("conditions that the fields here can't show")
    page.sees('"lt": 9')
    page.sees("1 contact now")
    page.fill("Name", "A few orders")
    _saves(page)
    page.sees_row("A few orders", "1 contact")
    (after,) = call(live, user, _SEGMENTS)["segments"]["nodes"]
    assert after == before | {"name": "A few orders"}


def test_a_project_goes_to_subscribers_in_a_segment(page: Tab, live: Live) -> None:
    user = new_user(live)
    people = _people(live, user)
    news = new_topic(live, user, "news", "News", optIn="none")
    subscribed = {"contactUuids": people, "topicUuids": [news], "channel": "email"}
    call(live, user, _SUBSCRIBE, i=subscribed)
    paris = new_segment(live, user, "Paris", _of_field(key="city", eq="Paris"))
    loyal = new_segment(live, user, "Loyal", _of_field(key="orders", gte=2))
    draft = {"name": "January", "channel": "email", "subject": "News", "text": "Hello {{ name }}"}
    id = call(live, user, _MAKE, i=draft)["createSendingProject"]["uuid"]
    page.comes_as(user, f"/console/projects/new?project={id}")
    page.press("Subscribers of topics")
    page.sees("Whoever is subscribed to one of them")
    page.sees_no("Only those in these segments")  # a promotional project needs a topic first
    page.press("News")
    page.sees("Only those in these segments")
    page.press("Paris")
    page.page.click(f"main .mantine-SimpleGrid-root input[value='{loyal}']")
    page.sees("Without the contacts in")
    page.press("Next: Text")
    page.press("Next: Time and speed")
    page.press("Next: Plan and start")
    page.sees("Will be sent 1")
    audience = call(live, user, _AUDIENCE, id=id)["sendingProject"]["audience"]
    assert audience == {
        "topicUuids": [news],
        "segmentUuids": [paris],
        "exceptTopicUuids": [],
        "exceptSegmentUuids": [loyal],
    }
    page.comes_as(user, "/console/contacts/segments")
    page.press("Delete Paris")
    page.press("Delete")
    page.sees("names this segment.")
    page.press("Cancel")
    page.comes_as(user, f"/console/projects/new?project={id}&step=check")
    page.press("Send to 1")
    page.page.wait(_DIALOG)
    page.press("Start")
    page.sees("Finished")
    page.sees("Contacts in segments Paris")
    page.sees("Without the contacts in Loyal")
    page.comes_as(user, "/console/contacts/segments")
    page.press("Delete Paris")
    page.press("Delete")
    page.sees("Paris is deleted.")


def test_a_project_that_is_not_promotional_may_have_segments_alone(page: Tab, live: Live) -> None:
    user = new_user(live)
    _people(live, user)
    paris = new_segment(live, user, "Paris", _of_field(key="city", eq="Paris"))
    draft = {"name": "Bills", "channel": "email", "subject": "Your bill", "text": "Hello {{ name }}"}
    id = call(live, user, _MAKE, i=draft | {"category": "transactional"})["createSendingProject"]["uuid"]
    page.comes_as(user, f"/console/projects/new?project={id}")
    page.press("Subscribers of topics")
    page.sees("There is no topic of this category yet.")
    page.sees("may have segments alone")
    page.press("Paris")
    page.sees("Saved")
    page.comes_as(user, f"/console/projects/new?project={id}&step=check")
    page.sees("Will be sent 1")
    audience = call(live, user, _AUDIENCE, id=id)["sendingProject"]["audience"]
    assert (audience["topicUuids"], audience["segmentUuids"]) == ([], [paris])
