"""A sign-up form speaks the language of the browser, and the contact gets it."""

import html

import httpx
import pytest

from tests.consent.made import topic
from tests.consent.test_signups import form, sign_up
from tests.support.people import People, Person


@pytest.fixture
async def cara(people: People) -> Person:
    return await people.make(credit="10")


@pytest.mark.parametrize(
    ("accepted", "language", "words"),
    [
        ("de-AT,en;q=0.8", "de", "Anmelden"),
        ("xx,fr;q=0.5", "fr", "S'inscrire"),
        ("xx", "en", "Sign up"),
    ],
)
async def test_a_form_speaks_the_language_of_the_browser(
    client: httpx.AsyncClient, cara: Person, accepted: str, language: str, words: str
):
    id = await form(cara, [await topic(cara, optIn="none")])
    page = await client.get(f"/signup/{id}", headers={"accept-language": accepted})
    assert f'lang="{language}"' in page.text
    assert f'name="locale" value="{language}"' in page.text
    assert words in html.unescape(page.text)
    await sign_up(client, id, locale=language)
    (person,) = (await cara.rest("GET", "/contacts")).json()["items"]
    assert person["locale"] == language
