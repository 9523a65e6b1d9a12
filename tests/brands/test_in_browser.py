"""The pages in Chromium, with a brand and without: on phones and screens, light and dark, in both directions."""

import asyncio
import json
import os
from pathlib import Path
from typing import Any
from urllib.parse import quote
from uuid import UUID, uuid4

import asyncpg
import pytest

from engine import unsubscribe
from engine.direct.withheld_links import OPT_IN
from engine.texts.recipient_links import PREFERENCES_KEY
from runtime.services import derived_keys
from tests.console import axe
from tests.media.samples import picture
from tests.support.browser import Browser, Page
from tests.support.live import Live
from tests.support.people import Person

_WIDE = "document.documentElement.scrollWidth"
_LOADED = "document.querySelector('.brand img')?.naturalWidth === 480"
_AXE = """axe.run(document, {rules: {region: {enabled: false}}}).then(
    (result) => result.violations.map((each) => `${each.id}: ${each.nodes.map((node) => node.html).join(" ")}`))"""
WIDTHS = (390, 1280)
LANGUAGES = os.environ.get("LANGUAGES", "en he").split()  # more for looking at them
BRAND: dict[str, Any] = {
    "name": "Bäckerei Sonnenschein",
    "colors": {"background": "#fffaf0", "text": "#3b2a1a", "accent": "#a23e12", "buttonText": "#ffffff"},
    "font": "serif",
    "address": "Bäckerei Sonnenschein GmbH\nLange Straße 12\n10115 Berlin",
    "imprint": "Managing director: Anna Berg. Commercial register Berlin, HRB 012345.",
    "links": [
        {"text": "Our shop", "url": "https://example.com"},
        {"text": "Privacy", "url": "https://example.com/privacy"},
    ],
    "footers": [
        {"locale": "en", "text": "You get this because you know us. We bake since 1923."},
        {"locale": "he", "text": "אופים לחם מאז 1923."},
    ],
}
FORM_TEXT = "Yes, send me news once a month. I can withdraw at any time."


def _post(live: Live, person: Person, path: str, body: Any, method: str = "POST") -> Any:
    answer = live.client.request(method, path, json=body, headers=person.headers)
    assert answer.status_code < 300, answer.text
    return answer.json()


def _logo(live: Live, person: Person) -> str:
    """Uploads a wide logo on a transparent ground. Returns its uuid."""
    file = {"file": ("logo.png", picture(size=(480, 120), mode="RGBA", color=(162, 62, 18, 255)))}
    answer = live.client.post("/media", files=file, headers=person.headers)
    assert answer.status_code == 201, answer.text
    return str(answer.json()["uuid"])


def _rows(live: Live, sql: str, *arguments: Any) -> list[Any]:
    async def read() -> list[Any]:
        connection = await asyncpg.connect(live.database)
        try:
            return await connection.fetch(sql, *arguments)
        finally:
            await connection.close()

    return asyncio.run(read())


def _paths(live: Live, person: Person, make_settings: Any, locale: str) -> dict[str, str]:
    """Makes what the pages are about, and returns their paths."""
    settings = make_settings()
    _post(
        live, person, f"/users/{person.id}", {"locale": locale, "selfService": ["export", "erase"]}, "PATCH"
    )
    key = f"news-{uuid4().hex[:8]}"
    topics = [
        _post(live, person, "/topics", {"key": f"{key}-{number}", "name": name, "description": about})["id"]
        for number, (name, about) in enumerate(
            (("Fresh bread", "What we bake this week"), ("Courses", None), ("חדשות", "לחם טרי בכל יום"))
        )
    ]
    form = {"name": "Our newsletter", "topicUuids": topics, "text": FORM_TEXT}
    form_path = f"/signup/{_post(live, person, '/signup-forms', form)['id']}"
    email = f"{uuid4().hex[:8]}@example.com"
    fields = {"email": email, "topic": [f"{key}-0", f"{key}-2"]}
    answer = live.client.post(form_path, data=fields)
    assert answer.status_code == 200
    ((contact, opt_in),) = _rows(live, "SELECT contact_id, id FROM opt_ins WHERE address = $1", email)
    message = uuid4()
    _rows(
        live,
        'INSERT INTO message_records (id, project_id, owner_id, channel, "to") VALUES ($1, $2, $3, $4, $5)',
        message, uuid4(), person.id, "email", email,
    )  # fmt: skip
    code = {
        "to": f"+1415555{uuid4().int % 9000 + 1000}",
        "channel": "sms",
        "returnUrl": "https://shop.example/",
    }
    started = _post(live, person, "/verifications", {**code, "locale": locale})
    (_, _, _, *verify) = started["pageUrl"].split("/")

    def path(kind: str, purpose: str, id: UUID) -> str:
        return f"/{kind}/{unsubscribe.token(derived_keys(settings, purpose)[0], id)}"

    return {
        "form": form_path,
        "opt-in": path("opt-in", OPT_IN.purpose, opt_in),
        "preferences": path("preferences", PREFERENCES_KEY, contact),
        "unsubscribe": path("unsubscribe", "unsubscribe", message),
        "code": f"/{'/'.join(verify)}",
        "error": "/unsubscribe/x",
    }


def _look(page: Page, name: str, scheme: str, source: str | None) -> None:
    """Checks a page in each width, and keeps a picture of it in the folder that PICTURES names."""
    page.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])
    for width in WIDTHS:
        page.call(
            "Emulation.setDeviceMetricsOverride",
            width=width,
            height=900,
            deviceScaleFactor=1,
            mobile=width < 600,
        )
        assert page.evaluate(_WIDE) <= width, f"{name} is wider than {width}"
        if folder := os.environ.get("PICTURES"):
            page.picture(Path(folder, f"{name}-{scheme}-{width}.png"))
    if source is not None:
        page.evaluate(f"{source}; 0")
        assert page.evaluate(_AXE) == [], f"{name} in {scheme}"


@pytest.mark.parametrize("locale", LANGUAGES)
@pytest.mark.parametrize("branded", [True, False], ids=["brand", "neutral"])
def test_pages_fit_and_are_legible(
    browser: Browser, live: Live, make_settings: Any, locale: str, branded: bool
):
    person = live.ada
    if branded:
        _post(live, person, "/brand", {**BRAND, "logoUuid": _logo(live, person)}, "PUT")
    else:
        live.client.delete("/brand", headers=person.headers)
    paths = _paths(live, person, make_settings, locale)
    script = axe.VENDOR / "axe.js"
    source = script.read_text() if script.exists() else None
    mode = "brand" if branded else "neutral"
    with browser.page() as page:
        page.call("Network.setExtraHTTPHeaders", headers={"Accept-Language": locale})
        for name, path in paths.items():
            for scheme in ("light", "dark"):
                page.go(f"http://127.0.0.1:{live.port}{path}")
                assert page.evaluate("document.documentElement.lang") == locale
                direction = page.evaluate("getComputedStyle(document.body).direction")
                assert direction == ("rtl" if locale in ("ar", "fa", "he") else "ltr")
                shown = page.evaluate("document.body.outerHTML")
                assert page.evaluate(_LOADED) is (branded and name != "error"), name
                assert (BRAND["name"] in shown) is (branded and name != "error"), name
                _look(page, f"{mode}-{locale}-{name}", scheme, source)
        complaints = [each for each in page.complaints if "404" not in each]
        assert complaints == []
        assert all(asked.startswith(f"http://127.0.0.1:{live.port}/") for asked in page.requests)


@pytest.mark.parametrize("locale", ["en", "he"])
def test_the_mail_fits(browser: Browser, live: Live, make_settings: Any, locale: str):
    _post(live, live.ada, "/brand", BRAND, "PUT")
    _paths(live, live.ada, make_settings, locale)
    mails = _rows(
        live,
        "SELECT metadata FROM messages WHERE owner_id = $1 AND metadata ? 'optIn' ORDER BY id DESC LIMIT 1",
        live.ada.id,
    )
    html = json.loads(mails[0]["metadata"])["html"]
    with browser.page() as page:
        for scheme in ("light", "dark"):
            page.go(f"data:text/html;charset=utf-8,{quote(html)}")
            assert "Confirm" in page.evaluate("document.body.innerText") or locale == "he"
            _look(page, f"mail-{locale}", scheme, None)
        assert [asked for asked in page.requests if not asked.startswith("data:")] == []
