"""A running service with a worker and the console, a browser, and the console in it."""

import asyncio
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from queue import SimpleQueue
from threading import Thread

import pytest

from core.assets import CONSOLE
from tests.console.messengers import Connected, connect
from tests.console.steps import Tab
from tests.console.users import new_user
from tests.support.browser import Browser, browser
from tests.support.dns import Zone, serving_dns
from tests.support.live import Live, serving
from tests.support.people import Person

__all__ = ["browser"]


@pytest.fixture(scope="package")
def zone() -> Iterator[Zone]:
    """The DNS that the service asks, in a thread of its own."""
    started: SimpleQueue[tuple[Zone, asyncio.AbstractEventLoop, asyncio.Event]] = SimpleQueue()

    async def serve() -> None:
        ended = asyncio.Event()
        async with serving_dns() as made:
            started.put((made, asyncio.get_running_loop(), ended))
            await ended.wait()

    thread = Thread(target=asyncio.run, args=(serve(),), daemon=True)
    thread.start()
    made, loop, ended = started.get(timeout=30)
    yield made
    loop.call_soon_threadsafe(ended.set)
    thread.join()


@pytest.fixture(scope="package")
def live(zone: Zone) -> Iterator[Live]:
    # GraphiQL is for developers, whose webhooks are received by the tests themselves.
    with serving(
        workers=1,
        POSTERN_CONSOLE="true",
        POSTERN_GRAPHIQL="true",
        POSTERN_OUTBOUND_ALLOW="127.0.0.0/8",
        POSTERN_DNS_SERVERS=zone.server,
        POSTERN_AI_URL="http://127.0.0.1:9/v1",  # nothing answers there; the console offers what needs it
    ) as running:
        yield running


@pytest.fixture
def has_console() -> None:
    if not (CONSOLE / "index.html").is_file():
        pytest.skip("the console is not built: make setup, with a network")


@contextmanager
def opened(browser: Browser, live: Live, *, clear: bool = False) -> Iterator[Tab]:
    """A tab with nothing in it. At the end nothing was asked for elsewhere, and the browser has no complaint."""
    with browser.page() as page:
        tab = Tab(page, live)
        if clear:
            page.call("Storage.clearDataForOrigin", origin=tab.url, storageTypes="all")
            page.call("Network.clearBrowserCookies")
        yield tab
        tab.has_no_complaint()


@pytest.fixture
def page(has_console: None, browser: Browser, live: Live) -> Iterator[Tab]:
    """A tab of somebody who was never here and is not logged in. Nothing is open in it yet."""
    with opened(browser, live, clear=True) as tab:
        yield tab


@pytest.fixture
def another_tab(page: Tab, browser: Browser, live: Live) -> Iterator[Callable[[], Tab]]:
    """Opens further tabs of the same person."""
    with ExitStack() as stack:
        yield lambda: stack.enter_context(opened(browser, live))


@pytest.fixture
def desk(live: Live, ada: Person) -> Connected:
    """The messenger account that ada answers with, who is a user of the test's module."""
    return connect(live, ada, "Support")


@pytest.fixture
def guest(live: Live) -> Connected:
    """Another user's messenger account, who writes to ada."""
    return connect(live, new_user(live), "Bob")
