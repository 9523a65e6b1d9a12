"""The console says what a sandbox does: in the head of every page, before a message is sent, and after."""

from collections.abc import Iterator

import pytest

from tests.console.conftest import opened
from tests.console.looks import PHONE
from tests.console.users import new_user
from tests.support.live import Live, serving

WHOLE = "Nothing leaves this machine: messages by SMS, Email, Push, Telegram, and WhatsApp are simulated"
SMTP = "smtp://127.0.0.1:1?from=news@example.com"


def test_every_page_says_so_and_an_administrator_is_told_what_to_set(page, live):
    user = new_user(live)
    page.comes_as(user)
    assert "Nothing leaves" not in page.text()  # until somebody asks
    page.press("Test mode")
    page.sees(WHOLE)
    page.sees("ask an administrator to set up a provider")
    assert "POSTERN_CHANNEL_SMS" not in page.text()
    assert page.violations() == []
    page.page.press("Escape", 27)
    page.sees_no(WHOLE)
    assert page.page.evaluate("document.activeElement.ariaLabel") == "Test mode"
    page.at_width(PHONE)
    page.open("/console/webhooks")
    page.press("Test mode")  # an icon alone, of the same name
    page.sees(WHOLE)
    page.comes_as(live.admin, "/console/webhooks")
    pill = 'header button[aria-label^="Test mode"]'  # another test may have given administrators a provider
    page.sees_element(pill)
    page.press(page.page.evaluate(f"document.querySelector({pill!r}).ariaLabel"))
    page.sees("Set up a provider")


def test_a_message_to_a_sample_recipient(page, live):
    page.comes_as(new_user(live), "/console/messages?send=1")
    page.sees("SMS is a sandbox: nothing leaves this server, and nobody receives the message.")
    page.press("fails")
    assert (
        page.page.evaluate("document.querySelector('[role=dialog] input[placeholder]').value")
        == "+15005550010"
    )
    page.press("Email")
    page.press("delivered")
    page.fill("Subject", "Hello")
    page.fill("Text", "Hello")
    page.press("Send")
    page.sees("Postern has accepted the message")
    page.sees("Email is a sandbox: nothing has left this server")
    page.press("Show the message")
    page.sees("The sandbox took this message: nothing has left this server")


@pytest.fixture(scope="module")
def mixed() -> Iterator[Live]:
    """A service whose email is real, in so far as it has a server that nobody answers at."""
    with serving(workers=0, POSTERN_CONSOLE="true", POSTERN_CHANNEL_EMAIL=SMTP) as running:
        yield running


def test_one_channel_may_be_real_while_others_are_not(has_console, browser, mixed):
    user = new_user(mixed)
    with opened(browser, mixed, clear=True) as page:
        page.comes_as(user)
        page.press("Test mode: 4 of 5 channels")
        page.sees(
            "nothing leaves this machine, messages are simulated, and nobody receives them. Email: real."
        )
        page.open("/console/messages?send=1")
        page.sees("SMS is a sandbox")
        page.press("Email")
        page.sees_no("is a sandbox")
        assert not page.has("fails")
