"""Tests the console's policy: it runs the documents that were published with it, and only scripts of its own."""

import re
from collections.abc import Iterator

import pytest

from tests.console.conftest import opened
from tests.console.steps import Tab
from tests.console.test_login import log_in
from tests.console.users import DELIVERED, new_user, send
from tests.support.assets import policy_of
from tests.support.live import Live, serving


@pytest.fixture(scope="module")
def strict() -> Iterator[Live]:
    """A service that runs only the documents of the console."""
    with serving(workers=1, POSTERN_CONSOLE="true", POSTERN_GRAPHQL_ALLOW_ONLY="true") as running:
        yield running


def test_the_console_works_where_only_known_documents_run(has_console, browser, strict):
    user = new_user(strict)
    refused = strict.client.post("/graphql", json={"query": "{ me { email } }"}, headers=user.headers)
    assert refused.json()["errors"][0]["extensions"]["code"] == "document_not_allowed"
    with opened(browser, strict, clear=True) as page:
        page.open()
        log_in(page, user)
        page.sees("Send a message to yourself")
        send(strict, user, DELIVERED)
        page.sees("Messages 1 Delivered 1")
        page.press("Messages")
        page.press(DELIVERED)
        page.sees("Accepted by the provider")
        page.press("Messages")
        page.press("Send a message")
        page.fill("Phone", "+15005550000")
        page.fill("Text", "Hello")
        page.sees("1 segment")
        page.press("Send")
        page.press("Show the message")
        page.sees("Accepted, charged and queued")
        page.press(f"Account menu of {user.email.partition('@')[0]}")
        page.press("Profile")
        page.fill("Display name", "Ada")
        page.press("Save")
        page.sees("Your profile is saved.")
        page.press("Account menu of Ada")
        page.press("Log out everywhere")
        page.sees("All your logins end")
        page.press("Log out everywhere")
        page.sees("All your logins have ended.")


def test_the_page_has_a_nonce_and_its_styles_use_it(page: Tab, live):
    page.open()
    page.sees("Log in")
    answer = live.client.get("/console")
    nonce = re.search(r"'nonce-([\w-]{22})'", policy_of(answer)["style-src"])[1]
    assert f'content="{nonce}"' in answer.text
    assert page.page.evaluate("[...document.querySelectorAll('style')].every((style) => style.nonce)")


def test_a_script_that_is_not_ours_does_not_run(page: Tab):
    """The policy itself, so that the absence of complaints means something."""
    page.open()
    ran = page.page.evaluate(
        """(async () => {
            const blocked = [];
            document.addEventListener("securitypolicyviolation", (event) => blocked.push(event.effectiveDirective));
            document.head.append(Object.assign(document.createElement("style"), {textContent: "body {}"}));
            const image = Object.assign(new Image(), {src: "http://127.0.0.1:1/x.png"});
            document.body.append(image);
            await fetch("http://127.0.0.1:1/").catch(() => 0);
            const script = document.createElement("script");
            try { script.textContent = "globalThis.ran = 1"; } catch { /* only trusted texts become scripts */ }
            document.head.append(script);
            while (blocked.length < 4) await new Promise((later) => setTimeout(later, 10));
            image.remove();
            return [globalThis.ran ?? 0, [...new Set(blocked)].sort()];
        })()"""
    )
    assert ran[0] == 0
    assert {"connect-src", "img-src", "style-src-elem", "require-trusted-types-for"} <= set(ran[1])
    page.page.complaints.clear()
    page.page.requests = [url for url in page.page.requests if not url.startswith("http://127.0.0.1:1/")]
