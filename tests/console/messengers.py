"""Messenger accounts of the sandbox for journeys, each at a phone that no other test has."""

import secrets
from dataclasses import dataclass
from typing import Any

from tests.console.users import call
from tests.support.live import Live
from tests.support.people import Person
from tests.support.waits import eventually

_ADD = "mutation ($i: NewMessengerAccount!) { addMessengerAccount(input: $i) { uuid } }"
_START = "mutation ($id: ID!) { startMessengerAccount(id: $id) { state } }"
_STATE = "query ($id: ID!) { messengerAccount(id: $id) { state } }"
_SEND = """
mutation ($id: ID!, $i: NewMessengerMessage!) { sendMessengerMessage(accountId: $id, input: $i) { uuid chat { uuid } } }
"""


@dataclass(frozen=True)
class Connected:
    """A connected account: who owns it, its id and its phone."""

    live: Live
    owner: Person
    id: str
    phone: str

    def writes(self, to: str, text: str = "", **more: Any) -> Any:
        """Sends a message from this account. Returns its id, and the chat's."""
        sent = call(self.live, self.owner, _SEND, id=self.id, i={"to": to, "text": text, **more})
        return sent["sendMessengerMessage"]


def connect(live: Live, owner: Person, name: str) -> Connected:
    """Adds an account and logs it in, which the sandbox does by itself."""
    digits = f"1202{secrets.randbelow(10**7):07}"
    account = {"source": "telegram", "login": digits, "name": name, "driver": "sandbox"}
    id = str(call(live, owner, _ADD, i=account)["addMessengerAccount"]["uuid"])
    call(live, owner, _START, id=id)

    def works() -> bool:
        return bool(call(live, owner, _STATE, id=id)["messengerAccount"]["state"] == "working")

    eventually(works, f"the account {name} works")
    return Connected(live, owner, id, f"+{digits}")
