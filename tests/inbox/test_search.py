"""Search in the messages of chats, through both doors."""

from datetime import timedelta
from typing import Any

import pytest

from tests.chats.conftest import T0, came, make_account, went
from tests.support.people import Person

SEARCH = """
query($text: String!, $account: ID, $first: Int, $after: String, $last: Int, $before: String,
  $where: MessengerMessageWhere, $orderBy: ListOrder) {
  messengerMessageSearch(text: $text, accountId: $account, first: $first, after: $after, last: $last, before: $before,
      where: $where, orderBy: $orderBy) {
    nodes { uuid text chat { uuid thread } account { uuid } }
    pageInfo { hasNextPage hasPreviousPage endCursor startCursor } totalCount
  }
}
"""
YEAR = 365 * 86400.0


async def search(person: Person, text: str, **variables: Any) -> Any:
    return (await person.data(SEARCH, {"text": text, **variables}))["messengerMessageSearch"]


async def texts(person: Person, text: str, **variables: Any) -> list[str]:
    return [node["text"] for node in (await search(person, text, **variables))["nodes"]]


@pytest.mark.parametrize(
    ("asked", "found"),
    [
        ("parcel", True),
        ("PARCEL", True),
        ("par", True),  # the last word may be a beginning
        ("where par", True),
        ("par where", False),  # and no other one
        ("whe", True),
        ("parcels", False),
        ("w", False),  # one letter is a word, not a beginning
        ("посыл", True),
        ("ПОСЫЛКА", True),
        ("order-77", True),
        ("77 order", True),
        ("ada@example.com", True),
        ("example", True),
        ("don't", True),
        ("it's", True),
        ("' | 'x", False),
        ("\\ parcel:*", True),
    ],
)
async def test_which_words_find_a_message(ada, account, apply, asked, found):
    text = "Where's my parcel? Посылка, order-77, it's for ada@example.com. Don't forget: x"
    await apply(came("1", text), came("2", "Nothing of the kind", at=1))
    expected = [text] if found else []
    if asked == "' | 'x":
        expected = [text]  # it is the word x, and no operator
    assert await texts(ada, asked) == expected
    answer = await ada.rest("GET", "/messenger-messages", params={"text": asked})
    assert [item["text"] for item in answer.json()["items"]] == expected


async def test_nobody_finds_what_another_user_wrote(services, ada, bob, admin, account, apply):
    await apply(came("1", "the secret word"))
    theirs = await make_account(services, bob, "14155550300")
    await apply(came("2", "another secret word", at=1), account=theirs)
    assert await texts(ada, "secret") == ["the secret word"]
    assert await texts(bob, "secret") == ["another secret word"]
    assert await bob.code(SEARCH, {"text": "secret", "account": str(account)}) == "account_not_found"
    assert await texts(admin, "secret") == []
    assert await texts(admin, "secret", account=str(theirs)) == ["another secret word"]


async def test_hits_are_read_page_by_page_over_years_and_accounts(services, ada, account, apply):
    other = await make_account(services, ada, "14155550200")
    for number in range(12):
        event = came(str(number), f"invoice {number}", thread=f"t{number % 2}", at=-number * YEAR / 3)
        await apply(event, account=other if number % 3 == 0 else account)
    expected = [f"invoice {number}" for number in range(12)]
    for size in (1, 3, 5, 12, 20):
        read, after, pages = [], None, 0
        while True:
            page = await search(ada, "invo", first=size, after=after)
            assert page["totalCount"] == 12
            read += [node["text"] for node in page["nodes"]]
            pages, after = pages + 1, page["pageInfo"]["endCursor"]
            if not page["pageInfo"]["hasNextPage"]:
                break
        assert (read, pages) == (expected, -(-12 // size))
    assert await texts(ada, "invoice", last=2) == expected[-2:]
    assert await texts(ada, "invoice", orderBy={"direction": "asc"}) == expected[::-1]
    before = (await search(ada, "invoice", last=2))["pageInfo"]["startCursor"]
    page = await search(ada, "invoice", last=3, before=before)
    assert [node["text"] for node in page["nodes"]] == expected[7:10]
    assert page["pageInfo"]["hasPreviousPage"]
    of_other = await search(ada, "invoice", account=str(other))
    assert [node["text"] for node in of_other["nodes"]] == expected[::3]
    assert {node["account"]["uuid"] for node in of_other["nodes"]} == {str(other)}
    one = (await ada.rest("GET", "/messenger-messages?text=invoice&limit=1")).json()
    item = one["items"][0]
    assert (item["text"], item["accountId"], one["next"] is None) == ("invoice 0", str(other), False)
    assert item["chatId"] == of_other["nodes"][0]["chat"]["uuid"]


async def test_filters_and_changes_of_texts(services, ada, account, apply):
    await apply(came("1", "an old offer"), went("2", "our offer", at=1))
    assert await texts(ada, "offer", where={"outgoing": {"eq": True}}) == ["our offer"]
    later = (T0 + timedelta(seconds=1)).isoformat()
    assert await texts(ada, "offer", where={"at": {"lt": later}}) == ["an old offer"]
    await services.db.fetch("UPDATE messenger_messages SET text = 'a new one' WHERE text = 'an old offer'")
    assert await texts(ada, "offer") == ["our offer"]
    assert await texts(ada, "new one") == ["a new one"]


@pytest.mark.parametrize(
    ("text", "code"),
    [("?!", "no_words"), ("a b c d e f g h i", "too_many_words"), ("x" * 201, "validation_failed")],
)
async def test_a_search_that_cannot_be(ada, account, text, code):
    assert await ada.code(SEARCH, {"text": text}) == code
    answer = await ada.rest("GET", "/messenger-messages", params={"text": text})
    assert (answer.status_code, answer.json()["code"]) == (400, code)


async def test_long_words_and_texts_are_stored_and_found(ada, account, apply):
    long = "y" * 3000
    await apply(came("1", f"{long} " + "z" * 300 + " end" + " more" * 12_000))
    assert len((await search(ada, "z" * 150))["nodes"]) == 1
    assert len((await search(ada, "more"))["nodes"]) == 1


async def test_who_has_very_many_accounts_names_one(services, ada, account, apply):
    await apply(came("1", "hello"))
    await services.db.fetch(
        "INSERT INTO messenger_accounts (id, owner_id, source, login, name, driver, wanted, state)"
        " SELECT gen_random_uuid(), $1, 'telegram', 'l' || n, 'n', 'sandbox', false, 'stopped'"
        " FROM generate_series(1, 100) AS n",
        ada.id,
    )
    assert await ada.code(SEARCH, {"text": "hello"}) == "account_required"
    assert await texts(ada, "hello", account=str(account)) == ["hello"]
