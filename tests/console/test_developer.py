"""The pages for developers: webhooks with a real receiver, hook secrets, events, and sandbox recipients."""

import subprocess
from collections.abc import Iterator
from http import HTTPStatus
from typing import Any

import pytest
from anyio.from_thread import start_blocking_portal

from core import webhook_signatures
from tests.console.answers import IN_DIALOG, SECRET, answer, stored_secret
from tests.console.steps import Tab
from tests.console.users import DELIVERED, call, new_user, send
from tests.support.live import Live
from tests.support.people import Person
from tests.support.waits import eventually
from tests.webhooks.receiver import Call, Receiver, plain, receiving

_BLOCK = "mutation($phone: String!) { blockPhone(phone: $phone) { uuid } }"


@pytest.fixture
def receiver() -> Iterator[Receiver]:
    """A receiver of webhooks, in a thread of its own."""
    with start_blocking_portal() as portal, portal.wrap_async_context_manager(receiving()) as made:
        yield made


def _code(page: Tab, title: str) -> str:
    return str(page.page.wait(f"document.querySelector({f'pre[aria-label={title!r}]'!r})?.textContent"))


def _hook(page: Tab, receiver: Receiver) -> str:
    """Makes a webhook of the feed. Returns its secret; its page is open."""
    page.press("New webhook")
    page.fill("Address", receiver.url)
    page.press("Create the webhook")
    return stored_secret(page)


def _block(live: Live, user: Person, phone: str) -> None:
    """Makes an event, `block.added`."""
    call(live, user, _BLOCK, phone=phone)


def _logs(page: Tab, text: str, *, no: bool = False) -> None:
    """Waits until the watched events have this text, or do not."""
    page.page.wait(f"{'!' if no else ''}document.querySelector('[role=log]').innerText.includes({text!r})")


def _of_type(calls: list[Call], type: str) -> list[Any]:
    return [one.json for one in calls if one.json["type"] == type]


def test_a_webhook_is_made_and_its_test_event_arrives_signed(page, live, receiver):
    page.comes_as(new_user(live), "/console/webhooks")
    page.sees("There is no webhook yet.")
    secret = _hook(page, receiver)
    page.sees("Nothing sent yet")
    page.press("Send a test event")
    page.sees("Accepted with status 200")
    (came,) = receiver.taken
    assert came.json["type"] == "webhook.test"
    assert webhook_signatures.verify([secret], came.headers, came.body, 60) == came.id
    # What the page says about checking a signature is true.
    page.press("Close")
    page.press("Settings")
    names: dict[str, Any] = {}
    exec(_code(page, "How your server checks the signature (Python)"), names)
    assert names["is_ours"](secret, came.headers, came.body)
    assert not names["is_ours"](secret, came.headers, came.body + b" ")


def test_what_fails_is_shown_with_the_answer_and_comes_later(page, live, receiver):
    user = new_user(live)
    page.comes_as(user, "/console/webhooks")
    _hook(page, receiver)
    receiver.answer = plain(503)
    _block(live, user, "+14155550101")
    page.sees("Failing")
    page.sees("next try")
    page.sees_row("block.added", "Waiting", "503")
    page.press("block.added")
    page.sees("Request: body")
    page.sees("+14155550101")
    assert _code(page, "Answer") == "ok"
    page.picture("webhook-delivery")
    page.press("Close")
    page.page.wait(f"!({IN_DIALOG})")
    receiver.answer = 200
    page.press("Try again now")
    page.sees_row("block.added", "Delivered", "200")
    page.sees("Working")
    assert [event["data"]["phone"] for event in _of_type(receiver.taken, "block.added")] == ["+14155550101"]


def test_a_message_shows_the_webhooks_that_received_its_events(page, live, receiver):
    user = new_user(live)
    page.comes_as(user, "/console/webhooks")
    _hook(page, receiver)
    message = send(live, user, DELIVERED)
    eventually(lambda: _of_type(receiver.taken, "message.delivered"), "its last event has come")
    page.open(f"/console/messages/{message}")
    page.sees(receiver.url)
    page.sees("message.delivered")
    page.picture("message-webhooks")
    page.press(receiver.url)
    page.sees("message.delivered")
    page.sees('"deliveryState"')


def test_events_are_sent_again_from_a_time_on(page, live, receiver):
    user = new_user(live)
    page.comes_as(user, "/console/webhooks")
    _hook(page, receiver)
    _block(live, user, "+14155550102")
    page.sees_row("block.added", "Delivered")
    page.press("More actions")
    page.press("Send events again…")
    page.page.wait(IN_DIALOG)
    page.press("Send again")
    page.sees("1 event is sent again.")
    eventually(lambda: len(_of_type(receiver.taken, "block.added")) == 2, "it came again")
    first, second = (one for one in receiver.taken if one.json["type"] == "block.added")
    assert (first.id, second.headers["postern-replayed"]) == (second.id, "true")


def test_a_document_is_tried_and_saved_and_makes_the_bodies(page, live, receiver):
    user = new_user(live)
    page.comes_as(user, "/console/webhooks")
    _hook(page, receiver)
    _block(live, user, "+14155550103")
    page.sees_row("block.added", "Delivered")
    page.press("Body")
    page.fill("Document", "subscription { events { nothing } }")
    page.press("Try it")
    page.sees("nothing")
    page.page.shows("[role=alert]")
    page.fill("Document", "subscription { events { type } }")
    page.press("Try it")
    page.sees("Made of an event block.added")
    assert '"phone": "+14155550103"' in _code(page, "Without a document")
    assert "phone" not in _code(page, "With this document")
    assert "block.added" in _code(page, "With this document")
    assert len(_of_type(receiver.taken, "block.added")) == 1, "nothing was sent"
    page.press("Save the document")
    page.sees("Saved.")
    before = len(receiver.taken)
    _block(live, user, "+14155550104")
    eventually(lambda: len(receiver.taken) > before, "the next event has come")
    assert "phone" not in receiver.taken[-1].body.decode()


def test_a_secret_is_replaced_and_a_webhook_switched_off_and_deleted(page, live, receiver):
    page.comes_as(new_user(live), "/console/webhooks")
    old = _hook(page, receiver)
    page.press("More actions")
    page.press("New secret")
    _press_in_dialog(page, "New secret")
    new = stored_secret(page)
    assert new != old
    page.press("Send a test event")
    page.sees("Accepted with status 200")
    came = receiver.taken[-1]
    for secret in (old, new):  # for one day
        assert webhook_signatures.verify([secret], came.headers, came.body, 60)
    page.press("Close")
    page.press("More actions")
    page.press("Disable")
    answer(page, "Disable")
    page.sees("It was disabled.")
    page.press("Enable")
    page.sees_no("It was disabled.")
    page.press("More actions")
    page.press("Delete")
    answer(page, "Delete")
    page.sees("There is no webhook yet.")


def _press_in_dialog(page: Tab, action: str) -> None:
    page.page.wait(IN_DIALOG)
    page.press(action)


def test_a_hook_secret_signs_as_the_example_says(page, live):
    user = new_user(live)
    page.comes_as(user, "/console/hook-secrets")
    page.press("New secret")
    _press_in_dialog(page, "New secret")
    page.page.wait(SECRET)
    script = _code(page, "Try it").replace("curl ", "curl -s -o /dev/null -w '%{http_code}' ")
    assert _bash(script) == "202"
    assert _bash(script.replace("='whsec_", "='whsec_AAAA")) == "401"
    secret = stored_secret(page)
    page.sees_row("Signing secret", f"…{secret.rstrip('=')[-4:]}")
    page.press(f"Revoke the one that ends in {secret.rstrip('=')[-4:]}")
    answer(page, "Revoke")
    page.sees("There is no secret and no key yet.")
    assert _bash(script) == "401"


def _bash(script: str) -> str:
    return subprocess.run(["bash", "-c", script], capture_output=True, text=True, check=True).stdout


def test_a_hook_key_is_made(page, live):
    user = new_user(live)
    page.comes_as(user, "/console/hook-secrets")
    page.press("New key")
    _press_in_dialog(page, "New key")
    key = stored_secret(page)
    report = {"event": "delivery", "messageId": "x", "status": "delivered"}
    answer = live.client.post(f"/delivery-hook/{user.id}", params={"key": key}, json=report)
    assert answer.status_code == HTTPStatus.ACCEPTED
    page.sees_row("Key in the address", f"…{key[-4:]}")


def test_events_are_watched_as_they_happen(page, live):
    user = new_user(live)
    page.comes_as(user, "/console/events")
    page.sees("Nothing is recorded yet.")
    page.press("Record events")
    page.sees("Waiting for events.")
    _block(live, user, "+14155550105")
    page.sees("block.added")
    page.page.click("[role=log] button")
    page.sees('"phone": "+14155550105"')
    page.open("/console/events?types=block.removed")
    page.sees("Waiting for events.")
    _block(live, user, "+14155550106")
    call(live, user, 'mutation { unblockPhone(phone: "+14155550106") }')
    _logs(page, "block.removed")
    _logs(page, "block.added", no=True)
    # What the filter has left out comes when it is gone. What was cleared away does not come again.
    page.press("Clear the view")
    page.press("Type: block.removed")
    page.press("block.removed")
    page.page.press("Escape", 27)
    _logs(page, "+14155550106")
    _block(live, user, "+14155550107")
    _logs(page, "+14155550107")
    _logs(page, "block.removed", no=True)
    page.open("/console/events?tab=types")
    page.sees_row("message.delivered", "The provider reported")
    page.press("block.added")
    page.is_at("/console/events?types=block.added")
    page.sees("+14155550105")


def test_a_message_is_sent_to_a_sandbox_recipient(page, live):
    user = new_user(live)
    page.comes_as(user, "/console/developer")
    page.sees(page.url)
    page.sees(str(user.id))
    page.press(f"Send one to {DELIVERED}")
    page.page.wait(IN_DIALOG)
    page.fill("Subject", "Hello")
    page.fill("Text", "Hello from the sandbox")
    page.press("Send")
    page.sees(DELIVERED)
    page.sees("accepted")


def test_another_user_sees_nothing_of_it(page, live, receiver):
    user = new_user(live)
    page.comes_as(user, "/console/webhooks")
    _hook(page, receiver)
    hook = page.page.evaluate("location.pathname")
    other = new_user(live)
    page.comes_as(other, hook)
    page.sees("There is no such webhook, or it is not yours.")
    page.open("/console/webhooks")
    page.sees("There is no webhook yet.")
    page.open("/console/events")
    page.press("Record events")
    page.sees("Waiting for events.")
    call(live, user, "mutation { enableEvents { recording } }")
    send(live, user, DELIVERED)  # an event of the first user
    _block(live, other, "+14155550107")
    page.sees("+14155550107")
    page.sees_no(DELIVERED)
