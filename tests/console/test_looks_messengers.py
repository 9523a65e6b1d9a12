"""The pages of messenger accounts and the inbox as people see them: see looks.py."""

from typing import Any

import pytest

from tests.console.looks import LONG, Look, Looks, Sizes, every_look
from tests.console.messengers import connect
from tests.console.steps import Tab
from tests.console.users import call, new_user
from tests.support.live import Live
from tests.support.people import Person
from tests.support.waits import eventually

pytestmark = pytest.mark.rotating

PAGES: Looks = [
    ("inbox", "/console/inbox", None, "main ul a"),
    ("chat", "/console/inbox/{desk}/{chat}", None, "[role=log] li[data-outgoing]"),
    ("new-chat", "/console/inbox?new=1", None, "[role=dialog] input"),
    ("messengers", "/console/messengers", None, "main table td"),
    ("new-messenger", "/console/messengers/new?kind=sandbox-whatsapp", None, "main form"),
    ("new-messenger-cloud", "/console/messengers/new?kind=whatsapp-cloud", None, "main input[type=password]"),
    ("messenger", "/console/messengers/{connected}", None, "main dl"),
    ("messenger-code", "/console/messengers/{coded}", None, "main form input"),
    ("messenger-blocked", "/console/messengers/{banned}", None, "main dl"),
    ("messenger-history", "/console/messengers/{connected}?tab=history", None, "main table td"),
    ("messenger-proxy", "/console/messengers/{banned}?tab=proxy", None, "main form"),
    ("messenger-webhooks", "/console/messengers/{connected}?tab=webhooks", None, "main article"),
    ("messenger-settings", "/console/messengers/{coded}?tab=settings", None, "main form"),
]

_ACCOUNT = "mutation ($i: NewMessengerAccount!) { addMessengerAccount(input: $i) { uuid } }"
_PHONE_LOGIN = "mutation ($id: ID!, $p: String) { setMessengerPhone(id: $id, input: { phone: $p }) { uuid } }"
_CONNECT = "mutation ($id: ID!) { startMessengerAccount(id: $id) { state } }"
_HOOK = "mutation ($id: ID!, $i: NewWebhook!) { addWebhook(accountId: $id, input: $i) { secret } }"


def _chat(live: Live, user: Person) -> dict[str, str]:
    """A chat with messages of both sides, one of which is a reply."""
    desk, other = connect(live, user, "Support"), connect(live, new_user(live), "Bob")
    other.writes(desk.phone, LONG)
    query = (
        "query ($id: ID!) { messengerChats(accountId: $id) { nodes { uuid messages { nodes { uuid } } } } }"
    )

    def came_in() -> list[Any]:
        return list(call(live, user, query, id=desk.id)["messengerChats"]["nodes"])

    (chat,) = eventually(came_in, "the message is in the inbox")
    desk.writes(other.phone, f"Hello {LONG}")
    desk.writes(other.phone, "An answer", replyTo=chat["messages"]["nodes"][0]["uuid"])
    return {"desk": desk.id, "chat": str(chat["uuid"])}


def _messenger(live: Live, user: Person, login: str, name: str, phone: str | None = None) -> str:
    made = call(live, user, _ACCOUNT, i={"source": "telegram", "login": login, "name": name})
    id = str(made["addMessengerAccount"]["uuid"])
    call(live, user, _PHONE_LOGIN, id=id, p=phone)
    call(live, user, _CONNECT, id=id)
    return id


def _messengers(live: Live, user: Person) -> dict[str, str]:
    """Accounts of the sandbox: one that is connected, one that waits for its code, one that is banned."""
    connected = _messenger(live, user, "15005551006", LONG[:100])
    address = "https://93.184.215.14/" + LONG[20:]  # a public address, so that nothing is looked up
    call(live, user, _HOOK, id=connected, i={"webhookUrl": address})
    coded = _messenger(live, user, "15005551007", "Sales", "15005551007")
    banned = _messenger(live, user, "15005551046", "Support")
    asked = "query ($id: ID!) { messengerAccount(id: $id) { state } }"

    def works() -> bool:
        return bool(call(live, user, asked, id=connected)["messengerAccount"]["state"] == "working")

    eventually(works, "the account is connected")
    return {"connected": connected, "coded": coded, "banned": banned}


@pytest.fixture(scope="module")
def user(live: Live) -> Person:
    return new_user(live)


@pytest.fixture(scope="module")
def ids(live: Live, user: Person) -> dict[str, str]:
    return {**_chat(live, user), **_messengers(live, user)}


@every_look
def test_pages(page: Tab, user: Person, ids: dict[str, str], language: str, sizes: Sizes) -> None:
    Look(page, language, sizes).at_all(user, PAGES, ids)
