"""Looks at a page at the widths of a laptop and of a phone, light and dark. Nothing is cut off, and everybody can use
it.

With POSTERN_PICTURES=<folder> the pages are kept there as pictures.
"""

from collections.abc import Callable

import pytest

from tests.console import axe
from tests.console.steps import Tab
from tests.console.users import DELIVERED, FAILED, ends, new_user, send
from tests.support.live import Live
from tests.support.people import Person

LAPTOP, PHONE = 1280, 390
LOOKS = [
    (LAPTOP, "English", ("light", "dark")),
    (PHONE, "English", ("light", "dark")),
    (LAPTOP, "Русский", ("light",)),
]
every_look = pytest.mark.parametrize(("width", "language", "schemes"), LOOKS)
LONG = "https://example.com/" + "a-long-path-without-a-space/" * 8

# What a page is called, its address, what is then done, and what is there when all of it is loaded.
Looks = list[tuple[str, str, Callable[[Tab, int], None] | None, str]]

# The last elements of the document that are wider than it.
_OUTSIDE = """[...document.querySelectorAll("main *")]
    .filter((one) => one.getBoundingClientRect().right > document.documentElement.clientWidth)
    .slice(-5).map((one) => `${one.tagName} ${one.innerText}`)"""


def new_sender(live: Live) -> Person:
    """Makes a user with messages of two states, and a long word in each."""
    made = new_user(live)
    ids = [send(live, made, to, LONG) for to in (DELIVERED, FAILED)]
    for id, state in zip(ids, ("delivered", "failed"), strict=True):
        ends(live, made, id, state)
    return made


class Look:
    """One width, language and color schemes, in which pages are looked at. `wrong` are axe's objections."""

    def __init__(self, page: Tab, width: int, language: str, schemes: tuple[str, ...]) -> None:
        axe.script()  # skips the test if it is not installed
        self.page, self.width, self.language, self.schemes = page, width, language, schemes
        page.at_width(width)
        page.open()
        page.press(language)

    def at(self, name: str) -> None:
        """Looks at what is shown."""
        page = self.page
        page.page.wait("document.querySelector('main .mantine-Loader-root') === null")
        wrong = {}
        for scheme in self.schemes:
            page.dark(scheme == "dark")
            page.page.wait(f"document.documentElement.dataset.mantineColorScheme === {scheme!r}")
            page.page.wait("document.getAnimations().length === 0")  # colors change in a moment, not at once
            page.picture(f"{name}-{self.width}-{scheme}-{self.language[:2]}")
            wide = page.page.evaluate("document.documentElement.scrollWidth")
            assert wide <= self.width, (name, wide, page.page.evaluate(_OUTSIDE))
            if found := page.violations():
                wrong[name, scheme] = found
        assert not wrong, wrong

    def at_all(self, who: Person, pages: Looks, ids: dict[str, str]) -> None:
        """Looks at each of the pages, as `who` sees them."""
        self.page.comes_as(who, "/console")
        for name, path, act, there in pages:
            self.page.open(path.format(**ids))
            self.page.sees_element("header")
            if act:
                act(self.page, self.width)
            self.page.sees_element(there)
            self.at(name)
