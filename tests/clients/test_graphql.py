"""The GraphQL door by the clients that people use."""

import json
from pathlib import Path

import pytest

from tests.clients.conftest import MESSAGES, Caller, Workshop, run


@pytest.fixture
def project(caller: Caller) -> str:
    """The id of a draft that can be started. (There is no worker here, so nothing but its owner moves it.)"""
    create = (
        'mutation { createSendingProject(input: {name: "Spring", channel: email, subject: "Hi", '
        'text: "hello"}) { id } }'
    )
    id = str(caller.data(create)["createSendingProject"]["id"])
    add = "mutation($id: ID!, $input: AddRecipients!) { addRecipients(sendingProjectId: $id, input: $input) { added } }"
    to = {"recipients": [{"address": "a@example.com"}]}
    assert caller.data(add, {"id": id, "input": to}) == {"addRecipients": {"added": 1}}
    return id


def test_apollo_client(workshop: Workshop, caller: Caller):
    workshop.bring("apollo.mjs")
    answers = json.loads(workshop.node("apollo.mjs", caller))
    assert (answers["pages"], answers["nodes"]) == (3, MESSAGES)
    accounts = caller.data("{ accounts { nodes { name } } messages(last: 1) { nodes { uuid } } }")
    assert accounts["accounts"]["nodes"] == [{"name": "Renamed"}]


def test_urql(workshop: Workshop, caller: Caller):
    workshop.bring("urql.mjs")
    workshop.node("urql.mjs", caller)
    assert caller.data("{ accounts { nodes { name } } }") == {"accounts": {"nodes": [{"name": "By GET"}]}}


def test_graphql_ws(workshop: Workshop, caller: Caller, project: str):
    workshop.bring("graphql_ws.mjs")
    workshop.node("graphql_ws.mjs", caller, project)


def test_graphql_sse(workshop: Workshop, caller: Caller, project: str):
    workshop.bring("graphql_sse.mjs")
    workshop.node("graphql_sse.mjs", caller, project)


def test_gql(tmp_path: Path, python: Path, caller: Caller, project: str):
    script = str(Path(__file__).with_name("gql_client.py"))
    seen = run(
        [str(python / "python"), script, caller.url, project],
        tmp_path, TOKEN=caller.token,
    )  # fmt: skip
    assert int(seen) == MESSAGES
