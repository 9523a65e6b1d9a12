"""A running service with a worker, a browser, and the API reference in it."""

from collections.abc import Iterator

import pytest

from core.assets import DOCS
from tests.support.assets import needs
from tests.support.browser import Browser, Page, browser, live, visit
from tests.support.live import Live

__all__ = ["browser", "live"]

_READY = "document.body.innerText.includes('A messaging gateway')"


@pytest.fixture
def installed() -> None:
    needs(DOCS)


@pytest.fixture
def page(installed: None, browser: Browser, live: Live) -> Iterator[Page]:
    """The reference, loaded, as somebody finds it who was never here."""
    yield from visit(browser, live, "/docs", ready=_READY)
