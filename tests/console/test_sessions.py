"""Logins that end: by an administrator, by a new password, by the user for all devices."""

from tests.console.test_login import log_in
from tests.console.users import call, new_user
from tests.support.people import PASSWORD

_ENDED = "Your login has ended. Log in again, and you return to where you were."


def test_a_suspended_user_is_soon_shown_the_login(page, live):
    page.expected.append("status of 403")  # the login that is refused at the end
    user = new_user(live)
    page.comes_as(user, "/console/messages?status=failed")
    page.sees("No message matches these filters.")
    call(live, live.admin, "mutation($id: ID!) { suspendUser(id: $id) { uuid } }", id=str(user.id))
    page.sees(_ENDED)
    page.is_at("/console/login?next=%2Fmessages%3Fstatus%3Dfailed")
    log_in(page, user)
    page.sees("suspended")
    assert "Account menu" not in page.page.evaluate("document.documentElement.outerHTML")


def test_a_new_password_asks_to_log_in_with_it(page, live, another_tab):
    page.expected.append("status of 401")  # the login with the old password
    user = new_user(live)
    page.comes_as(user, "/console/profile")
    other = another_tab()
    other.open("/console/messages")
    other.sees("You have not sent a message yet.")
    page.fill("Current password", "wrong horse battery")
    page.fill("New password", "a longer horse battery")
    page.press("Change password")
    page.sees("password is")
    page.fill("Current password", PASSWORD)
    page.press("Change password")
    for tab in (page, other):
        tab.sees("Your password is changed, and all your logins have ended.")
    log_in(page, user)
    page.sees("If you have forgotten your password, ask an administrator.")
    log_in(page, user, "a longer horse battery")
    page.is_at("/console/profile")
    other.sees("You have not sent a message yet.")


def test_a_user_logs_out_everywhere(page, live):
    user = new_user(live)
    page.comes_as(user, "/console/profile")
    page.press("Log out everywhere")
    page.sees("All your logins end, in this browser and on every other device.")
    page.press("Cancel")
    page.sees_no("All your logins end")
    page.press("Log out everywhere")
    page.sees("All your logins end")
    page.press("Log out everywhere")
    page.sees("All your logins have ended.")
    answer = live.client.get("/auth/me", headers=user.headers)
    assert answer.status_code == 401


def test_a_user_changes_the_name(page, live):
    user = new_user(live)
    page.comes_as(user, "/console/profile")
    page.fill("Display name", "Ada Lovelace")
    page.press("Save")
    page.sees("Your profile is saved.")
    page.press("Account menu of Ada Lovelace")
    assert call(live, user, "{ me { displayName } }")["me"]["displayName"] == "Ada Lovelace"
