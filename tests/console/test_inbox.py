"""The inbox: chats of messenger accounts as people who answer see them."""

import json
from pathlib import Path

import pytest

from tests.console.messengers import connect
from tests.console.steps import Tab
from tests.console.users import new_user
from tests.support.live import Live
from tests.support.people import Person

_PNG = (
    "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAA"
    "AABJRU5ErkJggg=="
)
_FIELD = "document.querySelector('main textarea')"
_AT_END = (
    "(() => { const box = document.querySelector('[role=log]'); return box.scrollHeight - box.scrollTop - "
    "box.clientHeight < 5; })()"
)


@pytest.fixture
def ada(live: Live) -> Person:
    return new_user(live)


def _write(page: Tab, text: str) -> None:
    """Writes into the field of the open chat, and sends it with Enter."""
    page.page.wait(f"{_FIELD} !== null")
    page.page.evaluate(f"{_FIELD}.focus()")
    page.page.write(text)
    page.page.wait(f"{_FIELD}.value === {json.dumps(text)}")
    page.page.press("Enter", 13)
    page.page.wait(f"{_FIELD}.value === ''")


def _sees_tick(page: Tab, text: str, status: str) -> None:
    """Waits until the message with this text has this status."""
    item = f"[...document.querySelectorAll('[role=log] li')].find((one) => one.innerText.includes({json.dumps(text)}))"
    page.page.wait(f"{item}?.querySelector('[data-status]')?.dataset.status === {json.dumps(status)}")


def _attach(page: Tab, directory: Path) -> None:
    """Attaches a file to the message that is being written."""
    file = directory / "offer.pdf"
    file.write_bytes(b"%PDF-1.4 an offer")
    picker = page.page.call(
        "Runtime.evaluate", expression="document.querySelector('main form input[type=file]')"
    )
    page.page.call("DOM.setFileInputFiles", files=[str(file)], objectId=picker["result"]["objectId"])
    page.sees("offer.pdf")
    page.sees_no("uploaded")


def test_without_an_account_it_says_what_to_do_first(page, ada):
    page.comes_as(ada, "/console/inbox")
    page.sees("Connect an account first")
    assert page.page.evaluate("document.querySelector('main a[href=\"/console/messengers/new\"]') !== null")


def test_a_message_comes_in_is_read_and_answered(page, ada, desk, guest):
    page.comes_as(ada, "/console/inbox")
    page.sees("No chats yet.")
    guest.writes(desk.phone, "Is my table booked?")
    page.sees("Is my table booked?")
    page.sees("1 unread message")
    page.page.click("main ul a")
    page.sees("via Support")
    page.sees_no("unread message")
    guest.writes(desk.phone, "For two, please.")
    page.sees("For two, please.")
    _write(page, "Yes, at eight.")
    _sees_tick(page, "Yes, at eight.", "delivered")
    page.page.reload()
    page.sees("Yes, at eight.")
    page.sees_no("unread message")


def test_an_answer_quotes_its_message(page, ada, desk, guest):
    guest.writes(desk.phone, "At seven or at eight?")
    page.comes_as(ada, "/console/inbox")
    page.sees("At seven or at eight?")
    page.page.click("main ul a")
    page.press("Reply to “At seven or at eight?”")
    _write(page, "The later one.")
    _sees_tick(page, "The later one.", "delivered")
    page.page.click("[role=log] button[title='Show the message that this one replies to']")


def test_what_could_not_be_sent_stays_and_is_sent_again(page, ada, desk):
    page.comes_as(ada, f"/console/inbox/{desk.id}/%2B15005550030")
    page.sees("Nobody has written in this chat yet.")
    _write(page, "Hello?")
    page.sees("Not sent.")
    page.press("Try again")
    page.sees_no("Not sent.")
    _sees_tick(page, "Hello?", "delivered")
    page.open(f"/console/inbox/{desk.id}/%2B15005550010")
    _write(page, "Nobody is there.")
    page.sees("Not sent.")
    page.press("Remove")
    page.sees_no("Nobody is there.")


def test_a_failed_message_is_sent_again_once(page, ada, desk):
    page.comes_as(ada, f"/console/inbox/{desk.id}/%2B15005550020")
    page.sees("Nobody has written in this chat yet.")
    _write(page, "Bounces.")
    page.sees("Send again")
    # Two clicks before the page has changed.
    page.page.evaluate(
        "(() => { const again = [...document.querySelectorAll('[role=log] button')]"
        ".find((one) => one.innerText === 'Send again'); again.click(); again.click(); })()"
    )
    failed = "document.querySelectorAll('[role=log] li[data-failed]').length"
    page.page.wait(f"{failed} === 2")
    # The first of them can't be sent again; the second one is a new message.
    buttons = (
        "[...document.querySelectorAll('[role=log] button')].filter((one) => one.innerText === 'Send again')"
    )
    page.page.wait(f"{buttons}.length === 1")
    page.page.reload()
    page.page.wait(f"{failed} === 2")


def test_what_is_written_stays_when_a_person_gets_a_chat(page, ada, desk, tmp_path):
    page.comes_as(ada, f"/console/inbox/{desk.id}/%2B15005550000")
    page.sees("Nobody has written in this chat yet.")
    # The answer to the first message is held back until the next one is being written.
    page.page.evaluate(
        "(() => { const real = window.fetch; window.fetch = async (url, init) => {"
        " const sends = String(init?.body).includes('idempotencyKey');"
        " if (sends) await new Promise((go) => { window.answer = go; });"
        " return real(url, init); }; })()"
    )
    _write(page, "The first one.")
    page.page.wait("window.answer !== undefined")
    _attach(page, tmp_path)
    page.page.evaluate(f"{_FIELD}.focus()")
    page.page.write("Not finished")
    page.page.wait(f"{_FIELD}.value === 'Not finished'")
    page.page.evaluate("window.answer()")
    page.page.wait("!location.pathname.includes('15005550000')")
    _sees_tick(page, "The first one.", "delivered")
    assert page.page.evaluate(f"{_FIELD}.value") == "Not finished"
    page.sees("offer.pdf")
    page.page.evaluate("window.answer = undefined")
    page.press("Send")
    page.page.wait("window.answer !== undefined")
    page.page.evaluate("window.answer()")
    _sees_tick(page, "Not finished", "delivered")


def test_a_picture_comes_in_and_a_file_goes_out(page, ada, desk, guest, tmp_path):
    guest.writes(desk.phone, "", content=[{"type": "image", "src": _PNG, "filename": "menu.png"}])
    page.comes_as(ada, "/console/inbox")
    page.sees("Picture")
    page.page.click("main ul a")
    page.page.wait("document.querySelector('[role=log] img')?.naturalWidth === 1")
    _attach(page, tmp_path)
    page.page.wait("document.querySelector('main form button[type=submit]').disabled === false")
    page.press("Send")
    page.page.wait(
        "document.querySelector('[role=log] li[data-outgoing] a[download=\"offer.pdf\"]') !== null"
    )
    address = page.page.evaluate(
        "document.querySelector('[role=log] li[data-outgoing] a[download=\"offer.pdf\"]').href"
    )
    body = page.page.evaluate(f"fetch({json.dumps(address)}).then((answer) => answer.text())")
    assert body == "%PDF-1.4 an offer"


def test_older_messages_load_above_and_new_ones_are_counted(page, ada, desk, guest):
    for number in range(50):
        guest.writes(desk.phone, f"Line {number:02}.")
    page.comes_as(ada, "/console/inbox")
    page.sees("Line 49.")
    page.page.click("main ul a")
    page.sees("Line 48.")
    page.page.wait(_AT_END)
    page.sees_no("Line 05.")
    page.page.evaluate("document.querySelector('[role=log]').scrollTop = 0")
    page.sees("Line 05.")
    assert not page.page.evaluate(_AT_END)
    guest.writes(desk.phone, "A new line.")
    page.press("1 new message")
    page.page.wait(_AT_END)
    page.sees_no("1 new message")


def test_chats_are_searched_and_filtered(page, ada, desk, guest):
    other = connect(guest.live, new_user(guest.live), "Eve")
    guest.writes(desk.phone, "From Bob")
    other.writes(desk.phone, "From Eve")
    page.comes_as(ada, "/console/inbox")
    page.sees("From Bob")
    page.sees("From Eve")
    page.fill("Name, phone or words", guest.phone)
    page.sees_no("From Eve")
    page.is_at(f"/console/inbox?q={guest.phone.replace('+', '%2B')}")
    page.press("Clear filters")
    page.sees("From Eve")
    page.press("Unread")
    page.is_at("/console/inbox?unread=1")
    page.sees("From Bob")
    page.back()
    page.is_at("/console/inbox")


def test_it_opens_at_a_person(page, ada, desk, guest):
    guest.writes(desk.phone, "I am here.")
    page.comes_as(ada, "/console/inbox")
    page.sees("I am here.")
    page.page.press("k", 75, ctrl=True)
    page.page.wait("document.activeElement.matches('[role=dialog] input')")
    page.page.type(guest.phone)
    page.press(f"Open the chat with {guest.phone}")
    page.sees("via Support")
    page.sees_element("[role=log] li")


def test_of_several_accounts_one_is_chosen(page, ada, desk, guest):
    connect(desk.live, ada, "Sales")
    page.comes_as(ada, f"/console/inbox?to={guest.phone.replace('+', '%2B')}")
    page.sees("With which account")
    page.press("Open the chat")
    page.sees("Nobody has written in this chat yet.")
    _write(page, "Hello from sales.")
    _sees_tick(page, "Hello from sales.", "delivered")


def test_a_draft_stays_while_another_chat_is_open(page, ada, desk, guest):
    other = connect(guest.live, new_user(guest.live), "Eve")
    guest.writes(desk.phone, "From Bob")
    other.writes(desk.phone, "From Eve")
    page.comes_as(ada, "/console/inbox")
    for text in ("From Bob", "From Eve", "From Bob"):
        page.sees(text)
        page.page.evaluate(
            "[...document.querySelectorAll('main ul a')].find((one) => "
            f"one.innerText.includes({json.dumps(text)})).click()"
        )
        page.page.wait(
            f"document.querySelector('[role=log]')?.innerText.includes({json.dumps(text)}) ?? false"
        )
        if text == "From Bob" and page.page.evaluate(f"{_FIELD}.value") == "":
            page.page.evaluate(f"{_FIELD}.focus()")
            page.page.write("Not finished")
            page.page.wait(f"{_FIELD}.value === 'Not finished'")
        elif text == "From Eve":
            page.page.wait(f"{_FIELD}.value === ''")
    page.page.wait(f"{_FIELD}.value === 'Not finished'")


def test_another_user_sees_nothing_of_it(page, ada, desk, guest, live):
    guest.writes(desk.phone, "A secret")
    page.comes_as(ada, "/console/inbox")
    page.sees("A secret")
    address = page.page.evaluate("document.querySelector('main ul a').getAttribute('href')")
    eve = new_user(live)
    connect(live, eve, "Eve")
    page.comes_as(eve, address)
    page.sees("There is no such chat among yours.")
    page.open("/console/inbox")
    page.sees("No chats yet.")
    page.sees_no("A secret")


def test_on_a_phone_it_is_one_pane(page, ada, desk, guest):
    guest.writes(desk.phone, "On the phone")
    page.at_width(390)
    page.comes_as(ada, "/console/inbox")
    page.sees("On the phone")
    page.page.click("main ul a")
    page.sees("via Support")
    page.page.wait("!document.querySelector('main ul a').checkVisibility()")
    page.press("All chats")
    page.is_at("/console/inbox")
    page.sees("On the phone")
