"""The GraphQL door by clients that are compiled against the SDL: Relay's, and graphql-codegen's."""

import json
from pathlib import Path

import pytest

from core.trusted_documents import sha256
from schema.root import build
from tests.clients.conftest import MESSAGES, Caller, Workshop
from tests.support.live import serving


def test_relay(workshop: Workshop, caller: Caller):
    workshop.bring("relay")
    sdl(workshop.folder)
    output = workshop.tool("relay-compiler", "--repersist")
    assert "error" not in output.lower(), output
    workshop.tool("relay-compiler", "--validate")  # what it made is what it would make
    assert json.loads(workshop.node("run.mjs", caller)) == {"pages": 3, "rows": MESSAGES}
    assert caller.data("{ accounts { nodes { name } } }") == {"accounts": {"nodes": [{"name": "By Relay"}]}}


@pytest.mark.slow
def test_graphql_codegen(workshop: Workshop):
    workshop.bring("codegen")
    sdl(workshop.folder)
    workshop.tool("graphql-codegen", "--config", "codegen.json")
    manifest = workshop.folder / "src" / "gql" / "persisted-documents.json"
    documents = json.loads(manifest.read_text())
    assert len(documents) == 3
    assert all(id == f"sha256:{sha256(text)}" for id, text in documents.items())
    workshop.tool("tsc", "-p", ".")
    # A server that runs nothing but the documents of this client.
    with serving(POSTERN_GRAPHQL_DOCUMENTS=str(manifest), POSTERN_GRAPHQL_ALLOW_ONLY="true") as strict:
        mark = strict.mark()
        account = strict.client.get("/accounts", headers=strict.ada.headers).json()["items"][0]["id"]
        ada = Caller(strict, strict.ada.token, account)
        for number in range(MESSAGES):
            ada.send(f"{number}@example.com")
        assert json.loads(workshop.node("src/main.js", ada)) == {"rows": MESSAGES + 1}
        free = strict.client.post("/graphql", json={"query": "{ me { email } }"}, headers=ada.headers).json()
        assert free["errors"][0]["extensions"]["code"] == "document_not_allowed", free
        strict.sound(mark)


def sdl(folder: Path) -> None:
    (folder / "schema.graphql").write_text(build(explorable=True).as_str(), encoding="utf-8")
