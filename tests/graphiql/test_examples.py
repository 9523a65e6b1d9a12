"""The examples of the page: each is valid, and each works for somebody who tries them one after the other."""

import json
import re
from functools import partial
from typing import Any

import orjson
import pytest
from graphql import OperationType, get_operation_ast, parse, validate
from websockets.sync.client import ClientConnection, connect

from core.assets import GRAPHIQL
from rest.graphiql import examples
from schema.root import build
from tests.support.live import Live
from tests.support.waits import PATIENCE, eventually

EXAMPLES = examples(GRAPHIQL / "examples")
AREAS = ["Start", "Gateway", "Auto-sending", "Messengers", "Live"]


def _named(example: dict[str, str]) -> str:
    return f"{example['area']}: {example['title']}"


def _subscribes(example: dict[str, str]) -> bool:
    operation = get_operation_ast(parse(example["query"]))
    return operation is not None and operation.operation is OperationType.SUBSCRIPTION


@pytest.mark.parametrize("example", EXAMPLES, ids=_named)
def test_it_is_valid(example):
    document = parse(example["query"])
    assert validate(build(explorable=True)._schema, document) == []
    (operation,) = document.definitions
    assert operation.name is not None, "GraphiQL names its tab after it"
    required = {
        node.variable.name.value for node in operation.variable_definitions or () if not node.default_value
    }
    optional = {"after"}
    assert required - optional == set(json.loads(example["variables"] or "{}"))
    assert all(len(line) <= 68 for line in example["query"].splitlines()), "the editor is narrow"


def test_what_stands_for_an_id_is_known_to_the_page():
    """A user who tries an example has no id at hand: the page looks it up by the words in the variables."""
    queries = dict(
        re.findall(
            r'^    "(the newest [a-z ]+)": \{\n      query: "(.+)",$', read("fetcher.js"), re.MULTILINE
        )
    )
    used = {word for example in EXAMPLES for word in json.loads(example["variables"] or "{}").values()}
    assert used == set(queries)
    for query in queries.values():
        assert validate(build(explorable=True)._schema, parse(query)) == []


def read(name: str) -> str:
    return (GRAPHIQL / name).read_text(encoding="utf-8")


def test_they_stand_in_order_and_under_names_of_their_own():
    assert list(dict.fromkeys(example["area"] for example in EXAMPLES)) == AREAS
    operations = [get_operation_ast(parse(example["query"])).name.value for example in EXAMPLES]
    assert len(set(operations)) == len(operations)
    for example in EXAMPLES:
        assert example["title"]
        assert example["title"][0].isupper()
    beside = {path.stem for path in (GRAPHIQL / "examples").iterdir()}
    assert len(beside) == len(EXAMPLES), "every file of variables has its query"


@pytest.fixture(scope="module")
def tried(live: Live) -> dict[str, Any]:
    """Runs each query and mutation, one after the other, and returns their answers."""
    answers: dict[str, Any] = {}
    ids: dict[str, str] = {}
    for example in EXAMPLES:
        if not _subscribes(example):
            answers[_named(example)] = _run(live, example, ids)
            if "startMessengerAccount" in answers[_named(example)]:
                _until_connected(live, ids["account"])
    answers["again"] = eventually(partial(_counted, live, ids), "the worker has counted the recipients")
    return answers


def _counted(live: Live, ids: dict[str, str]) -> Any:
    """The overview, when the project that was started has its messages."""
    overview = _run(live, EXAMPLES[0], ids)
    return overview if overview["sendingProjects"]["nodes"][0]["progress"]["total"] else None


def test_each_works_one_after_the_other(tried):
    assert all(tried.values())
    overview = tried["again"]
    assert overview["messages"]["nodes"]
    assert overview["sendingProjects"]["nodes"][0]["progress"]["total"] == 2
    assert overview["messengerAccounts"]["nodes"][0]["name"] == "Support"
    assert overview["statisticsGeneral"]["items"]


def test_each_subscription_tells_something(live, tried):
    for example in filter(_subscribes, EXAMPLES):
        assert example["variables"] == ""
        url = f"ws://127.0.0.1:{live.port}/graphql"
        with connect(url, subprotocols=["graphql-transport-ws"], open_timeout=PATIENCE) as socket:
            _send(socket, type="connection_init", payload=live.ada.headers)
            assert orjson.loads(socket.recv(timeout=PATIENCE))["type"] == "connection_ack"
            _send(socket, type="subscribe", id="1", payload={"query": example["query"]})
            answer = eventually(partial(_next, live, socket), _named(example))
            assert answer["type"] == "next", f"{_named(example)}: {answer}"
            assert "errors" not in answer["payload"], f"{_named(example)}: {answer}"


def _send(socket: ClientConnection, **message: Any) -> None:
    socket.send(orjson.dumps(message).decode())


def _next(live: Live, socket: ClientConnection) -> Any:
    """Returns the next message; if none comes soon, makes something happen and returns None."""
    try:
        return orjson.loads(socket.recv(timeout=0.5))
    except TimeoutError:
        ids: dict[str, str] = {}
        for example in EXAMPLES:
            if any(f"mutation {name}" in example["query"] for name in ("SendM", "CreateP", "StartP")):
                _run(live, example, ids)
        return None


def _run(live: Live, example: dict[str, str], ids: dict[str, str]) -> Any:
    """`data`, without errors. `ids` has what variables are, and learns what was made."""
    variables = {name: ids[name] for name in json.loads(example["variables"] or "{}")}
    request = {"query": example["query"], "variables": variables}
    answer = live.client.post("/graphql", json=request, headers=live.ada.headers)
    body = answer.json()
    assert "errors" not in body, f"{_named(example)}: {body['errors']}"
    assert answer.status_code == 200
    for made, name in (("createSendingProject", "project"), ("addMessengerAccount", "account")):
        if made in body["data"]:
            ids[name] = body["data"][made]["uuid"]
    return body["data"]


def _until_connected(live: Live, account: str) -> None:
    """The sandbox plays somebody who scans the QR."""
    request = {
        "query": "query($id: ID!) { messengerAccount(id: $id) { state } }",
        "variables": {"id": account},
    }

    def works() -> bool:
        body = live.client.post("/graphql", json=request, headers=live.ada.headers).json()
        return bool(body["data"]["messengerAccount"]["state"] == "working")

    eventually(works, "the account is connected")
