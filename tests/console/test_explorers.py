"""GraphiQL and /docs, opened by somebody who is logged in at the console (decision 0038)."""

import json
from collections.abc import Iterator

import pytest

from core.assets import DOCS, GRAPHIQL
from tests.console.conftest import opened
from tests.console.steps import Tab
from tests.console.users import call, new_user
from tests.support.assets import needs
from tests.support.browser import Browser
from tests.support.live import serving

_EDITOR = ".graphiql-query-editor .CodeMirror"
_RESULT = "document.querySelector('.result-window .CodeMirror')?.CodeMirror.getValue() ?? ''"
_ME = "query Me { me { email } }"
_SEND = (
    "[...document.querySelectorAll('button')].find(b => /Send get request/.test(b.textContent) && "
    "b.checkVisibility())"
)


@pytest.fixture(autouse=True)
def installed() -> None:
    needs(GRAPHIQL)
    needs(DOCS)


def _run(page: Tab, query: str, said: str) -> None:
    """Writes a query into GraphiQL and runs it, until the answer has these words."""
    page.page.shows(_EDITOR)
    page.page.wait("!document.querySelector('.graphiql-spinner')")
    page.page.click(_EDITOR)
    page.page.press("a", 65, ctrl=True, command="selectAll")
    page.page.write(query)
    page.page.wait(f"document.querySelector({_EDITOR!r}).CodeMirror.getValue() === {json.dumps(query)}")
    page.page.press("Enter", 13, ctrl=True)
    page.page.wait(f"({_RESULT}).includes({json.dumps(said)})")


def _press(page: Tab, text: str) -> None:
    button = f"[...document.querySelectorAll('button')].find(b => b.textContent.includes({text!r}))"
    page.page.wait(f"!!{button}")
    page.page.evaluate(f"{button}.click()")


def _send_me(page: Tab, said: str) -> None:
    """Sends GET /auth/me from /docs, until the answer has these words."""
    _press(page, "Open Group - auth")
    page.page.evaluate("location.hash = '#tag/auth/GET/auth/me'")
    _press(page, "(get /auth/me)")
    page.page.wait(f"!!{_SEND}")
    page.page.evaluate(f"{_SEND}.click()")
    page.sees(said)


def test_graphiql_has_the_login_of_the_console(page, live):
    user = new_user(live)
    page.comes_as(user)
    page.open("/graphql")
    page.sees(f"{user.email} · logged in by the console")
    _run(page, _ME, user.email)
    _run(page, "subscription Told { queueStatisticsChanged { queued } }", '"queued"')
    assert page.page.evaluate("sessionStorage.getItem('postern.session')") is None
    assert not [url for url in page.page.requests if "token" in url.lower()]


def test_a_token_that_is_entered_in_graphiql_comes_first(page, live):
    user, other = new_user(live), new_user(live)
    page.has_login_of(user)
    page.open("/graphql")
    page.sees("logged in by the console")
    page.press("Use another login")
    page.page.click("#by-token [name=token]")
    page.page.write(other.token)
    page.page.click("#by-token button")
    page.sees(f"{other.email} ·")
    _run(page, _ME, other.email)
    page.press("Log out")
    page.sees(f"{user.email} · logged in by the console")


def test_graphiql_notices_that_the_login_has_ended(page, live):
    user = new_user(live)
    page.has_login_of(user)
    page.open("/graphql")
    page.sees("logged in by the console")
    _run(page, _ME, user.email)
    call(live, live.admin, "mutation($id: ID!) { suspendUser(id: $id) { uuid } }", id=str(user.id))
    _run(page, "query Again { me { email } }", "session_ended")
    page.page.shows("#enter.wanted")
    page.sees_no("logged in by the console")


def test_a_logout_in_the_console_reaches_graphiql(page, live, another_tab):
    user = new_user(live)
    page.comes_as(user)
    explorer = another_tab()
    explorer.open("/graphql")
    explorer.sees("logged in by the console")
    page.page.call("Page.bringToFront")
    page.page.click("header button[aria-haspopup=menu]:last-of-type")
    page.press("Log out")
    page.sees("You are logged out.")
    explorer.sees_no("logged in by the console")


def test_the_reference_has_the_login_of_the_console_and_shows_no_token(page, live):
    user = new_user(live)
    page.has_login_of(user)
    page.open("/docs")
    page.sees(f"Logged in by the console: {user.email}")
    _send_me(page, str(user.id))
    assert [url for url in page.page.requests if url.endswith("/auth/me")] == [f"{page.url}/auth/me"]
    assert "eyJ" not in page.page.evaluate("document.documentElement.outerHTML")
    stores = page.page.evaluate("JSON.stringify([localStorage, sessionStorage, document.cookie])")
    assert "eyJ" not in stores


def test_a_token_that_is_entered_in_the_reference_comes_first(page, live):
    user, other = new_user(live), new_user(live)
    page.has_login_of(user)
    page.open("/docs")
    page.sees(f"Logged in by the console: {user.email}")
    page.page.click("input[placeholder=Token]")
    page.page.write(other.token)
    _send_me(page, str(other.id))


def test_nobody_is_logged_in_without_the_console(page):
    page.open("/docs")
    page.sees("A messaging gateway")
    page.sees_no("Logged in by the console")
    page.open("/graphql")
    _run(page, _ME, "unauthenticated")
    page.page.shows("#enter.wanted")


@pytest.fixture
def strict(has_console: None, browser: Browser) -> Iterator[Tab]:
    """A tab at a service that runs trusted documents alone."""
    settings = {"POSTERN_CONSOLE": "true", "POSTERN_GRAPHIQL": "true", "POSTERN_GRAPHQL_ALLOW_ONLY": "true"}
    with serving(**settings) as live, opened(browser, live, clear=True) as tab:
        yield tab


def test_with_trusted_documents_alone_graphiql_says_so(strict):
    strict.open("/graphql")
    strict.sees("This server runs only trusted documents.")
    # The server refuses with 403 what is typed, and the browser notes that.
    strict.expected.append("403 (Forbidden)")
    _run(strict, _ME, "document_not_allowed")
