"""The preview of the page of preferences: the page itself, with the caller's own public topics."""

import pytest

from resolvers.signups.page_texts import LANGUAGES, signup_words
from tests.support.people import Person

_ASK = "query ($locale: String) { preferencesPreview(locale: $locale) { html languages } }"


async def _topic(person: Person, key: str, **values: object) -> None:
    answer = await person.rest("POST", "/topics", json={"key": key, **values})
    assert answer.status_code == 201, answer.text


@pytest.mark.parametrize("locale", LANGUAGES)
async def test_the_page_is_shown_in_each_of_its_languages(ada: Person, locale: str):
    await _topic(ada, "news", name="News <b>", translations=[{"locale": "de", "name": "Neues"}])
    await _topic(ada, "staff", name="For staff", public=False)
    preview = (await ada.data(_ASK, {"locale": locale}))["preferencesPreview"]
    answer = await ada.rest("GET", "/topics/preferences/preview", params={"locale": locale})
    assert answer.json() == preview
    html, words = preview["html"], signup_words(locale)
    assert f'<html lang="{locale}"' in html
    assert f"<h1>{words.preferences_title}</h1>" in html
    assert ("Neues" if locale == "de" else "News &lt;b&gt;") in html
    assert "For staff" not in html
    assert " checked" not in html
    assert preview["languages"] == list(LANGUAGES)


async def test_topics_of_others_are_not_shown(ada: Person, bob: Person):
    await _topic(bob, "news", name="News of Bob")
    html = (await ada.data(_ASK))["preferencesPreview"]["html"]
    assert '<html lang="en">' in html
    assert "Bob" not in html
