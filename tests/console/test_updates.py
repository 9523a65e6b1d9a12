"""A new version of Postern is installed while the console is open in a tab."""

import json
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from core.assets import CONSOLE, CONSOLE_DOCUMENTS
from core.installation import ROOT
from tests.console.steps import Tab
from tests.console.test_connection import UNANSWERED
from tests.console.users import new_user
from tests.support.live import Live

_AWAY = (
    *UNANSWERED,
    "status of 404",  # the files of the version before
    "status of 400",  # its documents
    "Failed to fetch dynamically imported module",
    "Unable to preload CSS",
    "a new version was installed",
)
_LOADED = "performance.timeOrigin"
_NEW_VERSION = "A new version of Postern was installed."
_TEXTS = "[...document.querySelectorAll('textarea:not([aria-hidden])')].map(({value}) => value).join()"


def _new_version(folder: Path) -> Path:
    """Makes an installation whose console has other files and other documents, as after an update."""
    ignored = shutil.ignore_patterns(".*", "console", "tests", "node_modules", "data", "docs")
    shutil.copytree(ROOT, folder, ignore=ignored)
    console = folder / CONSOLE.relative_to(ROOT)
    shutil.copytree(CONSOLE, console)
    for compressed in console.rglob("*.br"):
        compressed.unlink()
    renamed = {file.name: f"{file.stem}2{file.suffix}" for file in (console / "assets").iterdir()}
    documents = json.loads((console / CONSOLE_DOCUMENTS).read_text())
    renamed |= {id: f"sha256:{id.removeprefix('sha256:')[::-1]}" for id in documents}
    for file in console.rglob("*"):
        if file.suffix in (".js", ".css", ".html", ".json"):
            text = file.read_text()
            for before, after in renamed.items():
                text = text.replace(before, after)
            file.write_text(text)
    for file in list((console / "assets").iterdir()):
        file.rename(file.with_name(renamed[file.name]))
    return folder


@pytest.fixture
def deploy(live: Live, tmp_path: Path) -> Iterator[Callable[[], None]]:
    """Installs the new version: the service ends, the new one starts on its port. Afterwards the old one is back."""
    folder = _new_version(tmp_path / "new")
    yield lambda: live.restart(folder)
    live.restart()


def test_a_page_of_a_new_version_comes_and_a_draft_stays(page: Tab, live: Live, deploy) -> None:
    page.expected += _AWAY
    page.page.call("Network.setBlockedURLs", urls=["*MessagesPage*"])  # else it would be loaded ahead
    page.comes_as(new_user(live), "/console/projects/new")
    page.press("Paste")
    page.paste("Phone numbers", "+15005550000 Ada")
    loaded = page.page.evaluate(_LOADED)
    deploy()
    page.page.call("Network.setBlockedURLs", urls=[])
    # The person comes back to the tab. The page says so, and lets the person decide when.
    page.page.evaluate("void document.dispatchEvent(new Event('visibilitychange'))")
    page.sees(_NEW_VERSION)
    assert page.page.evaluate(_LOADED) == loaded
    assert "+15005550000 Ada" in page.page.evaluate(_TEXTS)
    page.press("Load again")
    page.page.wait(f"{_LOADED} !== {loaded}")
    page.page.wait(f"{_TEXTS}.includes('+15005550000 Ada')")
    page.sees_no(_NEW_VERSION)


def test_what_the_old_version_does_not_have_any_more_is_loaded_from_the_new_one(
    page: Tab, live: Live, deploy
) -> None:
    page.expected += _AWAY
    page.page.call("Network.clearBrowserCache")
    page.page.call("Network.setBlockedURLs", urls=["*MessagesPage*", "*SendDialog*"])
    page.comes_as(new_user(live))
    page.sees("Live")
    loaded = page.page.evaluate(_LOADED)
    deploy()
    page.page.call("Network.setBlockedURLs", urls=[])
    page.press("Messages")
    page.sees("You have not sent a message yet.")
    page.is_at("/console/messages")
    assert page.page.evaluate(_LOADED) != loaded
    page.sees_no(_NEW_VERSION)
    # A text in a dialog that the address opens is there again, too.
    page.open("/console/messages?send=1")
    page.fill("Text", "Typed before the page is read again.")
    page.page.reload()
    page.page.wait(f"{_TEXTS}.includes('Typed before the page is read again.')")
