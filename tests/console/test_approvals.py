"""Approvals: a second person looks at what a project will send, and only what was approved starts."""

import asyncio
import json
from typing import Any

import asyncpg

from tests.console.answers import IN_DIALOG, answer
from tests.console.looks import LAPTOP, PHONE
from tests.console.steps import Tab
from tests.console.test_members import join
from tests.console.users import DELIVERED, call, new_user
from tests.members.made import acting
from tests.support.live import Live
from tests.support.people import Person

_MAKE = "mutation ($i: NewSendingProject!) { createSendingProject(input: $i) { uuid } }"
_ADD = "mutation ($id: ID!, $i: AddRecipients!) { addRecipients(sendingProjectId: $id, input: $i) { added } }"
_CHANGE = (
    "mutation ($id: ID!, $i: SendingProjectPatch!) { updateSendingProject(id: $id, input: $i) { uuid } }"
)
_PLAN = "mutation ($id: ID!) { makeProjectPlan(id: $id) { hash } }"
_ASK = "mutation ($id: ID!, $i: AskApproval!) { askApproval(id: $id, input: $i) { uuid } }"
_NEWEST = "query ($id: String!) { approvals(first: 1, where: { sendingProjectUuid: { eq: $id } }) { nodes { uuid } } }"
_TEXT = "Hello {{ name }}, your table waits at eight. Show the code {{ code }} at the door."
_HTML = "<h1>Hello {{ name }}</h1><p style='color:#b35c00'>Your table waits at <b>{time}</b>.</p>"


def _project(live: Live, editor: Person) -> str:
    new = {"name": "Opening night", "channel": "email", "subject": "Your table", "text": _TEXT}
    new |= {"html": _HTML.replace("{time}", "eight"), "speed": {"perMinute": 600}}
    id = str(call(live, editor, _MAKE, i=new)["createSendingProject"]["uuid"])
    recipients = [
        {"address": f"anna.{number}@example.com", "name": f"Anna {number}", "variables": {"code": number}}
        for number in range(4)
    ]
    recipients.append({"address": DELIVERED, "name": "Ben", "variables": {"code": "9"}})
    call(live, editor, _ADD, id=id, i={"recipients": recipients})
    return id


def _asks(live: Live, editor: Person, project: str, note: str) -> str:
    """Makes another plan, and asks for its approval. Returns the id of the request."""
    made = call(live, editor, _PLAN, id=project)["makeProjectPlan"]["hash"]
    asked = call(live, editor, _ASK, id=project, i={"planHash": made, "note": note})
    return str(asked["askApproval"]["uuid"])


def _acts(page: Tab, owner: Person, member: Person, path: str) -> None:
    """Opens a page as a member who has chosen before to act for the owner."""
    page.comes_as(member, "/console/profile")
    chosen = {"owner": str(owner.id), "name": "Owner", "person": str(member.id), "email": member.email}
    page.page.evaluate(f"sessionStorage.setItem('postern-acting-for', {json.dumps(json.dumps(chosen))})")
    page.open(path)
    page.sees("You act for")


def _looks(page: Tab, name: str) -> None:
    """The page is fine for everybody at both widths, and nothing is cut off."""
    for width in (LAPTOP, PHONE):
        page.at_width(width)
        page.stands_still()
        page.picture(f"{name}-{width}")
        assert page.page.evaluate("document.documentElement.scrollWidth") <= width, name
        assert page.violations() == [], name
    page.at_width(LAPTOP)


def test_only_what_another_person_has_approved_is_sent(page, live):
    """An editor asks, an approver refuses and approves, a sender starts; a change in between is not sent."""
    owner, *members = (new_user(live) for _ in range(4))
    editor, approver, sender = members
    for member, role in zip(members, ("editor", "approver", "sender"), strict=True):
        join(live, owner, member, role)
    of_editor = acting(editor, owner)
    project = _project(live, of_editor)
    name = owner.email.partition("@")[0]

    page.comes_as(owner, "/console/approvals")
    page.sees("Nobody has asked for an approval yet.")
    page.press("Rule of approval…")
    page.press("All")
    page.picture("approval-rule-dialog")
    answer(page, "Save")
    page.sees("Every project needs an approval before it starts.")
    page.picture("approval-rule")

    _acts(page, owner, editor, f"/console/projects/{project}")
    page.sees("it starts only with a plan that another person has approved")
    page.press("Make a plan")
    page.sees("Plan 1")
    page.press("Ask for approval…")
    page.page.wait(IN_DIALOG)
    page.fill("Note", "For the newspaper’s readers.")
    answer(page, "Ask")
    page.sees("Open the approval")
    page.picture("approval-project-asked")

    _acts(page, owner, sender, f"/console/projects/{project}")
    page.press("Start")
    page.page.wait(IN_DIALOG)
    page.press("Start")
    page.sees("Plan 1 is not approved yet. Wait for the decision.")

    # The link of the mail does not say for whom the approver acts.
    approval = call(live, of_editor, _NEWEST, id=project)["approvals"]["nodes"][0]["uuid"]
    page.page.evaluate("sessionStorage.clear()")
    page.comes_as(approver, f"/console/approvals/{approval}")
    page.press(f"Act for {name}")
    page.sees("Plan 1 of “Opening night”")
    page.sees("No plan of this project was approved before")
    page.sees("For the newspaper’s readers.")
    page.sees("Hello Anna 0, your table waits at eight. Show the code 0 at the door.")
    page.sees("Hello Ben, your table waits at eight. Show the code 9 at the door.")
    assert DELIVERED not in page.text()  # an approver sees the end of an address alone
    _looks(page, "approval-first")
    page.press("Refuse")
    page.page.wait(IN_DIALOG)
    page.fill("Why", "The doors open at nine.")
    answer(page, "Refuse")
    page.sees(f"Refused by {approver.email}")
    page.sees("The doors open at nine.")
    page.picture("approval-refused")

    nine: dict[str, Any] = {"text": _TEXT.replace("eight", "nine"), "html": _HTML.replace("{time}", "nine")}
    call(live, of_editor, _CHANGE, id=project, i=nine)
    second = _asks(live, of_editor, project, "At nine now.")
    page.open("/console/approvals")
    page.sees_row("Opening night, plan 2", "Waits", editor.email)
    page.sees_row("Opening night, plan 1", "Refused", approver.email)
    page.opens_more()
    page.sees("1 waits for a decision")
    _looks(page, "approvals")
    page.press("Opening night, plan 2")
    page.press("Approve")
    answer(page, "Approve")
    page.sees(f"Approved by {approver.email}")

    # A change voids it while the page is open, and the next one shows what is different.
    call(
        live,
        of_editor,
        _CHANGE,
        id=project,
        i={"text": nine["text"] + " No dogs.", "speed": {"perMinute": 300}},
    )
    page.sees(f"{editor.email} has changed the speed, the text")
    page.picture("approval-void")
    third = _asks(live, of_editor, project, "")
    assert third != second
    page.open(f"/console/approvals/{third}")
    page.sees("Compared with plan 2")
    page.sees("Speed: 600 a minute → 300 a minute")
    _looks(page, "approval-differences")
    page.press("Approve")
    answer(page, "Approve")
    page.sees(f"Approved by {approver.email}")

    _acts(page, owner, sender, f"/console/projects/{project}")
    page.sees("A start sends exactly what plan 3 says")
    page.picture("approval-project-approved")
    page.press("Start")
    answer(page, "Start")
    page.sees("Finished")
    page.sees("Show all 5 messages")


_REPEAT = "mutation ($i: NewRepeatableProject!) { createRepeatableSendingProject(input: $i) { uuid } }"
_RULE = "mutation ($i: ApprovalRuleInput!) { setApprovalRule(input: $i) { mode } }"
_DECIDE = "mutation ($id: ID!, $i: DecideApproval!) { decideApproval(id: $id, input: $i) { state } }"


def test_a_repeatable_project_shows_the_approvals_of_its_runs(page: Tab, live: Live) -> None:
    owner = new_user(live)
    project = _project(live, owner)
    repeatable = {
        "name": "Weekly",
        "template": {"channel": "sms", "text": "Hello"},
        "schedule": {"cron": "0 9 * * 1"},
        "source": {"sendingProjectUuid": project},
    }
    uuid = str(call(live, owner, _REPEAT, i=repeatable)["createRepeatableSendingProject"]["uuid"])
    page.comes_as(owner, f"/console/repeatable/{uuid}")
    page.sees("Next runs")
    assert not page.has("Approvals of its runs")
    call(live, owner, _RULE, i={"mode": "always", "selfApproval": True})
    page.open(f"/console/repeatable/{uuid}")
    page.sees("Approvals of its runs")
    page.sees("No approval holds. The next run waits as a draft")

    async def make_run() -> None:
        db = await asyncpg.connect(live.database)
        try:
            await db.execute("UPDATE sending_projects SET repeatable_uuid = $2 WHERE id = $1", project, uuid)
        finally:
            await db.close()

    asyncio.run(make_run())
    made = call(live, owner, _PLAN, id=project)["makeProjectPlan"]["hash"]
    asked = call(live, owner, _ASK, id=project, i={"planHash": made})["askApproval"]["uuid"]
    page.open(f"/console/repeatable/{uuid}")
    page.sees("Opening night, plan 1")
    page.sees("Waits")
    call(live, owner, _DECIDE, id=asked, i={"planHash": made, "decision": "approved"})
    page.open(f"/console/repeatable/{uuid}")
    page.sees("of plan 1 start without a further decision until")
    page.sees("Approved")
    _looks(page, "approval-repeatable")
    page.press("Opening night, plan 1")
    page.is_at(f"/console/approvals/{asked}")
