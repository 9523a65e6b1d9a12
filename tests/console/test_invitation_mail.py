"""An administrator invites a user by mail: a real mail server takes the link, by which the person is logged in."""

import re
from collections.abc import Iterator

import pytest

from tests.console.mails import Inbox, receiving
from tests.console.steps import Tab
from tests.console.users import new_user
from tests.support.live import Live, serving
from tests.support.people import PASSWORD
from tests.support.waits import eventually


@pytest.fixture(scope="module")
def inbox() -> Iterator[Inbox]:
    with receiving() as server:
        yield server


@pytest.fixture(scope="module")
def live(inbox: Inbox) -> Iterator[Live]:
    with serving(
        workers=1,
        POSTERN_CONSOLE="true",
        POSTERN_PUBLIC_URL="https://postern.example.com",
        POSTERN_CHANNEL_EMAIL=f"smtp://127.0.0.1:{inbox.port}?from=postern@example.com",
    ) as running:
        yield running


def _token(inbox: Inbox, page: str) -> str:
    """Waits for the mail. Returns the token of its link."""
    link = re.compile(rf"https://postern\.example\.com/console/{page}#(\S+)")

    def mailed() -> list[str]:
        return link.findall("\n".join(inbox.texts))

    return str(eventually(mailed, "the invitation is mailed")[0])


def test_a_user_is_invited_by_mail(page: Tab, live: Live, inbox: Inbox) -> None:
    page.comes_as(live.admin, "/console/users")
    page.press("Add a user")
    page.fill("Email", "grace@example.com")
    page.press("Create the invitation")
    page.sees("A mail with the link is on its way to grace@example.com.")
    page.sees_no("The link is shown only now.")
    page.picture("invitation-mailed")
    assert page.violations() == []
    token = _token(inbox, "invitation")
    page.press("Show the link")
    page.sees(token)  # one secret, whichever way it comes
    page.press("Done")
    page.page.call("Network.clearBrowserCookies")
    page.open(f"/console/invitation#{token}")
    page.fill("New password", PASSWORD)
    page.press("Set the password")
    page.sees("First steps")
    login = live.client.post("/auth/login", json={"email": "grace@example.com", "password": PASSWORD})
    assert login.status_code == 200


def test_a_member_is_invited_by_mail(page: Tab, live: Live, inbox: Inbox) -> None:
    owner, member = new_user(live), new_user(live)
    page.comes_as(owner, "/console/members")
    page.press("Invite a member")
    page.fill("Email", member.email)
    page.press("Editor")
    page.press("Make the invitation")
    page.sees(f"A mail with the link is on its way to {member.email}.")
    page.press("Close")
    page.sees_row(member.email, "Editor", "Invited", "until")
    token = _token(inbox, "join")
    page.has_login_of(member)
    page.open(f"/console/join#{token}")
    page.press("Accept the invitation")
    page.sees("Your role")
