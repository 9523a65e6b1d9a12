"""/docs, and /graphql for a browser without GraphiQL. tests/assets: the files of /docs and its policy."""

import re
import shlex

import pytest

from core.http.html import Html, join, page, prose, tag
from tests.openapi.test_document import DOCUMENT
from tests.support.assets import BROWSER, Tags, policy_of

PLAIN = {"default-src": "'none'", "form-action": "'none'", "base-uri": "'none'", "frame-ancestors": "'none'"}


async def test_it_is_no_operation(client):
    assert not any(path.startswith("/docs") for path in DOCUMENT["paths"])
    assert (await client.post("/docs")).status_code == 405


async def test_without_the_files_it_leads_to_the_document(client, monkeypatch, tmp_path):
    monkeypatch.setattr("rest.frame.asset_pages.VENDOR", tmp_path)
    answer = await client.get("/docs", headers=BROWSER)
    assert (answer.status_code, answer.headers["content-type"]) == (200, "text/html; charset=utf-8")
    policy = policy_of(answer)
    assert re.fullmatch(r"'sha256-[A-Za-z0-9+/]{43}='", policy.pop("style-src"))
    assert policy == PLAIN
    (link,) = [attributes["href"] for name, attributes in Tags(answer.text).found if name == "a"]
    assert (await client.get(f"/{link}")).json()["paths"].keys() == DOCUMENT["paths"].keys()


@pytest.mark.parametrize("accept", [BROWSER["accept"], "text/html"])
@pytest.mark.settings(graphiql=False, public_url="https://gateway.example.com/")
async def test_a_browser_at_graphql_is_told_how(client, ada, accept):
    answer = await client.get("/graphql", headers={"accept": accept})
    assert (answer.status_code, answer.headers["content-type"]) == (200, "text/html; charset=utf-8")
    assert answer.headers["vary"] == "Accept"
    shown = Tags(answer.text)
    assert "docs" in [attributes["href"] for name, attributes in shown.found if name == "a"]
    commands = re.findall(r"<code>(curl .*?)</code>", answer.text, re.DOTALL)
    assert len(commands) == 3
    for command in commands:
        words = shlex.split(command.replace("\\\n", " ").replace("$TOKEN", ada.token))
        assert words[:3] == ["curl", "-s", "https://gateway.example.com/graphql"]
        headers = [tuple(words[at + 1].split(": ")) for at, word in enumerate(words) if word == "-H"]
        sent = await client.post("/graphql", headers=headers, content=words[words.index("-d") + 1])
        assert "errors" not in sent.json(), sent.text


@pytest.mark.parametrize(
    "accept", [None, "*/*", "application/json", "application/graphql-response+json, text/html"]
)
async def test_a_program_at_graphql_is_not(client, accept):
    answer = await client.get("/graphql", headers={"accept": accept} if accept else {})
    assert answer.status_code == 400
    assert "json" in answer.headers["content-type"]


async def test_a_browser_that_brings_a_query_gets_its_answer(client):
    request = {"query": "{ health { status } }"}
    for accept in ("text/html, */*", "*/*"):
        answer = await client.get("/graphql", params=request, headers={"accept": accept})
        assert answer.json()["data"] == {"health": {"status": "ok"}}


def test_nothing_reaches_a_plain_page_unescaped():
    evil = '<script>alert("1")</script>&'
    assert "<script" not in page(evil, tag("p", evil, title=evil), prose(f"`{evil}`"))
    assert tag("p", "a & b", hidden=True, lang=None) == "<p hidden>a &amp; b</p>"
    assert join("<", Html("<br>"), None) == "&lt;<br>"
    assert prose("see `a` or b") == "see <code>a</code> or b"
