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
    assert topics["spf"][0]["state"] == "warning"  # a record that includes itself ends
    zone.fails = True
    topics = await found(ada, domain["id"])
    assert {finding["state"] for finding in topics["dns"]} == {"unknown"}


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
