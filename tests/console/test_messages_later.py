"""Messages that are scheduled and canceled, those of messengers, and what may be sent to a chat of WhatsApp Cloud."""

from tests.console.message_dialogs import schedule
from tests.console.messengers import cloud_chat, connect, restrict
from tests.console.steps import Tab
from tests.console.users import DELIVERED, call, new_user
from tests.support.live import Live

_STATES = "{ messages { nodes { channel deliveryState metadata } } }"


def test_a_message_is_scheduled_in_the_dialog_and_canceled_on_its_page(page: Tab, live: Live) -> None:
    user = new_user(live)
    page.comes_as(user, "/console/messages?send=1")
    page.press("Email")
    page.fill("Email address", DELIVERED)
    page.fill("Answers go to", "help@example.com")
    page.fill("Text", "Your table is booked.")
    page.press("Send later")
    page.sees("Time zone of this browser:")
    page.press("Schedule")
    page.sees("The message is scheduled")
    page.press("Show the message")
    page.sees("Waits until")
    page.press("Cancel the message")
    page.sees("It is not sent, and its price is refunded.")
    page.page.click("[role=dialog] button:last-of-type:not([aria-label])")
    page.sees("The message was canceled and is not sent")
    page.sees("The price was refunded.")
    (message,) = call(live, user, _STATES)["messages"]["nodes"]
    assert message["deliveryState"] == "canceled"
    assert message["metadata"]["replyTo"] == "help@example.com"


def test_scheduled_messages_are_filtered_and_have_their_time(page: Tab, live: Live) -> None:
    user = new_user(live)
    schedule(live, user, days=80)
    page.comes_as(user, "/console/messages?status=scheduled")
    page.sees("1 message")
    page.sees_row(DELIVERED, "Scheduled", ":")  # the time


def test_a_message_leaves_through_a_messenger_account(page: Tab, live: Live) -> None:
    user = new_user(live)
    page.comes_as(user, "/console/messages?send=1")
    page.sees("Push")
    assert not page.has("Telegram"), "there is no account"
    connect(live, user, "Support")
    other = connect(live, new_user(live), "Guest")
    page.open("/console/messages?send=1")
    page.press("Telegram")
    page.fill("Phone or @username", other.phone)
    page.fill("Text", "See you at eight.")
    page.press("Send")
    page.sees("Postern has accepted the message")
    page.press("Close")
    page.open("/console/messages?channel=telegram")
    page.sees_row("Telegram", other.phone, "See you at eight.")


def test_a_closed_window_leads_to_a_template(page: Tab, live: Live) -> None:
    user = new_user(live)
    account, chat = cloud_chat(live, user, hours_ago=30)
    page.comes_as(user, "/console/messages?send=1&through=whatsapp&recipient=%2B16505551234")
    page.fill("Text", "Your order has left.")
    page.press("Send")
    page.sees("more than 24 hours ago, so WhatsApp takes only a template. Nothing was sent or charged.")
    page.press("Open the chat")
    page.is_at(f"/console/inbox/{account}/{chat}")
    page.sees("more than 24 hours ago: WhatsApp takes only a template now.")
    page.press("Send a template")
    page.sees("Name of the template")


def test_an_open_window_says_until_when(page: Tab, live: Live) -> None:
    user = new_user(live)
    account, chat = cloud_chat(live, user, hours_ago=1)
    page.comes_as(user, f"/console/inbox/{account}/{chat}")
    page.sees("WhatsApp takes texts until")


def test_a_restriction_is_said_and_lifted(page: Tab, live: Live) -> None:
    user = new_user(live)
    desk = connect(live, user, "Support")
    restrict(live, desk.id)
    page.comes_as(user, "/console/messengers")
    page.sees_row("Support", "Restricted", "It wrote to too many new people.")
    page.press("Support")
    page.sees("The account may not write to new people")
    page.press("Lift the restriction")
    page.sees("Let Support write to new people again?")
    page.page.click("[role=dialog] button:last-of-type:not([aria-label])")
    page.sees_no("The account may not write to new people")
