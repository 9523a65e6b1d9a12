"""Findings about the DNS of a domain, asked from a real DNS server."""

from typing import Any

import pytest

from engine.domains.examination import organization
from tests.domains.test_domains import added, verified
from tests.support.dns import Zone
from tests.support.people import Person

RELAYED = "smtp://relay.example:587?from=news@example.com&bounce=bounces.example.com&helo=out.example.com"


async def found(person: Person, id: str) -> dict[str, list[Any]]:
    answer = await person.rest("GET", f"/domains/{id}/findings")
    assert answer.status_code == 200, answer.text
    topics: dict[str, list[Any]] = {}
    for finding in answer.json():
        topics.setdefault(finding["topic"], []).append(finding)
    return topics


def complete(zone: Zone) -> None:
    zone.set("_dmarc.example.com", "TXT", "v=DMARC1; p=quarantine")
    zone.set("bounces.example.com", "MX", "10 mx.example.com.")
    zone.set("bounces.example.com", "TXT", "v=spf1 include:spf.relay.example -all")
    zone.set("spf.relay.example", "TXT", "v=spf1 ip4:192.0.2.0/28 -all")
    zone.set("relay.example", "A", "192.0.2.5")
    zone.set("5.2.0.192.in-addr.arpa", "PTR", "relay.example.")
    zone.set("out.example.com", "A", "192.0.2.9")


@pytest.mark.settings(channel_email=RELAYED)
async def test_all_is_well(ada: Person, bob: Person, zone: Zone):
    domain = await verified(ada, zone)
    complete(zone)
    topics = await found(ada, domain["id"])
    assert {*topics} == {"dkim", "dmarc", "alignment", "spf", "mx", "ptr", "helo"}
    assert {finding["state"] for findings in topics.values() for finding in findings} == {"ok"}
    assert (await bob.rest("GET", f"/domains/{domain['id']}/findings")).status_code == 404


@pytest.mark.settings(channel_email=RELAYED)
async def test_what_is_missing_is_named_with_its_record(ada: Person, zone: Zone):
    domain = await added(ada, "ada.test")
    topics = await found(ada, domain["id"])
    states = {topic: findings[0]["state"] for topic, findings in topics.items()}
    assert states == {
        "dkim": "error", "dmarc": "warning", "alignment": "warning", "mx": "error", "spf": "error", "helo": "warning",
    }  # fmt: skip
    key = domain["records"][1]
    assert (topics["dkim"][0]["recordName"], topics["dkim"][0]["recordValue"]) == (key["name"], key["value"])
    assert topics["dmarc"][0]["recordName"] == "_dmarc.ada.test"
    assert topics["spf"][0]["recordValue"] == "v=spf1 a:relay.example ~all"
    zone.set(key["name"], "TXT", "v=DKIM1; p=AAAA")
    zone.set("bounces.example.com", "TXT", "v=spf1 ip4:198.51.100.1 include:bounces.example.com ~all")
    topics = await found(ada, domain["id"])
    assert "another key" in topics["dkim"][0]["text"]
    assert topics["spf"][0]["state"] == "error"  # a record that includes itself ends
    assert "too many look-ups" in topics["spf"][0]["text"]
    zone.fails = True
    topics = await found(ada, domain["id"])
    assert {finding["state"] for finding in topics["dns"]} == {"unknown"}


@pytest.mark.parametrize(
    ("records", "state", "words"),
    [
        (["v=DMARC1; p=reject"], "ok", "reject"),
        (["v=DMARC1; P=Quarantine; rua=mailto:a@example.com"], "ok", "quarantine"),
        (["v=DMARC1; p=None"], "ok", "none"),
        (["v=DMARC1; p=bogus"], "error", "p=bogus"),
        (["v=DMARC1"], "error", "no p="),
        (["v=DMARC1; p=none", "v=DMARC1; p=reject"], "error", "2 DMARC records"),
        (["v=DMARC1; p=none", "a note"], "ok", "none"),
        (["v=DMARC10; p=none"], "warning", "no DMARC policy"),
    ],
)
async def test_a_policy_that_receivers_do_not_apply_is_not_well(
    records: list[str], state: str, words: str, ada: Person, zone: Zone
):
    domain = await added(ada, "example.com")
    zone.set("_dmarc.example.com", "TXT", *records)
    (finding,) = (await found(ada, domain["id"]))["dmarc"]
    assert (finding["state"], words in finding["text"]) == (state, True), finding
    assert "write p=none" in finding["text"] or "bogus" not in words


async def test_a_subdomain_has_the_policy_for_subdomains(ada: Person, zone: Zone):
    domain = await added(ada, "news.example.com")
    for record, policy in (("v=DMARC1; p=reject; sp=none", "none"), ("v=DMARC1; p=reject", "reject")):
        zone.set("_dmarc.example.com", "TXT", record)
        (finding,) = (await found(ada, domain["id"]))["dmarc"]
        assert (finding["state"], finding["text"]) == ("ok", f"the DMARC policy is {policy}")


INCLUDES = " ".join(f"include:i{n}.example" for n in range(11))


@pytest.mark.parametrize(
    ("record", "state", "words"),
    [
        (f"v=spf1 {INCLUDES} a:relay.example -all", "error", "too many look-ups"),
        (f"v=spf1 a:relay.example {INCLUDES} -all", "ok", "has relay.example"),
        (f"v=spf1 ip4:192.0.2.0/28 {INCLUDES} -all", "ok", "has relay.example"),
        ("v=spf1 a:relay.example/24 -all", "ok", "has relay.example"),
        ("v=spf1 redirect=spf.relay.example", "ok", "has relay.example"),
        ("v=spf1 mx -all", "warning", "does not have relay.example"),
        ("v=spf1 -ip4:192.0.2.5 a:relay.example -all", "warning", "does not have relay.example"),
        ("v=spf1 " + "exists:%{i}.example " * 11 + "-all", "error", "too many look-ups"),
    ],
)
@pytest.mark.settings(channel_email=RELAYED)
async def test_spf_of_too_many_look_ups_is_named(
    record: str, state: str, words: str, ada: Person, zone: Zone
):
    domain = await added(ada, "example.com")
    complete(zone)
    zone.set("bounces.example.com", "TXT", record)
    (finding,) = (await found(ada, domain["id"]))["spf"]
    assert (finding["state"], words in finding["text"]) == (state, True), finding


@pytest.mark.settings(channel_email=RELAYED)
async def test_an_administrator_checks_any_domain(ada: Person, admin: Person, zone: Zone):
    complete(zone)
    answer = await admin.rest("GET", "/system/domains/Example.com")
    states = {finding["topic"]: finding["state"] for finding in answer.json()}
    assert states["dkim"] == "warning" and states["spf"] == "ok"
    shown = (await admin.data('{domainCheck(domain:"example.com"){topic}}'))["domainCheck"]
    assert len(shown) == len(answer.json())
    assert (await ada.rest("GET", "/system/domains/example.com")).status_code == 403
    assert (await admin.rest("GET", "/system/domains/a%20b")).status_code == 400


@pytest.mark.parametrize(
    ("domain", "expected"),
    [
        ("example.com", "example.com"),
        ("Bounces.News.Example.com.", "example.com"),
        ("news.example.co.uk", "example.co.uk"),
        ("a.b.example.com.br", "example.com.br"),
        ("co.uk", "co.uk"),
        ("www.city.kawasaki.jp", "city.kawasaki.jp"),
        ("mail.shop.kawasaki.jp", "mail.shop.kawasaki.jp"),
        ("a.ada.github.io", "ada.github.io"),
        ("mail.xn--85x722f.com.cn", "xn--85x722f.com.cn"),
        ("news.example.internal", "example.internal"),
        ("localhost", "localhost"),
    ],
)
def test_the_organization_of_a_domain(domain: str, expected: str) -> None:
    assert organization(domain) == expected
