"""The pages that people see: in the dress of their owner, and in no other one; nothing of a brand is ever HTML."""

import base64
import hashlib
import re
from typing import Any

import httpx
import pytest

from engine.direct.dispatch import Dispatcher
from runtime.services import Services
from tests.brands.pages import STATUSES, Parsed, Site, build, set_brand
from tests.persons.test_self_service import BROWSER
from tests.support.people import People, Person
from tests.support.projects import Projects

pytestmark = pytest.mark.settings(limit_verifications="1000/1", limit_verification_ip="1000/1")
EVIL = "\"'></title></style></textarea><script>alert(1)</script><img src=x onerror=alert(1)><svg onload=alert(1)>"
EVIL_URL = "https://example.com/\"'><script>alert(1)</script><img/src=x/onerror=alert(1)>"
FIELDS: dict[str, Any] = {
    "name": EVIL[:100],
    "address": EVIL,
    "imprint": EVIL,
    "links": [{"text": EVIL[:60], "url": EVIL_URL}],
    "footers": [{"locale": "en", "text": EVIL}],
}
ELEMENTS = {
    "a", "address", "bdi", "blockquote", "body", "br", "button", "div", "footer", "form", "h1", "h2", "head", "header",
    "html", "input", "label", "li", "main", "meta", "option", "p", "script", "select", "span", "style", "title", "ul",
}  # fmt: skip


@pytest.fixture
async def site(
    services: Services, client: httpx.AsyncClient, dispatcher: Dispatcher, projects: Projects, people: People
) -> Site:
    owner = await people.make(credit="100")
    return await build(services, client, dispatcher, projects, owner)


def check_harmless(answer: httpx.Response, name: str, logo: str | None = None) -> Parsed:
    """Checks that a page has no element, attribute, style, script or picture but ours, and that its policy says so."""
    page = Parsed(answer.text)
    assert {tag for tag, _ in page.elements} <= ELEMENTS | ({"img"} if logo else set()), name
    assert not [each for _, attributes in page.elements for each in attributes if each.startswith("on")], name
    assert page.attributes("src") == ([logo] if logo else []) and not page.attributes("style"), name
    for url in page.attributes("href"):
        assert url.startswith(("http://", "https://")), name
    policy = dict(part.strip().split(" ", 1) for part in answer.headers["content-security-policy"].split(";"))
    (style,) = re.findall("<style>(.*?)</style>", answer.text, re.DOTALL)
    assert policy["style-src"] == f"'sha256-{_digest(style)}'", name
    scripts = re.findall("<script>(.*?)</script>", answer.text, re.DOTALL)
    assert policy.get("script-src") == (f"'sha256-{_digest(scripts[0])}'" if scripts else None), name
    assert len(scripts) <= 1 and "alert(" not in "".join([style, *scripts]), name
    assert policy.get("img-src") == logo, name
    assert policy["default-src"] == policy["base-uri"] == policy["frame-ancestors"] == "'none'", name
    return page


def _digest(text: str) -> str:
    return base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()


async def test_every_page_has_the_dress_of_its_owner_and_no_other(site: Site, people: People):
    bob = await people.make()
    await set_brand(bob, name="Bob's Secret", address="Secret Street", colors={"accent": "#8a2be2"})
    for name, answer in (await site.pages()).items():  # without a brand
        assert answer.status_code == STATUSES.get(name, 200), (name, answer.text)
        page = check_harmless(answer, name)
        assert "<header" not in answer.text and "<footer" not in answer.text, name
        assert "Secret" not in answer.text and "#8a2be2" not in answer.text, name
        assert page.text.strip()
    await set_brand(
        site.owner,
        name="Example Shop",
        address="1 High Street",
        imprint="No. 0123",
        font="serif",
        colors={"accent": "#0b6e4f"},
        links=[{"text": "Privacy", "url": "https://example.com/privacy"}],
        footers=[{"locale": "de", "text": "Hallo"}, {"locale": "en", "text": "Nice to have you"}],
    )
    for name, answer in (await site.pages()).items():
        assert answer.status_code == STATUSES.get(name, 200), (name, answer.text)
        page = check_harmless(answer, name)
        for text in ("Example Shop", "1 High Street", "No. 0123", "Privacy", "Nice to have you"):
            assert text in page.text, name
        assert "https://example.com/privacy" in page.attributes("href"), name
        assert "#0b6e4f" in answer.text and "Palatino" in answer.text, name
        assert "Secret" not in answer.text and "#8a2be2" not in answer.text and "Hallo" not in page.text, name
    await site.owner.rest("DELETE", "/brand")
    for name, answer in (await site.pages()).items():
        assert "Example Shop" not in answer.text and "#0b6e4f" not in answer.text, name


@pytest.mark.parametrize("field", FIELDS)
async def test_nothing_of_a_brand_is_html(site: Site, field: str, subtests: Any):
    await set_brand(site.owner, **{field: FIELDS[field]})
    for name, answer in (await site.pages()).items():
        with subtests.test(name):
            page = check_harmless(answer, name)
            assert "<script>alert(1)" in page.text  # it is shown as it was written
            assert (EVIL_URL in page.attributes("href")) is (field == "links")


async def test_a_link_that_is_nobody_s_has_no_dress(site: Site, client: httpx.AsyncClient):
    await set_brand(site.owner)
    forged = "A" * 43
    for kind in ("opt-in", "preferences", "unsubscribe", "your-data", "verify"):
        answer = await client.get(f"/{kind}/{forged}", headers=BROWSER)
        assert answer.status_code == 404
        check_harmless(answer, kind)
        assert "Example Shop" not in answer.text


@pytest.mark.parametrize("language", ["ar", "he", "fa"])
async def test_pages_run_from_right_to_left(site: Site, language: str, client: httpx.AsyncClient):
    footers = [{"locale": language, "text": "نص"}, {"locale": "en", "text": "text"}]
    await set_brand(site.owner, footers=footers)
    await site.owner.rest("PATCH", f"/users/{site.owner.id}", json={"locale": language})
    for name in ("form", "preferences", "unsubscribe"):
        answer = await client.get(site.gets[name])
        assert f'<html lang="{language}" dir="rtl">' in answer.text, name
        assert "نص" in answer.text and "Sign up" not in answer.text and ">Unsubscribe" not in answer.text, (
            name
        )
    refused = await client.get("/unsubscribe/x", headers={**BROWSER, "accept-language": language})
    assert f'<html lang="{language}" dir="rtl">' in refused.text


async def test_the_preview_of_preferences_has_the_dress(ada: Person, bob: Person):
    await set_brand(ada, name="Example Shop")
    for person, expected in ((ada, True), (bob, False)):
        html = (await person.rest("GET", "/topics/preferences/preview")).json()["html"]
        assert ("Example Shop" in html) is expected
