"""An installation with a purpose shows the pages of its modules, and none of them asks for what is off."""

from collections.abc import Iterator

import pytest

from tests.console import axe
from tests.console.conftest import opened
from tests.console.looks import PHONE
from tests.console.steps import Tab
from tests.console.users import DELIVERED, call, ends, new_user, send
from tests.support.browser import Browser
from tests.support.live import Live, serving
from tests.support.waits import eventually

_MENU = "nav[aria-label='Main navigation']"
_LINKS = f"[...document.querySelectorAll(\"{_MENU} a\")].map((one) => one.getAttribute('href'))"
_LOADED = """document.querySelector('main h1') !== null
    && document.querySelector('main .mantine-Loader-root, main [aria-busy=true]') === null"""
# What the sandbox says of a message is an alert, too.
_ALERTS = """[...document.querySelectorAll('main [role=alert]')]
    .map((one) => one.innerText).filter((text) => !text.includes("The sandbox took this message"))"""
_MAIN = {"campaigns": 8, "answers": 6, "api": 8, "resale": 8}
NOT_IN_USE = "This page is not in use"


@pytest.fixture(scope="module", params=sorted(_MAIN))
def purposeful(request: pytest.FixtureRequest) -> Iterator[tuple[str, Live]]:
    """A service whose setting names one purpose."""
    with serving(workers=1, POSTERN_CONSOLE="true", POSTERN_PURPOSE=request.param) as running:
        yield request.param, running


@pytest.mark.rotating
@pytest.mark.parametrize("role", ["administrator", "user"])
def test_every_page_of_the_menu_works(has_console, browser: Browser, purposeful: tuple[str, Live], role: str):
    purpose, live = purposeful
    axe.script()  # skips the test if it is not installed
    user = new_user(live)
    who = live.admin if role == "administrator" else user
    id = send(live, user, DELIVERED)
    ends(live, user, id, "delivered")
    with opened(browser, live, clear=True) as page:
        page.comes_as(who)
        main = page.page.evaluate(_LINKS)
        assert 0 < len(main) <= _MAIN[purpose], main
        page.press("More")
        links = page.page.evaluate(_LINKS)
        assert links[: len(main)] == main
        assert len(links) > len(main)
        print(purpose, role, len(main), len(links) - len(main))
        wrong = {}
        for path in [*links, f"/console/messages/{id}", "/console/messages?send=1", "/console/projects/new"]:
            page.open(path)
            page.page.wait(_LOADED)
            assert NOT_IN_USE not in page.text(), path
            if found := page.page.evaluate(_ALERTS) or page.violations():
                wrong[path] = found
        assert not wrong, wrong


def test_the_page_of_a_module_that_is_off_says_who_switches_it_on(
    has_console, browser: Browser, purposeful: tuple[str, Live]
):
    purpose, live = purposeful
    path = "/console/contacts/topics" if purpose == "answers" else "/console/inbox"
    with opened(browser, live, clear=True) as page:
        page.comes_as(new_user(live), path)
        page.sees(NOT_IN_USE)
        page.sees("An administrator switches it on under System, Purpose.")
        assert not page.has("Change the purpose")
        page.comes_as(live.admin, path)
        page.press("Change the purpose")
        page.is_at("/console/system/purpose")
        page.sees("POSTERN_PURPOSE sets this, and wins over this page.")


@pytest.fixture
def free(live: Live) -> Iterator[Live]:
    """The service of other tests, which has no purpose again at the end."""
    yield live
    call(live, live.admin, "mutation { setPurposes(input: {purposes: [], billing: prepaid}) { billing } }")


def test_an_administrator_chooses_what_it_is_for(page: Tab, free: Live):
    page.comes_as(free.admin, "/console/system/purpose")
    page.sees("What is Postern for?")
    page.press("Answer messages")
    page.sees("Nothing costs anything: prices are 0")  # the first choice brings it along
    assert page.violations() == []
    page.press("Save")
    page.sees("It is saved.")
    assert call(free, free.admin, "{ installation { purposes billing modules } }")["installation"] == {
        "purposes": ["answers"],
        "billing": "off",
        "modules": ["messengers"],
    }
    page.page.wait(f"!{_LINKS}.includes('/console/contacts')")  # the menu follows without a reload
    page.press("Messages cost money")
    page.sees("A message is charged to an account before it is sent.")
    page.press("Save")
    eventually(
        lambda: (
            call(free, free.admin, "{ installation { billing } }")["installation"]["billing"] == "prepaid"
        ),
        "messages cost money again",
    )
    page.at_width(PHONE)
    assert page.violations() == []


def test_the_rest_of_the_menu_stays_open_in_this_browser(page: Tab, live: Live):
    page.comes_as(live.admin)
    page.page.shows(f"{_MENU} button[aria-expanded=false]")
    assert not page.has("Audit")
    page.press("More")
    page.press("Audit")
    page.is_at("/console/audit")
    page.press("More")
    page.page.wait(f"!{_LINKS}.includes('/console/audit')")
    page.press("More")
    page.page.reload()
    page.page.shows(f"{_MENU} button[aria-expanded=true]")
    page.press("Messages")
    page.is_at("/console/messages")
    assert page.has("Audit")
