"""The API reference in a real browser. The fixture `page` looks for complaints and for requests to other hosts."""

import json

import pytest

from tests.support.browser import Page
from tests.support.live import Live

_SEND = (
    "[...document.querySelectorAll('button')].find(b => /Send get request/.test(b.textContent) && "
    "b.checkVisibility())"
)


def _button(text: str) -> str:
    return f"[...document.querySelectorAll('button')].find(b => b.textContent.includes({text!r}))"


def _press(page: Page, button: str) -> None:
    page.wait(f"!!{button}")
    page.evaluate(f"{button}.click()")


def test_an_operation_is_found_by_the_search(page):
    page.press("k", 75, ctrl=True)
    page.shows("input[role=combobox]")
    page.write("queues a message")
    page.wait("document.querySelector('[role=option]')?.textContent.includes('Charges the account')")
    page.click("[role=option]")
    page.wait("location.hash.endsWith('/POST/messages')")
    page.wait(f"!!{_button('(post /messages)')}")


def test_a_request_with_a_token_is_answered_and_the_token_not_kept(page: Page, live: Live):
    page.click("input[placeholder=Token]")
    page.write(live.ada.token)
    _press(page, _button("Open Group - auth"))
    page.evaluate("location.hash = '#tag/auth/GET/auth/me'")
    _press(page, _button("(get /auth/me)"))
    _press(page, _SEND)
    page.wait(f"document.body.innerText.includes({json.dumps(live.ada.email)})")
    asked = [url for url in page.requests if url.endswith("/auth/me")]
    assert asked == [f"http://127.0.0.1:{live.port}/auth/me"]
    assert live.ada.token not in page.evaluate(
        "JSON.stringify([localStorage, sessionStorage, document.cookie])"
    )
    assert page.evaluate("indexedDB.databases().then(known => known.length)") == 0


def test_nothing_leads_to_the_maker_s_services(page):
    """Sharing, deploying and chatting are off. Only the maker's name is left."""
    links = page.evaluate("[...document.querySelectorAll('a[href^=http]')].map(a => a.href)")
    assert {link for link in links if "127.0.0.1" not in link} == {"https://www.scalar.com/"}
    text = page.evaluate("document.body.innerText")
    for word in (
        "Ask AI",
        "Share",
        "Deploy",
        "Open API Client",
        "Generate MCP",
        "Developer Tools",
        "Configure",
    ):
        assert word not in text, word


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [1440, 390])
def test_it_fits_and_follows_the_system(page, width, scheme):
    page.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])
    page.call(
        "Emulation.setDeviceMetricsOverride", width=width, height=844, deviceScaleFactor=1, mobile=width < 500
    )
    page.reload()
    page.wait("document.body.innerText.includes('A messaging gateway')")
    page.wait(f"document.body.classList.contains('{scheme}-mode')")
    assert page.evaluate("getComputedStyle(document.documentElement).colorScheme") == scheme
    assert page.evaluate("document.documentElement.scrollWidth") == width - (15 if width > 500 else 0)


def test_the_samples_of_the_sdks_are_shown(page: Page):
    """curl first, then the SDKs; the samples are those of static/docs/samples."""
    _press(page, _button("Open Group - messages"))
    page.evaluate("location.hash = '#tag/messages/POST/messages'")
    page.wait("document.body.innerText.includes('$POSTERN_URL/messages')")
    clients = "[...document.querySelectorAll('button')].find(b => b.textContent.trim() === 'curl')"
    page.wait(f"!!{clients}")
    page.evaluate(f"{clients}.scrollIntoView({{block: 'center'}}), {clients}.click()")
    option = (
        "[...document.querySelectorAll('[role=option]')].find(o => o.textContent.trim() === 'TypeScript')"
    )
    page.wait(f"!!{option}")
    page.evaluate(f"{option}.click()")
    page.wait("document.body.innerText.includes('await postern.messages.send')")
