"""The pages of users, accounts and tariffs as an administrator sees them: see looks.py."""

import pytest

from tests.console.looks import Look, Looks, Sizes, every_look, new_sender
from tests.console.steps import Tab
from tests.console.users import price_list
from tests.support.live import Live
from tests.support.people import Person

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
    ("price-lists", "/console/tariffs/lists", None, "main table a"),
    ("price-list", "/console/tariffs/lists/{prices}", None, "main table td"),
    ("tariff-new", "/console/tariffs/new", None, "main form input"),
]


@pytest.fixture(scope="module")
def user(live: Live) -> Person:
    return new_sender(live)


@every_look
def test_pages(page: Tab, live: Live, user: Person, language: str, sizes: Sizes) -> None:
    prices = price_list(live, f"Looks {language} {user.id}")
    ids = {"user": str(user.id), "account": str(user.account_id), "prices": prices}
    Look(page, language, sizes).at_all(live.admin, PAGES, ids)
