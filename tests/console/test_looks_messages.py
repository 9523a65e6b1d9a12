"""The pages of messages, the shell and the login as people see them: see looks.py."""

import pytest

from tests.console.looks import PHONE, Look, Looks, Sizes, every_look, new_sender
from tests.console.steps import Tab
from tests.console.test_callbacks import chain
from tests.console.test_codes import flooded
from tests.console.users import call
from tests.support.live import Live
from tests.support.people import Person

pytestmark = pytest.mark.rotating


def _key(page: Tab, width: int) -> None:
    page.page.press("k", 75, ctrl=True)


def _navigation(page: Tab, width: int) -> None:
    if width == PHONE:
        page.page.click("header button[aria-expanded]")


def _menu(page: Tab, width: int) -> None:
    page.page.click("header button[aria-haspopup=menu]:last-of-type")


def _table(page: Tab, width: int) -> None:
    """The numbers of the chart."""
    page.page.click("input[value=table] + label")


def _filters(page: Tab, width: int) -> None:
    if width == PHONE:
        page.page.click("main button[aria-expanded=false]")


def _all_rows(page: Tab, width: int) -> None:
    page.page.click("[role=cell] input[type=checkbox]")


PAGES: Looks = [
    ("overview", "/console", None, "canvas"),
    ("numbers", "/console", _table, "main table td"),
    ("messages", "/console/messages", _filters, "[role=cell] a"),
    ("messages-chosen", "/console/messages", _all_rows, "main [role=group] button"),
    ("message", "/console/messages/{failed}", None, "table"),
    ("chain", "/console/messages/{chain}", None, "main table td"),
    ("codes", "/console/verifications", None, "main form"),
    ("send", "/console/messages?send=1", None, "[role=dialog] textarea"),
    ("profile", "/console/profile", None, "main input[type=password]"),
    ("palette", "/console/profile", _key, "[role=dialog] input"),
    ("navigation", "/console/profile", _navigation, "nav a"),
    ("menu", "/console/profile", _menu, "[role=menu]"),
    ("nothing", "/console/nothing", None, "h1"),
]


@pytest.fixture(scope="module")
def user(live: Live) -> Person:
    made = new_sender(live)
    flooded(live, made)
    return made


@every_look
def test_pages(page: Tab, live: Live, user: Person, language: str, sizes: Sizes) -> None:
    look = Look(page, language, sizes)
    look.at("login")
    page.open("/console/invitation")
    page.sees_element("form")
    look.at("invitation")
    query = "{ messages(first: 1, where: { status: { eq: failed } }) { nodes { uuid } } }"
    failed = str(call(live, user, query)["messages"]["nodes"][0]["uuid"])
    look.at_all(user, PAGES, {"failed": failed, "chain": chain(live, user)})
