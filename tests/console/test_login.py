"""Logging in and out, in one tab and in two."""

import pytest

from tests.console.users import new_user
from tests.support.people import PASSWORD

WRONG = "status of 401"  # the browser says so of every refused login


def log_in(page, person, password=PASSWORD):
    page.fill("Email", person.email)
    page.fill("Password", password)
    page.press("Log in")


def test_a_wrong_password_is_told_and_the_right_one_leads_to_the_page_that_was_asked_for(page, live):
    page.expected.append(WRONG)
    page.open("/console/messages?status=failed")
    page.is_at("/console/login?next=%2Fmessages%3Fstatus%3Dfailed")
    log_in(page, live.ada, "wrong horse battery")
    page.sees("If you have forgotten your password, ask an administrator.")
    log_in(page, live.ada)
    page.is_at("/console/messages?status=failed")
    page.sees("State: Failed")


@pytest.mark.parametrize("next", ["//evil.example", "https://evil.example", "/\\evil.example", "/login"])
def test_the_login_leads_to_no_other_site(page, live, next):
    page.open(f"/console/login?next={next}")
    log_in(page, live.ada)
    page.is_at("/console")
    page.sees("Needs a person")


def test_after_the_logout_nothing_of_the_user_is_shown(page, live):
    page.open()
    log_in(page, live.ada)
    page.press("Messages")
    page.is_at("/console/messages")
    page.press(f"Account menu of {live.ada.email.partition('@')[0]}")
    page.sees(live.ada.email)
    page.press("Log out")
    page.sees("You are logged out.")
    page.back()
    page.sees("Email")
    assert "Account menu" not in page.page.evaluate("document.documentElement.outerHTML")
    assert live.ada.email not in page.page.evaluate("document.documentElement.outerHTML")
    page.open("/console/messages")
    page.is_at("/console/login?next=%2Fmessages")


def test_a_logout_in_one_tab_shows_the_login_in_the_other(page, live, another_tab):
    page.comes_as(live.ada, "/console/messages")
    other = another_tab()
    other.open("/console/profile")
    other.sees("Change password")
    page.press("Account menu of ada")
    page.press("Log out")
    other.sees("You are logged out.")
    other.is_at("/console/login?next=%2Fprofile")
    log_in(page, live.ada)
    page.sees("Messages")
    other.is_at("/console/profile")
    other.sees("Change password")


def test_language_and_theme_follow_in_the_other_tab(page, live, another_tab):
    page.comes_as(new_user(live))
    other = another_tab()
    other.open("/console/messages")
    other.sees("You have not sent a message yet.")
    page.press("Theme")
    page.press("Dark")
    for tab in (page, other):
        tab.page.wait("document.documentElement.dataset.mantineColorScheme === 'dark'")
    page.page.click("header button[aria-haspopup=menu]:last-of-type")
    page.press("Русский")
    other.sees("Вы ещё не отправляли сообщений.")
    assert other.page.evaluate("document.documentElement.lang") == "ru"
