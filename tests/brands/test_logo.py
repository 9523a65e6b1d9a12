"""The logo of a brand on pages and in mails, and what keeps its picture."""

from typing import Any
from uuid import uuid4

import httpx
import pytest

from core.http.dress import LOGO_BOX, Logo
from engine.direct.dispatch import Dispatcher
from engine.media import uses
from runtime.services import Services
from tests.brands.pages import Parsed, Site, mailed, set_brand
from tests.brands.test_dressed_pages import EVIL, FIELDS, check_harmless
from tests.brands.test_dressed_pages import site as _site
from tests.media.samples import picture
from tests.support.people import Person
from tests.templates.made import published, text

pytestmark = pytest.mark.settings(limit_verifications="1000/1", limit_verification_ip="1000/1")
site = _site


async def logo_of(person: Person, size: tuple[int, int] = (480, 320)) -> Any:
    answer = await person.rest("POST", "/media", files={"file": ("logo.png", picture(size=size))})
    assert answer.status_code == 201, answer.text
    return answer.json()


async def test_a_logo_stands_on_every_page_and_in_the_mails(site: Site, dispatcher: Dispatcher):
    logo = await logo_of(site.owner)
    evil = {**FIELDS, "logoUuid": logo["uuid"]}
    made = await set_brand(site.owner, **evil)
    assert (made["logoUuid"], made["logoUrl"]) == (logo["uuid"], logo["url"])
    pages = await site.pages()
    for name, answer in pages.items():
        page = check_harmless(answer, name, logo["url"])
        (image,) = [attributes for tag, attributes in page.elements if tag == "img"]
        assert (image["alt"], image["width"], image["height"]) == (EVIL[:100], "96", "64"), name
    mails = await mailed(dispatcher)
    assert mails
    for mail in mails:
        page = Parsed(mail.html or "")
        (image,) = [attributes for tag, attributes in page.elements if tag == "img"]
        assert (image["src"], image["alt"], image["height"]) == (logo["url"], EVIL[:100], "48")
        assert EVIL[:100] in mail.body
        assert not [each for _, attributes in page.elements for each in attributes if each.startswith("on")]


async def test_a_deleted_logo_leaves_the_name(site: Site, client: httpx.AsyncClient):
    logo = await logo_of(site.owner)
    await set_brand(site.owner, logoUuid=logo["uuid"])
    refused = await site.owner.rest("DELETE", f"/media/info/{logo['uuid']}")
    assert (refused.status_code, refused.json()["code"]) == (409, "picture_in_use")
    assert refused.json()["details"] == {"uses": [{"kind": "brand", "uuid": None, "name": "Example Shop"}]}
    assert (await site.owner.rest("DELETE", f"/media/info/{logo['uuid']}?force=true")).status_code == 204
    shown = (await site.owner.rest("GET", "/brand")).json()
    assert (shown["logoUuid"], shown["logoUrl"], shown["name"]) == (None, None, "Example Shop")
    page = check_harmless(await client.get(site.form), "form")
    assert "Example Shop" in page.text


async def test_only_ones_own_picture_is_a_logo(ada: Person, bob: Person):
    logo = await logo_of(ada)
    for uuid in (logo["uuid"], str(uuid4())):
        answer = await bob.rest("PUT", "/brand", json={"name": "Bob's", "logoUuid": uuid})
        assert (answer.status_code, answer.json()["code"]) == (404, "picture_not_found")
    answer = await bob.rest("PUT", "/brand", json={"name": "Bob's", "logoUuid": "https://eve.example/a.png"})
    assert answer.json()["code"] == "validation_failed"
    assert (await bob.rest("GET", "/brand")).status_code == 404


@pytest.mark.parametrize(
    ("size", "shown"),
    [((480, 320), (96, 64)), ((8, 6), (8, 6)), ((8000, 1), (240, 1)), ((1, 8000), (1, 64)), ((2400, 64), (240, 6))],
)  # fmt: skip
def test_a_logo_is_bounded(size: tuple[int, int], shown: tuple[int, int]):
    assert Logo("https://example.com/a.png", *size).within(*LOGO_BOX) == shown


def test_an_address_can_t_end_its_directive():
    assert (
        Logo("https://example.com/a;script-src *,b", 1, 1).source
        == "https://example.com/a%3Bscript-src%20*%2Cb"
    )


async def test_a_picture_in_use_is_deleted_by_force_alone(ada: Person, bob: Person, services: Services):
    logo, other = await logo_of(ada), await logo_of(ada)
    html = f'<p>Hello {{{{ name }}}}</p><img src="{logo["url"]}" alt="">'
    template = await published(ada, "letter", text(html=html))
    await published(bob, "letter", text(html=html))  # another owner's text keeps nothing
    body = {"name": "News", "channel": "email", "subject": "News", "text": "Hi", "html": html}
    project = (await ada.rest("POST", "/sending-project", json=body)).json()
    answer = (await ada.rest("DELETE", f"/media/info/{logo['uuid']}")).json()
    assert answer["code"] == "picture_in_use" and "template 'letter'" in answer["message"]
    assert sorted(answer["details"]["uses"], key=lambda use: use["kind"]) == [
        {"kind": "project", "uuid": project["uuid"], "name": "News"},
        {"kind": "template", "uuid": template["templateId"], "name": "letter"},
    ]
    delete = "mutation($i:ID!,$f:Boolean!){deletePicture(id:$i,force:$f)}"
    refused = await ada.graphql(delete, {"i": logo["uuid"], "f": False})
    assert refused["errors"][0]["extensions"]["code"] == "picture_in_use"
    assert (await ada.rest("DELETE", f"/media/info/{other['uuid']}")).status_code == 204  # used nowhere
    assert await ada.data(delete, {"i": logo["uuid"], "f": True}) == {"deletePicture": True}


async def test_a_search_reads_a_bounded_part(
    ada: Person, services: Services, monkeypatch: pytest.MonkeyPatch
):
    logo = await logo_of(ada)
    texts = [f'<img src="{logo["url"]}" alt="">', "<p>newer</p>"]
    for html in texts:
        body = {"name": "News", "channel": "email", "subject": "News", "text": "Hi", "html": html}
        assert (await ada.rest("POST", "/sending-project", json=body)).status_code == 201
    name = logo["url"].rpartition("/")[2]
    assert len(await uses.of_picture(services.db, ada.id, logo["uuid"], name)) == 1
    monkeypatch.setattr(uses, "_TEXTS", uses._TEXTS.replace("LIMIT 500", "LIMIT 1"))
    assert await uses.of_picture(services.db, ada.id, logo["uuid"], name) == []
