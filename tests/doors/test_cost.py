"""Lists inside lists are refused before they are run, whatever they are called."""

from typing import Any

import pytest
from graphql import GraphQLError, build_schema, get_introspection_query, parse

from schema.frame.cost import COUNT, INTROSPECTION, MUTATION, WRAPPERS, Price, objects, price
from schema.frame.documents import BOUNDS, preparer
from schema.root import build

SCHEMA = build(explorable=True)._schema
PREPARE = preparer((), BOUNDS)

GRAPH = build_schema("""
    interface Node { id: ID! }
    type PageInfo { hasNextPage: Boolean! endCursor: String }
    type User implements Node { id: ID! name: String data: JSON
      messages(first: Int, after: String, last: Int, before: String): MessageConnection!
      friends: [User!]! few(first: Int): [User!]! grid: [[User!]!]! }
    type Message implements Node { id: ID! text: String author: User! tags: [String!]! }
    type MessageEdge { cursor: String! node: Message! }
    type MessageConnection { edges: [MessageEdge!]! nodes: [Message!]! pageInfo: PageInfo! totalCount: Int! }
    type Query { me: User users(first: Int, last: Int): MessageConnection!
      node(id: ID!): Node nodes(ids: [ID!]!): [Node]! word: String }
    type Mutation { send(text: String): Message! forget: Boolean }
    type Subscription { sent: Message! }
    scalar JSON
""")


def priced(document: str, schema: Any = GRAPH) -> Price:
    parsed = parse(document)
    return price(
        schema, parsed, next(node for node in parsed.definitions if node.kind.startswith("operation"))
    )


PRICES = [
    ("{ word }", 1),  # nothing costs less
    ("{ me { name } }", 1),
    ("{ a: me { name } b: me { name } }", 2),
    ("{ me { messages { totalCount } } }", 2 + COUNT),
    ("{ me { messages { x: totalCount totalCount @skip(if: true) } } }", 2 + COUNT),
    ("{ me { friends { messages(first: 0) { totalCount } } } }", 1 + 20 * (2 + COUNT)),
    ("{ me { messages { nodes { text } } } }", 2 + 20),
    ("{ me { messages(first: 5) { nodes { text } } } }", 2 + 5),
    ("{ me { messages(last: 7) { nodes { text } } } }", 2 + 7),
    ("{ me { messages(first: null, last: 7) { nodes { text } } } }", 2 + 7),
    ("{ me { messages(first: 5) { edges { cursor } } } }", 2 + 5),
    ("{ me { messages(first: 5) { edges { node { text } } pageInfo { endCursor } } } }", 2 + 2 * 5 + 1),
    ("{ me { messages(first: 5) { nodes { text } edges { cursor } } } }", 2 + 5 + 5),
    # What is asked for beyond the bounds gives the nearest one.
    ("{ me { messages(first: 5000) { nodes { text } } } }", 2 + 100),
    ("{ me { messages(first: -3) { nodes { text } } } }", 2 + 1),
    ((
        "{ me { messages(first: 3) { nodes { author { messages(first: 4) { nodes { id } } } "
        "} } } }"
    ), 2 + 3 * (1 + 1 + 1 + 4)),
    ("{ users(first: 10) { nodes { author { friends { name } } } } }", 1 + 10 * (1 + 1 + 20)),
    ("{ me { few { name } } }", 1 + 20),
    ("{ me { few(first: 2) { friends { name } } } }", 1 + 2 * 21),
    ('{ nodes(ids: ["a", "b", "c"]) { id } }', 3),
    ('{ nodes(ids: "a") { id } }', 1),
    ('{ node(id: "a") { ... on User { friends { name } } ... on Message { author { name } } } }', 1 + 20 + 1),
    ((
        "{ me { ...F } } fragment F on User { messages(first: 2) { ...G } } fragment G on MessageConnection "
        "{ nodes { id } }"
    ), 2 + 2),
    ("{ me { ... on User { friends { name } } ... { few(first: 1) { name } } } }", 1 + 20 + 1),
    ("mutation { forget }", MUTATION),
    ("mutation { send { author { name } } }", MUTATION + 2),
    ("mutation { ...F } fragment F on Mutation { a: forget b: forget }", 2 * MUTATION),
    ("subscription { sent { author { name } } }", 2),
    ("{ __typename }", 1),
    ("{ me { friends @skip(if: true) { name } few(first: 3) @include(if: false) { name } } }", 1),
    ("{ me { friends @skip(if: false) { name } } }", 1 + 20),
    ("{ ... @include(if: false) { me { name } } }", 1),
]  # fmt: skip


@pytest.mark.parametrize(("document", "points"), PRICES, ids=[str(place) for place in range(len(PRICES))])
def test_what_an_operation_may_cost(document: str, points: int):
    assert priced(document).requested({}) == points


def test_a_plan_costs_the_work_of_its_texts():
    once = priced('{ sendingProjectPlan(id: "a") { toSend } }', SCHEMA)
    twice = priced(
        '{ a: sendingProjectPlan(id: "a") { toSend } b: sendingProjectPlan(id: "b") { toSend } }', SCHEMA
    )
    assert (once.requested({}), twice.requested({})) == (101, 202)
    assert once.actual({"sendingProjectPlan": None}) == 100


VALUES = [
    ("query($n: Int) { me { messages(first: $n) { nodes { id } } } }", {"n": 3}, 2 + 3, 2 + 100),
    ("query($n: Int) { me { messages(first: $n) { nodes { id } } } }", {}, 2 + 20, 2 + 100),
    ("query($n: Int) { me { messages(first: $n) { nodes { id } } } }", {"n": None}, 2 + 20, 2 + 100),
    ("query($n: Int = 4) { me { messages(first: $n) { nodes { id } } } }", {}, 2 + 4, 2 + 100),
    ("query($n: Int = 4) { me { messages(first: $n) { nodes { id } } } }", {"n": 6}, 2 + 6, 2 + 100),
    ("query($n: Int) { me { messages(first: $n) { nodes { id } } } }", {"n": 10**9}, 2 + 100, 2 + 100),
    ("query($n: Int) { me { messages(first: $n) { nodes { id } } } }", {"n": "many"}, 2 + 100, 2 + 100),
    ("query($n: Int) { me { messages(first: $n) { nodes { id } } } }", {"n": True}, 2 + 100, 2 + 100),
    ("query($n: Int, $m: Int) { me { messages(first: $n, last: $m) { nodes { id } } } }", {"m": 9}, 2 + 9, 2 + 100),
    (
        "query($n: Int, $m: Int) { users(first: $n) { nodes { author { messages(last: $m) { nodes { id } } } } } }",
        {"n": 3, "m": 5}, 1 + 3 * (3 + 5), 1 + 100 * 103,
    ),
    ("query($ids: [ID!]!) { nodes(ids: $ids) { id } }", {"ids": ["a"] * 7}, 7, 100),
    ("query($ids: [ID!]!) { nodes(ids: $ids) { id } }", {"ids": "a"}, 1, 100),
    ('query($ids: [ID!]! = ["a", "b"]) { nodes(ids: $ids) { id } }', {}, 2, 100),
    ("query($all: Boolean!) { me { friends @include(if: $all) { name } } }", {"all": False}, 1, 21),
    ("query($all: Boolean!) { me { friends @include(if: $all) { name } } }", {"all": True}, 21, 21),
    ("query($no: Boolean = true) { me { friends @skip(if: $no) { name } } }", {}, 1, 21),
    ("query($all: Boolean!) { me { messages { totalCount @include(if: $all) } } }", {"all": False}, 2, 2 + COUNT),
    ((
        "query($no: Boolean!) { me { ...F @skip(if: $no) } } fragment F on User { friends { "
        "name } }"
    ), {"no": False}, 21, 21),
]  # fmt: skip


@pytest.mark.parametrize(
    ("document", "values", "points", "worst"), VALUES, ids=[str(place) for place in range(len(VALUES))]
)
def test_variables_count_with_their_values(document: str, values: dict[str, Any], points: int, worst: int):
    assert priced(document).requested(values) == points
    assert priced(document).requested(None) == worst


def test_each_operation_has_its_own_price():
    prepared = PREPARE(GRAPH, "query A { me { name } } query B { me { friends { name } } }")
    assert [prepared.operation(name).price.requested({}) for name in "AB"] == [1, 21]
    assert prepared.operation("A").price.roots == 1


def test_introspection_costs_and_each_alias_of_it_does():
    whole = priced(get_introspection_query(input_value_deprecation=True, specified_by_url=True), SCHEMA)
    once, twice = (
        priced("{" + " ".join(f"{name}: __schema {{ queryType {{ name }} }}" for name in names) + "}", SCHEMA)
        for names in ("a", "ab")
    )
    assert (once.requested({}), twice.requested({})) == (INTROSPECTION, 2 * INTROSPECTION)
    assert once.actual({"a": {"queryType": {"name": "Query"}}}) == INTROSPECTION
    assert (
        INTROSPECTION < whole.requested({}) < 8000
    )  # GraphiQL must be able to ask, of the 10,000 that a document may cost
    assert whole.introspects
    assert not priced("{ __schema { queryType { name } } me { uuid } }", SCHEMA).introspects
    # Lists inside lists multiply here too.
    assert (
        priced("{ __schema { types { fields { args { type { name } } } } } }", SCHEMA).requested({})
        > INTROSPECTION + 50
    )


def test_what_is_asked_for_behind_the_last_wrapper_of_a_type_costs_nothing():
    fields = [field for kind in SCHEMA.type_map.values() for field in getattr(kind, "fields", {}).values()]
    types = [field.type for field in fields] + [
        argument.type for field in fields for argument in getattr(field, "args", {}).values()
    ]
    assert max(map(_wrappers, types)) == WRAPPERS

    def asked(depth: int) -> int:
        inner = "{ ofType " * depth + "{ name }" + " }" * depth
        return priced("{ __schema { types { fields { type " + inner + " } } } }", SCHEMA).requested({})

    assert asked(1) < asked(WRAPPERS) == asked(WRAPPERS + 1) == asked(9)


def _wrappers(kind: Any) -> int:
    return 1 + _wrappers(kind.of_type) if hasattr(kind, "of_type") else 0


COUNTED: list[tuple[str, Any, int]] = [
    ("{ word }", {"word": "x"}, 1),
    ("{ me { name } }", {"me": None}, 1),
    ("{ me { name data } }", {"me": {"name": "x", "data": {"a": {"b": [{}, {}]}}}}, 1),
    ("{ me { messages { nodes { text } pageInfo { endCursor } } } }",
     {"me": {"messages": {"nodes": [{"text": "a"}] * 3, "pageInfo": {"endCursor": None}}}}, 1 + 1 + 3 + 1),
    ("{ me { messages { edges { node { author { name } } } } } }",
     {"me": {"messages": {"edges": [{"node": {"author": {"name": "a"}}}, {"node": None}]}}}, 1 + 1 + 2 + 1 + 1),
    ('{ nodes(ids: ["a", "b"]) { id } }', {"nodes": [{"id": "a"}, None]}, 1),
    ((
        '{ nodes(ids: ["a", "b"]) { id ... on Message { author { id '
        '} } } }'
    ), {"nodes": [None, {"id": "a", "author": {"id": "b"}}]}, 2),
    ("{ me { grid { name } } }", {"me": {"grid": [[{"name": "a"}, {"name": "b"}], [], [{"name": "c"}]]}}, 1 + 3),
    ("mutation { a: forget b: forget }", {"a": True, "b": None}, 2 * MUTATION),
    ("{ me { friends { messages { n: totalCount pageInfo { endCursor } } } } }",
     {"me": {"friends": [{"messages": {"n": 0, "pageInfo": {"endCursor": None}}}, {"messages": None},
         {"messages": {"n": 5, "pageInfo": None}}]}},
     1 + 3 + 2 + 1 + 2 * COUNT),
]  # fmt: skip


@pytest.mark.parametrize(
    ("document", "data", "points"), COUNTED, ids=[str(place) for place in range(len(COUNTED))]
)
def test_what_an_answer_has_cost(document: str, data: Any, points: int):
    price = priced(document)
    assert price.actual(data) == points
    assert price.actual(None) == max(1, price.done)
    assert price.spent(objects(data, price.shape)) == points
    # A query that counts the objects itself is told the rest.
    without = objects(data, price.shape) - price.counted(data)
    assert without == objects(data, _objects_alone(price.shape))


def _objects_alone(shape: Any) -> Any:
    return tuple((key, _objects_alone(inner)) for key, inner in shape if not isinstance(inner, int))


def _nested(levels: int, name: str = "me") -> str:
    inside = "email"
    for _ in range(levels):
        inside = f"accounts {{ nodes {{ owner {{ {inside} }} }} }}"
    return f"{{ {name} {{ {inside} }} }}"


async def test_a_graph_that_goes_round_in_circles_is_refused(ada):
    assert (await ada.graphql(_nested(2)))["data"]["me"]
    refused = await ada.graphql(
        "{ me { " + "accounts(first: 100) { nodes { owner { " * 3 + "email" + " } } }" * 3 + " } }"
    )
    assert refused["errors"][0]["extensions"]["code"] == "query_too_complex"
    assert "data" not in refused
    cost = refused["extensions"]["cost"]
    assert cost["requested"] > 10_000
    assert (cost["actual"], cost["limit"]) == (0, 200_000)
    assert 199_000 < cost["remaining"] <= 200_000


@pytest.mark.settings(graphql_max_cost=30)
async def test_the_bound_can_be_set_and_says_what_to_do(ada):
    assert (await ada.graphql("{ me { accounts(first: 20) { nodes { uuid } } } }"))["data"]["me"]
    (error,) = (await ada.graphql("{ me { accounts(first: 29) { nodes { uuid } } } }"))["errors"]
    assert error["message"].startswith(
        "The query may cost 31 points if every list is full, more than the 30 allowed. Ask for shorter lists (first)"
    )
    # The operation that is run counts, with the values of its variables.
    document = "query A { me { uuid } } query B($n: Int) { me { accounts(first: $n) { nodes { uuid } } } }"
    client, headers = ada.client, ada.headers
    for name, variables, data in (("A", {}, True), ("B", {"n": 20}, True), ("B", {"n": 29}, False)):
        body = {"query": document, "operationName": name, "variables": variables}
        assert ("data" in (await client.post("/graphql", json=body, headers=headers)).json()) is data


CHATS = "chats(first: 10) { nodes { messages(first: 100) { nodes {"


@pytest.mark.parametrize(
    "query",
    [
        f"{{ messengerAccount(id: $id) {{ {CHATS} account {{ {CHATS} uuid }} }} }} }} }} }} }} }} }} }} }}",
        f"{{ messengerMessages(accountId: $id, first: 50) {{ nodes {{ account {{ {CHATS} uuid }} }} }} }} }} }} }} }}",
    ],
    ids=["two levels", "a connection at the top"],
)
async def test_relations_multiply_whatever_they_are_called(ada, query):
    id = (await ada.rest("POST", "/addAccount", json={"source": "telegram", "login": "x"})).json()
    assert (
        await ada.code("query($id: ID!) " + query, {"id": id["account"]["accountUuid"]})
        == "query_too_complex"
    )


@pytest.mark.parametrize("name", ["me", "__a: me", "__schema: me", "__type: me"])
def test_an_alias_buys_no_depth(name):
    deep = f"{{ {name} {{ " + "accounts { owner { " * 6 + "email" + " } }" * 6 + " } }"
    with pytest.raises(GraphQLError, match="deeper than 12"):
        PREPARE(SCHEMA, deep)


def test_a_fragment_that_nobody_spreads_is_bounded_too():
    with pytest.raises(GraphQLError, match="repetitions"):
        PREPARE(SCHEMA, "{ me { email } } fragment F on Query {" + " me { email }" * 400 + "}")


def test_what_is_remembered_is_bounded_and_sound(monkeypatch):
    from schema.frame import documents

    monkeypatch.setattr(documents, "CACHED_CHARACTERS", 200)
    prepare = preparer((), BOUNDS)
    first = "{ me { email } }"
    prepared = prepare(SCHEMA, first)
    assert prepare(SCHEMA, first) is prepared
    for number in range(20):
        prepare(SCHEMA, f"query Q{number} {{ me {{ email }} }}")
    assert prepare(SCHEMA, first) is not prepared
    assert prepare._cache.currsize == sum(map(len, prepare._cache)) <= 200


async def test_one_key_is_for_one_mutation(ada):
    send = 'sendMessage(input: {to: "+14155550100", channel: sms, body: "x"}) { uuid }'
    for document in (
        f"mutation {{ a: {send} b: {send} }}",
        f"mutation {{ ...F }} fragment F on Mutation {{ a: {send} b: {send} }}",
    ):
        two = await ada.graphql(document, **{"Idempotency-Key": "k"})
        assert two["errors"][0]["extensions"]["code"] == "bad_idempotency_key"
    assert (await ada.rest("GET", "/messages")).json()["meta"]["total"] == 0
    answer = await ada.graphql(f"mutation {{ a: {send} }}", **{"Idempotency-Key": "k"})
    assert answer["data"]["a"]["uuid"]
