"""The page of sender IDs: one is asked for, approved, and picked for a message and a project."""

from tests.console.answers import IN_DIALOG, answer
from tests.console.steps import Tab
from tests.console.users import call, new_user
from tests.support.live import Live

_SENDERS = "{ senders { nodes { value state reason countries } } }"
_ASK = "mutation ($i: NewSender!) { requestSender(input: $i) { uuid } }"
_DECIDE = "mutation ($i: ID!) { decideSender(id: $i, input: { decision: approved }) { state } }"
_PROJECT = "mutation ($i: NewSendingProject!) { createSendingProject(input: $i) { uuid } }"
_SENDER = "query ($i: ID!) { sendingProject(id: $i) { sender } }"
_FROM = "input[placeholder='The usual sender of the service']"
_SUBMIT = "[role=dialog] button[type=submit]"


def test_a_sender_is_asked_for_and_decided_about(page: Tab, live: Live) -> None:
    user, other = new_user(live), new_user(live)
    call(live, other, _ASK, i={"kind": "alpha", "value": "ASKED"})
    page.comes_as(user, "/console/senders/ids")
    page.sees("There is no sender yet.")
    page.press("Ask for a sender")
    page.page.wait(IN_DIALOG)
    page.fill("Sender", "12345")
    page.page.click(_SUBMIT)
    page.sees("a name has at least one letter")
    page.fill("Sender", "Asked")
    page.page.click(_SUBMIT)
    page.sees("Asked waits for approval.")
    page.sees_row("Asked", "Waiting", "all")
    page.comes_as(live.admin, "/console/senders/ids?q=asked&state=pending")
    page.sees_row("Asked", "Waiting", user.email)
    page.press("Decide about Asked")
    page.sees(f"{other.email} has ASKED, too: Waiting")
    page.press("Refuse")
    page.fill("Reason", "It is the name of a bank.")
    page.page.click(_SUBMIT)
    page.sees("Asked is refused.")
    page.comes_as(user, "/console/senders/ids")
    page.sees("It is the name of a bank.")
    assert not page.page.evaluate("document.querySelector('[aria-label=\"Delete Asked\"]') !== null")
    page.comes_as(live.admin, "/console/senders/ids?q=asked&state=refused")
    page.press("Delete Asked")
    answer(page, "Delete")
    page.sees("Asked is deleted.")
    assert call(live, user, _SENDERS)["senders"]["nodes"] == []


def test_messages_and_projects_pick_an_approved_sender(page: Tab, live: Live) -> None:
    user = new_user(live)
    id = call(live, user, _ASK, i={"kind": "alpha", "value": "Picked"})["requestSender"]["uuid"]
    call(live, live.admin, _DECIDE, i=id)
    page.comes_as(user, "/console/messages?send=1")
    page.fill("Phone", "+14155550100")
    page.fill("Text", "Hello")
    page.page.click(_FROM)
    page.press("Picked")
    page.sees("US refuses letters, and you have no approved number for it")
    page.fill("Phone", "+4915112345678")
    page.sees("Picked is approved for DE.")
    page.page.click(_SUBMIT)
    page.sees("Show the message")
    values = {"name": "News", "channel": "sms", "text": "Hello"}
    project = call(live, user, _PROJECT, i=values)["createSendingProject"]["uuid"]
    page.open(f"/console/projects/new?project={project}&step=text")
    page.page.click(_FROM)
    page.press("Picked")
    page.sees("Saved")
    page.page.wait("!document.body.innerText.includes('Not saved')")
    assert call(live, user, _SENDER, i=project)["sendingProject"]["sender"] == "Picked"
