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
Sizes = tuple[tuple[int, tuple[str, ...]], ...]  # widths, and the color schemes of each
LOOKS: list[tuple[str, Sizes]] = [
    ("English", ((LAPTOP, ("light", "dark")), (PHONE, ("light", "dark")))),
    ("Русский", ((LAPTOP, ("light",)),)),
]
every_look = pytest.mark.parametrize(("language", "sizes"), LOOKS, ids=["English", "Russian"])
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


# A tab that is not open may have one, and never ends it: React draws what is hidden when nothing else is to be done.
_LOADED = (
    "[...document.querySelectorAll('main .mantine-Loader-root')].every((each) => !each.checkVisibility())"
)


class Look:
    """One language, and the widths and color schemes in which pages are looked at."""

    def __init__(self, page: Tab, language: str, sizes: Sizes) -> None:
        axe.script()  # skips the test if it is not installed
        self.page, self.language, self.sizes = page, language, sizes
        page.open()
        page.press(language)

    def at(self, name: str, there: str = "form", sizes: Sizes | None = None) -> None:
        """Looks at what is open, at each width: a page is not loaded anew when its window changes."""
        for width, schemes in sizes or self.sizes:
            self.page.at_width(width)
            self.page.sees_element(there)
            self._look(name, width, schemes)

    def at_all(self, who: Person, pages: Looks, ids: dict[str, str]) -> None:
        """Looks at each of the pages, as `who` sees them. One in which something is done first is opened for each
        width.
        """
        page = self.page
        page.has_login_of(who)
        for name, path, act, there in pages:
            for sizes in [(size,) for size in self.sizes] if act else [self.sizes]:
                width = sizes[0][0]
                page.at_width(width)
                page.open(path.format(**ids))
                page.sees_element("header")
                if act:
                    act(page, width)
                self.at(name, there, sizes)

    def _look(self, name: str, width: int, schemes: tuple[str, ...]) -> None:
        page = self.page
        page.page.wait(_LOADED)
        wrong = {}
        for scheme in schemes:
            page.dark(scheme == "dark")
            page.page.wait(f"document.documentElement.dataset.mantineColorScheme === {scheme!r}")
            page.stands_still()
            page.picture(f"{name}-{width}-{scheme}-{self.language[:2]}")
            wide = page.page.evaluate("document.documentElement.scrollWidth")
            assert wide <= width, (name, wide, page.page.evaluate(_OUTSIDE))
            if found := page.violations(only_colors=scheme != schemes[0]):
                wrong[name, width, scheme] = found
        assert not wrong, wrong
