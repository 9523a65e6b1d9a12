"""The page of domains: one is added, its records are copied and seen in the DNS, and its emails have a From."""

from typing import Any

from tests.console.steps import Tab
from tests.console.users import call, new_user
from tests.support.dns import Zone
from tests.support.live import Live
from tests.support.people import Person

_IN_DIALOG = "document.querySelector('[role=dialog]') !== null"
_DOMAINS = "{ domains { nodes { uuid name status records { name type value state } } } }"
_CREATE = "mutation ($n: String!) { createDomain(input: { name: $n }) { uuid records { name type value } } }"
_VERIFY = "mutation ($i: ID!) { verifyDomain(id: $i) { status } }"
_PROJECT = "mutation ($i: NewSendingProject!) { createSendingProject(input: $i) { uuid } }"
_FROM = "query ($i: ID!) { sendingProject(id: $i) { from } }"


def _domains(live: Live, user: Person) -> list[Any]:
    return list(call(live, user, _DOMAINS)["domains"]["nodes"])


def _verified(live: Live, user: Person, zone: Zone, name: str) -> None:
    made = call(live, user, _CREATE, n=name)["createDomain"]
    zone.publish(made["records"])
    assert call(live, user, _VERIFY, i=made["uuid"])["verifyDomain"]["status"] == "verified"


def _answers(page: Tab, button: str) -> None:
    page.page.wait(_IN_DIALOG)
    page.press(button)
    page.page.wait(f"!({_IN_DIALOG})")


def test_a_domain_is_added_verified_and_deleted(page: Tab, live: Live, zone: Zone) -> None:
    user = new_user(live)
    page.comes_as(user, "/console/domains")
    page.sees("There is no domain yet.")
    page.press("Add a domain")
    page.page.wait(_IN_DIALOG)
    page.fill("Domain", "not a domain")
    page.page.click("[role=dialog] button[type=submit]")
    page.sees("is not a domain, such as example.com")
    page.fill("Domain", "Page.Example")
    page.page.click("[role=dialog] button[type=submit]")
    page.sees("Set the records below at your DNS provider, then check.")
    (domain,) = _domains(live, user)
    page.is_at(f"/console/domains/{domain['uuid']}")
    own, key = domain["records"]
    page.sees(own["value"])
    page.sees(key["name"])
    # The key is not in the DNS, which is a finding with its record; nor is a policy.
    page.sees(f"{key['name']} has no record")
    page.sees("page.example has no DMARC policy")
    page.sees("v=DMARC1; p=none")
    page.press(f"Copy the value of {own['name']}")
    page.press("Copied")
    page.press("Check now")
    page.sees(f"{own['name']} has no TXT record.")
    zone.publish(domain["records"])
    page.press("Check now")
    page.sees("page.example is verified: emails may be sent from it.")
    page.sees(f"{key['name']} has the key")
    page.press("New DKIM key")
    _answers(page, "New DKIM key")
    page.sees("The new key waits for its record")
    assert [record["state"] for record in _domains(live, user)[0]["records"]] == [
        "active",
        "active",
        "pending",
    ]
    page.open("/console/domains")
    page.sees_row("page.example", "Verified")
    page.press("page.example")
    page.press("Delete")
    _answers(page, "Delete")
    page.is_at("/console/domains")
    page.sees("There is no domain yet.")
    assert _domains(live, user) == []


def test_a_message_has_a_sender_of_a_verified_domain(page: Tab, live: Live, zone: Zone) -> None:
    user = new_user(live)
    page.comes_as(user, "/console/messages?send=1")
    page.press("Email")
    page.sees("Subject")
    assert "your verified domains" not in page.text()
    _verified(live, user, zone, "message.example")
    page.open("/console/messages?send=1")
    page.press("Email")
    page.sees("An address of one of your verified domains")
    page.fill("Email address", "anna@example.com")
    page.fill("From", "news@elsewhere.example")
    page.fill("Text", "Hello")
    page.page.click("[role=dialog] button[type=submit]")
    page.sees("Emails may be sent from elsewhere.example when it is one of your verified domains.")
    page.fill("From", "The shop <news")
    page.press("The shop <news@message.example>")
    page.page.click("[role=dialog] button[type=submit]")
    page.sees("Show the message")


def test_a_project_has_a_sender_of_a_verified_domain(page: Tab, live: Live, zone: Zone) -> None:
    user = new_user(live)
    _verified(live, user, zone, "project.example")
    values = {"name": "News", "channel": "email", "subject": "News", "text": "Hello"}
    project = call(live, user, _PROJECT, i=values)["createSendingProject"]["uuid"]
    page.comes_as(user, f"/console/projects/new?project={project}&step=text")
    page.fill("From", "news")
    page.press("news@project.example")
    page.sees("Saved")
    page.page.wait("!document.body.innerText.includes('Not saved')")
    page.open(f"/console/projects/new?project={project}&step=text")
    page.sees("Subject")
    page.page.wait(
        "[...document.querySelectorAll('input')].some((one) => one.value === 'news@project.example')"
    )
    assert call(live, user, _FROM, i=project)["sendingProject"]["from"] == "news@project.example"


def test_an_administrator_sees_all_domains_and_checks_any(page: Tab, live: Live, admin: Person) -> None:
    user = new_user(live)
    call(live, user, _CREATE, n="seen.example")
    page.comes_as(admin, "/console/domains?q=seen")
    page.sees_row("seen.example", "Not verified", user.email)
    page.press("Check any domain")
    page.page.wait(_IN_DIALOG)
    page.fill("Domain", "other.example")
    page.page.click("[role=dialog] button[type=submit]")
    page.sees("there is no key for other.example")
    page.sees("_dmarc.other.example")
