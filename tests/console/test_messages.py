"""The pages of messages: sending one, watching it, finding it again."""

import asyncio
import json
from uuid import UUID

import asyncpg

from core.ids import uuid7
from tests.console.users import DELIVERED, FAILED, call, ends, new_user, send, without_workers

_RELOADED = "performance.getEntriesByType('navigation')[0].type + performance.timeOrigin"


def _write(page, to, text):
    page.press("Send a message")
    page.press("Email")
    page.fill("Email address", to)
    page.fill("Subject", "Your table")
    page.fill("Text", text)
    page.press("Send")
    page.sees("Postern has accepted the message")


def test_a_message_is_sent_and_seen_to_be_delivered(page, live):
    page.comes_as(new_user(live), "/console/messages")
    page.sees("You have not sent a message yet.")
    loaded = page.page.evaluate(_RELOADED)
    _write(page, DELIVERED, "Your table is booked for eight.")
    page.press("Close")
    page.press("1 new message")
    page.sees_row(DELIVERED, "Your table is booked for eight.", "Delivered")
    page.press(DELIVERED)
    page.sees("Accepted, charged and queued")
    for step in ("Accepted by the provider", "Delivered", "Charge", "Your table is booked for eight."):
        page.sees(step)
    page.press("Messages to the same recipient")
    page.sees_row(DELIVERED, "Delivered")
    assert page.page.evaluate(_RELOADED) == loaded, "the page was never loaded again"


def test_the_page_of_a_message_changes_by_itself(page, live):
    """The worker is stopped until the page is seen."""
    user = new_user(live)
    with without_workers(live):
        page.comes_as(user, f"/console/messages/{send(live, user, 'flaky@sandbox.postern.test')}")
        page.sees("Waiting for a worker, or for the next attempt This page changes by itself.")
    page.sees("Accepted by the provider")
    page.sees("The sandbox took this message: nothing has left this server")
    page.sees_no("This page changes by itself.")
    page.sees("Failed attempts 1")
    page.sees("An attempt failed")
    page.sees("sandbox: The sandbox fails once for this recipient, on purpose.")


def test_a_message_that_fails_says_why_and_what_to_do(page, live):
    page.comes_as(new_user(live), "/console/messages")
    _write(page, FAILED, "Nobody reads this.")
    page.press("Show the message")
    page.sees("The provider can't reach this recipient")
    page.sees("Check the address with the recipient, then send to the right one.")
    page.sees("The price was refunded.")
    page.sees("Refund")
    page.press("Send again")
    page.sees("Nobody reads this.")
    page.fill("Email address", DELIVERED)
    page.press("Send")
    page.press("Show the message")
    page.sees("Accepted, charged and queued")
    page.sees(DELIVERED)


def test_the_server_says_what_is_wrong_with_a_message(page, live):
    page.comes_as(new_user(live), "/console/messages?send=1")
    page.press("Email")
    page.fill("Email address", "nobody")
    page.fill("Text", "Hello")
    page.press("Send")
    page.sees("to is not an email address")
    page.page.press("Escape", 27)
    page.sees("What you have entered is not saved")
    page.press("Discard it")
    page.is_at("/console/messages")


def test_filters_are_in_the_address(page, live, another_tab):
    user = new_user(live)
    for to, state in ((DELIVERED, "delivered"), (FAILED, "failed")):
        ends(live, user, send(live, user, to), state)
    page.comes_as(user, "/console/messages")
    page.sees("2 messages")
    page.press("State")
    page.press("Failed")
    page.is_at("/console/messages?status=failed")
    page.sees("1 message")
    page.sees_row(FAILED)
    page.sees_no(DELIVERED)
    page.page.press("Escape", 27)
    other = another_tab()
    other.open("/console/messages?status=failed")
    other.sees_row(FAILED)
    other.sees("State: Failed")
    assert DELIVERED not in other.text()
    page.press("Channel")
    page.press("SMS")
    page.is_at("/console/messages?status=failed&channel=sms")
    page.sees("No message matches these filters.")
    page.back()
    page.is_at("/console/messages?status=failed")
    page.sees_row(FAILED)
    page.back()
    page.is_at("/console/messages")
    page.sees_row(DELIVERED)


def test_a_message_is_found_by_its_recipient_and_by_its_id(page, live):
    user = new_user(live)
    id = send(live, user, DELIVERED)
    send(live, user, FAILED)
    page.comes_as(user, "/console/messages")
    page.sees_row(FAILED)
    page.fill("Phone or address, exactly", DELIVERED)
    page.is_at("/console/messages?to=delivered%40sandbox.postern.test")
    page.sees_row(DELIVERED)
    page.sees_no(FAILED)
    page.press("Clear filters")
    page.sees_row(FAILED)
    page.press("Search or jump to…")
    page.fill("A page, an action, a message id, a phone or an address", id)
    page.press(f"Find message “{id}”")
    page.is_at(f"/console/messages/{id}")
    page.sees(DELIVERED)


def test_a_user_sees_nothing_of_another_ones(page, live):
    ada, bob = new_user(live), new_user(live)
    id = send(live, ada, DELIVERED)
    ends(live, ada, id, "delivered")
    page.comes_as(bob, "/console/messages")
    page.sees("You have not sent a message yet.")
    page.press("Of projects")
    page.sees("No message matches these filters.")
    page.open(f"/console/messages/{id}")
    page.sees("There is no message with this id, or it belongs to another user.")
    page.open("/console")
    page.sees("Send a message to yourself")
    assert DELIVERED not in page.text()


def test_an_administrator_sees_everybodys(page, live):
    ada = new_user(live)
    id = send(live, ada, DELIVERED, "For the administrator, too.")
    page.comes_as(live.admin, "/console/messages")
    page.sees_row(DELIVERED, "For the administrator, too.")
    page.open(f"/console/messages/{id}")
    page.sees(ada.email)


def test_a_text_of_a_stranger_is_only_text(page, live):
    """HTML in the text of a message is shown as text: its sender can't change the page."""
    user = new_user(live)
    text = "<img src=x onerror=alert(1)><script>alert(2)</script>"
    id = send(live, user, DELIVERED, text)
    page.comes_as(user, "/console/messages")
    page.sees_row(text)
    page.open(f"/console/messages/{id}")
    page.sees(text)
    script = f"[...document.scripts].some((script) => script.text.includes({json.dumps('alert(2)')}))"
    assert page.page.evaluate(script) is False
    assert call(live, user, "query($id: ID!) { message(id: $id) { body } }", id=id)["message"]["body"] == text


def test_the_recipients_of_chosen_messages_are_blocked(page, live):
    user = new_user(live)
    for to in (DELIVERED, FAILED, FAILED):
        send(live, user, to)
    page.comes_as(user, "/console/messages")
    page.sees("3 messages")
    page.press("Select all that are shown")
    page.sees("3 selected")
    page.press("Block the recipients")
    page.sees("Block 2 recipients?")
    page.page.click("[role=dialog] button:last-of-type:not([aria-label])")
    page.sees("2 recipients are blocked now.")
    page.sees_no("3 selected")
    blocked = call(live, user, "{ blockedPhones { nodes { phone scope reason } } }")["blockedPhones"]["nodes"]
    assert {(one["phone"], one["scope"], one["reason"]) for one in blocked} == {
        (DELIVERED, "all", "manual"),
        (FAILED, "all", "manual"),
    }


_REPORT = """
INSERT INTO mail_reports (id, owner_id, message_id, kind, type, class, source, source_id, status, code, diagnostic,
  outcome)
VALUES ($1, $2, $3, 'direct', 'bounce', 'hard', 'dsn', 'x', '5.1.1', 550, '550 5.1.1 User unknown', 'stays')
"""


async def _report(live, user, message):
    """A mail about the message came back, and another one whose mail is not kept."""
    connection = await asyncpg.connect(live.database)
    try:
        await connection.execute(_REPORT, report := uuid7(), user.id, UUID(message))
        await connection.execute(
            "INSERT INTO mail_report_mails VALUES ($1, $2)", report, b"Subject: Returned to you\n"
        )
    finally:
        await connection.close()


def test_a_mail_that_came_back_is_read_on_the_page_of_its_message(page, live):
    user = new_user(live)
    message = send(live, user, DELIVERED)
    ends(live, user, message, "delivered")
    asyncio.run(_report(live, user, message))
    page.comes_as(user, f"/console/messages/{message}")
    page.sees("Mail that came back")
    page.sees("Came back · no such address")
    page.sees("550 5.1.1 User unknown")
    page.sees_no("Returned to you")
    page.press("Show the mail")
    page.sees("Subject: Returned to you")
