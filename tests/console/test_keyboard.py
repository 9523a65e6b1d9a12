"""The console without a mouse."""

import json

import pytest

from tests.console.users import new_user
from tests.support.people import PASSWORD

_FOCUS = "document.activeElement"
DIALOGS = [("/console/messages", "Send a message"), ("/console/profile", "Log out everywhere")]


def _tab(page, times=1):
    for _ in range(times):
        page.page.press("Tab", 9)


def _is_on(page, text):
    page.page.wait(f"{_FOCUS}.innerText === {json.dumps(text)}")


def test_a_user_logs_in_by_keyboard(page, live):
    page.open()
    page.page.wait(f"{_FOCUS}.name === 'email'")
    page.page.type(live.ada.email)
    _tab(page)
    page.page.type(PASSWORD)
    page.page.press("Enter", 13)
    page.sees("Needs a person")


def test_the_first_tab_reaches_the_link_to_the_content(page, live):
    page.comes_as(live.ada)
    _tab(page)
    _is_on(page, "Skip to the content")
    assert page.page.evaluate(f"{_FOCUS}.getBoundingClientRect().top") >= 0, "it is seen"
    page.page.press("Enter", 13)
    page.page.wait(f"{_FOCUS}.id === 'main'")


def test_the_palette_leads_to_a_page(page, live):
    page.comes_as(live.ada)
    for _ in range(2):  # the first time it is loaded
        page.page.press("k", 75, ctrl=True)
        page.page.wait(f"{_FOCUS}.placeholder?.startsWith('A page, an action')")
        page.page.press("Escape", 27)
        page.page.wait("!document.querySelector('[role=dialog]')")
    page.page.press("k", 75, ctrl=True)
    page.page.wait(f"{_FOCUS}.placeholder?.startsWith('A page, an action')")
    page.page.type("Messages")
    page.page.press("Enter", 13)
    page.is_at("/console/messages")
    page.page.wait(f"{_FOCUS}.id === 'main'")


def test_the_palette_finds_a_message_by_its_recipient(page, live):
    page.comes_as(live.ada)
    page.page.press("k", 75, ctrl=True)
    page.page.wait(f"{_FOCUS}.placeholder?.startsWith('A page, an action')")
    page.page.type("+1 500 555 0000")
    page.sees("Find message “+1 500 555 0000”")
    page.page.press("Enter", 13)
    page.is_at("/console/messages?to=%2B15005550000")


@pytest.mark.parametrize(("path", "button"), DIALOGS)
def test_the_focus_returns_from_a_dialog(page, live, path, button):
    page.comes_as(new_user(live), path)
    page.press(button)
    page.page.wait(f"{_FOCUS}.closest('[role=dialog]') !== null")
    page.page.press("Escape", 27)
    page.page.wait("!document.querySelector('[role=dialog]')")
    page.page.wait(f"{_FOCUS}.innerText === {button!r}")


@pytest.mark.parametrize(("path", "button"), DIALOGS)
def test_a_dialog_keeps_the_focus_until_escape_closes_it(page, live, path, button):
    page.comes_as(new_user(live), path)
    page.press(button)
    page.page.shows("[role=dialog]")
    page.page.wait(f"{_FOCUS}.closest('[role=dialog]') !== null")
    _tab(page, 12)
    assert page.page.evaluate(f"{_FOCUS}.closest('[role=dialog]') !== null"), "the focus stays in the dialog"
    page.page.press("Escape", 27)
    page.page.wait("!document.querySelector('[role=dialog]')")


def test_a_menu_is_used_with_the_arrow_keys(page, live):
    page.comes_as(live.ada, "/console/messages")
    page.press("State")
    page.page.shows("[role=menu]")
    page.page.press("ArrowDown", 40)
    page.page.wait(f"{_FOCUS}.role === 'menuitemcheckbox'")
    page.page.press("Enter", 13)
    page.page.wait("location.search.startsWith('?status=')")
    page.page.press("Escape", 27)
    page.page.wait("!document.querySelector('[role=menu]')?.checkVisibility()")
