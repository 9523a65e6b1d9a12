"""The pages of messenger accounts: logins step by step, as they happen, and what becomes of an account."""

import pytest

from tests.console.steps import Tab
from tests.console.users import call, new_user

_IN_DIALOG = "document.querySelector('[role=dialog]') !== null"
_QR = "(document.querySelector('main img[data-value]')?.dataset.value ?? null)"
_CONNECTED = "Messages are sent and received."
_ADD = "mutation ($i: NewMessengerAccount!) { addMessengerAccount(input: $i) { uuid } }"
_START = "mutation ($id: ID!) { startMessengerAccount(id: $id) { uuid } }"
_BY_QR = "Scan a QR code with the phone"
_BY_CODE = "Enter a code that Telegram sends to the phone"
_BY_PAIRING = "Enter a pairing code on the phone"

# What the sandbox does with a login, by its number (docs/messengers.md).
_PLAIN, _SECOND_QR, _UNUSED, _PASSWORD, _BANNED, _NEEDS_PHONE = (
    f"1500555{number}" for number in ("1004", "1014", "1024", "1034", "1044", "1114")
)


def _add(page: Tab, login: str, way: str = _BY_QR, messenger: str = "Telegram") -> None:
    """Adds an account of the sandbox. A login by phone proposes the login as the phone."""
    page.press(f"{messenger} sandbox")
    page.fill("Login", login)
    page.press(way)
    page.press("Add and connect")
    page.sees("Login and state")


def _confirm(page: Tab, action: str) -> None:
    page.page.wait(_IN_DIALOG)
    page.press(action)
    page.page.wait(f"!({_IN_DIALOG})")


def test_an_account_is_added_by_a_qr_code(page, live):
    page.comes_as(new_user(live), "/console/messengers")
    page.sees("No account yet.")
    page.press("Add an account")
    _add(page, _SECOND_QR)
    page.sees("Scan the QR code with your phone")
    page.sees("Settings → Devices → Link Desktop Device")
    page.page.wait(f"{_QR} !== null")
    page.sees("Valid for")
    page.picture("messenger-qr")
    page.sees(_CONNECTED)
    assert page.page.evaluate(_QR) is None
    page.press("Send a test")
    page.page.wait(_IN_DIALOG)
    page.press("Send")
    page.sees("Telegram has accepted the message.")


def test_a_whatsapp_account_is_connected_by_a_pairing_code(page, live):
    page.comes_as(new_user(live), "/console/messengers/new")
    _add(page, _PLAIN, _BY_PAIRING, "WhatsApp")
    page.sees("Tap “Link with phone number instead”.")
    code = "document.querySelector('output')?.textContent ?? ''"
    page.page.wait(f"/^[A-Z1-9]{{4}}-[A-Z1-9]{{4}}$/.test({code})")
    page.picture("messenger-pairing")
    page.sees(_CONNECTED)


def test_a_wrong_code_and_a_wrong_password_say_so_and_the_right_ones_connect(page, live):
    page.comes_as(new_user(live), "/console/messengers/new")
    _add(page, _PASSWORD, _BY_CODE)
    page.sees("Enter the code from Telegram")
    page.fill("Code", "99999")
    page.press("Confirm")
    page.sees("This code is wrong.")
    page.sees("2 attempts left")
    page.picture("messenger-code")
    page.fill("Code", "12345")
    page.press("Confirm")
    page.sees("Enter the cloud password")
    page.fill("Cloud password", "guess")
    page.press("Confirm")
    page.sees("This password is wrong.")
    page.fill("Cloud password", "sandbox")
    page.press("Confirm")
    page.sees(_CONNECTED)


def test_an_account_that_wants_a_phone_gets_it_in_the_page(page, live):
    page.comes_as(new_user(live), "/console/messengers/new")
    _add(page, _NEEDS_PHONE)
    page.sees("The login needs the phone number")
    page.fill("Phone number", f"+{_PLAIN}")
    page.press("Send the code")
    page.sees("Enter the code from Telegram")


def test_an_account_is_stopped_logged_out_and_deleted(page, live):
    page.comes_as(new_user(live), "/console/messengers/new")
    _add(page, _PLAIN)
    page.sees(_CONNECTED)
    page.press("Stop…")
    _confirm(page, "Stop")
    page.sees("The account is stopped")
    page.press("Start")
    page.sees(_CONNECTED)  # it is still logged in: no code was asked for
    page.press("History")
    page.sees_row("Loading chats")
    assert page.text().count("Scan the QR code") == 1
    page.press("More actions")
    page.press("Log out…")
    _confirm(page, "Log out")
    page.sees_row("Stopped", "until now")
    page.press("Login and state")
    page.press("Start")
    page.sees("Scan the QR code with your phone")
    page.press("More actions")
    page.press("Delete…")
    page.page.wait(_IN_DIALOG)
    page.press("Delete")
    page.is_at("/console/messengers")
    page.sees("is deleted.")
    page.sees("No account yet.")


def test_an_account_that_is_down_says_why_and_what_to_do(page, live):
    page.comes_as(new_user(live), "/console/messengers/new")
    _add(page, _BANNED)
    page.sees("Telegram has blocked the account")
    page.sees("Telegram has banned this account.")
    page.sees("Appeal in the app of Telegram.")
    page.picture("messenger-blocked")
    page.press("History")
    page.sees_row("Blocked", "until now", "Telegram has banned this account.")
    page.is_at(page.page.evaluate("location.pathname") + "?tab=history")
    page.back()
    page.sees("Appeal in the app of Telegram.")
    page.press("Messenger accounts")
    page.sees_row("Blocked", "Appeal in the app of Telegram.")
    page.press("1 Down")
    page.is_at("/console/messengers?state=down")
    page.sees_row(_BANNED)
    page.press("0 Connected")
    page.sees("No account matches.")


def test_the_list_changes_by_itself(page, live):
    person = new_user(live)
    made = call(live, person, _ADD, i={"source": "telegram", "login": _PLAIN, "name": "Support"})
    page.comes_as(person, "/console/messengers")
    page.sees_row("Support", "Stopped")
    call(live, person, _START, id=made["addMessengerAccount"]["uuid"])
    page.sees_row("Support", "Connected")
    page.sees("1 Connected")
    page.fill("Name, login or phone", "+1 (500) 555-1004")
    page.sees_row("Support", f"+{_PLAIN}")


def test_a_search_does_not_disturb_who_types_slowly(page, live):
    page.comes_as(new_user(live), "/console/messengers")
    page.fill("Name, login or phone", "ab ")
    page.is_at("/console/messengers?q=ab")  # the pause was long enough to search
    page.page.type("cd")
    page.is_at("/console/messengers?q=ab+cd")
    assert page.page.evaluate("document.activeElement.value") == "ab cd"
    page.page.type("ef")
    page.press("Messenger")
    page.press("WhatsApp")  # in the middle of the pause, most often: both count
    page.page.wait("location.search.includes('whatsapp') && location.search.includes('ab+cdef')")
    page.press("Clear filters")
    page.is_at("/console/messengers")
    page.page.wait("document.querySelector('input[placeholder^=Name]').value === ''")


def test_webhooks_are_added_with_a_secret_shown_once(page, live):
    person = new_user(live)
    made = call(live, person, _ADD, i={"source": "telegram", "login": _PLAIN})
    page.comes_as(person, f"/console/messengers/{made['addMessengerAccount']['uuid']}?tab=webhooks")
    page.press("Add a webhook")
    page.fill("Address", "http://10.0.0.1/private")
    page.press("Add")
    page.page.wait(
        "document.querySelector('[role=dialog] [aria-invalid=true], [role=dialog] [role=alert]') !== null"
    )
    page.fill("Address", "https://93.184.215.14/one")  # a public address: nothing has to be looked up
    page.press("Add")
    page.sees("whsec_")
    page.sees("The signing secret of https://93.184.215.14/one")
    page.page.press("Escape", 27)
    page.press("I have stored it")
    page.page.wait(f"!({_IN_DIALOG})")
    page.sees_no("whsec_")
    page.press("Enabled")
    page.sees("Disabled")
    page.press("More actions for https://93.184.215.14/one")
    page.press("Delete…")
    _confirm(page, "Delete")
    page.sees("No webhook.")


def test_a_proxy_that_can_not_be_used_says_why(page, live):
    person = new_user(live)
    made = call(live, person, _ADD, i={"source": "telegram", "login": _PLAIN})
    page.comes_as(person, f"/console/messengers/{made['addMessengerAccount']['uuid']}?tab=proxy")
    page.sees("No proxy")
    page.fill("New proxy", "ftp://example.com")
    page.press("Save")
    page.page.wait("document.querySelector('main [aria-invalid=true], main [role=alert]') !== null")
    page.press("Take another one from the pool")
    page.sees("POSTERN_PROXIES_FILE")


def test_another_user_sees_no_account(page, live):
    made = call(live, new_user(live), _ADD, i={"source": "telegram", "login": "mine", "name": "My shop"})
    page.comes_as(new_user(live), f"/console/messengers/{made['addMessengerAccount']['uuid']}")
    page.sees("There is no messenger account with this id")
    page.open("/console/messengers")
    page.sees("No account yet.")
    page.sees_no("My shop")


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
def test_a_qr_code_fits_on_a_phone_and_renews_itself(page, live, dark):
    page.comes_as(new_user(live), "/console/messengers/new")
    page.at_width(390)
    page.dark(dark)
    _add(page, _UNUSED)
    page.page.wait(f"{_QR} !== null")
    page.sees("Valid for")
    page.picture(f"messenger-qr-390-{'dark' if dark else 'light'}")
    assert page.page.evaluate("document.documentElement.scrollWidth") <= 390
    assert page.violations() == []
    first = page.page.evaluate(_QR)  # nobody scans the codes of this account
    page.page.wait(f"{_QR} !== null && {_QR} !== {first!r}")


def test_the_behaviour_of_an_account_is_changed(page, live):
    person = new_user(live)
    made = call(live, person, _ADD, i={"source": "telegram", "login": "desk", "name": "Desk"})
    id = made["addMessengerAccount"]["uuid"]
    page.comes_as(person, f"/console/messengers/{id}?tab=settings")
    page.page.wait("document.querySelector('main .mantine-Switch-track') !== null")
    page.page.click("main .mantine-Switch-track")  # marks incoming messages as read
    page.fill("Give up after so many failed attempts in a row", "5")
    page.press("Reactions")
    page.press("Loading chats")
    page.page.click("main form:has([value=syncing]) button[type=submit]")
    page.sees("The behaviour is saved.")
    config = 'query ($id: ID!) { messengerConfig(id: $id, name: "default") { config } }'
    assert call(live, person, config, id=id)["messengerConfig"]["config"] == {
        "autoRead": True,
        "reconnect": {"maxAttempts": 5},
        "quiet": {"ignoreReactions": True},
        "stateWebhooks": {"syncing": False},
    }
    page.page.reload()
    page.page.wait("document.querySelector('main input[type=checkbox][value=syncing]')?.checked === false")
    page.page.click("main .mantine-Switch-track")
    page.sees_no("The behaviour is saved.")
