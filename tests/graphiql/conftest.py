"""A running service with a worker, a browser, and what says whether they can be had."""

from collections.abc import Iterator

import pytest

from core.assets import PROJECT, VENDOR, complete
from tests.graphiql.browser import CHROMIUM, Browser, Page, browsing
from tests.support.live import Live, serving


@pytest.fixture
def installed() -> None:
    if not complete(PROJECT, VENDOR):
        pytest.skip("GraphiQL's files are not installed: make setup, with a network")


@pytest.fixture(scope="package")
def live() -> Iterator[Live]:
    with serving(workers=1, POSTERN_GRAPHIQL="true") as running:
        yield running


@pytest.fixture(scope="package")
def _browser() -> Iterator[Browser]:
    if CHROMIUM is None:
        pytest.skip("there is no Chromium (Debian's package is chromium)")
    with browsing() as running:
        yield running


@pytest.fixture
def page(installed: None, _browser: Browser, live: Live) -> Iterator[Page]:
    """GraphiQL, loaded, as somebody finds it who was never here. Whatever a test does, the browser has no complaint."""
    with _browser.page() as opened:
        url = f"http://127.0.0.1:{live.port}"
        opened.call("Storage.clearDataForOrigin", origin=url, storageTypes="all")
        opened.go(f"{url}/graphql")
        opened.shows(".graphiql-query-editor .CodeMirror")
        opened.wait("!document.querySelector('.graphiql-spinner')")
        yield opened
        elsewhere = [
            asked
            for asked in opened.requests
            if not asked.startswith(
                (f"{url}/", f"ws://127.0.0.1:{live.port}/", "data:font/woff", "data:image/")
            )
        ]
        assert elsewhere == [], "nothing is asked for elsewhere"
        assert opened.complaints == []
