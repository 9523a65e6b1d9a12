"""A user's locale is shown, can be changed, and decides the language of the page to unsubscribe."""

from typing import Any

import httpx
import pytest

from rest.frame.unsubscribe_texts import words_of
from runtime.services import Services
from tests.support.people import PASSWORD, Person
from tests.unsubscribe.test_unsubscribe import ONE_CLICK, path_of, record


async def test_a_locale_is_shown_and_changed_in_both_doors(ada: Person, client: httpx.AsyncClient):
    body = {"email": "new@example.com", "password": PASSWORD, "locale": "de-AT"}
    made = await client.post("/auth/register", json=body)
    assert (made.status_code, made.json()["locale"]) == (201, "de-AT"), made.text
    assert (await ada.rest("GET", "/auth/me")).json()["locale"] is None
    changed = await ada.rest("PATCH", f"/users/{ada.id}", json={"locale": "pt_BR"})
    assert (changed.status_code, changed.json()["locale"]) == (200, "pt-BR"), changed.text
    assert (await ada.rest("PATCH", f"/users/{ada.id}", json={"displayName": "Ada"})).json()[
        "locale"
    ] == "pt-BR"
    query = "mutation($id:ID!,$l:String){updateUser(id:$id,input:{locale:$l}){locale}}"
    done = await ada.data(query, {"id": str(ada.id), "l": "fr"})
    assert done["updateUser"]["locale"] == "fr"
    assert (await ada.data("{me{locale}}"))["me"]["locale"] == "fr"
    for tag in ("zh-Hant-TW", "es-419", "de-CH-1996", "zh-yue-HK", "sl-rozaj"):
        assert (await ada.rest("PATCH", f"/users/{ada.id}", json={"locale": tag})).json()["locale"] == tag
    body = {"email": "newer@example.com", "password": PASSWORD, "locale": "en_US"}
    assert (await client.post("/auth/register", json=body)).json()["locale"] == "en-US"
    for wrong in (
        "f",
        "fr FR",
        "<b>",
        "en-",
        "en--US",
        "en-1",
        "en_12",
        "en-US-US",
        "english",
        "en-US\n",
        "../en",
    ):
        assert (await ada.rest("PATCH", f"/users/{ada.id}", json={"locale": wrong})).status_code == 400


@pytest.mark.parametrize(
    ("locale", "language", "ask", "done"),
    [
        (None, "en", "Unsubscribe?", "You are unsubscribed"),
        ("de-AT", "de", "Abmelden?", "Sie sind abgemeldet"),
        ("pt_BR", "pt", "Cancelar a inscrição?", "Inscrição cancelada"),
        ("tlh", "en", "Unsubscribe?", "You are unsubscribed"),
    ],
)
async def test_the_page_speaks_the_sender_s_language(
    services: Services,
    client: httpx.AsyncClient,
    ada: Person,
    locale: Any,
    language: str,
    ask: str,
    done: str,
):
    if locale:
        assert (await ada.rest("PATCH", f"/users/{ada.id}", json={"locale": locale})).status_code == 200
    path = path_of(services, await record(services, ada))
    page = (await client.get(path)).text
    assert f'<html lang="{language}">' in page and ask in page
    assert done in (await client.post(path, data=ONE_CLICK)).text
    assert done in (await client.get(path)).text


def test_every_language_says_everything():
    languages = [
        words_of(tag)
        for tag in ("en", "de", "es", "fr", "it", "nl", "pl", "pt", "ru", "uk", "ar", "he", "fa")
    ]
    assert len({words.language for words in languages}) == len(languages)
    assert all(all(words) for words in languages)
