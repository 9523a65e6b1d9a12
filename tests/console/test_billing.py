"""Tests that the console shows neither prices nor balances while messages cost nothing."""

from collections.abc import Iterator

import pytest

from tests.console.conftest import opened
from tests.console.users import DELIVERED, call, new_user, send
from tests.support.live import Live, serving

ABOUT_MONEY = ("$", "USD", "Price", "Cost", "Balance", "charged", "Low-balance", "credit", "Warn below")


@pytest.fixture(scope="module")
def free() -> Iterator[Live]:
    with serving(workers=1, POSTERN_CONSOLE="true", POSTERN_BILLING="off") as running:
        yield running


def test_no_page_speaks_of_money(has_console, browser, free):
    user = new_user(free)
    with opened(browser, free, clear=True) as page:
        page.comes_as(user)
        page.sees("These steps go away when your first message is delivered.")
        seen = {"/console": page.text()}
        message = send(free, user, DELIVERED)
        pages = {
            f"/console/messages/{message}": "Accepted and queued",
            "/console/messages": DELIVERED,
            "/console/messages?send=1": "Text",
            "/console/accounts": "Main",
            f"/console/accounts/{user.account_id}": "Opened",
            "/console/tokens?new=1": "A number of messages a day and accounts can limit a token",
        }
        for path, text in pages.items():
            page.comes_as(user, path)
            page.sees(text)
            seen[path] = page.text()
        page.comes_as(free.admin, "/console/tariffs")
        page.sees("Project messages a day")
        seen["/console/tariffs"] = page.text()
        page.has_no_complaint()
    for path, text in seen.items():
        words = [word for word in ABOUT_MONEY if word in text]
        assert not words, (path, words, text)


def test_a_token_has_a_limit_of_messages(has_console, browser, free):
    user = new_user(free)
    with opened(browser, free, clear=True) as page:
        page.comes_as(user, "/console/tokens?new=1")
        page.fill("Name", "shop")
        page.press("Only what is ticked")
        page.press("Send messages")
        page.sees_no("Most to spend in a day")
        page.fill("Most messages in a day", "25")
        page.press("Create")
        page.sees("Your new API token")
    (made,) = call(free, user, "{apiTokens{nodes{messagesPerDay spendPerDay}}}")["apiTokens"]["nodes"]
    assert made == {"messagesPerDay": 25, "spendPerDay": None}
