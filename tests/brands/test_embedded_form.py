"""A sign-up form for a page of the owner's: what stands in it, and that it signs people up in a browser."""

from typing import Any

import httpx
import pytest

from engine.direct.dispatch import Dispatcher
from tests.brands.pages import AGREED, Parsed, mailed, set_brand
from tests.brands.test_dressed_pages import EVIL
from tests.consent.made import topic
from tests.support.people import Person

EMBED = "query($i:ID!,$s:Boolean!,$l:String){signupFormEmbed(id:$i,style:$s,locale:$l){url html}}"


async def form_of(person: Person, *topics: str, **fields: Any) -> str:
    body = {"name": "News", "topicUuids": [*topics], "text": AGREED, **fields}
    answer = await person.rest("POST", "/signup-forms", json=body)
    assert answer.status_code == 201, answer.text
    return str(answer.json()["id"])


async def test_it_has_what_the_page_has(ada: Person, bob: Person):
    news = await topic(ada, "news", name="News", translations=[{"locale": "de", "name": "Neues"}])
    offers = await topic(ada, "offers", name="Offers", description="Once a week")
    form = await form_of(ada, news, offers)
    await set_brand(ada, colors={"accent": "#0b6e4f"}, font="serif")
    embedded = (await ada.rest("GET", f"/signup-forms/{form}/embed")).json()
    assert embedded["url"].endswith(f"/signup/{form}")
    page = Parsed(embedded["html"])
    assert page.attributes("action") == [embedded["url"]] and page.attributes("method") == ["post"]
    assert page.attributes("name") == ["email", "name", "topic", "topic", "website"]
    assert page.attributes("value") == ["news", "offers"]
    assert AGREED in page.text and "Once a week" in page.text
    assert "#0b6e4f" in embedded["html"] and "Palatino" in embedded["html"]
    plain = (await ada.data(EMBED, {"i": form, "s": False, "l": "de-AT"}))["signupFormEmbed"]["html"]
    assert "<style" not in plain and "style=" not in plain
    page = Parsed(plain)
    assert "Neues" in page.text and "Anmelden" in page.text and page.attributes("lang") == ["de"]
    assert page.attributes("value") == ["de", "news", "offers"]
    assert 'dir="rtl"' in (await ada.rest("GET", f"/signup-forms/{form}/embed?locale=ar")).json()["html"]
    assert (await bob.rest("GET", f"/signup-forms/{form}/embed")).status_code == 404
    assert (await ada.rest("GET", f'/signup-forms/{form}/embed?locale="><script>')).status_code == 400


async def test_nothing_of_it_is_html(ada: Person):
    first = await topic(ada, "first", name=EVIL[:100], description=EVIL)
    form = await form_of(ada, first, await topic(ada, "second"), text=EVIL, name=EVIL[:100])
    await set_brand(ada, name=EVIL[:100], imprint=EVIL)
    html = (await ada.rest("GET", f"/signup-forms/{form}/embed")).json()["html"]
    page = Parsed(html)
    assert {tag for tag, _ in page.elements} == {
        "style", "form", "p", "label", "input", "bdi", "small", "div", "button",
    }  # fmt: skip
    assert not [each for _, attributes in page.elements for each in attributes if each.startswith("on")]
    assert page.text.count("<script>alert(1)") == 3  # as it was written


@pytest.mark.usefixtures("database")
async def test_it_signs_people_up_from_another_site(
    ada: Person, client: httpx.AsyncClient, dispatcher: Dispatcher
):
    form = await form_of(ada, await topic(ada, "news", optIn="double"))
    embedded = (await ada.rest("GET", f"/signup-forms/{form}/embed?locale=de")).json()
    fields = {
        attributes["name"]: attributes.get("value") or ""
        for tag, attributes in Parsed(embedded["html"]).elements
        if tag == "input"
    }
    assert fields.keys() == {"locale", "email", "name", "website"}
    path = f"/signup/{form}"
    browser = {"origin": "https://shop.example", "referer": "https://shop.example/", "accept": "text/html"}
    sent = await client.post(path, data={**fields, "email": "anna@example.com"}, headers=browser)
    assert sent.status_code == 200, sent.text
    (mail,) = await mailed(dispatcher)
    assert mail.to == "anna@example.com"
    contacts = (await ada.rest("GET", "/contacts")).json()["items"]
    assert [contact["locale"] for contact in contacts] == ["de"]
    program = {**fields, "email": "bot@example.com", "website": "https://spam.example"}
    assert (await client.post(path, data=program, headers=browser)).status_code == 200
    assert await mailed(dispatcher) == []
