"""/docs/guide and /llms.txt: what is served, and under which policy."""

import threading
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import uvicorn
from fastapi import FastAPI

from rest import guide
from tests.support.assets import BROWSER, Tags, policy_of
from tests.support.browser import Browser, visit
from tests.support.ports import free_port
from tests.support.waits import eventually


async def test_without_the_pages_it_says_how_to_build_them(client, monkeypatch, tmp_path):
    monkeypatch.setattr("rest.guide.GUIDE", tmp_path / "nothing")
    answer = await client.get("/docs/guide/", headers=BROWSER)
    assert (answer.status_code, answer.headers["content-type"]) == (200, "text/html; charset=utf-8")
    assert "<code>make guide</code>" in answer.text
    for path in ("/llms.txt", "/docs/guide/states.html"):
        refused = await client.get(path)
        assert (refused.status_code, refused.json()["code"]) == (404, "not_found")


async def test_a_page_may_run_and_show_what_stands_in_it_and_nothing_else(client, monkeypatch, tmp_path):
    (tmp_path / "index.html").write_text(
        '<script>one()</script><script src="a.js"></script><style>b{}</style><p style="color: red">x</p>'
    )
    (tmp_path / "a.js").write_text("two()")
    (tmp_path.parent / "outside.html").write_text("secret")
    monkeypatch.setattr("rest.guide.GUIDE", tmp_path)
    policy = policy_of(answer := await client.get("/docs/guide/"))
    assert answer.text == (tmp_path / "index.html").read_text()
    assert policy["default-src"] == "'none'"
    assert policy["script-src"].split() == ["'self'", guide._hash(b"one()")]
    styles = {guide._hash(b"b{}"), guide._hash(b"color: red")}
    assert set(policy["style-src"].split()) == {"'self'", "'unsafe-hashes'", *styles}
    again = await client.get("/docs/guide/", headers={"if-none-match": answer.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")
    script = await client.get("/docs/guide/a.js?v=1")
    assert (script.text, script.headers["content-type"]) == ("two()", "text/javascript; charset=utf-8")
    for path in ("../outside.html", "%2e%2e/outside.html", "..%2foutside.html", "nothing.html", "index.htm"):
        assert (await client.get(f"/docs/guide/{path}")).status_code == 404, path


async def test_the_address_without_a_slash_leads_to_the_first_page(client):
    answer = await client.get("/docs/guide")
    assert (answer.status_code, answer.headers["location"]) == (307, "guide/")


@pytest.mark.slow
async def test_all_pages_have_the_same_policy_without_unsafe_inline(client, served: Path):
    policies = set()
    for path in served.rglob("*.html"):
        answer = await client.get(f"/docs/guide/{path.relative_to(served)}")
        assert answer.status_code == 200, path
        policies.add(answer.headers["content-security-policy"])
        for _, attributes in Tags(answer.text).found:
            assert not any(name.startswith("on") for name in attributes), attributes
    assert len(policies) <= 2  # the page of the search has no icons
    assert not any("unsafe-inline" in policy for policy in policies)
    assert (await client.get("/llms.txt")).headers["content-type"] == "text/plain; charset=utf-8"


@pytest.fixture
def site(served: Path) -> Iterator[Any]:
    """The routes of the guide at a port, in a thread, so that they read the folder of these tests."""
    app, port = FastAPI(), free_port()
    app.include_router(guide.api)
    server = uvicorn.Server(uvicorn.Config(app, host="127.0.0.1", port=port, log_config=None))
    thread = threading.Thread(target=server.run)
    thread.start()
    eventually(lambda: server.started, "it is up")
    yield SimpleNamespace(port=port)
    server.should_exit = True
    thread.join()


@pytest.mark.slow
def test_a_browser_searches_without_a_complaint(browser: Browser, site: Any):
    """The policy forbids nothing that the pages need, and no other host is asked."""
    ready = "document.querySelector('h1')?.innerText.startsWith('Guide')"
    for page in visit(browser, site, "/docs/guide/", ready=ready):
        page.go(f"http://127.0.0.1:{site.port}/docs/guide/search.html?q=greylisting")
        page.wait("document.querySelector('#search-results li a') !== null")
        page.wait("document.querySelector('#search-results').innerText.includes('Channels')")
