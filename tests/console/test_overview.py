"""The overview: numbers that change by themselves and lead to what they count, what runs, and what a newcomer sees."""

from typing import Any

from tests.console.looks import PHONE
from tests.console.steps import Tab
from tests.console.users import DELIVERED, FAILED, call, ends, new_user, send
from tests.support.live import Live
from tests.support.people import Person
from tests.support.waits import eventually

_LOADED = "performance.timeOrigin"
_MAKE = "mutation ($i: NewSendingProject!) { createSendingProject(input: $i) { uuid } }"
_ADD = "mutation ($id: ID!, $i: AddRecipients!) { addRecipients(sendingProjectId: $id, input: $i) { added } }"
_START = "mutation ($id: ID!) { startSendingProject(id: $id) { uuid } }"
_RETRY = "mutation ($id: ID!) { retrySendingProject(id: $id) { uuid } }"
_STATUS = (
    "query ($id: ID!) { sendingProject(id: $id) { status counts { total failed delivered queued sending } } }"
)
_HREFS = "[...document.querySelectorAll('main a')].map((link) => link.getAttribute('href'))"
_ROWS = "document.querySelectorAll('main [role=row]').length - 1"


def _draft(live: Live, user: Person, name: str, *phones: int, **fields: Any) -> str:
    new = {"name": name, "channel": "sms", "text": "Hello", **fields}
    id = str(call(live, user, _MAKE, i=new)["createSendingProject"]["uuid"])
    recipients = [{"phone": f"+150055500{number:02}"} for number in phones]
    call(live, user, _ADD, id=id, i={"recipients": recipients})
    return id


def _started(live: Live, user: Person, name: str, *phones: int, **fields: Any) -> str:
    id = _draft(live, user, name, *phones, **fields)
    call(live, user, _START, id=id)
    return id


def _ended(live: Live, user: Person, id: str) -> Any:
    """Waits until nothing of a project is left to send. Returns its counts."""

    def counts() -> Any:
        project = call(live, user, _STATUS, id=id)["sendingProject"]
        return project["status"] == "finished" and project["counts"]

    return eventually(counts, "the project is finished")


def _lists(page: Tab, name: str) -> list[str]:
    """Returns the addresses of the lists that have this state."""
    return [link for link in page.page.evaluate(_HREFS) if f"status={name}" in (link or "")]


def test_its_numbers_change_when_messages_are_sent_elsewhere(page, live):
    user = new_user(live)
    page.comes_as(user)
    loaded = page.page.evaluate(_LOADED)
    page.sees("Send a message to yourself")
    page.sees("Live")
    page.sees("Messages 0 Delivered 0 On the way 0 Failed 0")
    ends(live, user, send(live, user, DELIVERED), "delivered")
    page.sees("Messages 1 Delivered 1 100% On the way 0 0% Failed 0")
    page.sees_no("Send a message to yourself")
    ends(live, user, send(live, user, FAILED), "failed")
    page.sees("Messages 2 Delivered 1 50% On the way 0 0% Failed 1 50%")
    assert page.page.evaluate(_LOADED) == loaded, "the page was never loaded again"
    page.page.click("main a[href*='status=failed']")
    page.sees_row(FAILED)
    page.sees("1 message")


def test_each_tile_leads_to_exactly_what_it_counts(page, live):
    """Direct messages and those of a project, of which one has failed twice."""
    user = new_user(live)
    for to, state in ((DELIVERED, "delivered"), (FAILED, "failed")):
        ends(live, user, send(live, user, to), state)
    id = _started(live, user, "Spring", 0, 1, 10, 11)
    assert _ended(live, user, id)["failed"] == 2
    call(live, user, _RETRY, id=id)
    counts = _ended(live, user, id)
    assert (counts["failed"], counts["delivered"]) == (2, 2), "they have failed once more"
    page.comes_as(user)
    page.sees("Messages 6")
    page.sees("Failed 3 50% Direct 1 Projects 2")
    page.sees_row("SMS", "4", "2", "0", "2")
    page.sees_row("Email", "2", "1", "0", "1")
    for address in _lists(page, "failed")[:2]:
        kind = "project" if "kind=project" in address else "direct"
        page.open(address)
        page.sees({"project": "2 messages", "direct": "1 message"}[kind])
        page.page.wait(f"{_ROWS} === {2 if kind == 'project' else 1}")


def test_why_messages_failed_leads_to_these_messages(page, live):
    user = new_user(live)
    ends(live, user, send(live, user, FAILED), "failed")
    page.comes_as(user)
    page.sees("Why messages failed")
    page.press("The provider can't reach this recipient")
    page.sees("Cause: invalid_recipient")
    page.sees_row(FAILED)
    page.sees("1 message")


def test_a_channel_limits_the_numbers(page, live):
    user = new_user(live)
    ends(live, user, send(live, user, DELIVERED), "delivered")
    _ended(live, user, _started(live, user, "Spring", 0, 1))
    page.comes_as(user)
    page.sees("Messages 3")
    page.press("Email")
    page.is_at("/console?channel=email")
    page.sees("Messages 1 Delivered 1 100%")
    page.press("Show all channels")
    page.sees("Messages 3")


def test_what_runs_is_shown_with_its_bar(page, live):
    user = new_user(live)
    window = {"timezone": "UTC", "days": [1, 2, 3, 4, 5, 6, 7], "from": "00:00", "to": "23:59"}
    slow = {"speed": {"perMinute": 1}, "window": window}
    _started(live, user, "Slow one", *range(10), **slow)
    _started(live, user, "https://example.com/" + "a-long-path-without-a-space/" * 4, 11, **slow)
    page.comes_as(user)
    page.sees("Under way now")
    page.sees("/ 10")
    page.page.shows("main [role=progressbar]")
    page.at_width(PHONE)
    assert (
        page.page.evaluate("document.documentElement.scrollWidth") <= PHONE
    )  # a long name does not widen it
    page.press("Slow one")
    page.sees("Send by a schedule…")


def test_the_chart_has_a_table_with_the_same_numbers(page, live):
    user = new_user(live)
    ends(live, user, send(live, user, DELIVERED), "delivered")
    page.comes_as(user)
    page.sees("Messages 1 Delivered 1")
    page.page.shows("[role=img] canvas")
    page.press("Table")
    page.sees("From Sent Delivered Failed")
    assert page.page.evaluate("document.querySelector('canvas')") is None
    numbers = (
        "[...document.querySelector('main tbody tr').cells].slice(1, 4).map((cell) => cell.innerText).join()"
    )
    assert page.page.evaluate(numbers) == "1,1,0"
    page.press("7 days")
    page.is_at("/console?range=week")
    page.sees("Messages of the last 7 days")
    page.page.reload()
    page.sees("Messages 1 Delivered 1")


def test_it_has_acts(page, live):
    page.comes_as(new_user(live))
    page.sees("Nothing needs you at the moment.")
    page.press("New project")
    page.is_at("/console/projects/new")
    page.press("Overview")
    page.press("Send a message")
    page.is_at("/console/messages?send=1")
    page.press("Cancel")
    page.is_at("/console/messages")


def test_a_newcomer_takes_a_sample_list(page, live):
    user = new_user(live)
    page.comes_as(user)
    page.sees("You have a balance, and messages are paid from it.")
    page.press("Make a project")
    page.is_at("/console/projects/new?sample=1")
    page.press("Use sample recipients")
    page.press("Read 10 lines")
    page.press("Add 10 recipients")
    counted = "{ sendingProjects { nodes { recipients(first: 1) { totalCount } } } }"

    def added() -> bool:
        projects = call(live, user, counted)["sendingProjects"]["nodes"]
        return [project["recipients"]["totalCount"] for project in projects] == [10]

    eventually(added, "the sample recipients are in the project")


def test_a_sandbox_is_named_before_a_project_starts_and_after(page, live):
    user = new_user(live)
    id = _draft(live, user, "Spring", 0, 1)
    page.comes_as(user, f"/console/projects/new?project={id}&step=check")
    page.sees("SMS is a sandbox: nothing leaves this server")
    page.press("Send to 2")
    page.page.wait(
        "document.querySelector('[role=dialog]')?.innerText.includes('nothing leaves this server')"
    )
    call(live, user, _START, id=id)
    _ended(live, user, id)
    page.open(f"/console/projects/{id}")
    page.sees("SMS is a sandbox: nothing has left this server, and nobody has received a message.")
    page.press("Overview")
    page.sees("Messages 2 Delivered 2 100%")
    page.sees_no("Send a message to yourself")


def test_a_newcomer_without_money_is_told_whom_to_ask(page, live):
    page.comes_as(new_user(live, credit="0"))
    page.sees("Ask an administrator for credit first")
