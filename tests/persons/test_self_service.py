"""People ask for their own data, or its erasure, by the page of preferences and a link to their own address."""

import json
import re
from typing import Any
from urllib.parse import urlsplit
from uuid import UUID

import httpx
import pytest

from channels.sandbox import box
from engine import unsubscribe
from engine.direct.dispatch import Dispatcher
from engine.exports import export_links
from engine.persons import self_service
from engine.texts.recipient_links import PREFERENCES_KEY
from runtime.services import Services
from tests.consent.made import contact
from tests.persons.test_erasing import MAIL, NAME, finished
from tests.support.people import People, Person

BROWSER = {"accept": "text/html,application/xhtml+xml,*/*;q=0.8"}


@pytest.fixture
async def owner(people: People) -> Person:
    """Somebody with money for the messages, whose contacts may do both."""
    owner = await people.make(credit="10")
    await offer(owner, ["export", "erase"])
    return owner


async def offer(owner: Person, kinds: list[str]) -> None:
    answer = await owner.rest("PATCH", f"/users/{owner.id}", json={"selfService": kinds})
    assert (answer.status_code, answer.json()["selfService"]) == (200, kinds), answer.text


async def preferences(services: Services, contact: str) -> str:
    return f"/preferences/{unsubscribe.token(services.key(PREFERENCES_KEY), UUID(contact))}"


async def ask(client: httpx.AsyncClient, page: str, kind: str, expected: int = 200) -> httpx.Response:
    answer = await client.post(f"{page}/your-data", data={"request": kind}, headers=BROWSER)
    assert answer.status_code == expected, answer.text
    return answer


async def mailed(dispatcher: Dispatcher, channel: str = "email") -> list[Any]:
    box().outbox.clear()
    await dispatcher.drain(channel)
    return [accepted.message for accepted in box().outbox]


def link_in(message: Any) -> str:
    return link_in_text(message.body)


def link_in_text(text: str) -> str:
    (link,) = re.findall(r"http\S*/your-data/\S+", text)
    return urlsplit(link).path


async def linked(client: httpx.AsyncClient, dispatcher: Dispatcher, page: str, kind: str) -> str:
    await ask(client, page, kind)
    (message,) = await mailed(dispatcher)
    assert message.to == MAIL
    return link_in(message)


async def pass_time(services: Services) -> None:
    """Lets half an hour pass."""
    await services.db.fetch(
        "UPDATE self_service_requests SET created_at = created_at - interval '31 minutes',"
        " used_at = used_at - interval '31 minutes'"
    )


async def test_a_person_is_erased_by_the_own_wish(
    services: Services, dispatcher: Dispatcher, client: httpx.AsyncClient, owner: Person
):
    made = await contact(owner, MAIL, name=NAME)
    page = await preferences(services, made)
    shown = await client.get(page)
    assert 'value="export"' in shown.text
    assert 'value="erase"' in shown.text
    link = await linked(client, dispatcher, page, "erase")
    for _ in range(3):  # programs that look for malware open it
        assert "Erase your data?" in (await client.get(link)).text
    assert (await owner.rest("GET", "/persons/erasures")).json()["items"] == []
    for _ in range(2):
        done = await client.post(link)
        assert (done.status_code, "is being erased" in done.text) == (200, True)
    (erasure,) = (await owner.rest("GET", "/persons/erasures")).json()["items"]
    assert (erasure["contactId"], erasure["requestedBy"]) == (made, None)
    assert (await finished(services, owner, erasure["id"]))["counts"]["self_service_requests"] == 1
    assert (await client.get(link)).status_code == 404
    assert (await owner.rest("GET", f"/contacts/{made}")).status_code == 404


async def test_a_person_gets_the_own_data_and_nobody_has_it_afterwards(
    services: Services, dispatcher: Dispatcher, client: httpx.AsyncClient, owner: Person
):
    made = await contact(owner, MAIL, name=NAME)
    await contact(owner, "bert@example.com", name="Bert")
    link = await linked(client, dispatcher, await preferences(services, made), "export")
    assert "Write the file" in (await client.get(link)).text
    waiting = await client.post(link)
    assert 'http-equiv="refresh"' in waiting.text
    await client.post(link)
    (export,) = (await owner.rest("GET", "/export-link")).json()["items"]
    await export_links.write(services, UUID(export["uuid"]))
    ready = await client.get(link)
    (url,) = re.findall(r'href="([^"]+)"', ready.text)
    parts = urlsplit(url.replace("&amp;", "&"))
    file = await client.get(f"{parts.path}?{parts.query}")
    rows = [json.loads(line) for line in file.text.splitlines()]
    assert NAME in {row["row"].get("name") for row in rows if row["table"] == "contacts"}
    assert "Bert" not in file.text
    await pass_time(services)
    assert (await client.get(link)).status_code == 404
    await self_service.forget(services)
    assert (await owner.rest("GET", "/export-link")).json()["items"] == []
    assert (await client.get(f"{parts.path}?{parts.query}")).status_code == 404
    assert await services.db.fetchval("SELECT count(*) FROM self_service_requests") == 0


async def test_a_request_whose_file_is_being_written_stays(
    services: Services, dispatcher: Dispatcher, client: httpx.AsyncClient, owner: Person
):
    made = await contact(owner, MAIL)
    link = await linked(client, dispatcher, await preferences(services, made), "export")
    await client.post(link)
    await pass_time(services)
    await self_service.forget(services)
    assert await services.db.fetchval("SELECT count(*) FROM self_service_requests") == 1
    assert "is being written" in (await client.get(link)).text


async def test_a_file_that_can_not_be_written_is_said(
    services: Services, dispatcher: Dispatcher, client: httpx.AsyncClient, owner: Person
):
    made = await contact(owner, MAIL)
    link = await linked(client, dispatcher, await preferences(services, made), "export")
    await client.post(link)
    await services.db.fetch("UPDATE export_links SET status = 'failed'")
    assert "could not be written" in (await client.get(link)).text


async def test_only_what_the_owner_offers(
    services: Services, dispatcher: Dispatcher, client: httpx.AsyncClient, people: People
):
    owner = await people.make(credit="10")
    made = await contact(owner, MAIL)
    page = await preferences(services, made)
    assert "your-data" not in (await client.get(page)).text
    refused = await ask(client, page, "erase", 404)
    assert "This sender does not offer that." in refused.text
    await offer(owner, ["erase"])
    assert 'value="export"' not in (await client.get(page)).text
    await ask(client, page, "export", 404)
    link = await linked(client, dispatcher, page, "erase")
    await offer(owner, [])  # links that are under way end with it
    assert (await client.post(link)).status_code == 404


async def test_a_link_is_valid_for_half_an_hour_and_for_the_address_it_went_to(
    services: Services, dispatcher: Dispatcher, client: httpx.AsyncClient, owner: Person
):
    made = await contact(owner, MAIL)
    page = await preferences(services, made)
    link = await linked(client, dispatcher, page, "erase")
    new = {"addresses": [{"channel": "email", "address": "other@example.com"}]}
    assert (await owner.rest("PATCH", f"/contacts/{made}", json=new)).status_code == 200
    assert (await client.post(link)).status_code == 404
    back = {"addresses": [{"channel": "email", "address": MAIL}]}
    assert (await owner.rest("PATCH", f"/contacts/{made}", json=back)).status_code == 200
    await pass_time(services)
    expired = await client.post(link, headers=BROWSER)
    assert expired.status_code == 404
    assert "<h1>" in expired.text
    assert "ask again on the page of your preferences." in expired.text
    assert (await client.post(link)).json()["code"] == "self_service_link_invalid"
    for forged in (link[:-3] + "AAA", page.replace("preferences", "your-data")):
        assert (await client.post(forged)).status_code == 404
    assert (await owner.rest("GET", "/persons/erasures")).json()["items"] == []


async def test_without_an_email_it_comes_by_sms(
    services: Services, dispatcher: Dispatcher, client: httpx.AsyncClient, owner: Person
):
    body = {"addresses": [{"channel": "sms", "address": "+14155550187"}], "locale": "de"}
    made = (await owner.rest("POST", "/contacts", json=body)).json()["id"]
    page = await preferences(services, made)
    sent = await ask(client, page, "export")
    assert 'lang="de"' in sent.text
    (message,) = await mailed(dispatcher, "sms")
    assert message.body.startswith("Öffnen Sie diesen Link")
    assert "Datei schreiben" in (await client.get(link_in(message))).text


async def test_without_an_address_for_a_link_nothing_is_offered(
    services: Services, client: httpx.AsyncClient, owner: Person
):
    body = {"addresses": [{"channel": "push", "address": "token-of-a-phone-0123456789"}]}
    made = (await owner.rest("POST", "/contacts", json=body)).json()["id"]
    page = await preferences(services, made)
    assert "your-data" not in (await client.get(page)).text
    await ask(client, page, "export", 404)


async def test_a_contact_is_sent_three_a_day(
    services: Services, dispatcher: Dispatcher, client: httpx.AsyncClient, owner: Person
):
    page = await preferences(services, await contact(owner, MAIL))
    for _ in range(3):
        await ask(client, page, "export")
    await ask(client, page, "export", 429)
    assert len(await mailed(dispatcher)) == 3
    await ask(client, await preferences(services, await contact(owner, "b@example.com")), "export")


@pytest.mark.settings(limit_signup_owner="2/86400")
async def test_an_owner_pays_for_so_many_a_day(
    services: Services, dispatcher: Dispatcher, client: httpx.AsyncClient, owner: Person
):
    for number in range(4):
        await ask(
            client, await preferences(services, await contact(owner, f"c{number}@example.com")), "export",
            429 if number >= 2 else 200,
        )  # fmt: skip
    assert len(await mailed(dispatcher)) == 2


async def test_an_owner_without_money_is_not_told_to_the_person(
    services: Services, dispatcher: Dispatcher, client: httpx.AsyncClient, people: People
):
    owner = await people.make()
    await offer(owner, ["erase"])
    await ask(client, await preferences(services, await contact(owner, MAIL)), "erase")
    assert await mailed(dispatcher) == []
    assert await services.db.fetchval("SELECT count(*) FROM self_service_requests") == 0


async def test_something_else_is_refused(services: Services, client: httpx.AsyncClient, owner: Person):
    page = await preferences(services, await contact(owner, MAIL))
    refused = await client.post(f"{page}/your-data", data={"request": "everything"})
    assert (refused.status_code, refused.json()["code"]) == (400, "validation_failed")


async def test_whoever_reads_messages_does_not_get_the_link(
    services: Services, dispatcher: Dispatcher, client: httpx.AsyncClient, owner: Person
):
    made = await contact(owner, MAIL)
    await ask(client, await preferences(services, made), "erase")
    (stored,) = (await owner.rest("GET", "/messages")).json()["items"]
    (message,) = await mailed(dispatcher)
    assert len(message.body) == len(stored["body"])
    assert (await client.post(link_in_text(stored["body"]))).status_code == 404
    # Nor by a message of one's own with the same metadata.
    own = {
        "channel": "email",
        "to": "me@example.com",
        "body": stored["body"],
        "metadata": {"selfService": True},
    }
    assert (await owner.rest("POST", "/messages", json=own)).status_code == 202
    (mine,) = await mailed(dispatcher)
    assert (await client.post(link_in(mine))).status_code == 404
    assert (await client.post(link_in(message))).status_code == 200


async def test_a_blocked_address_is_not_the_one_that_is_written_to(
    services: Services, dispatcher: Dispatcher, client: httpx.AsyncClient, owner: Person
):
    made = await contact(owner, MAIL, addresses=[{"channel": "sms", "address": "+14155550187"}])
    await owner.rest("POST", f"/block/{MAIL}", json={"reason": "complaint", "scope": "all"})
    page = await preferences(services, made)
    await ask(client, page, "erase")
    assert len(await mailed(dispatcher, "sms")) == 1
    await owner.rest("POST", "/block/+14155550187", json={"reason": "optOut", "scope": "all"})
    assert "If we can reach you" in (await ask(client, page, "erase")).text
    assert await services.db.fetchval("SELECT count(*) FROM self_service_requests") == 1


@pytest.mark.parametrize("how", ["deleted", "merged"])
async def test_the_file_is_deleted_also_if_the_contact_is_gone(
    services: Services, dispatcher: Dispatcher, client: httpx.AsyncClient, owner: Person, how: str
):
    made, other = await contact(owner, MAIL, name=NAME), await contact(owner, "bert@example.com")
    link = await linked(client, dispatcher, await preferences(services, made), "export")
    await client.post(link)
    (export,) = (await owner.rest("GET", "/export-link")).json()["items"]
    await export_links.write(services, UUID(export["uuid"]))
    if how == "deleted":
        assert (await owner.rest("DELETE", f"/contacts/{made}")).status_code == 204
    else:
        merge = await owner.rest("POST", f"/contacts/{other}/merge", json={"otherUuid": made})
        assert merge.status_code == 200, merge.text
    assert (await client.get(link)).status_code == (404 if how == "deleted" else 200)
    await pass_time(services)
    await self_service.forget(services)
    assert (await owner.rest("GET", "/export-link")).json()["items"] == []
    assert await services.db.fetchval("SELECT count(*) FROM files") == 0


async def test_exports_of_people_leave_the_owners_own_ten(
    services: Services, dispatcher: Dispatcher, client: httpx.AsyncClient, owner: Person
):
    link = await linked(client, dispatcher, await preferences(services, await contact(owner, MAIL)), "export")
    await client.post(link)
    for number in range(11):
        answer = await owner.rest("POST", "/export-link/start", json={"source": "messages"})
        assert answer.status_code == (409 if number == 10 else 201), answer.text


async def test_the_audit_has_nothing_of_the_person(
    services: Services, dispatcher: Dispatcher, client: httpx.AsyncClient, owner: Person
):
    made = await contact(owner, MAIL)
    link = await linked(client, dispatcher, await preferences(services, made), "erase")
    before = await services.db.fetchval("SELECT count(*) FROM audit_entries")
    assert (await client.post(link)).status_code == 200
    assert await services.db.fetchval("SELECT count(*) FROM audit_entries") == before
