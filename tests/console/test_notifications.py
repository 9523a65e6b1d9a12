"""Notifications of the browser about new messages, with its real permission: given and refused."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest

from tests.console.steps import Tab
from tests.console.users import new_user
from tests.support.live import Live
from tests.support.people import Person

# Keeps what is shown, so that a test can read and click it. It is shown nevertheless.
_KEEP = """
    window.shown = [];
    window.Notification = class extends Notification {
        constructor(title, options) {
            super(title, options);
            window.shown.push(this);
        }
    };
"""
_SHOWN = "window.shown.map((one) => one.title + ': ' + one.body)"
_LOOKED_AT = "document.visibilityState === 'visible' && document.hasFocus()"


@contextmanager
def _permission(page: Tab, setting: str) -> Iterator[None]:
    """Answers the browser's question for this page, until the end."""
    page.page.call(
        "Browser.setPermission", origin=page.url, permission={"name": "notifications"}, setting=setting
    )
    try:
        page.page.call("Page.addScriptToEvaluateOnNewDocument", source=_KEEP)
        yield
    finally:
        page.page.call("Browser.resetPermissions")


def _looks_elsewhere(page: Tab, another_tab: Callable[[], Tab]) -> None:
    """Opens another tab in front of this one."""
    page.page.call("Emulation.setFocusEmulationEnabled", enabled=False)
    another_tab().page.call("Page.bringToFront")
    page.page.wait(f"!({_LOOKED_AT})")


@pytest.fixture
def ada(live: Live) -> Person:
    return new_user(live)


def test_a_message_is_told_while_nobody_looks_and_its_click_opens_the_chat(
    page, another_tab, ada, desk, guest
):
    with _permission(page, "granted"):
        page.comes_as(ada, "/console/inbox")
        page.press("Notifications")
        page.press("With name and text")
        page.press("Notifications")
        guest.writes(desk.phone, "Seen at once.")
        page.sees("Seen at once.")
        assert page.page.evaluate(_SHOWN) == []  # somebody looks at the page
        _looks_elsewhere(page, another_tab)
        guest.writes(desk.phone, "Is anybody there?")
        page.page.wait("window.shown.length === 1")
        assert page.page.evaluate(_SHOWN) == [f"{guest.phone}: Is anybody there?"]
        page.page.evaluate("window.shown[0].dispatchEvent(new Event('click'))")
        page.sees("via Support")


def test_the_text_is_told_only_if_somebody_has_asked_for_it(page, another_tab, ada, desk, guest):
    with _permission(page, "granted"):
        page.comes_as(ada, "/console/inbox")
        page.sees("No chats yet.")
        page.press("Notifications")
        page.press("With the name of the person")
        _looks_elsewhere(page, another_tab)
        guest.writes(desk.phone, "My number is 12.")
        page.page.wait("window.shown.length === 1")
        assert page.page.evaluate(_SHOWN) == [f"{guest.phone}: A new message"]


def test_a_refusal_of_the_browser_is_said_and_nothing_is_told(page, another_tab, ada, desk, guest):
    with _permission(page, "denied"):
        page.comes_as(ada, "/console/inbox")
        page.press("Notifications")
        page.press("With name and text")
        page.sees("The browser refuses it. Allow notifications of this page in its settings.")
        page.page.wait("document.querySelector('[role=menu] [aria-current=true]').innerText === 'None'")
        _looks_elsewhere(page, another_tab)
        guest.writes(desk.phone, "Hello?")
        page.sees("Hello?")
        assert page.page.evaluate(_SHOWN) == []
