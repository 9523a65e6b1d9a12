"""Messenger accounts, their chats and the inbox by REST."""

from typing import Any

from tests.chats.conftest import came, make_account, went
from tests.support.people import Person


async def good(person: Person, method: str, path: str, **options: Any) -> Any:
    answer = await person.rest(method, path, **options)
    assert answer.status_code == 200, answer.text
    return answer.json()


async def test_the_inbox_by_rest(services, ada: Person, bob: Person, account, apply):
    other = await make_account(services, ada, "14155550200")
    await apply(came("a", thread="a", at=0), came("b", "second", thread="a", at=2))
    await apply(came("c", thread="c", at=1), account=other)
    first = await good(ada, "GET", "/messenger-chats?limit=1")
    second = await good(ada, "GET", "/messenger-chats", params={"after": first["next"]})
    assert [chat["thread"] for page in (first, second) for chat in page["items"]] == ["a", "c"]
    (chat,) = first["items"]
    assert (chat["unread"], chat["accountId"], second["next"]) == (2, str(account), None)
    assert await good(ada, "GET", f"/messenger-chats/{chat['id']}") == chat
    of_account = {"items": [chat], "next": None}
    assert await good(ada, "GET", f"/messenger-accounts/{account}/chats") == of_account
    assert await good(ada, "GET", f"/messenger-chats?accountUuid={account}") == of_account
    messages = (await good(ada, "GET", f"/messenger-accounts/{account}/messages?thread=a&limit=2"))["items"]
    assert [message["text"] for message in messages] == ["second", "hi"]
    assert "accountId" not in messages[0]
    read = f"/messenger-chats/{chat['id']}/read"
    assert (await good(ada, "POST", read, json={"upTo": messages[1]["item"]}))["unread"] == 1
    assert (await good(ada, "POST", read))["unread"] == 0
    for method, path in (
        ("GET", f"/messenger-chats/{chat['id']}"),
        ("GET", f"/messenger-chats?accountUuid={account}"),
        ("GET", f"/messenger-accounts/{account}/chats"),
        ("GET", f"/messenger-accounts/{account}/messages?thread=a"),
        ("POST", read),
    ):
        assert (await bob.rest(method, path)).status_code == 404, path
    assert (await good(bob, "GET", "/messenger-chats"))["items"] == []


async def test_a_message_is_the_same_by_both_ways(ada: Person, account, apply):
    """The page is written by the fast way, and the vendor's answer by pydantic."""
    await apply(came("a", thread="a"), went("b", thread="a", at=1))
    page = (await good(ada, "GET", f"/messenger-accounts/{account}/messages?thread=a&limit=2"))["items"]
    call = {"source": "telegram", "login": "14155550100", "to": "a", "thread": "a", "limit": 2}
    vendor = await good(ada, "POST", "/getChatMessages", json=call)
    assert page[::-1] == vendor["messages"]
