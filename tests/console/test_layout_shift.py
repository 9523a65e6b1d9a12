"""The page of a finished project stays where it is while its parts arrive."""

from typing import Any

import pytest

from tests.console.looks import LAPTOP, PHONE
from tests.console.steps import Tab
from tests.console.users import call, new_user
from tests.support.live import Live
from tests.support.people import Person
from tests.support.waits import eventually

_MAKE = "mutation ($i: NewSendingProject!) { createSendingProject(input: $i) { uuid } }"
_ADD = "mutation ($id: ID!, $i: AddRecipients!) { addRecipients(sendingProjectId: $id, input: $i) { added } }"
_START = "mutation ($id: ID!) { startSendingProject(id: $id) { uuid } }"
_STATUS = "query ($id: ID!) { sendingProject(id: $id) { status } }"

# A shift that follows what the user did is none, nor is one of the spinner alone, which is gone by then. The sources
# say what has moved.
_SHIFTS = """new Promise((done) => {
    const shifts = [];
    new PerformanceObserver((list) => {
        for (const {value, hadRecentInput, sources} of list.getEntries())
            if (!hadRecentInput && sources.some(({node}) => node))
                shifts.push([value, sources.map(({node}) => node?.textContent?.slice(0, 40) ?? "")]);
    }).observe({type: "layout-shift", buffered: true});
    setTimeout(() => done(shifts), 300);
})"""
MOST = 0.02  # when the chart and the files pushed away what was below them, it was more


def _finished_project(live: Live, user: Person) -> str:
    new = {"name": "Spring sale", "channel": "sms", "text": "Hello"}
    id = str(call(live, user, _MAKE, i=new)["createSendingProject"]["uuid"])
    recipients = [{"phone": f"+150055500{number}0"} for number in (0, 1)]
    call(live, user, _ADD, id=id, i={"recipients": recipients})
    call(live, user, _START, id=id)

    def is_finished() -> bool:
        return bool(call(live, user, _STATUS, id=id)["sendingProject"]["status"] == "finished")

    eventually(is_finished, "the project is finished")
    return id


@pytest.mark.parametrize("width", [LAPTOP, PHONE])
def test_a_finished_project_stays_where_it_is(page: Tab, live: Live, width: int) -> None:
    user = new_user(live)
    project = _finished_project(live, user)
    page.at_width(width)
    page.network(latency=150)  # so that each answer is drawn before the next one comes
    page.has_login_of(user)
    page.open(f"/console/projects/{project}")
    page.sees("Sent over time")
    page.sees("Save the messages or the recipients with their states as a file.")
    page.sees_row("You created the project “Spring sale”")
    page.page.wait("document.querySelector('main .mantine-Loader-root, main [aria-busy=true]') === null")
    shifts: list[Any] = page.page.evaluate(_SHIFTS)
    total = sum(value for value, _ in shifts)
    print(f"layout shift at {width}: {total:.4f}")
    assert total <= MOST, shifts
