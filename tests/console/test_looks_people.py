"""The pages of users, accounts and tariffs as an administrator sees them: see looks.py."""

import pytest

from tests.console.looks import Look, Looks, Sizes, every_look, new_sender
from tests.console.steps import Tab
from tests.console.users import price_list, route_rule
from tests.support.live import Live
from tests.support.people import Person

pytestmark = pytest.mark.rotating


def _trace(page: Tab, width: int) -> None:
    """Asks where a number goes."""
    page.page.click("main form input[inputmode=tel]")
    page.page.write("+49 30 123456")
    page.page.click("main form button[type=submit]")


PAGES: Looks = [
    ("accounts", "/console/accounts?owner={user}", None, "[role=cell] a"),
    ("account", "/console/accounts/{account}", None, "[role=cell] a"),
    ("account-open", "/console/accounts?open=1", None, "[role=dialog] input"),
    ("users", "/console/users?status=active", None, "[role=cell] a"),
    ("invite", "/console/users?invite=1", None, "[role=dialog] input"),
    ("user", "/console/users/{user}", None, "main dl"),
    ("tariffs", "/console/tariffs", None, "main table a"),
    ("tariff", "/console/tariffs/default", None, "main dl"),
    ("tariff-edit", "/console/tariffs/default?edit=1", None, "main form input"),
    ("countries", "/console/countries", None, "main form input"),
    ("countries-user", "/console/countries?user={user}", None, "main form input"),
    ("routes", "/console/routes", _trace, "main ol li"),
    ("price-lists", "/console/tariffs/lists", None, "main table a"),
    ("price-list", "/console/tariffs/lists/{prices}", None, "main table td"),
    ("tariff-new", "/console/tariffs/new", None, "main form input"),
]


@pytest.fixture(scope="module")
def user(live: Live) -> Person:
    made = new_sender(live)
    route_rule(live, "49", "sms-1", ownerId=str(made.id), category="transactional")
    route_rule(live, "", "sms-1", fallback=False)
    return made


@every_look
def test_pages(page: Tab, live: Live, user: Person, language: str, sizes: Sizes) -> None:
    prices = price_list(live, f"Looks {language} {user.id}")
    ids = {"user": str(user.id), "account": str(user.account_id), "prices": prices}
    Look(page, language, sizes).at_all(live.admin, PAGES, ids)
