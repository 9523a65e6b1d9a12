"""The page of providers: an administrator sets a mail server up, tries it, uses it, and deletes it."""

from collections.abc import Iterator

import pytest

from tests.console.answers import answer
from tests.console.mails import Inbox, receiving
from tests.console.steps import Tab
from tests.console.users import call
from tests.support.live import Live, serving
from tests.support.ports import free_port
from tests.support.waits import eventually

_SEND = 'mutation{sendMessage(input:{channel:email,to:"you@example.com",body:"Hello",metadata:{subject:"Hi"}}){uuid}}'


_QUEUED = "{messages(where:{deliveryState:{eq:queued}},first:1){nodes{uuid}}}"


@pytest.fixture
def inbox() -> Iterator[Inbox]:
    with receiving() as server:
        yield server


@pytest.fixture(scope="module")
def live() -> Iterator[Live]:
    with serving(
        workers=1, POSTERN_CONSOLE="true", POSTERN_OUTBOUND_ALLOW="127.0.0.0/8", POSTERN_BILLING="off"
    ) as running:
        yield running


def test_a_mail_server_is_set_up(page: Tab, live: Live, inbox: Inbox) -> None:
    page.comes_as(live.admin, "/console/system/providers")
    page.sees("The sandbox: nothing leaves this machine.")
    page.fill("Sender", "news@example.com")
    page.fill("Server", "127.0.0.1")
    page.fill("Port", str(free_port()))
    page.fill("Who gets a test message", "you@example.com")
    page.press("Send a test message")
    page.sees("The provider did not accept the message")
    page.sees("unreachable")
    page.fill("Port", str(inbox.port))
    page.press("Send a test message")
    page.sees("The provider accepted the message in")
    assert inbox.subjects == ["A test message of Postern"]
    page.picture("system-providers")
    page.press("Use this provider")
    page.sees("gets the messages by Email, within two seconds.")

    def leaves() -> bool:
        call(live, live.admin, _SEND)
        return len(inbox.subjects) > 1

    eventually(leaves, "a message leaves by the provider", pause=0.5)
    eventually(lambda: not call(live, live.admin, _QUEUED)["messages"]["nodes"], "all have left")
    page.page.click("button[aria-label^='Delete mail-server']")
    answer(page, "Delete")
    page.sees("is deleted.")
    page.sees("The sandbox: nothing leaves this machine.")
    assert page.violations() == []
