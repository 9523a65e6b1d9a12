"""The link to unsubscribe in a test message or preview leads to a page that says so, and does nothing."""

from typing import Any
from urllib.parse import urlsplit

import httpx
import pytest

from engine import unsubscribe
from engine.texts import recipient_links
from rest.frame.unsubscribe_texts import words_of
from runtime.services import Services
from tests.sending_projects.test_preview import preview
from tests.support.people import Person

LANGUAGES = ("en", "de", "es", "fr", "it", "nl", "pl", "pt", "ru", "uk", "ar", "he", "fa")


def path(services: Services, owner: Person) -> str:
    link = recipient_links.examples(services, owner.id)[unsubscribe.VARIABLE]
    real = unsubscribe.url(services.settings, services.key("unsubscribe"), owner.id)
    assert len(link) == len(real)
    assert unsubscribe.read(services.keys("unsubscribe"), link.rpartition("/")[2]) is None
    return urlsplit(link).path


@pytest.mark.parametrize("method", ["GET", "POST"])
async def test_the_page_says_that_it_was_a_test(
    services: Services, client: httpx.AsyncClient, ada: Person, method: str
):
    await ada.rest("PUT", "/brand", json={"name": "Blumen Berg"})
    page = await client.request(method, path(services, ada))
    assert page.status_code == 200, page.text
    assert words_of("en").trial_title in page.text and "<form" not in page.text
    assert "default-src 'none'" in page.headers["content-security-policy"]
    assert (await ada.rest("GET", "/block/count")).json() == {"count": 0}


async def test_it_has_the_language_of_the_owner(services: Services, client: httpx.AsyncClient, ada: Person):
    for language in LANGUAGES:
        await ada.rest("PATCH", f"/users/{ada.id}", json={"locale": language})
        page = await client.get(path(services, ada))
        assert f'lang="{language}"' in page.text and words_of(language).trial_title.split("'")[0] in page.text


async def test_an_example_without_an_owner_is_a_test_too(services: Services, client: httpx.AsyncClient):
    page = await client.get(urlsplit(unsubscribe.example(services.settings)).path)
    assert page.status_code == 200 and "This was a test" in page.text


async def test_previews_have_such_a_link(client: httpx.AsyncClient, ada: Person):
    seen = await preview(ada, text="{{ unsubscribe_url }} {{ preferences_url }}")
    for link in seen["body"].split():
        assert "This was a test" in (await client.get(urlsplit(link).path)).text
    other: Any = link[:-1] + ("A" if link[-1] != "A" else "Q")
    assert (await client.get(urlsplit(other).path)).status_code in (200, 404)
