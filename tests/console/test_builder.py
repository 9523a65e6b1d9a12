"""The letter builder: by keyboard alone, with pictures, saved by itself, and nothing in it runs."""

from pathlib import Path
from typing import Any

import pytest

from tests.console.looks import LAPTOP, PHONE
from tests.console.steps import Tab
from tests.console.test_files import choose
from tests.console.test_templates import new_template, new_version
from tests.console.users import call, new_user
from tests.support.browser import MIDDLE
from tests.support.live import Live
from tests.support.people import Person
from tests.support.waits import eventually

_TEXTS = """query ($t: ID!) { template(id: $t) { versions { nodes { name
  texts { locale subject preheader text html source } } } } }"""
_NAME = """(({ariaLabel, innerText, labels, tagName}) => tagName === 'BODY' ? ''
  : ariaLabel || labels?.[0]?.innerText || innerText)(document.activeElement)"""
_EDITOR = "document.querySelector('[role=textbox][aria-multiline]')"
_PATH = "[...document.querySelectorAll('nav[aria-label^=\"The block\"] button')].map((one) => one.innerText)"
_CHOSEN = (
    "(({anchorNode, anchorOffset}) => anchorNode?.childNodes[anchorOffset]?.dataset?.block)(getSelection())"
)
_RAN = "window.ran === undefined"
_ALT = 1
_KEYS = {"Tab": 9, "Enter": 13, "Escape": 27, "ArrowDown": 40, "ArrowUp": 38, "ArrowRight": 39, "F10": 121}
_RUNS = "<img src=x onerror='window.ran=1'><script>window.ran=1</script>"


class Keyboard:
    """Acts by keys, and nothing else."""

    def __init__(self, page: Tab) -> None:
        self.page = page

    def press(self, key: str, times: int = 1, *, alt: bool = False) -> None:
        for _ in range(times):
            if not alt:
                self.page.page.press(key, _KEYS[key])
                continue
            for kind in ("keyDown", "keyUp"):
                code = _KEYS[key]
                self.page.page.call(
                    "Input.dispatchKeyEvent",
                    type=kind,
                    key=key,
                    code=key,
                    windowsVirtualKeyCode=code,
                    modifiers=_ALT,
                )

    def goes_to(self, name: str, key: str = "Tab", most: int = 60) -> None:
        """Presses a key until what has the focus has this name."""
        passed = []
        for _ in range(most):
            current = str(self.page.page.evaluate(_NAME)).strip()
            if current == name:
                return
            passed.append(current)
            self.press(key)
        raise AssertionError(f"{key} does not lead to {name!r}, but to {passed}")

    def tool(self, name: str) -> None:
        """Uses a tool of the toolbar, from within the letter."""
        self.press("F10", alt=True)
        self.page.page.wait("document.activeElement.closest('[role=toolbar]') !== null")
        self.goes_to(name, "ArrowRight", 20)
        self.press("Enter")

    def adds(self, block: str) -> None:
        self.tool("Add a block")
        self.page.page.wait("document.activeElement.closest('[role=menu]') !== null")
        self.goes_to(block, "ArrowDown", 20)
        self.press("Enter")
        self.is_in_letter()

    def is_in_letter(self) -> None:
        self.page.page.wait(f"document.activeElement === {_EDITOR} && !document.querySelector('[role=menu]')")


def _versions(live: Live, user: Person, template: str) -> list[Any]:
    return list(call(live, user, _TEXTS, t=template)["template"]["versions"]["nodes"])


def _letter(live: Live, user: Person, template: str) -> dict[str, Any]:
    """Returns the text of the newest version."""
    return dict(_versions(live, user, template)[0]["texts"][0])


def _is_saved(live: Live, user: Person, template: str, *texts: str) -> None:
    def has() -> bool:
        versions = _versions(live, user, template)
        return bool(versions) and all(text in str(versions[0]["texts"][0]["html"]) for text in texts)

    eventually(has, f"the letter is saved with {texts}")


def test_a_letter_is_written_by_keyboard_alone(page: Tab, live: Live) -> None:
    user = new_user(live)
    template = new_template(live, user, "hello", "Hello")
    page.comes_as(user, f"/console/templates/{template}")
    keys = Keyboard(page)
    page.sees("An empty letter")
    keys.goes_to("An empty letter", most=120)
    keys.press("Enter")
    page.page.wait(f"{_EDITOR} !== null")
    keys.goes_to("The letter", most=120)
    keys.is_in_letter()
    page.page.type("Good morning ")
    keys.tool("Variable")
    page.page.wait("document.activeElement.closest('[role=menu]') !== null")
    keys.goes_to("name", "ArrowDown", 20)
    keys.press("Enter")
    keys.is_in_letter()
    # The cursor stands behind the variable, whose settings are there at once.
    page.page.type("!")
    page.page.press("Backspace", 8)
    keys.goes_to("Without a value")
    page.page.type("reader")
    # Back into the letter, and on to a button.
    page.page.evaluate("document.activeElement.blur()")
    keys.goes_to("The letter", most=120)
    keys.adds("Button")
    page.page.type("Shop")
    keys.goes_to("Address of the link")
    page.page.type("https://example.com/shop")
    page.page.evaluate("document.activeElement.blur()")
    keys.goes_to("The letter", most=120)
    keys.press("ArrowUp", alt=True)
    keys.tool("Only for some readers")
    keys.is_in_letter()
    keys.goes_to("Name of the variable")
    page.page.type("city")
    html = ("{{ name | default: 'reader' }}", "https://example.com/shop", "{% if city and city != '' %}")
    _is_saved(live, user, template, *html)
    page.sees("Saved")
    text = _letter(live, user, template)
    assert text["text"].startswith("{% if city and city != '' %}Shop: https://example.com/shop{% endif %}")
    assert "Good morning {{ name | default: 'reader' }}" in text["text"]
    assert "{{ unsubscribe_url }}" in text["html"]
    # Escape selects what the cursor stands in, and Delete deletes it; what was done can be undone.
    page.page.evaluate("document.activeElement.blur()")
    keys.goes_to("The letter", most=120)
    page.page.press("Backspace", 8)
    page.page.wait(f"!{_EDITOR}.innerText.includes('Shop')")
    page.page.press("z", 90, ctrl=True)
    page.page.wait(f"{_EDITOR}.innerText.includes('Shop')")


def test_a_starter_has_a_subject_and_the_preview_shows_it(page: Tab, live: Live) -> None:
    user = new_user(live)
    template = new_template(live, user, "offer", "Offer")
    page.comes_as(user, f"/console/templates/{template}")
    page.press("Offer")
    page.sees("20 % off everything")
    page.sees("Not saved yet")
    page.sees("20 % off until Sunday")
    page.sees("Links that are only examples, and lead nowhere: https://example.com/sale")
    page.press("Plain text")
    page.sees("The plain text is made from the letter until you change it.")
    page.fill("Plain text", "My own {{ unsubscribe_url }}")
    page.sees("You have changed the plain text")
    page.press("Letter")
    page.fill("Name of this version", "Spring")
    _is_saved(live, user, template, "20 % off everything")
    page.sees_row("Draft", "Spring")
    version = _versions(live, user, template)[0]
    assert (version["name"], version["texts"][0]["text"]) == ("Spring", "My own {{ unsubscribe_url }}")
    assert version["texts"][0]["source"]["format"] == 1
    page.open(f"/console/templates/{template}")
    page.sees("20 % off everything")
    page.press("HTML")
    page.press("Write the HTML yourself")
    page.press("Save as draft")
    eventually(lambda: _letter(live, user, template)["source"] is None, "the letter is let go")
    assert "20 % off everything" in _letter(live, user, template)["html"]


def test_pictures_are_uploaded_chosen_and_deleted(page: Tab, live: Live, tmp_path: Path) -> None:
    image = pytest.importorskip("PIL.Image")
    for name, color in (("red.png", "red"), ("blue.png", "blue")):
        image.new("RGB", (200, 100), color).save(tmp_path / name)
    user = new_user(live)
    page.comes_as(user, "/console/files")
    page.press("Pictures")
    page.is_at("/console/files/pictures")
    page.sees("There are no pictures yet.")
    choose(page, tmp_path / "red.png", tmp_path / "blue.png")
    page.sees("2 pictures are uploaded.")
    page.sees("200 × 100")
    loaded = (
        "[...document.querySelectorAll('main li img')].filter((one) => one.naturalWidth === 200).length === 2"
    )
    page.page.wait(loaded)
    assert not page.violations()
    page.picture("pictures")
    (tmp_path / "bad.png").write_text("<svg>")
    choose(page, tmp_path / "bad.png")
    page.sees("bad.png is not uploaded")

    template = new_template(live, user, "picture", "Picture")
    page.open(f"/console/templates/{template}")
    page.press("An empty letter")
    page.page.wait(f"{_EDITOR} !== null")
    page.press("Add a block")
    page.press("Picture")
    page.press("Choose a picture")
    page.sees("red.png")
    assert not page.violations(within="[role=dialog]")
    page.page.click("[role=dialog] li:last-child button")
    page.page.wait(f"{_EDITOR}.querySelector('img')?.naturalWidth === 200")
    page.sees("1 picture has no alt text")
    page.fill("What it shows", "A red field")
    page.sees_no("1 picture has no alt text")
    _is_saved(live, user, template, 'alt="A red field"', '.png"')
    page.open("/console/files/pictures?q=red")
    page.press("Delete red.png")
    page.sees("Letters that show it have a gap")
    page.press("Delete")
    page.sees("red.png is deleted.")


def test_nothing_that_an_author_writes_runs(page: Tab, live: Live) -> None:
    user = new_user(live)
    template = new_template(live, user, "bad", _RUNS, category="promotional")
    block = {"type": "html", "attrs": {"code": _RUNS}}
    link = {"type": "link", "attrs": {"href": "javascript:window.ran=1"}}
    words = {"type": "text", "text": _RUNS, "marks": [link]}
    image = {
        "type": "image",
        "attrs": {"src": "javascript:window.ran=1", "alt": _RUNS, "width": None, "href": "", "align": "left"},
    }
    footer = {
        "type": "footer",
        "attrs": {
            "address": _RUNS,
            "imprint": _RUNS,
            "links": [{"text": _RUNS, "url": "javascript:window.ran=1"}],
        },
    }
    content = [{"type": "paragraph", "content": [words]}, block, image, footer]
    source = {"format": 1, "doc": {"type": "doc", "content": content}}
    letter = {
        "locale": "en",
        "subject": _RUNS,
        "preheader": _RUNS,
        "html": _RUNS,
        "text": _RUNS,
        "source": source,
    }
    foreign = letter | {"locale": "fr", "source": {"format": 7, "doc": _RUNS}}
    new_version(live, user, template, letter, foreign, publish=False, name=_RUNS)
    page.comes_as(user, f"/console/templates/{template}")
    page.page.wait(f"Boolean({_EDITOR}?.querySelector('[data-block=footer]'))")
    page.sees_element("main iframe")
    assert page.page.evaluate(f"{_EDITOR}.querySelectorAll('script, [onerror], a[href]').length") == 0
    page.page.click("[role=textbox][aria-multiline] p")
    page.page.call("Input.insertText", text="zebra")
    page.sees("zebra")
    page.sees("Saved")
    _is_saved(live, user, template, "zebra")
    html = str(_letter(live, user, template)["html"])
    assert "javascript:" not in html
    assert "&lt;img src=x onerror=" in html
    page.press("fr")
    page.sees("This letter was made by another version of the builder")
    assert page.page.evaluate(_RAN)


def test_a_click_selects_the_block_under_it(page: Tab, live: Live) -> None:
    user = new_user(live)
    page.comes_as(user, f"/console/templates/{new_template(live, user, 'clicked', 'Clicked')}")
    page.press("Newsletter")
    page.sees_element("[data-block=footer]")
    for block, name in (("footer", "Footer"), ("social", "Social links"), ("footer", "Footer")):
        page.page.click("[role=textbox][aria-multiline] h1")
        page.page.wait(f"{_PATH}.at(-1) === 'Heading'")
        x, y = page.page.wait(f"({MIDDLE}).call(document.querySelector('[data-block={block}]'))")
        # Not where the heading was clicked: that would be a double click.
        x += 40
        page.page.call("Input.dispatchMouseEvent", type="mousePressed", **_at(x, y))
        page.page.wait(f"{_PATH}.at(-1) === {name!r} && {_CHOSEN} === {block!r}")
        # The browser chooses its own selection when the button is released, and the editor follows it later.
        page.page.call("Input.dispatchMouseEvent", type="mouseReleased", **_at(x, y))
        page.stands_still()
        assert page.page.evaluate(_CHOSEN) == block
        assert page.page.evaluate(f"{_PATH}.at(-1)") == name


def _at(x: float, y: float) -> dict[str, Any]:
    return {"x": x, "y": y, "button": "left", "clickCount": 1}


def test_what_is_written_offline_is_saved_later(page: Tab, live: Live) -> None:
    user = new_user(live)
    template = new_template(live, user, "late", "Late")
    page.comes_as(user, f"/console/templates/{template}")
    page.press("An empty letter")
    page.page.wait(f"{_EDITOR} !== null")
    page.expected.append("Failed to load resource")
    page.network(offline=True)
    page.page.click("[role=textbox][aria-multiline] p")
    page.page.call("Input.insertText", text="Written in a tunnel")
    page.page.wait(f"{_EDITOR}.innerText.includes('Written in a tunnel')")
    page.sees("Not saved yet")
    page.network(offline=False)
    page.page.call("Input.insertText", text=", read in the sun")
    _is_saved(live, user, template, "Written in a tunnel, read in the sun")


@pytest.mark.parametrize("width", [LAPTOP, PHONE])
def test_everybody_can_use_it(page: Tab, live: Live, width: int) -> None:
    user = new_user(live)
    template = new_template(live, user, "news", "News")
    page.at_width(width)
    page.comes_as(user, f"/console/templates/{template}")
    # Clicks that follow each other count as a double click, and ProseMirror looks for a word in a block that has none.
    page.expected.append("TextSelection endpoint not pointing into a node with inline content")
    page.sees("An empty letter")
    for scheme in ("light", "dark"):
        page.dark(scheme == "dark")
        page.picture(f"builder-starters-{width}-{scheme}")
        assert not page.violations(), scheme
    page.dark(False)
    page.press("Newsletter")
    page.sees_element("main iframe")
    page.page.wait("document.querySelector('main .mantine-Loader-root') === null")
    for scheme in ("light", "dark"):
        page.dark(scheme == "dark")
        page.picture(f"builder-{width}-{scheme}")
        assert not page.violations(), scheme
        assert page.page.evaluate("document.documentElement.scrollWidth") <= width
    # Each kind of settings, by what is selected.
    for block in ("image", "social", "footer"):
        page.page.click(f"[data-block={block}]")
        page.picture(f"builder-{block}-{width}")
        assert not page.violations(within="main"), block
    page.press("Letter")
    page.page.wait("document.querySelector('nav[aria-label^=\"The block\"] button') !== null")
    page.page.click("nav[aria-label^='The block'] button")
    page.sees("Text of buttons")
    page.picture(f"builder-theme-{width}")
    assert not page.violations(within="main")
