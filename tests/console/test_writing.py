"""The text of a project: a language model writes it, tests show what became of them; files have chosen columns."""

from collections.abc import Iterator

import pytest

from tests.ai.model import talking
from tests.console.conftest import opened
from tests.console.steps import Tab
from tests.console.users import call, new_user
from tests.support.browser import Browser
from tests.support.live import Live, serving
from tests.support.people import Person
from tests.support.waits import eventually

_MAKE = "mutation ($i: NewSendingProject!) { createSendingProject(input: $i) { uuid text } }"
_TEXT = "query ($id: ID!) { sendingProject(id: $id) { text } }"
_ADD = "mutation ($id: ID!, $i: AddRecipients!) { addRecipients(sendingProjectId: $id, input: $i) { added } }"
_EXPORTS = "{ exportLinks { nodes { status columns format url } } }"
_WRITTEN = "document.querySelector('[role=dialog] pre')?.textContent"


def _project(live: Live, user: Person, text: str = "Hello") -> str:
    made = call(live, user, _MAKE, i={"name": "Sale", "channel": "sms", "text": text})
    return str(made["createSendingProject"]["uuid"])


@pytest.fixture(scope="module")
def with_model() -> Iterator[Live]:
    """A service whose operator has set a language model."""
    with (
        talking("Come to the sale, {{ name }}!", "The sale begins.") as url,
        serving(workers=0, POSTERN_CONSOLE="true", POSTERN_AI_URL=f"{url}/v1") as running,
    ):
        yield running


def test_a_text_is_written_by_the_model_and_taken(
    has_console: None, browser: Browser, with_model: Live
) -> None:
    user = new_user(with_model)
    project = _project(with_model, user)
    with opened(browser, with_model, clear=True) as page:
        page.comes_as(user, f"/console/projects/new?project={project}&step=text")
        page.press("Write with AI")
        page.fill("What should the message say?", "Invite them to the sale")
        page.press("3")
        page.press("Write")
        page.page.wait(f"{_WRITTEN} === 'Come to the sale, {{{{ name }}}}!'")
        page.sees("The text that is there is replaced.")
        page.press("Use text 1")
        page.page.wait("document.querySelector('textarea').value.startsWith('Come to the sale')")

        def is_saved() -> bool:
            text = call(with_model, user, _TEXT, id=project)["sendingProject"]["text"]
            return bool(text == "Come to the sale, {{ name }}!")

        eventually(is_saved, "the project has the text")


def test_without_a_model_it_is_not_offered(has_console: None, browser: Browser) -> None:
    with serving(workers=0, POSTERN_CONSOLE="true") as live, opened(browser, live, clear=True) as page:
        user = new_user(live)
        page.comes_as(user, f"/console/projects/new?project={_project(live, user)}&step=text")
        page.sees("Send a test")
        page.sees_no("Write with AI")


def test_earlier_tests_of_the_channel_are_shown(page: Tab, live: Live) -> None:
    user = new_user(live)
    page.comes_as(user, f"/console/projects/new?project={_project(live, user)}&step=text")
    page.press("Send a test")
    page.sees_no("Earlier tests")
    page.fill("To whom, for example you", "+15005550010")
    page.press("Send the test")
    page.sees("Earlier tests")
    page.sees("+15005550010")
    page.press("+15005550010")
    page.sees("Test message")


def test_the_columns_of_a_file_are_chosen(page: Tab, live: Live) -> None:
    user = new_user(live)
    project = _project(live, user)
    people = [
        {"phone": "+15005550000", "name": "Ann", "variables": {"city": "Riga"}},
        {"phone": "+15005550001", "name": "Bob", "variables": {"city": "Oslo"}},
    ]
    call(live, user, _ADD, id=project, i={"recipients": people})
    call(live, user, "mutation ($id: ID!) { startSendingProject(id: $id) { uuid } }", id=project)
    page.comes_as(user, f"/console/projects/{project}")
    page.press("Recipients")
    page.press("Choose columns…")
    page.sees("Time zone")
    page.press("None")
    page.press("Address")
    page.press("Name")
    page.fill("Values of recipients", "city")
    page.press("Make the file")
    page.sees("Download (2 rows)")
    (link,) = call(live, user, _EXPORTS)["exportLinks"]["nodes"]
    assert link["columns"] == ["address", "name", "variables.city"]
    href = page.page.evaluate("document.querySelector('main a[download]').href")
    lines = live.client.get(href).text.removeprefix("\ufeff").splitlines()
    assert lines == ["address,name,variables.city", "+15005550000,Ann,Riga", "+15005550001,Bob,Oslo"]
