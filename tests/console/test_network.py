"""The console with the network, the servers and the logins that people have."""

import json

from tests.console.steps import Tab
from tests.console.test_login import log_in
from tests.console.users import DELIVERED, call, ends, new_user, send

_ENDED = "Your login has ended. Log in again, and you return to where you were."
_GONE = ("ERR_INTERNET_DISCONNECTED", "ERR_BLOCKED_BY_CLIENT", "ERR_NETWORK_CHANGED")
_NOT_LOADED = "Unable to preload CSS"


def _end_logins(live, user) -> None:
    call(live, user, "mutation { logoutEverywhere }")


def test_a_page_whose_styles_did_not_come_gets_them(page: Tab, live):
    page.expected += (*_GONE, _NOT_LOADED)
    page.page.call("Network.setBlockedURLs", urls=["*OtherPages*", "*.css"])
    page.comes_as(new_user(live))
    styles = "[...document.styleSheets].filter(({href}) => href?.endsWith('.css')).length"
    page.sees("Live")
    page.press("Messages")
    page.page.wait("performance.getEntriesByType('resource').some(({name}) => name.includes('OtherPages'))")
    page.page.call("Network.setBlockedURLs", urls=[])
    page.sees("You have not sent a message yet.")
    assert page.page.evaluate(styles) > 0


def test_what_was_typed_is_kept_when_a_login_ends(page: Tab, live):
    user = new_user(live)
    page.comes_as(user, "/console/messages?send=1")
    page.fill("Text", "Your table is ready, and I typed all of this.")
    _end_logins(live, user)
    page.sees(_ENDED)
    assert "I typed all" not in page.page.evaluate("document.documentElement.outerHTML")
    log_in(page, user)
    page.is_at("/console/messages?send=1")
    page.page.wait(
        "[...document.querySelectorAll('textarea:not([aria-hidden])')].some(({value}) => value.includes('I typed all'))"
    )
    page.press("Cancel")
    page.press("Send a message")
    page.page.wait(
        "[...document.querySelectorAll('textarea:not([aria-hidden])')].every(({value}) => value === '')"
    )


def test_a_second_user_of_the_browser_sees_nothing_of_the_first(page: Tab, live):
    first, second = new_user(live), new_user(live)
    ends(live, first, send(live, first, DELIVERED, "Only for the first"), "delivered")
    page.comes_as(first, "/console/messages")
    page.sees_row("Only for the first")
    page.press("Send a message")
    page.fill("Text", "Typed by the first")
    _end_logins(live, first)
    page.sees(_ENDED)
    # Keeps every text that is ever shown.
    page.page.evaluate(
        "(() => { window.shown = ''; new MutationObserver(() => { shown += document.body.innerText })"
        ".observe(document, {childList: true, subtree: true, characterData: true}) })()"
    )
    log_in(page, second)
    page.sees("You have not sent a message yet.")
    page.page.wait("document.querySelectorAll('textarea:not([aria-hidden])').length > 0")
    assert (
        page.page.evaluate(
            "[...document.querySelectorAll('textarea:not([aria-hidden])')].map(({value}) => value).join('')"
        )
        == ""
    )
    assert "Only for the first" not in json.dumps(page.page.evaluate("window.shown"))
