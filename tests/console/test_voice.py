"""Voice messages of the inbox, with a browser whose microphone beeps once a second."""

from collections.abc import Iterator

import pytest

from tests.console.messengers import Connected, connect
from tests.console.steps import Tab
from tests.console.users import call, new_user
from tests.support.browser import CHROMIUM, Browser, browsing
from tests.support.live import Live
from tests.support.people import Person

_MICROPHONE = ("--use-fake-device-for-media-stream", "--use-fake-ui-for-media-stream")
_RECORD, _DISCARD, _SEND = "Record a voice message", "Discard the recording", "Send the recording"
_FIELD = "document.querySelector('main textarea')"
_CONTENT = """query ($account: ID!, $to: String!) {
    messengerMessages(accountId: $account, to: $to, first: 5) { nodes { content { type mime } } }
}"""
# How many seconds a browser plays of the file that was sent, and how it begins.
_PLAYED = """fetch(document.querySelector('[role=log] audio').src).then((answer) => answer.arrayBuffer()).then(
    async (file) => {
        const begin = new TextDecoder().decode(file.slice(0, 4));
        return [begin, (await new AudioContext().decodeAudioData(file)).duration];
    })"""


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    if CHROMIUM is None:
        pytest.skip("there is no Chromium (Debian's package is chromium)")
    with browsing(*_MICROPHONE) as running:
        yield running


@pytest.fixture
def deaf() -> Iterator[Browser]:
    """A browser that refuses the microphone."""
    with browsing("--use-fake-device-for-media-stream", "--use-fake-ui-for-media-stream=deny") as running:
        yield running


@pytest.fixture
def ada(live: Live) -> Person:
    return new_user(live)


def _opens_chat(page: Tab, live: Live, ada: Person, desk: Connected) -> Connected:
    """Opens the chat of somebody who has written. Returns the account that wrote."""
    guest = connect(live, new_user(live), "Bob")
    guest.writes(desk.phone, "Please call me.")
    page.comes_as(ada, "/console/inbox")
    page.sees("Please call me.")
    page.page.click("main ul a")
    page.sees("via Support")
    return guest


def test_a_voice_message_is_recorded_heard_and_sent(page, live, ada, desk):
    guest = _opens_chat(page, live, ada, desk)
    page.press(_RECORD)
    page.sees("Recording 0:02 / 10:00")
    page.press("Stop")
    page.sees("It is sent as a voice message.")
    page.page.wait("document.querySelector('main form audio').readyState >= 1")
    assert page.violations(within="main form") == []
    page.picture("voice")
    page.press(_SEND)
    page.page.wait("document.querySelector('[role=log] audio') !== null")
    page.page.wait("document.querySelector('main form audio') === null")
    begin, seconds = page.page.wait(_PLAYED)
    assert begin == "OggS"
    assert 1.5 < seconds < 6
    answer = call(live, guest.owner, _CONTENT, account=guest.id, to=desk.phone)
    messages = answer["messengerMessages"]["nodes"]
    assert [message["content"] for message in messages if message["content"]] == [
        [{"type": "voice", "mime": "audio/ogg"}]
    ]


def test_a_recording_that_is_discarded_leaves_the_text(page, live, ada, desk):
    _opens_chat(page, live, ada, desk)
    page.page.evaluate(f"{_FIELD}.focus()")
    page.page.write("I'll call")
    page.press(_RECORD)
    page.sees("Recording 0:01")
    page.press(_DISCARD)
    page.page.wait(f'{_FIELD}.checkVisibility() && {_FIELD}.value === "I\'ll call"')
    page.press(_RECORD)
    page.sees("Recording 0:01")
    page.press("Stop")
    page.sees("It is sent as a voice message.")
    page.press(_DISCARD)
    page.page.wait("document.querySelector('main form audio') === null")
    assert page.page.evaluate("document.querySelector('[role=log] audio') === null")


def test_without_the_microphone_it_says_what_to_do(has_console, deaf, live, ada, desk):
    with deaf.page() as opened:
        page = Tab(opened, live)
        _opens_chat(page, live, ada, desk)
        page.press(_RECORD)
        page.sees("The microphone is not allowed for this page.")
        assert page.violations(within="main form") == []
        page.press("Close")
        page.page.wait(f"{_FIELD}.checkVisibility()")
        page.has_no_complaint()
