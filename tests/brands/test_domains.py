"""Domains of owners for links and pages: proven by a TXT record alone, asked for from a real DNS server."""

import asyncio
from typing import Any
from urllib.parse import urlsplit

import httpx
import pytest

from channels.sandbox import box
from engine.brands import domains
from engine.direct.dispatch import Dispatcher
from postern.doctor.domains import look_at_links
from postern.doctor.findings import Findings
from runtime import link_domains, links
from runtime.services import Services
from tests.brands.pages import STATUSES, Site, build, mailed, set_brand
from tests.brands.test_dressed_pages import check_harmless
from tests.consent.made import contact, topic
from tests.domains.conftest import zone as _zone
from tests.event_feed.test_event_feed import opened, read
from tests.persons.test_self_service import BROWSER
from tests.support.dns import Zone
from tests.support.people import People, Person
from tests.support.projects import Projects

pytestmark = pytest.mark.settings(
    limit_verifications="1000/1", limit_verification_ip="1000/1", public_url="https://postern.example.com"
)
zone = _zone
HOST = "links.ada.example"
CREATE = "mutation($n:String!){createBrandDomain(input:{name:$n}){uuid name status recordName recordValue}}"
VERIFY = "mutation($i:ID!){verifyBrandDomain(id:$i){status verifiedAt problem}}"


async def added(person: Person, name: str = HOST) -> Any:
    answer = await person.rest("POST", "/brand/domains", json={"name": name})
    assert answer.status_code == 201, answer.text
    return answer.json()


async def checked(person: Person, domain: Any) -> Any:
    return (await person.rest("POST", f"/brand/domains/{domain['id']}/verify")).json()


async def verified(person: Person, zone: Zone, name: str = HOST) -> Any:
    domain = await added(person, name)
    zone.set(domain["recordName"], "TXT", domain["recordValue"])
    answer = await checked(person, domain)
    assert answer["status"] == "verified", answer
    return answer


async def later(services: Services, id: str, days: int) -> None:
    """Moves all times of a domain into the past."""
    sets = ", ".join(f"{name} = {name} - interval '{days} days'" for name in ("lost_at", "check_at"))
    await services.db.fetch(f"UPDATE brand_domains SET {sets} WHERE id = $1 RETURNING id", id)


async def allowed(client: httpx.AsyncClient, name: str) -> int:
    return (await client.get("/brand/domains/ask", params={"domain": name})).status_code


@pytest.fixture
async def site(
    services: Services, client: httpx.AsyncClient, dispatcher: Dispatcher, projects: Projects, people: People
) -> Site:
    return await build(services, client, dispatcher, projects, await people.make(credit="100"))


async def test_a_domain_is_verified_by_its_record_and_not_by_a_cname(
    ada: Person, bob: Person, zone: Zone, client: httpx.AsyncClient
):
    domain = (await ada.data(CREATE, {"n": "Links.Ada.Example."}))["createBrandDomain"]
    assert (domain["name"], domain["status"]) == (HOST, "pending")
    assert domain["recordName"] == f"_postern.{HOST}"
    zone.set(HOST, "CNAME", "postern.example.com.")
    zone.set(HOST, "A", "192.0.2.1")
    answer = (await ada.data(VERIFY, {"i": domain["uuid"]}))["verifyBrandDomain"]
    assert (answer["status"], answer["verifiedAt"]) == ("pending", None)
    assert answer["problem"].startswith(f"_postern.{HOST} has no TXT record")
    zone.set(domain["recordName"], "TXT", "postern-verification=of-somebody-else")
    answer = (await ada.data(VERIFY, {"i": domain["uuid"]}))["verifyBrandDomain"]
    assert answer["status"] == "pending" and "has other TXT records" in answer["problem"]
    assert await allowed(client, HOST) == 404
    zone.set(domain["recordName"], "TXT", "something else", domain["recordValue"])
    answer = await checked(ada, {"id": domain["uuid"]})
    assert answer["status"] == "verified" and answer["verifiedAt"] and answer["problem"] is None
    assert [await allowed(client, name) for name in (HOST, f"{HOST}.", HOST.upper())] == [200] * 3
    for name in ("ada.example", f"a.{HOST}", "postern.example.com", "127.0.0.1", "a..b", "", "é", "a\x00b"):
        assert await allowed(client, name) in (400, 404), name
    for method, path in (("GET", ""), ("POST", "/verify"), ("DELETE", "")):
        answer = await bob.rest(method, f"/brand/domains/{domain['uuid']}{path}")
        assert (answer.status_code, answer.json()["code"]) == (404, "domain_not_found")
    assert (await bob.rest("GET", "/brand/domains")).json()["items"] == []


async def test_a_domain_is_of_one_owner_and_goes_with_its_record(
    ada: Person, bob: Person, zone: Zone, client: httpx.AsyncClient, services: Services
):
    hers = await verified(ada, zone)
    theirs = await added(bob)
    assert theirs["recordValue"] != hers["recordValue"]
    assert (await checked(bob, theirs))["status"] == "pending"
    zone.set(f"_postern.{HOST}", "TXT", hers["recordValue"], theirs["recordValue"])
    answer = await checked(bob, theirs)
    assert answer["status"] == "pending" and answer["problem"].startswith("Another user of this service")
    assert await link_domains.base_of(services, ada.id) == f"https://{HOST}"
    zone.set(f"_postern.{HOST}", "TXT", theirs["recordValue"])
    assert (await checked(bob, theirs))["status"] == "verified"
    shown = (await ada.rest("GET", f"/brand/domains/{hers['id']}")).json()
    assert shown["status"] == "expired" and "other TXT records" in shown["problem"]
    bases = await link_domains.bases_of(services, [ada.id, bob.id])
    assert bases == {ada.id: "https://postern.example.com", bob.id: f"https://{HOST}"}
    await services.db.fetch("UPDATE users SET status = 'suspended' WHERE id = $1 RETURNING id", bob.id)
    services.viewers.local_cache.invalidate_all()
    assert await allowed(client, HOST) == 404


async def test_a_lost_record_is_told_and_ends_after_a_week(
    ada: Person, zone: Zone, services: Services, client: httpx.AsyncClient
):
    cursor = await opened(ada)
    domain = await verified(ada, zone)
    zone.set(f"_postern.{HOST}", "TXT")
    await domains.check_due(services)  # it is not due
    for days, status, served in ((2, "lost", 200), (6, "lost", 200), (2, "expired", 404)):
        await later(services, domain["id"], days)
        await domains.check_due(services)
        assert (await ada.rest("GET", f"/brand/domains/{domain['id']}")).json()["status"] == status
        assert await allowed(client, HOST) == served
    zone.set(domain["recordName"], "TXT", domain["recordValue"])
    await later(services, domain["id"], 8)
    await domains.check_due(services)
    assert await allowed(client, HOST) == 200
    zone.fails = True
    await later(services, domain["id"], 8)
    await domains.check_due(services)  # a DNS that fails loses nothing
    assert await allowed(client, HOST) == 200
    events = (await read(ada, cursor))["events"]
    assert [event["type"] for event in events] == [
        f"brandDomain.{state}" for state in ("verified", "lost", "expired", "verified")
    ]


async def test_only_pages_of_its_owner_answer_on_a_domain(
    site: Site, zone: Zone, people: People, client: httpx.AsyncClient, services: Services
):
    other = await people.make()
    await set_brand(site.owner, name="Example Shop")
    domain = await verified(site.owner, zone)
    await verified(other, zone, "links.other.example")
    own, others = {"host": HOST, **BROWSER}, {"host": "links.other.example", **BROWSER}
    for name, path in site.gets.items():
        answer = await client.get(path, headers=own)
        assert answer.status_code == 200 and "Example Shop" in answer.text, name
        check_harmless(answer, name)
        assert (await client.head(path, headers={"host": f"{HOST.upper()}:443"})).status_code in (200, 405)
        for method in ("GET", "POST"):
            refused = await client.request(method, path, headers=others, data={"email": "eve@example.com"})
            assert refused.status_code == 404 and "Example Shop" not in refused.text, name
    assert await services.db.fetchval("SELECT count(*) FROM blocked_phones") == 0  # nothing was done
    for path in (
        "/", "/health", "/graphql", "/console", "/docs", "/openapi.json", "/auth/login", "/brand", "/messages",
        "/media/x", "/brand/domains/ask?domain=links.ada.example", "/hooks/x/y", "/unsubscribe", "/metrics",
        "//unsubscribe/x", "/.well-known/openid-configuration",
    ):  # fmt: skip
        for method in ("GET", "POST", "OPTIONS"):
            answer = await client.request(method, path, headers={**own, **site.owner.headers})
            assert answer.status_code == 404, (method, path)
        assert (await client.get(path, headers={"host": HOST})).json()["code"] == "not_found"
    assert (await client.put(site.form, headers=own)).status_code == 404
    forged = await client.get(f"/unsubscribe/{'A' * 43}", headers=own)
    assert forged.status_code == 404
    # A domain that nobody has proven shows nothing of who has added it, and nobody else is hurt by it.
    await services.db.fetch(
        "UPDATE brand_domains SET status = 'expired' WHERE id = $1 RETURNING id", domain["id"]
    )
    await link_domains.changed(services, [site.owner.id], HOST)
    for name, path in site.gets.items():
        assert (await client.get(path, headers=own)).status_code == 404, name
        assert (await client.get(path, headers=BROWSER)).status_code == 200, name
    assert (await client.get("/health", headers=own)).status_code == 200
    assert (await site.owner.rest("DELETE", f"/brand/domains/{domain['id']}")).status_code == 204
    assert (await client.get(site.form, headers=own)).status_code == 200  # an unknown host, as before


async def test_pages_and_forms_work_on_the_domain(site: Site, zone: Zone, client: httpx.AsyncClient):
    await verified(site.owner, zone)
    here = httpx.AsyncClient(transport=client._transport, base_url=f"https://{HOST}")
    moved = Site(site.services, here, site.owner, site.gets, site.form, site.preferences, site.verification)
    for name, answer in (await moved.pages()).items():
        assert answer.status_code == STATUSES.get(name, 200), (name, answer.text)
        check_harmless(answer, name)


async def test_links_have_the_domain(
    site: Site, zone: Zone, dispatcher: Dispatcher, projects: Projects, services: Services
):
    await verified(site.owner, zone)
    body = {
        "to": "anna@example.com",
        "channel": "email",
        "body": "{{ unsubscribe_url }}",
        "category": "promotional",
    }
    await site.owner.rest("POST", "/messages", json={**body, "metadata": {"subject": "Hi"}})
    await site.client.post(site.form, data={"email": "dora@example.com", "topic": "news"})
    await site.client.post(f"{site.preferences}/your-data", data={"request": "export"})
    urls = []
    for mail in await mailed(dispatcher):
        urls += [part for part in f"{mail.body} {mail.headers}".split() if "://" in part]
    started = await site.owner.rest(
        "POST",
        "/verifications",
        json={"to": "+14155550199", "channel": "sms", "returnUrl": "https://shop.example/back"},
    )
    urls.append(started.json()["pageUrl"])
    assert {urlsplit(url.strip("<>',")).netloc for url in urls} == {HOST}
    assert {urlsplit(url.strip("<>',")).path.split("/")[1] for url in urls} == {
        "unsubscribe", "opt-in", "your-data", "verify",
    }  # fmt: skip
    for url in urls:
        path = urlsplit(url.strip("<>',")).path
        for host in (HOST, "postern.example.com"):  # the same link works at both addresses
            answer = await site.client.get(path, headers={"host": host, **BROWSER})
            assert answer.status_code == 200, url


async def test_a_message_keeps_the_address_with_which_it_was_queued(
    site: Site, zone: Zone, dispatcher: Dispatcher, services: Services
):
    domain = await verified(site.owner, zone)
    await mailed(dispatcher)
    await site.client.post(site.form, data={"email": "emil@example.com", "topic": "news"})
    await site.owner.rest("DELETE", f"/brand/domains/{domain['id']}")
    assert await link_domains.base_of(services, site.owner.id) == links.base(services.settings)
    (mail,) = await mailed(dispatcher)
    (link,) = [line for line in mail.body.splitlines() if line.startswith("https://")]
    assert link.startswith(f"https://{HOST}/opt-in/") and "example" not in urlsplit(link).path
    answer = await site.client.get(urlsplit(link).path, headers=BROWSER)
    assert answer.status_code == 200


async def test_projects_use_the_domain_and_ask_once_a_batch(
    ada: Person, zone: Zone, projects: Projects, services: Services, monkeypatch: pytest.MonkeyPatch
):
    await verified(ada, zone)
    asked: list[int] = []
    fetch = services.db.fetch

    async def counted(sql: str, *arguments: Any) -> Any:
        asked.append("FROM brand_domains" in sql)
        return await fetch(sql, *arguments)

    monkeypatch.setattr(services.db, "fetch", counted)
    news = await topic(ada, "news")
    people = [await contact(ada, f"person{n}@example.com") for n in range(20)]
    subscribed = await ada.rest(
        "POST",
        "/topic-subscriptions",
        json={"contactUuids": people, "topicUuids": [news], "channel": "email", "evidence": "form"},
    )
    assert subscribed.status_code == 200, subscribed.text
    body = {"name": "News", "channel": "email", "subject": "News", "text": "{{ preferences_url }}"}
    project = (
        await ada.rest("POST", "/sending-project", json={**body, "audience": {"topicUuids": [news]}})
    ).json()
    assert (await ada.rest("POST", f"/sending-project/start/{project['uuid']}")).status_code == 200
    asked.clear()
    sent = await _sent(projects)
    assert len(sent) == 20
    for message in sent:
        assert message.body.startswith(f"https://{HOST}/preferences/")
        assert message.headers["List-Unsubscribe"].startswith(f"<https://{HOST}/unsubscribe/")
        assert "postern.example.com" in message.headers["List-Id"]
    assert sum(asked) <= 2  # one for the texts, one for the headers, of a batch


async def _sent(projects: Projects) -> list[Any]:
    box().outbox.clear()
    await projects.work()
    return [accepted.message for accepted in box().outbox]


async def test_bounds_of_domains(ada: Person, services: Services):
    own = await ada.rest("POST", "/brand/domains", json={"name": "postern.example.com"})
    assert (own.status_code, own.json()["code"]) == (400, "bad_domain")
    for name in ("com", "127.0.0.1", "https://a.example", "a b.example", "-a.example", "a" * 300):
        answer = await ada.rest("POST", "/brand/domains", json={"name": name})
        assert answer.json()["code"] == "validation_failed", name
    for number in range(5):
        await added(ada, f"l{number}.ada.example")
    again = await ada.rest("POST", "/brand/domains", json={"name": "l0.ada.example"})
    assert again.json()["code"] in ("domain_exists", "too_many_domains")
    more = await ada.rest("POST", "/brand/domains", json={"name": "l5.ada.example"})
    assert (more.status_code, more.json()["code"]) == (409, "too_many_domains")


async def test_the_doctor_reports_lost_domains(ada: Person, zone: Zone, services: Services):
    domain = await verified(ada, zone)
    lines: list[str] = []
    await look_at_links(Findings(lines.append), services.db)
    assert lines and "1 verified" in lines[0]
    zone.set(f"_postern.{HOST}", "TXT")
    await checked(ada, domain)
    lines.clear()
    await look_at_links(Findings(lines.append), services.db)
    assert HOST in lines[0] and "its record is gone since" in lines[0] and "work for a week" in lines[0]


async def test_a_crowd_of_hosts_takes_one_connection(
    client: httpx.AsyncClient, services: Services, monkeypatch: Any
):
    fetchrow, reading, most, reads = services.db.fetchrow, 0, 0, 0

    async def counted(sql: str, *args: Any) -> Any:
        nonlocal reading, most, reads
        if "brand_domains" not in sql:
            return await fetchrow(sql, *args)
        reading, reads = reading + 1, reads + 1
        most = max(most, reading)
        try:
            return await fetchrow(sql, *args)
        finally:
            reading -= 1

    monkeypatch.setattr(services.db, "fetchrow", counted)
    hosts = [f"host-{number}.example" for number in range(20)] + ["same.example"] * 20
    answers = await asyncio.gather(*(client.get("/health", headers={"host": host}) for host in hosts))
    assert {answer.status_code for answer in answers} == {200}
    assert (reads, most) == (21, 1)


@pytest.mark.parametrize(
    ("host", "name"),
    [
        ("Links.Ada.Example:443", HOST), ("links.ada.example.", HOST), ("localhost", None), ("127.0.0.1:3000", None),
        ("[::1]:3000", None), ("", None), ("a" * 300 + ".example", None), ("links.ada.example\r\nx", None),
        ("links.ada.example/..", None), ("xn--bcher-kva.example", "xn--bcher-kva.example"),
    ],
)  # fmt: skip
def test_names_of_hosts(host: str, name: str | None):
    assert link_domains.host_name(host) == name


async def test_hosts_of_this_service(services: Services):
    assert "postern.example.com" in link_domains.own_hosts(services)
