"""A follow-up goes to those whom a project did not reach. Both pages name the other project."""

from typing import Any

from tests.console.steps import Tab
from tests.console.users import DELIVERED, FAILED, call, new_user
from tests.support.live import Live
from tests.support.people import Person
from tests.support.waits import eventually

_DIALOG = "document.querySelector('[role=dialog]') !== null"
_MAKE = "mutation ($i: NewSendingProject!) { createSendingProject(input: $i) { uuid } }"
_ADD = "mutation ($id: ID!, $i: AddRecipients!) { addRecipients(sendingProjectId: $id, input: $i) { added } }"
_START = "mutation ($id: ID!) { startSendingProject(id: $id) { uuid } }"
_AUDIENCE = "audience { topicUuids follows { projectUuid until within } }"


def _made(live: Live, user: Person, *recipients: dict[str, Any], **fields: Any) -> str:
    """Makes a draft by the API: an email, unless `fields` say otherwise."""
    new = {"name": "Spring", "channel": "email", "subject": "Spring sale", "text": "Hello", **fields}
    id = str(call(live, user, _MAKE, i=new)["createSendingProject"]["uuid"])
    if recipients:
        call(live, user, _ADD, id=id, i={"recipients": list(recipients)})
    return id


def _email(address: str, name: str, phone: str) -> dict[str, Any]:
    return {"address": address, "name": name, "variables": {"phone": phone}}


def _after(live: Live, user: Person, followed: str) -> str:
    audience = {"topicUuids": [], "follows": {"projectUuid": followed, "within": 3600}}
    return _made(live, user, name="By SMS", channel="sms", subject=None, audience=audience)


def _project(live: Live, user: Person, id: str, fields: str) -> Any:
    return call(live, user, "query ($id: ID!) { sendingProject(id: $id) {" + fields + "} }", id=id)[
        "sendingProject"
    ]


def test_those_whom_an_email_did_not_reach_get_an_sms(page: Tab, live: Live) -> None:
    user = new_user(live)
    ada, bob = _email(DELIVERED, "Ada", "+15005550000"), _email(FAILED, "Bob", "+15005550001")
    id = _made(live, user, ada, bob)
    call(live, user, _START, id=id)
    page.comes_as(user, f"/console/projects/{id}")
    page.sees("Finished")
    page.press("Follow up")
    page.is_at(f"/console/projects/new?follow={id}")
    page.sees("It goes to those whom Spring does not reach")
    page.sees("Spring – follow-up")
    page.sees("or else the one that the list had in a column, such as “phone”")
    page.picture("follow-up-1280")
    page.press("Next: Text")
    page.press("phone")  # the variables are those of the followed project's list
    page.page.wait("document.querySelector('textarea').value === '{{ phone }}'")
    page.fill("Text", "{{ name }}, our spring sale begins.")
    page.sees("Bob, our spring sale begins.")  # of those whom the first one did not reach
    page.press("Next: Time and speed")
    page.press("Next: Plan and start")
    page.sees("Will be sent at most 2")
    page.sees("The plan counts everybody whom the project that it follows may not reach.")
    page.picture("follow-up-plan-1280")
    page.press("Send to at most 2")
    page.page.wait(_DIALOG)
    page.sees("At most 2 messages are sent. It costs at most")
    page.press("Start")
    page.sees("Finished")
    page.sees("Those whom Spring has not reached: delivered within 1 day")
    page.picture("following-1280")
    made = call(
        live, user,
        "query ($id: String!) { sendingProjects(first: 5, where: {followsUuid: {eq: $id}}) { nodes {"
        " channel messages { nodes { to } } } } }",
        id=id,
    )["sendingProjects"]["nodes"]  # fmt: skip
    assert made == [{"channel": "sms", "messages": {"nodes": [{"to": "+15005550001"}]}}]
    page.press("Spring")
    page.is_at(f"/console/projects/{id}")
    page.sees_row("Spring – follow-up", "SMS", "Finished", "1")
    page.picture("followed-1280")
    page.at_width(390)
    page.stands_still()
    page.picture("followed-390")


def test_a_draft_keeps_what_it_follows_until_others_are_chosen(page: Tab, live: Live) -> None:
    user = new_user(live)
    first = _made(live, user)
    id = _after(live, user, first)
    page.at_width(390)
    page.comes_as(user, f"/console/projects/new?project={id}")
    page.fill("Name", "Later by SMS")
    page.sees("Saved")
    follows = {"projectUuid": first, "until": "delivered", "within": 3600}
    eventually(
        lambda: (
            _project(live, user, id, "name " + _AUDIENCE)
            == {"name": "Later by SMS", "audience": {"topicUuids": [], "follows": follows}}
        ),
        "the draft is saved with what it follows",
    )
    page.fill("Within", "31")
    page.choose("Minutes, hours or days", "days")
    page.sees("From 1 minute to 30 days")
    page.fill("Within", "3")
    page.sees_no("From 1 minute to 30 days")
    page.picture("follow-up-390")
    eventually(
        lambda: _project(live, user, id, _AUDIENCE)["audience"]["follows"]["within"] == 259_200,
        "the time is saved",
    )
    page.page.click("main input[role=switch]")
    eventually(
        lambda: (
            _project(live, user, id, "category " + _AUDIENCE)
            == {
                "category": "transactional",
                "audience": {"topicUuids": [], "follows": {**follows, "within": 259_200}},
            }
        ),
        "the draft still follows",
    )
    page.press("Choose others")
    page.sees("Upload a file")
    eventually(lambda: _project(live, user, id, _AUDIENCE)["audience"] is None, "it follows none")


def test_a_state_that_is_not_reported_is_refused_at_its_field(page: Tab, live: Live) -> None:
    user = new_user(live)
    id = _after(live, user, _made(live, user))
    page.comes_as(user, f"/console/projects/new?project={id}")
    page.sees("It goes to those whom Spring does not reach")
    # Routes that report no delivery are another installation's, so its answer is given here.
    page.page.evaluate(
        "(() => { const real = window.fetch;"
        " const errors = [{message: 'It is not reported.', extensions: {code: 'bad_chain'}}];"
        ' window.fetch = (url, init) => String(init?.body).includes(\'"until":"accepted"\')'
        " ? Promise.resolve(Response.json({errors})) : real(url, init); })()"
    )
    field = "A message has reached its recipient when it is"
    page.choose(field, "accepted by the provider")
    page.sees("It is not reported.")
    page.sees("Not saved")
    assert page.text().count("It is not reported.") == 1
    page.choose(field, "delivered")
    page.sees_no("It is not reported.")


def test_it_says_that_it_waits_for_the_other_project(page: Tab, live: Live) -> None:
    user = new_user(live)
    people = [_email(f"a{i}@example.com", f"A{i}", f"+1415555{i:04}") for i in range(20)]
    first = _made(live, user, *people, speed={"perMinute": 1})
    call(live, user, _START, id=first)
    id = _after(live, user, first)
    call(live, user, _START, id=id)
    page.comes_as(user, f"/console/projects/{id}")
    page.sees("It waits for the messages of the project that it follows.")
    page.sees("Its recipients are added when it is clear whom the project that it follows has not reached.")
    page.sees("Those whom Spring has not reached: delivered within 1 hour")
    assert not page.has("Send by a schedule…")
    page.picture("waiting-1280")


def test_a_project_that_is_not_there_can_t_be_followed(page: Tab, live: Live) -> None:
    other = _made(live, new_user(live))
    page.comes_as(new_user(live), f"/console/projects/new?follow={other}")
    page.sees("There is no project with this id")
