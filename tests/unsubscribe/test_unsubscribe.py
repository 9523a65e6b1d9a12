"""One click in an email (RFC 8058) ends in a block for the project's owner."""

import base64
import hashlib
import re
from urllib.parse import urlsplit
from uuid import UUID, uuid4

import httpx
import pytest

from core.rate_limits import Limit
from engine import unsubscribe
from resolvers import unsubscribe as resolver
from runtime.services import Services
from tests.support.people import Person

OWNER = UUID("01a228b5-4ffd-7000-96be-4168abd9cfbc")
ONE_CLICK = {"List-Unsubscribe": "One-Click"}


async def record(services: Services, owner: Person, to: str = "anna@example.com") -> UUID:
    """A message of one of the owner's projects."""
    id = uuid4()
    await services.db.fetch(
        'INSERT INTO message_records (id, project_id, owner_id, channel, "to") VALUES ($1, $2, $3, $4, $5)',
        id,
        uuid4(),
        owner.id,
        "email",
        to,
    )
    return id


def headers_of(services: Services, message: UUID, sender: str | None = None) -> dict[str, str]:
    name = unsubscribe.list_name(OWNER)
    return unsubscribe.headers(services.settings, services.key("unsubscribe"), message, name, sender)


def path_of(services: Services, message: UUID) -> str:
    headers = headers_of(services, message)
    return urlsplit(headers["List-Unsubscribe"].strip("<>")).path


@pytest.mark.settings(public_url="https://postern.example.com/")
async def test_the_headers(services: Services):
    id = uuid4()
    headers = headers_of(services, id)
    assert headers["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    link = re.fullmatch(
        r"<https://postern\.example\.com/unsubscribe/([A-Za-z0-9_-]{43})>", headers["List-Unsubscribe"]
    )
    assert link
    assert unsubscribe.read(services.keys("unsubscribe"), link[1]) == id


@pytest.mark.settings(public_url="https://postern.example.com/")
@pytest.mark.parametrize(
    ("sender", "domain"),
    [
        (None, "postern.example.com"),
        ("News <news@Shop.example>", "shop.example"),
        ("news@bücher.example", "xn--bcher-kva.example"),
        ("news@[192.0.2.1]", "localhost"),
    ],
)
async def test_a_list_has_an_id(services: Services, sender: str | None, domain: str):
    found = headers_of(services, uuid4(), sender)["List-Id"]
    assert found == f"<direct.owner-{OWNER.hex}.{domain}>"
    assert re.fullmatch(r"<[a-z0-9-]{1,63}(\.[a-z0-9-]{1,63})+>", found) and len(found) < 255  # RFC 2919 §2


def test_a_list_keeps_its_id():
    project, one, two = uuid4(), uuid4(), uuid4()
    of_topic = unsubscribe.list_name(OWNER, project, topics=[one])
    assert of_topic == unsubscribe.list_name(OWNER, uuid4(), topics=[one], repeatable=two)
    assert unsubscribe.list_name(OWNER, project, topics=[one, two]) == unsubscribe.list_name(
        OWNER, uuid4(), topics=[two, one]
    )
    assert unsubscribe.list_name(OWNER, project, repeatable=one) == unsubscribe.list_name(
        OWNER, uuid4(), repeatable=one
    )
    names = {of_topic, unsubscribe.list_name(OWNER, project), unsubscribe.list_name(OWNER)}
    assert len(names) == 3 and all(OWNER.hex in name for name in names)


async def test_without_a_public_url_the_address_that_we_listen_on(services: Services):
    headers = headers_of(services, uuid4())
    assert headers["List-Unsubscribe"].startswith("<http://127.0.0.1:3000/unsubscribe/")


async def test_one_click_blocks_for_the_owner_alone(
    services: Services, client: httpx.AsyncClient, ada: Person, bob: Person
):
    path = path_of(services, await record(services, ada))
    for _ in range(2):  # again is no error
        answer = await client.post(path, data=ONE_CLICK)
        assert answer.status_code == 200, answer.text
    rows = (await ada.rest("GET", "/block/list")).json()["items"]
    assert [(row["phone"], row["reason"], row["scope"]) for row in rows] == [
        ("anna@example.com", "unsubscribed", "promotional")
    ]
    assert (await bob.rest("GET", "/block/count")).json() == {"count": 0}


async def test_as_a_multipart_form_and_with_parameters_of_the_mail_program(
    services: Services, client: httpx.AsyncClient, ada: Person
):
    path = path_of(services, await record(services, ada))
    answer = await client.post(f"{path}?utm_source=mail", files={"List-Unsubscribe": (None, "One-Click")})
    assert answer.status_code == 200
    assert (await ada.rest("GET", "/block/count")).json() == {"count": 1}


async def test_a_manual_block_becomes_the_recipient_s_own_and_a_complaint_stays(
    services: Services, client: httpx.AsyncClient, ada: Person
):
    for before, after in (
        ("manual", "unsubscribed"),
        ("hardBounce", "unsubscribed"),
        ("complaint", "complaint"),
    ):
        to = f"{before}@example.com"
        await ada.rest("POST", f"/block/{to}", json={"reason": before})
        await client.post(path_of(services, await record(services, ada, to)), data=ONE_CLICK)
        answer = await ada.rest("GET", "/block/list", params={"q": to})
        assert [(row["reason"], row["scope"]) for row in answer.json()["items"]] == [(after, "all")]


async def test_looking_changes_nothing_and_shows_a_button_without_a_script(
    services: Services, client: httpx.AsyncClient, ada: Person
):
    path = path_of(services, await record(services, ada))
    page = await client.get(path)
    assert page.status_code == 200
    assert page.headers["content-type"].startswith("text/html")
    assert (await ada.rest("GET", "/block/count")).json() == {"count": 0}
    assert '<form method="post"' in page.text
    assert "anna@" not in page.text
    for word in ("<script", "http:", "https:", "src="):
        assert word not in page.text
    policy = page.headers["content-security-policy"]
    (style,) = re.findall("<style>(.*?)</style>", page.text, re.DOTALL)
    digest = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()
    assert policy == (
        f"default-src 'none'; style-src 'sha256-{digest}'; form-action 'self'; "
        "base-uri 'none'; frame-ancestors 'none'"
    )
    assert page.headers["cache-control"] == "no-store"
    await client.post(path, data=ONE_CLICK)
    after = await client.get(path)
    assert "You are unsubscribed" in after.text
    assert "<form" not in after.text


async def test_no_token_can_be_made_up(services: Services, client: httpx.AsyncClient, ada: Person):
    id = await record(services, ada)
    good = path_of(services, id).rpartition("/")[2]
    signed = base64.urlsafe_b64decode(good + "=")
    other = uuid4()
    bad = [
        base64.urlsafe_b64encode(id.bytes + bytes(16)).decode().rstrip("="),
        base64.urlsafe_b64encode(other.bytes + signed[16:]).decode().rstrip("="),  # another's message
        base64.urlsafe_b64encode(id.bytes).decode().rstrip("="),
        unsubscribe.token(b"another key", id),
        unsubscribe.token(services.key("unsubscribe"), other),  # signed, but of no message
        good[:-2],
        good + "A",
        str(id),
        "%E2%82%AC",
        "=" * 43,
    ]
    for token in bad:
        for method in ("GET", "POST"):
            answer = await client.request(method, f"/unsubscribe/{token}")
            assert answer.status_code == 404, (token, answer.text)
            assert answer.json()["code"] == "unsubscribe_link_invalid"
    assert (await client.post(f"/unsubscribe/{'A' * 65}")).status_code == 400
    assert (await ada.rest("GET", "/block/count")).json() == {"count": 0}


async def test_who_asks_too_often_is_told_to_wait(
    services: Services, client: httpx.AsyncClient, ada: Person, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(resolver, "LIMIT", Limit("unsubscribe", 2, 3600))
    path = path_of(services, await record(services, ada))
    statuses = [(await client.post(path)).status_code for _ in range(3)]
    assert statuses == [200, 200, 429]
