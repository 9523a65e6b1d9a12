"""Domains of emails through both doors: their records are asked for from a real DNS server."""

from typing import Any

import pytest

from core import dns_lookup
from core.dns_lookup import DnsFailed, DnsLookup, server_of
from engine.domains import checks, dkim_keys
from runtime.services import Services
from tests.event_feed.test_event_feed import opened, read
from tests.support.dns import Zone, serving_dns
from tests.support.people import Person

CREATE = "mutation($n:String!){createDomain(input:{name:$n}){uuid name status records{purpose name type value state}}}"


async def added(person: Person, name: str = "example.com") -> Any:
    answer = await person.rest("POST", "/domains", json={"name": name})
    assert answer.status_code == 201, answer.text
    return answer.json()


async def verified(person: Person, zone: Zone, name: str = "example.com") -> Any:
    """A domain whose records are all published."""
    domain = await added(person, name)
    zone.publish(domain["records"])
    answer = (await person.rest("POST", f"/domains/{domain['id']}/verify")).json()
    assert answer["status"] == "verified"
    return answer


async def later(services: Services, id: str, days: int) -> None:
    """Moves all times of a domain and its keys into the past."""
    for table, names in (("domains", ("lost_at", "check_at", "created_at")), ("dkim_keys", ("state_at",))):
        sets = ", ".join(f"{name} = {name} - interval '{days} days'" for name in names)
        await services.db.fetch(f"UPDATE {table} SET {sets} RETURNING id")


async def state(person: Person, id: str) -> tuple[str, list[str]]:
    domain = (await person.rest("GET", f"/domains/{id}")).json()
    return domain["status"], [record["state"] for record in domain["records"]]


async def test_a_domain_is_verified_by_its_record(ada: Person, zone: Zone):
    domain = (await ada.data(CREATE, {"n": "Bücher.Example."}))["createDomain"]
    assert (domain["name"], domain["status"]) == ("xn--bcher-kva.example", "pending")
    own, key = domain["records"]
    assert own["name"] == "_postern.xn--bcher-kva.example"
    assert (own["purpose"], key["purpose"]) == ("verification", "dkim")
    assert key["value"].startswith("v=DKIM1; k=rsa; p=MII") and len(key["value"]) > 255
    uuid = domain["uuid"]
    answer = (await ada.rest("POST", f"/domains/{uuid}/verify")).json()
    assert (answer["status"], answer["verifiedAt"]) == ("pending", None)
    assert answer["problem"].startswith(f"{own['name']} has no TXT record")
    zone.set(own["name"], "TXT", "v=something else")
    answer = (await ada.rest("POST", f"/domains/{uuid}/verify")).json()
    assert "has other TXT records" in answer["problem"]
    zone.set(own["name"], "TXT", "v=something else", own["value"])
    verify = "mutation($i:ID!){verifyDomain(id:$i){status verifiedAt problem records{state}}}"
    answer = (await ada.data(verify, {"i": uuid}))["verifyDomain"]
    assert answer["status"] == "verified" and answer["verifiedAt"] and answer["problem"] is None
    assert [record["state"] for record in answer["records"]] == ["active", "pending"]
    zone.publish(domain["records"])
    answer = (await ada.data(verify, {"i": uuid}))["verifyDomain"]
    assert [record["state"] for record in answer["records"]] == ["active", "active"]


async def test_only_its_owner_has_it(ada: Person, bob: Person, admin: Person, zone: Zone):
    domain = await added(ada)
    again = await ada.rest("POST", "/domains", json={"name": "EXAMPLE.com"})
    assert (again.status_code, again.json()["code"]) == (409, "domain_exists")
    for method, path in (("GET", ""), ("POST", "/verify"), ("POST", "/rotate-dkim"), ("DELETE", "")):
        answer = await bob.rest(method, f"/domains/{domain['id']}{path}")
        assert (answer.status_code, answer.json()["code"]) == (404, "domain_not_found")
    assert (await bob.rest("GET", "/domains")).json()["items"] == []
    assert [one["name"] for one in (await admin.rest("GET", "/domains?name=EXAM")).json()["items"]] == [
        "example.com"
    ]
    await added(bob, "bob.example")
    asked = "query($i:String!){domains(where:{ownerId:{eq:$i}}){nodes{name owner{uuid}}}}"
    shown = (await admin.data(asked, {"i": str(bob.id)}))["domains"]["nodes"]
    assert shown == [{"name": "bob.example", "owner": {"uuid": str(bob.id)}}]
    assert (await ada.rest("DELETE", f"/domains/{domain['id']}")).status_code == 204
    assert (await ada.rest("GET", "/domains")).json()["items"] == []


async def test_two_owners_each_need_their_own_record(
    ada: Person, bob: Person, zone: Zone, services: Services
):
    hers = await verified(ada, zone)
    his = await added(bob)
    assert his["records"][0]["value"] != hers["records"][0]["value"]
    answer = (await bob.rest("POST", f"/domains/{his['id']}/verify")).json()
    assert answer["status"] == "pending"
    zone.set("_postern.example.com", "TXT", hers["records"][0]["value"], his["records"][0]["value"])
    for person, domain in ((ada, hers), (bob, his)):
        answer = (await person.rest("POST", f"/domains/{domain['id']}/verify")).json()
        assert answer["status"] == "verified"
    selectors = {domain["records"][1]["selector"] for domain in (hers, his)}
    assert len(selectors) == 2
    assert (await ada.rest("DELETE", f"/domains/{hers['id']}")).status_code == 204
    rows = await services.db.fetch("SELECT owner_id FROM dkim_keys")
    assert [row["owner_id"] for row in rows] == [bob.id]


async def test_a_lost_record_is_told_and_ends_after_a_week(ada: Person, zone: Zone, services: Services):
    cursor = await opened(ada)
    domain = await verified(ada, zone)
    id = domain["id"]
    await checks.check_due(services)
    assert (await state(ada, id))[0] == "verified"
    zone.set("_postern.example.com", "TXT")
    await later(services, id, 8)
    await checks.check_due(services)
    shown = (await ada.rest("GET", f"/domains/{id}")).json()
    assert shown["status"] == "lost" and shown["lostAt"] and "no TXT record" in shown["problem"]
    await later(services, id, 6)
    await checks.check_due(services)
    assert (await state(ada, id))[0] == "lost"
    zone.silent = False
    await later(services, id, 2)
    await checks.check_due(services)
    assert (await state(ada, id))[0] == "expired"
    zone.publish(domain["records"])
    await later(services, id, 8)
    await checks.check_due(services)
    assert (await state(ada, id))[0] == "verified"
    events = (await read(ada, cursor))["events"]
    assert [event["type"] for event in events] == [
        "domain.verified", "domain.lost", "domain.expired", "domain.verified",
    ]  # fmt: skip
    assert (events[1]["subjectId"], events[1]["data"]["name"]) == (id, "example.com")


async def test_a_dns_that_fails_loses_nothing(ada: Person, zone: Zone, services: Services):
    domain = await verified(ada, zone)
    zone.fails = True
    answer = (await ada.rest("POST", f"/domains/{domain['id']}/verify")).json()
    assert answer["status"] == "verified"
    assert answer["problem"].startswith("The DNS could not be asked")
    assert answer["checkedAt"] == domain["checkedAt"]
    zone.fails = False
    answer = (await ada.rest("POST", f"/domains/{domain['id']}/verify")).json()
    assert (answer["status"], answer["problem"]) == ("verified", None)


async def test_keys_are_rotated_with_two_records(ada: Person, zone: Zone, services: Services):
    domain = await verified(ada, zone)
    path = f"/domains/{domain['id']}"
    rotated = (await ada.rest("POST", f"{path}/rotate-dkim")).json()
    assert [record["state"] for record in rotated["records"]] == ["active", "active", "pending"]
    again = await ada.rest("POST", f"{path}/rotate-dkim")
    assert (again.status_code, again.json()["code"]) == (409, "key_pending")
    await ada.rest("POST", f"{path}/verify")
    assert (await state(ada, domain["id"]))[1] == ["active", "active", "pending"]
    zone.publish(rotated["records"])
    await later(services, domain["id"], 1)
    await checks.check_due(services)
    assert (await state(ada, domain["id"]))[1] == ["active", "retired", "active"]
    await later(services, domain["id"], 8)
    await checks.check_due(services)
    assert (await state(ada, domain["id"]))[1] == ["active", "active"]
    [key] = await dkim_keys.of_owner(services.db, ada.id, "example.com")
    assert key["selector"] == rotated["records"][2]["selector"]


@pytest.mark.parametrize(
    "name", ["", "a b", "x@example.com", "https://example.com", "[127.0.0.1]", "a" * 300, "a\x00b"]
)
async def test_a_name_that_is_no_domain(ada: Person, name: str):
    answer = await ada.rest("POST", "/domains", json={"name": name})
    assert (answer.status_code, answer.json()["code"]) == (400, "validation_failed")


async def test_a_name_is_asked_for_by_udp_and_tcp_within_bounds(monkeypatch: pytest.MonkeyPatch):
    async with serving_dns() as zone:
        dns = DnsLookup([zone.server])
        zone.set("long.example", "TXT", *("x" * 200 + str(n) for n in range(20)))
        assert len(await dns.txt("long.example")) == 20
        zone.set("many.example", "TXT", *(f"{n}" for n in range(90)))
        assert len(await dns.txt("many.example")) == 50
        zone.set("large.example", "TXT", "y" * 9_000)
        assert [len(text) for text in await dns.txt("large.example")] == [4_096]
        assert await dns.txt("nowhere.example") == []
        zone.set("only.example", "A", "192.0.2.1")
        assert await dns.txt("only.example") == []
        zone.fails = True
        with pytest.raises(DnsFailed, match="error"):
            await dns.txt("long.example")
        zone.fails, zone.silent = False, True
        monkeypatch.setattr(dns_lookup, "SECONDS", 0.3)
        with pytest.raises(DnsFailed, match=r"no answer about long\.example"):
            await dns.txt("long.example")
        with pytest.raises(DnsFailed):
            await dns.txt("a" * 64 + ".example")


@pytest.mark.parametrize(
    ("text", "server"),
    [
        ("127.0.0.1", ("127.0.0.1", 53)), ("127.0.0.1:5353", ("127.0.0.1", 5353)), ("::1", ("::1", 53)),
        ("[::1]:5353", ("::1", 5353)), ("[::1]", ("::1", 53)),
    ],
)  # fmt: skip
def test_a_server_is_an_address_with_a_port(text: str, server: tuple[str, int]):
    assert server_of(text) == server


@pytest.mark.parametrize("text", ["", "dns.example", "127.0.0.1:", "127.0.0.1:0", "127.0.0.1:x", "[::1"])
def test_no_server(text: str):
    with pytest.raises(ValueError, match=r"address"):
        server_of(text)


@pytest.mark.parametrize("name", ["com", "co.uk", "127.0.0.1", "intranet", "k12.ca.us", "xn--p1ai", "COM."])
async def test_a_suffix_is_nobodys_domain(name: str, ada: Person):
    answer = await ada.rest("POST", "/domains", json={"name": name})
    assert answer.status_code == 400, answer.text
    assert "write" in answer.text and "such as example." in answer.text
    errors = (
        await ada.graphql("mutation($i:NewDomain!){createDomain(input:$i){uuid}}", {"i": {"name": name}})
    )["errors"]
    assert "write" in str(errors)


@pytest.mark.parametrize("name", ["example.co.uk", "ada.test", "github.io"])
async def test_what_one_owner_can_register_is_a_domain(name: str, ada: Person):
    assert (await ada.rest("POST", "/domains", json={"name": name})).status_code == 201
