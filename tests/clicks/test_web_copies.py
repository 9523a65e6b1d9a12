"""The copy of an email on the web shows what the recipient got, and does nothing."""

from typing import Any
from urllib.parse import urlsplit

import httpx
import pytest

from channels.sandbox import box
from core.ids import uuid7
from engine import unsubscribe
from engine.texts import web_copies
from runtime.services import Services
from tests.clicks.made import mailed
from tests.persons.test_erasing import erase
from tests.support.people import Person
from tests.support.projects import Projects

ANNA = "anna@example.com"
VIEW = "{{ web_copy_url }}"
XSS = '"><script>alert(1)</script><img src=x onerror=alert(1)>\'"'
POLICY = (
    "sandbox allow-popups allow-popups-to-escape-sandbox; default-src 'none'; img-src https: http: data:; style-src"
    " 'unsafe-inline'; form-action 'none'; base-uri 'none'; frame-ancestors 'none'"
)


def path(url: str) -> str:
    return urlsplit(url).path


async def copy(client: httpx.AsyncClient, url: str, **headers: str) -> httpx.Response:
    return await client.get(path(url), headers={"Accept": "text/html", **headers})


@pytest.mark.settings(public_url="https://postern.example.com")
async def test_the_copy_has_the_html_of_the_recipient_and_may_do_nothing(
    projects: Projects, ada: Person, client: httpx.AsyncClient
):
    html = f'<p>Dear {{{{ name }}}}</p><a href="{VIEW}">View</a><script>alert(1)</script>'
    people = [{"address": ANNA, "name": "Anna <b>"}, {"address": "ben@example.com", "name": "Ben"}]
    _, sent = await mailed(projects, ada, people, html=html, track_clicks=None)
    (view,) = sent[ANNA]
    assert view.startswith("https://postern.example.com/web-copy/")
    page = await copy(client, view)
    assert page.status_code == 200 and page.headers["content-type"] == "text/html; charset=utf-8"
    assert "Dear Anna &lt;b&gt;" in page.text and view in page.text and "Ben" not in page.text
    assert page.headers["content-security-policy"] == POLICY
    assert page.headers["x-robots-tag"] == "noindex" and page.headers["referrer-policy"] == "no-referrer"
    assert page.headers["cache-control"] == "no-store"
    assert page.headers["x-content-type-options"] == "nosniff"
    assert "set-cookie" not in page.headers
    # Histories, whose readers are no recipients, do not have the link.
    shown = (await ada.rest("GET", "/message/list", params={"phone": ANNA})).json()["items"]
    assert view not in str(shown)


@pytest.mark.parametrize("name", ["name", "word"])
async def test_nothing_of_a_text_is_markup(
    projects: Projects, ada: Person, client: httpx.AsyncClient, name: str
):
    person = {"address": ANNA, "name": XSS, "variables": {"word": XSS}}
    fields = {
        "html": None,
        "subject": f"{XSS} {{{{ {name} }}}}",
        "text": f"{XSS}\n{{{{ {name} }}}}\n\n{VIEW}",
    }
    brand = {"name": XSS[:90], "imprint": XSS, "address": XSS, "footers": [{"locale": "en", "text": XSS}],
             "links": [{"text": XSS[:50], "url": "https://example.com/"}]}  # fmt: skip
    assert (await ada.rest("PUT", "/brand", json=brand)).status_code == 200
    box().outbox.clear()
    await projects.make(ada, [person], **fields)
    await projects.work()
    (sent,) = box().outbox
    page = await copy(client, sent.message.body.rpartition("\n\n")[2])
    assert page.status_code == 200 and "<script" not in page.text and "<img" not in page.text
    assert (
        page.text.count("&lt;script&gt;") >= 4 + 5
    )  # subject (title and heading), text, and the brand's fields
    policy = page.headers["content-security-policy"]
    assert "default-src 'none'" in policy and "script-src" not in policy and "form-action 'none'" in policy


async def test_after_an_erasure_or_the_retention_it_says_that_it_is_gone(
    projects: Projects, services: Services, ada: Person, client: httpx.AsyncClient
):
    await ada.rest("PUT", "/brand", json={"name": "Example Shop"})
    html = f'<a href="{VIEW}">View</a> secret-word'
    _, sent = await mailed(projects, ada, [ANNA, "ben@example.com"], html=html)
    assert (await copy(client, sent[ANNA][0])).status_code == 200
    await erase(services, ada, channel="email", address=ANNA)
    page = await copy(client, sent[ANNA][0], **{"Accept-Language": "de"})
    assert page.status_code == 404 and "nicht mehr gespeichert" in page.text and "Example Shop" in page.text
    assert "secret-word" not in page.text and page.headers["x-robots-tag"] == "noindex"
    assert (await client.get(path(sent[ANNA][0]))).json()["code"] == "web_copy_deleted"
    await services.db.fetch("DELETE FROM recipients")
    assert (await copy(client, sent["ben@example.com"][0])).status_code == 404
    await services.db.fetch("DELETE FROM message_records")
    assert (await copy(client, sent["ben@example.com"][0])).status_code == 404


async def test_a_forged_link_shows_nothing(
    projects: Projects, services: Services, ada: Person, client: httpx.AsyncClient
):
    project, _ = await mailed(projects, ada, [ANNA])
    (record,) = await projects.records(project)
    key = services.key(web_copies.KEY)
    good = unsubscribe.token(key, record["id"])
    other = unsubscribe.token(services.key("unsubscribe"), record["id"])
    for token in (other, good[:-2] + "AA", good[:-1], "x"):
        answer = await client.get(f"/web-copy/{token}")
        assert (answer.status_code, answer.json()["code"]) == (404, "web_copy_invalid"), token
    answer = await client.get(f"/web-copy/{unsubscribe.token(key, uuid7())}")
    assert (answer.status_code, answer.json()["code"]) == (404, "web_copy_deleted")
    assert (await client.get(f"/web-copy/{good}")).status_code == 200
    # A transactional email has no such link, and no copy.
    _, sent = await mailed(projects, ada, [ANNA], html=f'<a href="{VIEW}">x</a>', category="transactional")
    assert sent[ANNA] == [""]
    row = await services.db.fetchrow("SELECT id FROM message_records ORDER BY seq DESC LIMIT 1")
    answer = await client.get(f"/web-copy/{unsubscribe.token(key, row['id'])}")
    assert (answer.status_code, answer.json()["code"]) == (404, "web_copy_deleted")


@pytest.mark.settings(public_url="https://postern.example.com")
async def test_a_promotional_direct_email_has_one_too(
    services: Services, ada: Person, drain: Any, client: httpx.AsyncClient
):
    box().outbox.clear()
    mail = {
        "to": ANNA, "channel": "email", "category": "promotional", "body": "Look: {{web_copy_url}} {{ name }}",
        "metadata": {"subject": "Hi", "html": '<a href="{{ web_copy_url }}">x</a> {{ unsubscribe_url }}'},
    }  # fmt: skip
    answer = await ada.rest("POST", "/messages", json=mail)
    await drain("email")
    (sent,) = box().outbox
    url = sent.message.body.removeprefix("Look: ").removesuffix(" {{ name }}")
    page = await copy(client, url)
    assert page.text == sent.message.html and page.headers["content-security-policy"] == POLICY
    assert "{{web_copy_url}}" in answer.json()["body"]  # which readers of messages can't use
    await erase(services, ada, channel="email", address=ANNA)
    assert (await copy(client, url)).status_code == 404
    transactional = await ada.rest("POST", "/messages", json={**mail, "category": "transactional"})
    token = unsubscribe.token(services.key(web_copies.KEY), uuid7())
    assert transactional.status_code == 202 and (await client.get(f"/web-copy/{token}")).status_code == 404
