"""The pages that tell people why a link or a form did not work, in the language of their browser."""

import re
from collections.abc import Iterator
from typing import Any

import httpx
import pytest

from core.errors import Unavailable
from core.rate_limits import Limit
from engine import unsubscribe
from resolvers import preferences, signups
from resolvers.signups.page_texts import LANGUAGES
from rest.frame import error_page_texts
from tests.persons.test_self_service import BROWSER

_FORGED = "A" * 43
_LINKS = tuple(f"/{kind}/{_FORGED}" for kind in ("opt-in", "preferences", "unsubscribe", "your-data"))
_READ_LINKS = (f"/web-copy/{_FORGED}", f"/l/{_FORGED}")


def heard(language: str) -> dict[str, str]:
    return {**BROWSER, "accept-language": language}


def test_there_are_as_many_languages_as_of_the_other_pages():
    assert [*error_page_texts.LANGUAGES] == [*LANGUAGES]
    for words in error_page_texts.LANGUAGES.values():
        assert all(words)
        assert len({*words}) == len(words)


@pytest.mark.parametrize("path", [*_LINKS, *_READ_LINKS, "/signup/01890000-0000-7000-8000-000000000003"])
async def test_a_link_that_is_gone_is_explained_in_the_language_of_the_browser(
    client: httpx.AsyncClient, path: str
):
    texts = set()
    for language, words in error_page_texts.LANGUAGES.items():
        for method in ("GET",) if path in _READ_LINKS else ("GET", "POST"):
            data = {"email": "anna@example.com"} if method == "POST" else None
            answer = await client.request(method, path, headers=heard(f"{language}-XX, en;q=0.5"), data=data)
            assert answer.status_code == 404
            assert f'<html lang="{language}"' in answer.text
            assert f"<h1>{words.title}</h1>".replace("'", "&#x27;") in answer.text.replace("'", "&#x27;")
            (text,) = re.findall(r'role="alert">([^<]+)<', answer.text)
            texts.add(text)
    assert len(texts) == len(LANGUAGES)


@pytest.mark.parametrize(
    ("accepted", "language"),
    [
        ("de", "de"), ("eo, pt-BR;q=0.8", "pt"), ("ja", "en"), ("", "en"), ("fr;q=0, uk;q=0.1", "uk"), ("*", "en"),
        ("en-US,en;q=0.9,ru;q=0.8", "en"), ("\u00e4;q=x", "en"),
    ],
)  # fmt: skip
def test_the_language_is_the_one_that_the_browser_prefers(accepted: str, language: str):
    assert error_page_texts.error_words(accepted).language == language


async def test_programs_get_json(client: httpx.AsyncClient):
    answer = await client.get(_LINKS[0], headers={"accept-language": "de"})
    assert answer.json()["code"] == "opt_in_link_invalid"


async def test_what_can_not_be_read_has_a_page_too(client: httpx.AsyncClient):
    for path in ("/signup/none", f"/opt-in/{'A' * 65}"):
        answer = await client.get(path, headers=heard("it"))
        assert (answer.status_code, '<html lang="it">' in answer.text) == (400, True), path
    assert (await client.get("/signup/none")).json()["code"] == "validation_failed"


@pytest.fixture
def _busy(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    for module in (signups, preferences):
        monkeypatch.setattr(module, "PAGES", Limit("few-pages", 1, 60.0))
    yield


@pytest.mark.usefixtures("_busy")
async def test_too_many_requests(client: httpx.AsyncClient):
    answers = [await client.get(_LINKS[0], headers=heard("pl")) for _ in range(2)]
    assert [answer.status_code for answer in answers] == [404, 429]
    assert error_page_texts.LANGUAGES["pl"].busy in answers[1].text
    assert int(answers[1].headers["retry-after"]) > 0


@pytest.mark.parametrize(("error", "status"), [(Unavailable("It is away."), 503), (ValueError("a bug"), 500)])
async def test_errors_of_the_service(
    client: httpx.AsyncClient, monkeypatch: pytest.MonkeyPatch, error: Exception, status: int
):
    def fails(*_: Any) -> None:
        raise error

    monkeypatch.setattr(unsubscribe, "read", fails)
    answer = await client.get(_LINKS[0], headers=heard("es"))
    assert answer.status_code == status
    assert error_page_texts.LANGUAGES["es"].unavailable in answer.text
    assert "bug" not in answer.text
