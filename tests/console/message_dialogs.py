"""The dialogs of scheduled messages, of templates and of restricted accounts, and rows that they are about; see
dialogs.py.
"""

from datetime import UTC, datetime, timedelta

from tests.console.dialogs import State, icon
from tests.console.messengers import cloud_chat, connect, restrict
from tests.console.users import DELIVERED, call
from tests.support.live import Live
from tests.support.people import Person

OF_MESSAGES = [
    State(
        "cancel-message",
        "features/messages/one/CancelButton.tsx",
        "/messages/{scheduled}",
        (icon("calendar-off"),),
    ),
    State(
        "template",
        "features/inbox/composer/template/TemplateDialog.tsx",
        "/inbox/{cloud}/{cloud_chat}",
        ("main [role=alert] button",),
    ),
    State(
        "lift-restriction",
        "features/messengers/Restriction.tsx",
        "/messengers/{restricted}",
        ("main .mantine-Alert-root button:not(:has(svg))",),
    ),
]

_SEND = "mutation ($i: SendMessage!) { sendMessage(input: $i) { uuid } }"


def schedule(live: Live, user: Person, to: str = DELIVERED, days: int = 3) -> str:
    """Schedules an email. Returns the id of the message."""
    at = (datetime.now(UTC) + timedelta(days=days)).isoformat()
    message = {"channel": "email", "to": to, "body": "Your table is booked.", "sendAt": at}
    return str(call(live, user, _SEND, i=message)["sendMessage"]["uuid"])


def rows_of_messages(live: Live, user: Person) -> dict[str, str]:
    """Makes a scheduled message, a chat of WhatsApp Cloud whose window is closed, and a restricted account."""
    account, chat = cloud_chat(live, user, hours_ago=30)
    restricted = connect(live, user, "Restricted")
    restrict(live, restricted.id)
    return {
        "scheduled": schedule(live, user),
        "cloud": account,
        "cloud_chat": chat,
        "restricted": restricted.id,
    }
