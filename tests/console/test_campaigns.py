"""Tests a marketer's work with projects: a plan that holds, attachments, another speed, chosen causes, a changed
schedule.
"""

import asyncio
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from pathlib import Path
from typing import Any
from uuid import UUID

import asyncpg

from tests.console.steps import Tab
from tests.console.users import call, new_user
from tests.support.live import Live
from tests.support.people import Person
from tests.support.waits import eventually

_IN_DIALOG = "document.querySelector('[role=dialog]') !== null"
_MAKE = "mutation ($i: NewSendingProject!) { createSendingProject(input: $i) { uuid } }"
_ADD = "mutation ($id: ID!, $i: AddRecipients!) { addRecipients(sendingProjectId: $id, input: $i) { added } }"
_START = "mutation ($id: ID!) { startSendingProject(id: $id) { uuid } }"
_REPEAT = "mutation ($i: NewRepeatableProject!) { createRepeatableSendingProject(input: $i) { uuid } }"


def _made(live: Live, user: Person, recipients: list[dict[str, Any]], **fields: Any) -> str:
    """Makes a draft by the API."""
    new = {"name": "Spring sale", "channel": "sms", "text": "Hello {{ name }}", **fields}
    id = str(call(live, user, _MAKE, i=new)["createSendingProject"]["uuid"])
    call(live, user, _ADD, id=id, i={"recipients": recipients})
    return id


def _phones(*numbers: int) -> list[dict[str, Any]]:
    return [{"phone": f"+150055500{number:02}"} for number in numbers]


def _project(live: Live, user: Person, id: str, fields: str) -> Any:
    return call(live, user, "query ($id: ID!) { sendingProject(id: $id) {" + fields + "} }", id=id)[
        "sendingProject"
    ]


def _balance(live: Live, user: Person) -> Decimal:
    return Decimal(
        str(call(live, user, "{ accounts { nodes { balance } } }")["accounts"]["nodes"][0]["balance"])
    )


def _finished(live: Live, user: Person, id: str) -> None:
    eventually(lambda: _project(live, user, id, "status")["status"] == "finished", "the project is finished")


def _confirmed(page: Tab, name: str) -> None:
    page.page.wait(_IN_DIALOG)
    page.press(name)
    page.page.wait(f"!({_IN_DIALOG})")


def test_the_plan_is_what_is_sent_and_charged(page, live):
    user = new_user(live)
    call(live, user, 'mutation { blockPhone(phone: "+15005550003") { uuid } }')
    people = [*_phones(0, 3), {"phone": "+15005550001", "name": "A" * 200}]
    id = _made(live, user, people)
    before = _balance(live, user)
    page.comes_as(user, f"/console/projects/new?project={id}&step=check")
    page.sees("Will be sent 2")
    page.sees("Skipped 1")
    page.sees("The recipient is on your block list")
    plan = call(
        live, user, "query ($id: ID!) { sendingProjectPlan(id: $id) { exact cost { amount parts } } }", id=id
    )["sendingProjectPlan"]
    assert plan["exact"]
    assert plan["cost"]["parts"] > 1
    page.press("Send to 2")
    _confirmed(page, "Start")
    page.sees("Finished")
    counts = _project(live, user, id, "counts { sent delivered skipped }")["counts"]
    assert (counts["sent"] + counts["delivered"], counts["skipped"]) == (2, 1)
    assert before - _balance(live, user) == Decimal(str(plan["cost"]["amount"]))


def test_a_file_is_attached_and_shown_with_the_results(page, live, tmp_path: Path):
    user = new_user(live)
    id = _made(
        live,
        user,
        [{"address": "delivered@sandbox.postern.test"}],
        channel="email",
        subject="Hi",
        text="Look",
    )
    (tmp_path / "menu.txt").write_text("Soup")
    (tmp_path / "wine.txt").write_text("Red")
    page.comes_as(user, f"/console/projects/new?project={id}&step=text")
    page.sees("Attachments")
    page.page.call("DOM.enable")
    root = page.page.call("DOM.getDocument")["root"]["nodeId"]
    field = page.page.call("DOM.querySelector", nodeId=root, selector="input[type=file]")["nodeId"]
    files = [str(tmp_path / name) for name in ("menu.txt", "wine.txt")]
    page.page.call("DOM.setFileInputFiles", nodeId=field, files=files)
    page.sees("menu.txt")
    page.press("Remove wine.txt")
    page.sees_no("wine.txt")
    page.press("Next: Time and speed")
    page.press("Next: Plan and start")
    page.sees("Will be sent 1")
    page.press("Send to 1")
    _confirmed(page, "Start")
    page.sees("Finished")
    page.sees("menu.txt")
    attached = _project(live, user, id, "attachments { name size }")["attachments"]
    assert attached == [{"name": "menu.txt", "size": 4}]


def test_recipients_are_removed_by_the_text_that_is_shown(page, live):
    user = new_user(live)
    people = [
        {"phone": f"+1500555000{number}", "name": name} for number, name in enumerate(("Ada", "Adam", "Bob"))
    ]
    id = _made(live, user, people)
    page.comes_as(user, f"/console/projects/new?project={id}&step=audience")
    page.press("Remove…")
    page.page.wait(_IN_DIALOG)
    field = "Part of the address or the name"
    page.fill(field, "Bob")
    page.sees("Remove 1 recipient")
    # The next search fails: what the one before has found must not stay, nor be removed.
    page.page.evaluate(
        "(() => { const real = window.fetch; window.restore = () => { window.fetch = real; };"
        " const errors = [{message: 'The search failed.', extensions: {code: 'internal_error'}}];"
        ' window.fetch = (url, init) => String(init?.body).includes(\'"text":"Ada"\')'
        " ? Promise.resolve(Response.json({errors})) : real(url, init); })()"
    )
    page.fill(field, "Ada")
    page.sees("The search failed.")
    page.page.wait("document.querySelector('[role=dialog] li') === null")
    page.sees_element("[role=dialog] button[data-disabled]")
    page.page.evaluate("window.restore()")
    page.press("Try again")
    page.sees("+15005550001 · Adam")
    page.press("Remove 2 recipients")
    page.page.wait(f"!({_IN_DIALOG})")
    page.sees("1 recipient")
    page.sees_no("Adam")
    left = call(
        live, user, "query ($id: ID!) { recipients(sendingProjectId: $id) { nodes { name } } }", id=id
    )
    assert left["recipients"]["nodes"] == [{"name": "Bob"}]


def test_the_speed_is_changed_while_it_runs(page, live):
    user = new_user(live)
    id = _made(
        live, user, [{"phone": f"+1415555{number:04}"} for number in range(60)], speed={"perMinute": 20}
    )
    call(live, user, _START, id=id)
    page.comes_as(user, f"/console/projects/{id}")
    page.sees("Running")
    page.press("Change speed and hours")
    page.is_at(f"/console/projects/{id}?change=speed")
    page.sees("All sent, with this change: ≈")
    page.fill("Messages a minute", "6 000")
    page.sees("left to send.")
    _confirmed(page, "Save")
    page.is_at(f"/console/projects/{id}")
    _finished(live, user, id)
    assert _project(live, user, id, "speed { perMinute }")["speed"] == {"perMinute": 6000}
    page.sees("Finished")


def test_a_project_whose_time_was_missed_says_so_and_can_be_started(page, live):
    user = new_user(live)
    soon = (datetime.now(UTC) + timedelta(days=1)).isoformat()
    id = _made(live, user, _phones(0, 1), startAt=soon)
    call(live, user, _START, id=id)

    async def two_days_later() -> None:
        """All workers were away meanwhile."""
        db = await asyncpg.connect(live.database)
        await db.execute(
            "UPDATE sending_projects SET start_at = now() - interval '2 days' WHERE id = $1", UUID(id)
        )
        await db.close()

    asyncio.run(two_days_later())
    eventually(lambda: _project(live, user, id, "status")["status"] == "stopped", "the project is stopped")
    page.comes_as(user, f"/console/projects/{id}")
    page.sees("It could not be started in time.")
    page.sees("Start it now, or give it another time and start it.")
    page.press("Continue")
    _confirmed(page, "Continue")
    _finished(live, user, id)
    page.sees_no("It could not be started in time.")


def test_chosen_causes_are_sent_again_and_lead_to_their_messages(page, live):
    user = new_user(live)
    call(live, user, 'mutation { blockPhone(phone: "+15005550001") { uuid } }')
    id = _made(live, user, _phones(0, 1, 10))
    call(live, user, _START, id=id)
    _finished(live, user, id)
    page.comes_as(user, f"/console/projects/{id}")
    page.sees("Finished")
    page.press("Send again…")
    page.page.wait(_IN_DIALOG)
    page.sees("The recipient is on your block list (1)")
    reasons = _project(live, user, id, "failureReasons { code count skipped }")["failureReasons"]
    assert {reason["code"]: reason["skipped"] for reason in reasons} == {"blocked": 1, "invalid_recipient": 0}
    call(live, user, 'mutation { unblockPhone(phone: "+15005550001") }')
    page.page.click("[role=dialog] input[value=invalid_recipient]")
    page.page.click("[role=dialog] input[value=blocked]")
    _confirmed(page, "Send 1 again")
    eventually(
        lambda: (
            _project(live, user, id, "counts { skipped failed }")["counts"] == {"skipped": 0, "failed": 1}
        ),
        "only the chosen cause was sent again",
    )
    _finished(live, user, id)
    page.sees_no("is on your block list")  # else the click meets what has moved when this line went away
    page.page.click("main a[href*='cause=invalid_recipient']")
    page.is_at(f"/console/messages?kind=project&project={id}&status=failed&cause=invalid_recipient")
    page.sees("+15005550010")
    page.sees("Cause: invalid_recipient")
    page.press("Remove the filter by the cause invalid_recipient")
    page.is_at(f"/console/messages?kind=project&status=failed&project={id}")


def test_a_repeating_project_is_edited(page, live):
    user = new_user(live)
    id = _made(live, user, _phones(0))
    made = call(
        live, user, _REPEAT,
        i={
            "name": "Every morning",
            "template": {"channel": "sms", "text": "Good morning", "speed": {"perMinute": 5}},
            "schedule": {"cron": "0 9 * * *", "timezone": "UTC"},
            "source": {"sendingProjectUuid": id},
        },
    )  # fmt: skip
    uuid = made["createRepeatableSendingProject"]["uuid"]
    page.comes_as(user, f"/console/repeatable/{uuid}")
    page.press("Edit")
    page.is_at(f"/console/repeatable/{uuid}/edit")
    page.fill("Text", "Good evening")
    page.fill("Name", "Every evening")
    page.fill("Most runs", "3")
    page.press("Save")
    page.is_at(f"/console/repeatable/{uuid}")
    page.sees("Every evening")
    page.sees("0 / 3")
    query = (
        "query ($id: ID!) { repeatableSendingProject(id: $id) { name schedule { cron maxRuns }"
        " template { text speed { perMinute } } } }"
    )
    assert call(live, user, query, id=uuid)["repeatableSendingProject"] == {
        "name": "Every evening",
        "schedule": {"cron": "0 9 * * *", "maxRuns": 3},
        "template": {"text": "Good evening", "speed": {"perMinute": 5}},
    }
