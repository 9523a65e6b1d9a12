"""Messenger accounts of the sandbox for journeys, each at a phone that no other test has."""

import asyncio
import secrets
from dataclasses import dataclass
from typing import Any
from uuid import UUID

import asyncpg

from core.ids import uuid7
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


_CHAT = """
INSERT INTO messenger_chats (id, account_id, thread, kind, name, phone, last_at, last_incoming_at)
VALUES ($1, $2, '16505551234', 'user', 'Sheena Nelson', '+16505551234', now() - make_interval(hours => $3),
  now() - make_interval(hours => $3))
"""
_RESTRICT = """
UPDATE messenger_accounts SET restriction = 'reachOut', restriction_reason = 'It wrote to too many new people.',
  restricted_at = now() WHERE id = $1
"""


def cloud_chat(live: Live, owner: Person, *, hours_ago: int) -> tuple[str, str]:
    """Makes a WhatsApp Cloud account that is not connected, and a chat in it. Returns the ids of both."""
    digits = f"1555{secrets.randbelow(10**7):07}"
    credentials = {
        "phoneNumberId": digits,
        "accessToken": "EAAG" + "token" * 12,
        "appSecret": "an-app-secret",
        "verifyToken": "a-verify-token",
    }
    account = {"source": "whatsapp", "login": digits, "name": "Shop", "driver": "whatsapp_cloud"}
    added = call(live, owner, _ADD, i={**account, "credentials": credentials})
    id, chat = str(added["addMessengerAccount"]["uuid"]), uuid7()
    _execute(live, _CHAT, chat, UUID(id), hours_ago)
    return id, str(chat)


def restrict(live: Live, id: str) -> None:
    """Restricts an account, as its messenger does."""
    _execute(live, _RESTRICT, UUID(id))


def _execute(live: Live, query: str, *values: Any) -> None:
    async def execute() -> None:
        db = await asyncpg.connect(live.database)
        try:
            await db.execute(query, *values)
        finally:
            await db.close()

    asyncio.run(execute())
