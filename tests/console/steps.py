"""Acts in the console as a person does, by names of buttons, labels of fields and texts."""

import json
import os
from pathlib import Path
from typing import Any

from tests.console import axe
from tests.console.users import cookie_of
from tests.support.browser import MIDDLE, Page
from tests.support.live import Live
from tests.support.people import Person
from tests.support.waits import eventually

PRESSED = frozenset(
    [
        "button",
        "link",
        "menuitem",
        "menuitemradio",
        "menuitemcheckbox",
        "tab",
        "radio",
        "checkbox",
        "switch",
        "option",
    ]
)
FILLED = frozenset(("textbox", "searchbox", "combobox"))
_RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "best-practice"]
# For the rule about sound that begins by itself. By default axe also reads all styles, for which no rule here asks.
_PRELOADED = {"assets": ["media"]}
_COLOR_RULES = ["color-contrast", "link-in-text-block"]
# A dialog, a menu and other colors appear in a moment, not at once, and begin to do so a frame later.
_STILL = """(async () => {
    for (let frame = 0; frame < 2; frame += 1) await new Promise((next) => requestAnimationFrame(next));
    return document.getAnimations().every(
        (one) => one.playState === 'finished' || one.effect.getTiming().iterations === Infinity);
})()"""
_TEXT = "(document.body?.innerText ?? '').replace(/\\s+/g, ' ')"

_NAVIGATION = "nav[aria-label='Main navigation']"
_CLOSED = f"{_NAVIGATION} button[aria-expanded=false]"
_ROWS = "[...document.querySelectorAll('[role=row], tr')].map((row) => row.innerText.replace(/\\s+/g, ' '))"


class Tab:
    """A tab of the browser, as wide as a laptop. `expected` are complaints of the browser that a test provokes."""

    def __init__(self, page: Page, live: Live) -> None:
        self.page, self.live, self.url = page, live, f"http://127.0.0.1:{live.port}"
        self.expected: list[str] = []
        # A tab behind another one asks for news as if it were beside it.
        page.call("Emulation.setFocusEmulationEnabled", enabled=True)
        self.at_width(1280)

    def open(self, path: str = "/console") -> None:
        self.page.go(self.url + path)

    def has_login_of(self, person: Person) -> None:
        """Gives the browser a login that was made elsewhere."""
        name, value = cookie_of(self.live, person)
        self.page.call(
            "Network.setCookie", url=self.url, name=name, value=value, httpOnly=True, sameSite="Strict"
        )

    def comes_as(self, person: Person, path: str = "/console") -> None:
        """Opens a page with a login that was made elsewhere."""
        self.has_login_of(person)
        self.open(path)
        self.page.shows("header button[aria-haspopup=menu]")

    def press(self, name: str) -> None:
        """Clicks what has this accessible name."""
        self._click(name, PRESSED)

    def fill(self, label: str, text: str) -> None:
        """Replaces what is in the field."""
        self._click(label, FILLED)
        self.page.press("a", 65, ctrl=True, command="selectAll")
        self.page.type(text)
        self.page.wait(f"document.activeElement.value === {json.dumps(text)}")

    def choose(self, label: str, option: str) -> None:
        """Opens the list of a field, and clicks one of its options."""
        self._click(label, FILLED)
        self.press(option)

    def clear(self, label: str) -> None:
        """Deletes what is in the field."""
        self._click(label, FILLED)
        self.page.press("a", 65, ctrl=True, command="selectAll")
        self.page.press("Backspace", 8)
        self.page.wait("document.activeElement.value === ''")

    def paste(self, label: str, text: str) -> None:
        """Puts text of several lines into an empty field at once, as from the clipboard."""
        self._click(label, FILLED)
        self.page.write(text)
        self.page.wait(f"document.activeElement.value === {json.dumps(text)}")

    def _click(self, name: str, roles: frozenset[str]) -> None:
        self.page.call("Page.bringToFront")  # a tab behind another one is drawn once a second
        missed = False

        def is_clicked() -> bool:
            nonlocal missed
            clicked = self._clicked(name, roles)
            if clicked is None:
                return missed  # it has done its work, although it was not told of a click
            missed = missed or not clicked
            return clicked

        try:
            eventually(is_clicked, f"{name!r} can be clicked")
        except AssertionError as error:
            raise AssertionError(f"{error}\nIt sees: {self.text()}") from None

    def _clicked(self, name: str, roles: frozenset[str]) -> bool | None:
        """Clicks the first such element that can be clicked. Returns False if the page moved it away in the last
        moment, and None if there is none.
        """
        try:
            for node in self.page.named(name, roles):
                if middle := self.page.apply(MIDDLE, node):
                    return self.page.click_node(node, *middle)
        except AssertionError:
            pass  # the page has changed meanwhile
        return None

    def has(self, name: str) -> bool:
        """Returns whether something that can be pressed has this name."""
        return bool(self.page.named(name, PRESSED))

    def sees(self, text: str) -> None:
        self._until(f"{_TEXT}.includes({json.dumps(text)})", f"{text!r} is seen")

    def sees_no(self, text: str) -> None:
        self._until(f"!{_TEXT}.includes({json.dumps(text)})", f"{text!r} is not seen")

    def opens_more(self) -> None:
        """Shows all pages in the navigation, not the main ones alone."""
        self.sees_element(f"{_NAVIGATION} a")
        if self.page.evaluate(f"document.querySelector({_CLOSED!r}) !== null"):
            self.press("More")

    def menu_groups(self) -> list[str]:
        """Returns the names of the groups in the navigation, below its main pages."""
        self.opens_more()
        groups = f"{_NAVIGATION} [role=group]"
        return list(
            self.page.evaluate(
                f"[...document.querySelectorAll({json.dumps(groups)})].map((one) => one.ariaLabel)"
            )
        )

    def sees_row(self, *texts: str) -> None:
        """Waits until a row of a table has all of these texts."""
        every = f"{json.dumps(texts)}.every((text) => row.includes(text))"
        self._until(f"{_ROWS}.some((row) => {every})", f"a row has {texts}")

    def sees_element(self, selector: str) -> None:
        """Waits until an element without a name, such as a picture, is visible."""
        shown = f"document.querySelector({selector!r})?.checkVisibility() ?? false"
        self._until(shown, f"{selector} is seen")

    def text(self) -> str:
        return str(self.page.evaluate(_TEXT))

    def is_at(self, address: str) -> None:
        """Waits until this is the address: the path, and what follows it."""
        self._until(f"location.pathname + location.search === {json.dumps(address)}", f"it is at {address}")

    def _until(self, expression: str, said: str) -> None:
        try:
            eventually(lambda: self.page.try_evaluate(expression), said)
        except AssertionError as error:
            address = self.page.evaluate("location.href")
            raise AssertionError(f"{error}\nIt is at {address} and sees: {self.text()}") from None

    def back(self) -> None:
        self.page.evaluate("history.back()")

    def at_width(self, width: int) -> None:
        height = 844 if width < 500 else 800
        self.page.call(
            "Emulation.setDeviceMetricsOverride",
            width=width,
            height=height,
            deviceScaleFactor=1,
            mobile=width < 500,
        )

    def dark(self, on: bool = True) -> None:
        """Makes the operating system prefer dark colors, or light ones."""
        scheme = {"name": "prefers-color-scheme", "value": "dark" if on else "light"}
        self.page.call("Emulation.setEmulatedMedia", features=[scheme])

    def network(self, *, latency: int = 0, bytes_a_second: int = -1, offline: bool = False) -> None:
        """Makes the network slow: `latency` are the milliseconds until an answer begins."""
        self.page.call(
            "Network.emulateNetworkConditions",
            offline=offline,
            latency=latency,
            downloadThroughput=bytes_a_second,
            uploadThroughput=bytes_a_second,
        )

    def offline(self, on: bool = True) -> None:
        self.network(offline=on)

    def picture(self, name: str) -> None:
        """Keeps what is shown, if somebody wants to look at it."""
        if folder := os.environ.get("POSTERN_PICTURES"):
            Path(folder).mkdir(parents=True, exist_ok=True)
            self.page.picture(Path(folder, f"{name}.png"))

    def stands_still(self) -> None:
        """Waits until nothing moves but what turns while something is loaded."""
        self.page.wait(_STILL)

    def violations(self, *, only_colors: bool = False, within: str = "html") -> list[Any]:
        """Returns what axe objects to once nothing moves: the name of each rule, and the elements that break it.

        `only_colors`: the other rules were asked, and nothing but the colors has changed since. `within` selects the
        part of the page that is looked at.
        """
        self.stands_still()
        if not self.page.evaluate("'axe' in window"):
            self.page.evaluate(axe.script() + ";0")
        only = {"type": "rule", "values": _COLOR_RULES} if only_colors else {"type": "tag", "values": _RULES}
        # Frames are sandboxed, so nobody may look into them; asking one is a complaint of the browser.
        options = {"runOnly": only, "resultTypes": ["violations"], "iframes": False, "preload": _PRELOADED}
        rules = self.page.evaluate(
            f"axe.run({json.dumps(within)}, {json.dumps(options)}).then(({{violations}}) =>"
            " violations.map(({id, nodes}) => [id, nodes.map((node) => [node.target.join(' '), node.failureSummary])]))"
        )
        return list(rules)

    def has_no_complaint(self) -> None:
        """Nothing was asked for elsewhere, and the browser complains about nothing but what was expected."""
        ours = (
            f"{self.url}/",
            f"blob:{self.url}/",
            f"ws://127.0.0.1:{self.live.port}/",
            "data:font/woff",
            "data:image/",
        )
        self.page.evaluate("0")  # until then the browser tells what has happened before
        elsewhere = [url for url in self.page.requests if not url.startswith(ours)]
        assert not elsewhere, elsewhere
        left = [one for one in self.page.complaints if not any(said in one for said in self.expected)]
        assert not left, left
