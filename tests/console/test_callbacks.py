"""The hosts of status callbacks, their secret, and the steps of a chain on its page."""

from tests.console.steps import Tab
from tests.console.users import DELIVERED, call, ends, new_user
from tests.support.live import Live
from tests.support.people import Person

HOST = "https://93.184.215.14"  # a public address, so that nothing is looked up
_HOSTS = "{ statusCallbackHosts { nodes { url } } }"
_SEND = "mutation ($i: SendMessage!) { sendMessage(input: $i) { uuid } }"
_SECRET = "document.querySelector('[data-secret]')?.innerText"


def with_callback(live: Live, user: Person) -> None:
    """Sends a message whose status is posted to a host."""
    message = {"channel": "email", "to": DELIVERED, "body": "Hello", "metadata": {"subject": "Hello"}}
    call(live, user, _SEND, i=message | {"statusCallback": f"{HOST}/messages/4711"})


def chain(live: Live, user: Person) -> str:
    """Sends a chain by email and SMS, of which the email is delivered."""
    steps = [
        {
            "channel": "email",
            "to": DELIVERED,
            "until": "delivered",
            "within": 3600,
            "metadata": {"subject": "Your code"},
        },
        {"channel": "sms", "to": "+14155550100"},
    ]
    id = str(call(live, user, _SEND, i={"body": "Hello", "chain": steps})["sendMessage"]["uuid"])
    ends(live, user, id, "delivered")
    return id


def test_a_host_of_callbacks_is_removed_and_the_secret_replaced(page: Tab, live: Live) -> None:
    user = new_user(live)
    page.comes_as(user, "/console/callbacks")
    page.sees("No message has named a statusCallback yet.")
    with_callback(live, user)
    page.open("/console/callbacks")
    page.sees_row(HOST)
    page.press("New secret")
    page.page.wait("document.querySelector('[role=dialog]') !== null")
    page.press("New secret")
    page.page.wait("document.querySelector('[data-secret]') !== null")
    assert str(page.page.evaluate(_SECRET)).startswith("whsec_")
    page.open("/console/callbacks")
    page.press(f"Remove {HOST}")
    page.page.wait("document.querySelector('[role=dialog]') !== null")
    page.press("Remove")
    page.sees("No message has named a statusCallback yet.")
    assert call(live, user, _HOSTS)["statusCallbackHosts"]["nodes"] == []


def test_a_chain_shows_its_steps(page: Tab, live: Live) -> None:
    user = new_user(live)
    id = chain(live, user)
    page.comes_as(user, f"/console/messages/{id}")
    page.sees("Channels, one after the other")
    page.sees_row("1. Email", DELIVERED, "Delivered")
    page.sees_row("2. SMS", "+14155550100", "Not begun")
    page.sees("The next one begins if it is not delivered within")
