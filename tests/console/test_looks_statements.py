"""Looks at the statements of an account: the list, one of them, and its page to print."""

from urllib.parse import urlsplit

import pytest

from tests.console.looks import LAPTOP, PHONE, Look, Looks, every_look
from tests.console.statements import fill
from tests.console.users import call, new_user
from tests.support.live import Live
from tests.support.people import Person
from tests.support.waits import eventually

PAGES: Looks = [
    ("statements", "/console/accounts/{account}/statements", None, "main tbody td"),
    ("statement", "/console/accounts/{account}/statements/{month}", None, "main tbody td"),
]
_PAGE = "query ($id: ID!, $month: String!) { accountStatement(id: $id, month: $month) { pageUrl } }"


@pytest.fixture(scope="module")
def closed(live: Live) -> tuple[Person, str]:
    user = new_user(live)
    return user, fill(live, user)


@every_look
def test_statements(page, live, closed, language, sizes):
    user, month = closed
    Look(page, language, sizes).at_all(user, PAGES, {"account": str(user.account_id), "month": month})


def test_the_page_to_print(page, live, closed):
    user, month = closed
    url = urlsplit(
        call(live, user, _PAGE, id=str(user.account_id), month=month)["accountStatement"]["pageUrl"]
    )
    for width in (PHONE, LAPTOP):
        page.at_width(width)
        page.open(f"{url.path}?{url.query}")
        for scheme in ("light", "dark"):
            page.dark(scheme == "dark")
            page.sees("Balanced")
            page.picture(f"statement-page-{width}-{scheme}")
            assert page.page.evaluate("document.documentElement.scrollWidth") <= width


def test_the_owner_switches_the_mails_on(page, live, closed):
    user, _ = closed
    page.comes_as(user, f"/console/accounts/{user.account_id}")
    page.press("Its statements")
    page.press("Mail each new statement to the owner")
    stored = "query ($id: ID!) { settings(scope: account, accountId: $id) }"

    def switched() -> bool:
        return call(live, user, stored, id=str(user.account_id))["settings"] == {"statements.mail": True}

    eventually(switched, "the setting is stored")
