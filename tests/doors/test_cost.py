"""Lists inside lists are refused before they are run, whatever they are called."""

import pytest

from schema.cost import cost
from schema.documents import BOUNDS, preparer
from schema.root import build

SCHEMA = build(explorable=True)._schema
PREPARE = preparer((), BOUNDS)


@pytest.mark.parametrize(
    ("document", "objects"),
    [
        ("{ me { email } }", 1),
        ("{ me { accounts { balance } } }", 21),
        ("{ users(limit: 100) { items { email } meta { total } } }", 102),
        ("{ users { items { accounts { balance } } } }", 1 + 20 * 21),
        ("query($n: Int) { users(limit: $n) { items { email } } }", 101),
        ("{ a: me { email } b: me { email } }", 2),
        (
            "{ me { ...F } } fragment F on User { accounts { ...G } } fragment G on Account { owner { email } }",
            41,
        ),
        ("{ me { ... on User { accounts { uuid } } ... { accounts { name } } } }", 41),
        ("{ __schema { types { name } } }", 0),
        ("{ me { email } } query B { users(limit: 5) { items { email } } }", 6),
        # Plain lists that take a `limit` of their own, which is not that of what stands in them.
        ('{ messengerAccount(id: "x") { chats(limit: 1) { messages(limit: 100) { uuid } } } }', 102),
        ('{ messengerAccount(id: "x") { chats { messages { uuid } } } }', 1 + 20 * 21),
        ('{ messengerMessages(accountId: "x", to: "y") { uuid } }', 50),
        ('{ messengerMessages(accountId: "x", limit: 3) { account { webhooks { uuid } } } }', 3 * 22),
        ('query($n: Int!) { messengerMessages(accountId: "x", limit: $n) { uuid } }', 100),
        ('query($n: Int! = 5) { messengerMessages(accountId: "x", limit: $n) { uuid } }', 100),
        # What is asked for beyond the bounds gives the nearest one.
        ('{ messengerAccount(id: "x") { chats(limit: 0) { uuid } b: chats(limit: -7) { uuid } } }', 3),
        ('{ messengerAccount(id: "x") { chats(limit: 5000) { uuid } } }', 101),
        ('{ chats(accountId: "x", limit: 2) { items { messages(limit: 7) { uuid } } } }', 1 + 2 * 8),
    ],
)
def test_what_a_document_may_ask_for(document, objects):
    from graphql import parse

    assert cost(SCHEMA, parse(document)) == objects


def _nested(levels: int, name: str = "me") -> str:
    inside = "email"
    for _ in range(levels):
        inside = f"accounts {{ owner {{ {inside} }} }}"
    return f"{{ {name} {{ {inside} }} }}"


async def test_a_graph_that_goes_round_in_circles_is_refused(ada):
    assert (await ada.graphql(_nested(2)))["data"]["me"]
    assert await ada.code(_nested(4)) == "query_too_complex"


@pytest.mark.parametrize(
    "query",
    [
        """{ messengerAccount(id: "%s") { chats(limit: 1) { messages(limit: 100) { account { chats(limit: 1) {
        messages(limit: 100) { account { chats(limit: 1) { messages(limit: 100) { uuid } } } } } } } } } }""",
        """{ messengerAccount(id: "%s") { chats(limit: 1) { messages(limit: 100) { account { chats(limit: 1) {
        messages(limit: 100) { uuid } } } } } } }""",
        """{ messengerMessages(accountId: "%s", thread: "t", limit: 100) { account { chats(limit: 20) {
        messages(limit: 100) { uuid } } } } }""",
    ],
    ids=["three levels", "two levels", "a list at the top"],
)
async def test_lists_with_a_limit_of_their_own_multiply_too(ada, query):
    id = (await ada.rest("POST", "/addAccount", json={"source": "telegram", "login": "x"})).json()
    assert await ada.code(query % id["account"]["accountUuid"]) == "query_too_complex"


@pytest.mark.parametrize("name", ["me", "__a: me", "__schema: me", "__type: me"])
def test_an_alias_buys_no_depth(name):
    from graphql import GraphQLError

    deep = f"{{ {name} {{ " + "accounts { owner { " * 6 + "email" + " } }" * 6 + " } }"
    with pytest.raises(GraphQLError, match="deeper than 12"):
        PREPARE(SCHEMA, deep)


def test_a_fragment_that_nobody_spreads_is_bounded_too():
    from graphql import GraphQLError

    with pytest.raises(GraphQLError, match="repetitions"):
        PREPARE(SCHEMA, "{ me { email } } fragment F on Query {" + " me { email }" * 400 + "}")


def test_what_is_remembered_is_bounded_and_sound(monkeypatch):
    from schema import documents

    monkeypatch.setattr(documents, "KEPT", 200)
    prepare = preparer((), BOUNDS)
    first = "{ me { email } }"
    kept = prepare(SCHEMA, first)[0]
    assert prepare(SCHEMA, first)[0] is kept
    for number in range(20):
        prepare(SCHEMA, f"query Q{number} {{ me {{ email }} }}")
    assert prepare(SCHEMA, first)[0] is not kept


async def test_one_key_is_for_one_mutation(ada):
    send = 'sendMessage(input: {to: "+14155550100", channel: sms, body: "x"}) { uuid }'
    two = await ada.graphql(f"mutation {{ a: {send} b: {send} }}", **{"Idempotency-Key": "k"})
    assert two["errors"][0]["extensions"]["code"] == "bad_idempotency_key"
    assert (await ada.rest("GET", "/messages")).json()["meta"]["total"] == 0
    one = await ada.graphql(f"mutation {{ a: {send} }}", **{"Idempotency-Key": "k"})
    assert one["data"]["a"]["uuid"]
