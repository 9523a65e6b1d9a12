"""GET /graphql: who gets GraphiQL. tests/assets: its files and its policy."""

import pytest

from core.assets import VENDOR
from rest import graphiql
from tests.support.assets import BROWSER


async def test_a_client_gets_no_page(client, installed):
    assert (await client.get("/graphql", headers=BROWSER)).headers["vary"] == "Accept"
    for accept in ("application/json", "*/*", "application/graphql-response+json, text/html"):
        answer = await client.get("/graphql", headers={"accept": accept})
        assert "text/html" not in answer.headers["content-type"]
    executed = await client.get("/graphql", params={"query": "{health{status}}"}, headers=BROWSER)
    assert executed.json()["data"] == {"health": {"status": "ok"}}


@pytest.mark.settings(graphiql=False)
async def test_in_production_there_is_no_explorer(client):
    answer = await client.get("/graphql", headers=BROWSER)
    assert answer.status_code == 200
    assert "graphiql" not in answer.text.lower()
    assert "<script" not in answer.text
    assert "script-src" not in answer.headers["content-security-policy"]
    if (built := graphiql.PAGE.build(VENDOR)) is not None:
        for name in built.assets:
            assert (await client.get(f"/graphql/assets/{name}")).status_code == 404
