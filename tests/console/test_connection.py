"""A connection that is lost and comes back: the console says so, and heals by itself."""

from collections.abc import Iterator

import pytest

from tests.console.steps import Tab
from tests.console.users import DELIVERED, ends, new_user, send

_LOADED = "performance.timeOrigin"
# Whichever is noticed first: that subscriptions ended, or that requests are not answered.
_MISSED = "/The numbers are from|Postern does not answer/.test(document.body.innerText)"
# What the browser says of every request that nobody answers.
UNANSWERED = (
    "ERR_CONNECTION_REFUSED",
    "ERR_CONNECTION_RESET",
    "ERR_EMPTY_RESPONSE",
    "ERR_SOCKET_NOT_CONNECTED",
    "WebSocket connection to",
)


@pytest.fixture
def restarted(live) -> Iterator[None]:
    """Leaves the service running for the next test."""
    yield
    if live.process.poll() is not None:
        live.process = live._start()
    live.until_up()


def test_a_service_that_was_killed_is_missed_and_found_again(page, live, restarted):
    page.expected += UNANSWERED
    user = new_user(live)
    page.comes_as(user, "/console/messages")
    page.sees("You have not sent a message yet.")
    loaded = page.page.evaluate(_LOADED)
    live.process.kill()
    live.process.wait()
    page.page.wait(_MISSED)
    live.process = live._start()
    live.until_up()
    ends(live, user, send(live, user, DELIVERED), "delivered")
    page.page.wait(f"!({_MISSED})")
    page.press("1 new message")
    page.sees_row(DELIVERED, "Delivered")
    ends(live, user, send(live, user, DELIVERED, "It is live again."), "delivered")
    page.press("1 new message")
    page.sees_row("It is live again.", "Delivered")
    assert page.page.evaluate(_LOADED) == loaded, "the page was never loaded again"


def test_a_network_that_is_away_is_missed_and_found_again(page: Tab, live):
    page.expected.append("ERR_INTERNET_DISCONNECTED")
    page.comes_as(live.ada)
    page.sees("Needs a person")
    page.offline()
    page.press("Messages")
    page.sees("Postern does not answer. The console tries again.")
    page.offline(on=False)
    page.sees_no("Postern does not answer")
    page.press("Overview")
    page.sees("Live")


def test_a_page_that_was_opened_without_a_network_comes_by_itself(page: Tab, live):
    page.expected += ["ERR_INTERNET_DISCONNECTED", "ERR_BLOCKED_BY_CLIENT"]
    page.page.call("Network.setBlockedURLs", urls=["*OtherPages*"])  # else it would be loaded ahead
    page.comes_as(new_user(live))
    page.sees("Live")
    page.offline()
    page.press("Messages")
    page.sees("Postern does not answer. The console tries again.")
    page.page.call("Network.setBlockedURLs", urls=[])
    page.offline(on=False)
    page.sees("You have not sent a message yet.")
    page.sees_no("Postern does not answer")


def test_a_console_without_an_answer_to_its_first_question_asks_again(page: Tab, live):
    page.expected.append("ERR_BLOCKED_BY_CLIENT")
    page.comes_as(live.ada)
    page.page.call("Network.setBlockedURLs", urls=["*/graphql"])
    page.open("/console/messages")
    page.sees("Postern does not answer The server did not answer. Check your network connection")
    page.page.call("Network.setBlockedURLs", urls=[])
    page.sees_no("Postern does not answer")
    page.is_at("/console/messages")
