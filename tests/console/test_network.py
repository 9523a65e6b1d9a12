"""The console with the network, the servers and the logins that people have."""

import json
import os
import time

import pytest

from core.assets import CONSOLE
from tests.console.messengers import connect
from tests.console.steps import Tab
from tests.console.test_connection import UNANSWERED, restarted
from tests.console.test_login import log_in
from tests.console.users import DELIVERED, call, ends, new_user, send

# How long the network is away: longer than the console's longest wait with OFFLINE_SECONDS=60.
# Pages with lists and numbers, which say what there is once they know it.
_PAGES = (
    "/", "/messages", "/projects", "/repeatable", "/blocks", "/inbox", "/messengers", "/accounts", "/tariffs",
    "/tokens", "/webhooks", "/events", "/events?tab=types", "/hook-secrets", "/callbacks",
    "/users", "/settings",
    "/settings/storage", "/system", "/system/sending", "/system/allowlist", "/projects/new?how=earlier",
    "/messengers/new",
)  # fmt: skip
# What a page must not say before: a zero, or that there is nothing.
# The sandbox's notice says "nobody", one page explains with "nothing", and the queue's numbers come by the WebSocket.
_SAYS_NOTHING = r"""(() => {
    let text = document.querySelector("main").innerText;
    const queue = [...document.querySelectorAll("main h2")].find(({innerText}) => innerText.startsWith("Queue"));
    for (const part of [document.querySelector("main [role=note]"), queue?.closest(".mantine-Paper-root")])
        text = text.replace(part?.innerText ?? "", "");
    text = text.replace(/^Nothing is sent before you start.*$/m, "");
    const zero = /^(?:.*[ (])?0(?:[ ),].*)?$/m;
    const none = /^.*\b(?:yet|[Nn]one|[Nn]othing|[Nn]obody|match(?:es)?)\b.*$|^No .*$|^.*\bhave no\b.*$/m;
    return (text.match(zero) ?? text.match(none))?.[0];
})()"""
# Holds the answers of the API back, or refuses, from when `window.answers` says so.
_ANSWERS = """
const send = window.fetch;
window.fetch = (url, options) => {
    if (!window.answers || !String(url).endsWith("/graphql")) return send(url, options);
    if (window.answers === "held") return new Promise(() => {});
    const errors = [{message: "Try again later.", extensions: {code: "service_unavailable"}}];
    return Promise.resolve(new Response(JSON.stringify({errors}), {status: 503}));
};"""
_OFFLINE = float(os.environ.get("OFFLINE_SECONDS", "3"))
_ENDED = "Your login has ended. Log in again, and you return to where you were."
_GONE = ("ERR_INTERNET_DISCONNECTED", "ERR_BLOCKED_BY_CLIENT", "ERR_NETWORK_CHANGED")
__all__ = ["restarted"]
_NOT_LOADED = "Unable to preload CSS"


def _end_logins(live, user) -> None:
    call(live, user, "mutation { logoutEverywhere }")


def test_a_page_whose_styles_did_not_come_gets_them(page: Tab, live):
    first = (CONSOLE / "index.html").read_text()  # without its styles the console would be loaded again
    later = [file.name for file in CONSOLE.glob("assets/*.css") if file.name not in first]
    page.expected += (*_GONE, _NOT_LOADED)
    page.page.call("Network.setBlockedURLs", urls=["*OtherPages*", *(f"*/{name}" for name in later)])
    page.comes_as(new_user(live))
    styles = (
        f"[...document.styleSheets].filter(({{href}}) => {later}.includes(href?.split('/').pop())).length"
    )
    page.sees("Live")
    assert page.page.evaluate(styles) == 0
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


def test_a_network_that_is_away_for_long_is_found_again_in_every_part(page: Tab, live, another_tab):
    page.expected += (*_GONE, "WebSocket connection to", _NOT_LOADED)
    user = new_user(live)
    desk, bob = connect(live, user, "Support"), connect(live, new_user(live), "Bob")
    page.comes_as(user, "/console/inbox")
    page.sees("No chats yet.")
    loaded = page.page.evaluate("performance.timeOrigin")
    page.offline()
    page.press("Projects")
    page.sees("Postern does not answer. The console tries again.")
    page.press("Inbox")
    bob.writes(desk.phone, "Is my table booked?")
    time.sleep(_OFFLINE)
    page.offline(on=False)
    page.sees("Is my table booked?")
    page.sees_no("Postern does not answer")
    bob.writes(desk.phone, "And for how many?")
    page.sees("And for how many?")
    page.press("Projects")
    page.sees("Send one text to many people")
    assert page.page.evaluate("performance.timeOrigin") == loaded, "the page was never loaded again"


def test_the_inbox_comes_back_after_the_service_was_killed(page: Tab, live, restarted):
    page.expected += (*_GONE, *UNANSWERED)
    user = new_user(live)
    desk, bob = connect(live, user, "Support"), connect(live, new_user(live), "Bob")
    bob.writes(desk.phone, "Is my table booked?")
    page.comes_as(user, "/console/inbox")
    page.page.click("main ul a")
    page.sees("via Support")
    loaded = page.page.evaluate("performance.timeOrigin")
    live.process.kill()
    live.process.wait()
    page.sees("Postern does not answer. The console tries again.")
    live.process = live._start()
    live.until_up()
    bob.writes(desk.phone, "And for how many?")
    page.sees("And for how many?")
    page.page.wait("document.querySelectorAll('main [role=alert]').length === 0")
    bob.writes(desk.phone, "It is live again.")
    page.sees("It is live again.")
    assert page.page.evaluate("performance.timeOrigin") == loaded, "the page was never loaded again"


def test_a_page_whose_first_script_does_not_come_says_so_and_tries_again(page: Tab, live):
    page.expected += _GONE
    page.has_login_of(new_user(live))
    page.page.call("Network.setBlockedURLs", urls=["*/assets/*"])
    page.open("/console/messages")
    page.sees("Files of Postern did not come. The page tries again until they do.")
    assert page.has("Load again")
    page.picture("white-page")
    page.page.call("Network.setBlockedURLs", urls=[])
    page.sees("You have not sent a message yet.")
    assert page.page.evaluate("sessionStorage.getItem('postern-starts')") is None


@pytest.mark.parametrize("answers", ["held", "refused"])
def test_no_page_says_that_there_is_nothing_before_it_knows(page: Tab, live, answers):
    page.page.call("Page.addScriptToEvaluateOnNewDocument", source=_ANSWERS)
    page.comes_as(live.admin, "/console/profile")
    page.sees("Profile")
    page.page.evaluate(f"void (window.answers = {answers!r})")
    said = {}
    for path in _PAGES:
        page.page.evaluate(
            f"void (history.pushState({{}}, '', '/console{path}'), dispatchEvent(new PopStateEvent('popstate')))"
        )
        page.page.wait("document.querySelector('main h1, main .mantine-Loader-root') !== null")
        page.page.evaluate("new Promise((done) => setTimeout(done, 300))")
        if answers == "refused":
            page.page.wait("document.querySelector('main .mantine-Loader-root') === null")
        if found := page.page.evaluate(_SAYS_NOTHING):
            said[path] = found
        page.picture(f"{answers}{path.replace('/', '-').replace('?', '-')}")
    assert not said
