"""A project after its end as a page that is shown to others, several projects at once, and copies."""

import asyncio
import base64
from typing import Any
from uuid import UUID

import asyncpg

from core.ids import uuid7
from tests.console.steps import Tab
from tests.console.users import call, new_user
from tests.support.live import Live
from tests.support.people import Person
from tests.support.waits import eventually

_IN_DIALOG = "document.querySelector('[role=dialog]') !== null"
_MAKE = "mutation ($i: NewSendingProject!) { createSendingProject(input: $i) { uuid } }"
_ADD = "mutation ($id: ID!, $i: AddRecipients!) { addRecipients(sendingProjectId: $id, input: $i) { added } }"
_START = "mutation ($id: ID!) { startSendingProject(id: $id) { uuid } }"
_PROJECTS = "{ sendingProjects { nodes { uuid name status recipients { totalCount } } totalCount } }"
_VARIANTS = [{"text": "Sale today", "weight": 1}, {"text": "Come in", "weight": 1}]
_DELIVERED, _FAILS = "+15005550000", "+15005550010"


def _made(live: Live, user: Person, *phones: str, **fields: Any) -> str:
    new = {"name": "Spring sale", "channel": "sms", "text": "Hello", **fields}
    id = str(call(live, user, _MAKE, i=new)["createSendingProject"]["uuid"])
    if phones:
        call(live, user, _ADD, id=id, i={"recipients": [{"phone": phone} for phone in phones]})
    return id


def _status(live: Live, user: Person, id: str) -> str:
    query = "query ($id: ID!) { sendingProject(id: $id) { status counts { sent } } }"
    project = call(live, user, query, id=id)["sendingProject"]
    return "on its way" if project["counts"]["sent"] else str(project["status"])


def _finished(live: Live, user: Person, *phones: str, **fields: Any) -> str:
    """A project that has ended, and whose messages have their reports."""
    id = _made(live, user, *phones, **fields)
    call(live, user, _START, id=id)
    eventually(lambda: _status(live, user, id) == "finished", "the project is finished")
    return id


def _confirmed(page: Tab, name: str) -> None:
    page.page.wait(_IN_DIALOG)
    page.press(name)
    page.page.wait(f"!({_IN_DIALOG})")


def test_a_finished_project_is_worth_a_page(page, live):
    user = new_user(live)
    phones = [f"+1415555{number:04}" for number in range(8)]
    id = _finished(live, user, *phones, _FAILS, text=None, variants=_VARIANTS)
    page.comes_as(user, f"/console/projects/{id}")
    page.sees("Result")
    cost = call(live, user, "query ($id: ID!) { projectCost(id: $id) { cost refunded } }", id=id)[
        "projectCost"
    ]
    assert (cost["cost"], cost["refunded"]) == (0.08, 0.01)
    page.sees("Cost $0.08 $0.01 refunded")
    page.sees("Failed 1 11.1%")
    page.sees("All shares are of the 9 messages that were to be sent")
    page.sees("Sent over time")
    page.sees_element("main dl rect[data-series=sent]")
    page.sees("Too early to tell. There are too few outcomes for a comparison.")
    # The page of the reconciliation opens without a token.
    page.sees("Open the page to print")
    link = str(page.page.evaluate("document.querySelector('main a[href*=reconciliation]').href"))
    printed_page = live.client.get(link[link.index("/sending-project/") :])
    assert printed_page.status_code == 200
    assert printed_page.headers["content-type"].startswith("text/html")
    # On paper there is the page alone, in light colors, and its charts.
    page.dark()
    page.page.wait("document.documentElement.dataset.mantineColorScheme === 'dark'")
    page.page.evaluate(
        "window.addEventListener('beforeprint', () => { window.printed ="
        " document.documentElement.dataset.mantineColorScheme; }, {once: true})"
    )
    printed = page.page.call("Page.printToPDF", printBackground=False)["data"]
    assert base64.b64decode(printed).startswith(b"%PDF")
    assert page.page.evaluate("window.printed") == "light"
    page.page.wait("document.documentElement.dataset.mantineColorScheme === 'dark'")
    page.page.call("Emulation.setEmulatedMedia", media="print")
    for selector in ("header.screen-only", "nav.screen-only"):
        display = f"getComputedStyle(document.querySelector('{selector}')).display"
        assert page.page.evaluate(display) == "none"
    page.page.call("Emulation.setEmulatedMedia", media="")


def test_the_ledger_has_a_line_for_the_project_that_unfolds(page, live):
    user = new_user(live)
    _finished(live, user, _DELIVERED, _FAILS)
    account = call(live, user, "{ accounts { nodes { uuid } } }")["accounts"]["nodes"][0]["uuid"]
    page.comes_as(user, f"/console/accounts/{account}")
    page.sees_row("2 entries", "Project “Spring sale”", "Charged $0.02, refunded $0.01", "-$0.01")
    page.press("Show the entries of Spring sale")
    page.sees_row("Refund", "+$0.01")
    page.sees_row("Charge", "-$0.02")
    page.press("Hide the entries of Spring sale")
    page.page.wait(
        "[...document.querySelectorAll('[role=row]')].every((row) => !row.innerText.includes('Refund'))"
    )


def test_an_entry_that_stands_for_a_day_says_for_how_many(page, live):
    user = new_user(live)
    account = call(live, user, "{ accounts { nodes { uuid } } }")["accounts"]["nodes"][0]["uuid"]

    async def add() -> None:
        db = await asyncpg.connect(live.database)
        try:
            await db.execute(
                "INSERT INTO ledger_entries (id, account_id, kind, amount, reference, entry_count)"
                " VALUES ($1, $2, 'charge', -12.04, $1, 1204)",
                uuid7(), UUID(account),
            )  # fmt: skip
        finally:
            await db.close()

    asyncio.run(add())
    page.comes_as(user, f"/console/accounts/{account}")
    page.sees_row(
        "Charge", "Messages that are no longer kept", "sum of a day (UTC): 1,204 entries", "-$12.04"
    )
    page.picture("ledger-sum")


def test_several_projects_are_chosen_and_each_says_what_became_of_it(page, live):
    user = new_user(live)
    _finished(live, user, _FAILS, name="Failed one")
    draft = _made(live, user, name="A draft")
    slow = [f"+1415555{number:04}" for number in range(60)]
    running = _made(live, user, *slow, name="Slow one", speed={"perMinute": 1})
    call(live, user, _START, id=running)
    page.comes_as(user, "/console/projects")
    page.sees("Slow one")
    for name in ("Failed one", "A draft", "Slow one"):
        page.press(f"Select {name}")
    page.sees("3 selected")
    page.press("Stop 1")
    page.sees("2 other chosen projects stay as they are.")
    _confirmed(page, "Stop 1")
    page.sees("1 project is stopped.")
    assert _status(live, user, running) == "stopped"
    # Another tab is faster: the dialog does not know it, and the answer says what happened to each.
    page.press("Select all that are shown")
    page.press("Delete 3")
    page.page.wait(_IN_DIALOG)
    call(live, user, "mutation ($id: ID!) { deleteSendingProject(id: $id) }", id=draft)
    page.press("Delete 3")
    page.sees("2 projects are deleted.")
    page.sees("1 could not be deleted: A draft: There is no Sending Project with this uuid among yours.")
    page.press("Close")
    page.sees("Send one text to many people")
    assert call(live, user, _PROJECTS)["sendingProjects"]["totalCount"] == 0


def test_a_project_is_the_model_for_the_next(page, live):
    user = new_user(live)
    id = _finished(live, user, _DELIVERED, text="Hello {{ name }}")
    page.comes_as(user, f"/console/projects/{id}")
    page.press("Duplicate…")
    page.page.wait(_IN_DIALOG)
    page.fill("Name", "Summer sale")
    page.press("With its 1 recipient")
    page.press("Make a copy")
    page.page.wait("document.querySelector('textarea')?.value === 'Hello {{ name }}'")
    page.sees("Summer sale")
    made = {node["name"]: node for node in call(live, user, _PROJECTS)["sendingProjects"]["nodes"]}
    assert made["Summer sale"]["status"] == "draft"
    assert made["Summer sale"]["recipients"]["totalCount"] == 1


def test_looking_around_makes_no_draft_and_a_reload_keeps_what_was_typed(page, live):
    user = new_user(live)
    page.comes_as(user, "/console/projects/new")
    for step in ("Text", "Time and speed", "Plan and start"):
        page.press(f"Next: {step}")
    page.sees("There are no recipients yet.")
    assert call(live, user, _PROJECTS)["sendingProjects"]["totalCount"] == 0
    page.open("/console/projects/new")
    page.press("Paste")
    page.paste("Phone numbers", f"{_DELIVERED}\n+15005550001")
    page.page.reload()
    page.sees("Read 2 lines")
    page.press("Read 2 lines")
    page.sees("Add 2 recipients")
    assert call(live, user, _PROJECTS)["sendingProjects"]["totalCount"] == 0
    page.press("Add 2 recipients")
    page.sees_no("Add 2 recipients")
    assert call(live, user, _PROJECTS)["sendingProjects"]["totalCount"] == 1
    assert page.page.evaluate("Object.keys(sessionStorage).filter((key) => key.includes('read-list'))") == []
    # A text that nobody has saved yet.
    page.open("/console/projects/new?step=text")
    page.fill("Text", "Hello from before")
    page.page.reload()
    page.page.wait("document.querySelector('textarea')?.value === 'Hello from before'")
    # Whoever logs in next in this tab finds nothing of it.
    page.page.click("header button[aria-haspopup=menu]:last-of-type")
    page.press("Log out")
    page.sees("Log in")
    assert (
        page.page.evaluate("Object.keys(sessionStorage).filter((key) => key.startsWith('postern-kept'))")
        == []
    )


def test_the_plan_says_how_far_the_balance_lasts_and_where_to_credit(page, live):
    user = new_user(live, credit="0.03")
    id = _made(live, user, *(f"+1415555{number:04}" for number in range(10)))
    page.comes_as(user, f"/console/projects/new?project={id}&step=check")
    page.sees("The balance lasts for about 3 of 10 messages.")
    page.sees("Ask an administrator of this Postern for credit.")


def test_a_message_is_shown_as_its_recipient_gets_it(page, live):
    user = new_user(live)
    text = "Sale! " * 30 + "{{ unsubscribe_url }}"
    id = _made(live, user, _DELIVERED, text=text, category="promotional")
    page.comes_as(user, f"/console/projects/new?project={id}&step=text")
    page.sees_element("figure[aria-label='The message on a phone'][data-channel=sms]")
    page.sees("The unsubscribe link has its real length here")
    parts = page.page.evaluate("document.querySelectorAll('figure sub').length")
    query = "query ($i: PreviewMessage!) { previewMessage(input: $i) { segments body } }"
    preview = call(live, user, query, i={"sendingProjectUuid": id})["previewMessage"]
    assert parts == preview["segments"] > 1
    assert "/unsubscribe/" in preview["body"]
    html = "<h1>Hello</h1><p>Only <b>today</b></p>"
    mail = _made(live, user, channel="email", subject="مرحبا Anna", text="Hello, only today", html=html)
    page.open(f"/console/projects/new?project={mail}&step=text")
    page.sees_element("figure[aria-label='The email in an inbox']")
    page.sees("Hello Only today")
    direction = "getComputedStyle(document.querySelector('figure [dir=auto]')).direction"
    assert page.page.evaluate(direction) == "rtl"
    tops = page.page.evaluate(
        "[document.querySelector('iframe'), document.querySelector('iframe').closest('main').querySelector('details')]"
        ".map((one) => one.getBoundingClientRect().top)"
    )
    assert tops[0] < tops[1]  # the text stands below the HTML, and both beside the editor


def test_a_project_whose_messages_were_deleted_says_so(page, live):
    """Its counts stay. What needs messages or recipients is not offered."""
    user = new_user(live)
    id = _finished(live, user, _FAILS, _DELIVERED)

    async def delete() -> None:
        db = await asyncpg.connect(live.database)
        try:
            for table in ("recipients", "message_records"):
                await db.execute(f"DELETE FROM {table} WHERE project_id = $1", UUID(id))
            await db.execute(
                "UPDATE sending_projects SET messages_deleted_at = now() WHERE id = $1", UUID(id)
            )
        finally:
            await db.close()

    page.comes_as(user, f"/console/projects/{id}")
    page.sees("Send again…")
    asyncio.run(delete())
    page.page.reload()
    page.sees("The messages and recipients were deleted")
    page.sees("Failed 1 50%")
    assert not page.has("Send again…")
    page.picture("messages-deleted")
    page.press("Duplicate…")
    page.page.wait("document.querySelector('[role=dialog] input[type=checkbox]').disabled")
