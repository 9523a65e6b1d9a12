"""The link that the start prints where there is no administrator, and the page that it leads to."""

import asyncio
from collections.abc import Iterator

import pytest

from core.settings import Settings
from resolvers import first_user
from runtime.services import services
from tests.console.conftest import opened
from tests.console.steps import Tab
from tests.support import servers
from tests.support.browser import Browser
from tests.support.live import KEYS, Live, serving

DEAD = "there is an administrator already"


@pytest.fixture
def empty(has_console: None) -> Iterator[tuple[Live, str]]:
    """A service without an active administrator, and the secret of a link."""
    with serving(POSTERN_CONSOLE="true") as running:
        keys = {name.removeprefix("POSTERN_").lower(): key for name, key in KEYS.items()}
        settings = Settings(_env_file=None, db_string=running.database, redis_url=servers.redis_url(), **keys)

        async def link() -> str | None:
            async with services(settings) as made:
                await made.db.fetch("UPDATE users SET status = 'suspended' WHERE 'admin' = ANY (roles)")
                return await first_user.new_link(made)

        secret = asyncio.run(link())
        assert secret is not None
        yield running, secret


def test_the_link_makes_the_administrator_and_logs_in(empty: tuple[Live, str], browser: Browser):
    live, secret = empty
    with opened(browser, live, clear=True) as page:
        page.page.go(f"{page.url}/console/first-user#{secret}")
        page.sees("Make the first administrator")
        assert page.page.evaluate("location.hash") == ""
        assert page.violations() == []
        page.fill("Email", "first@example.com")
        page.fill("New password", "a new password")
        page.fill("Your name (optional)", "Grace")
        page.sees("You can decide later: until then everything is on")
        page.press("Send to our customers")
        page.press("Answer messages")
        page.sees("Without “Sell messaging to others” nothing costs anything.")
        page.press("Make the administrator")
        page.is_at("/console")
        page.opens_more()
        page.sees("System")  # in the menu of administrators alone
        page.sees("Contacts")
        page.sees("Inbox")
        assert not page.has("Event sinks")  # neither purpose is about them
        page.open("/console/system/purpose")
        page.sees("Nothing costs anything: prices are 0")
        page.page.go(f"{page.url}/console/first-user#{secret}")
        page.fill("Email", "second@example.com")
        page.fill("New password", "a new password")
        page.press("Make the administrator")
        page.sees(DEAD)
    assert secret not in live.logged()


def test_without_its_secret_the_page_says_what_to_do(page: Tab):
    page.page.go(f"{page.url}/console/first-user")
    page.sees("postern user create EMAIL --admin")
