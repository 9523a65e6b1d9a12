"""A running service with a worker, a browser, and GraphiQL in it."""

from collections.abc import Iterator

import pytest

from core.assets import GRAPHIQL
from tests.support.assets import needs
from tests.support.browser import Browser, Page, browser, live, visit
from tests.support.live import Live

__all__ = ["browser", "live"]

_READY = (
    "document.querySelector('.graphiql-query-editor .CodeMirror')?.checkVisibility()"
    " && !document.querySelector('.graphiql-spinner')"
)


@pytest.fixture
def installed() -> None:
    needs(GRAPHIQL)


@pytest.fixture
def page(installed: None, browser: Browser, live: Live) -> Iterator[Page]:
    """GraphiQL, loaded, as somebody finds it who was never here."""
    yield from visit(browser, live, "/graphql", ready=_READY)
