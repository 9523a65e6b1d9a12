"""The page on which a person enters a code: in ten languages, without a script, and back to the owner's page."""

import re
from typing import Any
from urllib.parse import urlsplit

import httpx
import pytest

from engine.direct.dispatch import Dispatcher
from runtime.services import Services
from tests.api_tokens.made import caller, made
from tests.support.people import Person
from tests.verifications.codes import CHANNELS, RATES, code_of, other, sent, start
from tests.verifications.test_verifications import shift

pytestmark = pytest.mark.settings(**CHANNELS, **RATES)
RETURN = "https://shop.example/back?cart=7"


async def _started(person: Person, **body: Any) -> tuple[str, str]:
    """The id of a verification with a page, and the path of the page."""
    answer = await start(person, returnUrl=RETURN, **body)
    return answer["id"], urlsplit(answer["pageUrl"]).path


async def _post(client: httpx.AsyncClient, path: str, **form: str) -> httpx.Response:
    return await client.post(path, data=form, follow_redirects=False)


async def test_a_person_enters_the_code(ada: Person, client: httpx.AsyncClient, dispatcher: Dispatcher):
    id, path = await _started(ada, length=4)
    code = await code_of(dispatcher)
    page = await client.get(path)
    assert page.status_code == 200
    policy = page.headers["content-security-policy"]
    assert "default-src 'none'" in policy and "form-action 'self' https://shop.example;" in policy
    assert "unsafe" not in policy and page.headers["cache-control"] == "no-store"
    assert "+14•••00" in page.text and "4155550100" not in page.text and code not in page.text
    assert 'pattern="[0-9]{4}"' in page.text and 'autocomplete="one-time-code"' in page.text
    wrong = await _post(client, path, code=other(code))
    assert wrong.status_code == 200 and "Tries left: 4." in wrong.text
    right = await _post(client, path, code=code)
    assert right.status_code == 303
    assert right.headers["location"] == f"{RETURN}&verification={id}&status=approved"
    assert (await ada.rest("GET", f"/verifications/{id}")).json()["status"] == "approved"
    again = await client.get(path)
    assert "Thank you" in again.text and f"verification={id}" in again.text and "<form" not in again.text


async def test_resend_by_the_page(
    ada: Person, client: httpx.AsyncClient, services: Services, dispatcher: Dispatcher
):
    id, path = await _started(ada, locale="de")
    code = await code_of(dispatcher)
    early = await _post(client, path, resend="1")
    assert early.status_code == 200 and re.search("Sie können ihn in (29|30) s", early.text)
    await shift(services, id, 31)
    resent = await _post(client, path, resend="1")
    assert "Der Code wurde erneut gesendet." in resent.text
    assert await code_of(dispatcher) == code and "Ihr Code" in sent()[-1].message.body
    assert (await ada.rest("GET", f"/verifications/{id}")).json()["sends"] == 2


async def test_the_page_ends(
    ada: Person, client: httpx.AsyncClient, services: Services, dispatcher: Dispatcher
):
    _, path = await _started(ada)
    code = await code_of(dispatcher)
    for _ in range(5):
        answer = await _post(client, path, code=other(code))
    assert "Too many wrong codes" in answer.text and "status=too_many" in answer.text
    assert "Too many wrong codes" in (await _post(client, path, code=code)).text
    id, path = await _started(ada, purpose="late")
    await shift(services, id, 700)
    assert "has expired" in (await client.get(path)).text
    assert "has expired" in (await _post(client, path, resend="1")).text
    id, path = await _started(ada, purpose="canceled")
    await ada.rest("POST", f"/verifications/{id}/cancel")
    assert "was canceled" in (await client.get(path)).text


async def test_what_the_page_does_not_open(ada: Person, client: httpx.AsyncClient, services: Services):
    without = (await start(ada))["id"]
    _, path = await _started(ada, purpose="b")
    for wrong in (f"{path[:-1]}{'A' if path[-1] != 'A' else 'B'}x", "/verify/x", f"/verify/{without}"):
        for answer in (await client.get(wrong), await _post(client, wrong, code="123456")):
            assert (answer.status_code, answer.json()["code"]) == (404, "verification_link_invalid")
    assert (await _post(client, path, code="1" * 33)).status_code == 400
    big = await client.post(path, content=b"code=" + b"1" * 20_000)
    assert big.status_code == 400
    await services.db.fetch("UPDATE users SET status = 'suspended' WHERE id = $1", ada.id)
    assert (await client.get(path)).status_code == 404


async def test_a_page_says_when_nothing_can_be_sent(
    ada: Person, client: httpx.AsyncClient, services: Services
):
    id, path = await _started(ada)
    await shift(services, id, 31)
    await services.db.fetch("UPDATE accounts SET balance = 0 WHERE owner_id = $1", ada.id)
    assert (
        "can&#x27;t be sent now" in (text := (await _post(client, path, resend="1")).text)
        or "can't be sent" in text
    )
    assert (await ada.rest("GET", f"/verifications/{id}")).json()["sends"] == 1


async def test_the_limits_of_the_token_hold_for_the_page(
    ada: Person, client: httpx.AsyncClient, services: Services, dispatcher: Dispatcher
):
    value, token_id = await made(ada, scopes=["verifications:write"], messagesPerDay=2)
    token = caller(ada, value)
    id, path = await _started(token)
    await shift(services, id, 31)
    assert "was sent again" in (await _post(client, path, resend="1")).text
    await shift(services, id, 61)
    assert "be sent now" in (await _post(client, path, resend="1")).text
    refused = await token.rest("POST", "/verifications", json={"to": "+14155550177", "channel": "sms"})
    assert (refused.status_code, refused.json()["code"]) == (429, "token_message_limit")
    await ada.rest("DELETE", f"/api-tokens/{token_id}")
    assert "be sent now" in (await _post(client, path, resend="1")).text


async def test_wrong_codes_by_the_page_are_limited(ada: Person, client: httpx.AsyncClient):
    answers = [(await _post(client, "/verify/x", code="123456")).status_code for _ in range(61)]
    assert answers == [404] * 60 + [429]
