"""The pages of domains as people see them: see looks.py."""

import pytest

from tests.console.looks import Look, Looks, Sizes, every_look
from tests.console.steps import Tab
from tests.console.users import call, new_user
from tests.support.dns import Zone
from tests.support.live import Live
from tests.support.people import Person

pytestmark = pytest.mark.rotating

_CREATE = "mutation ($n: String!) { createDomain(input: { name: $n }) { uuid records { name type value } } }"
_VERIFY = "mutation ($i: ID!) { verifyDomain(id: $i) { status } }"


def _rotate(tab: Tab, width: int) -> None:
    tab.page.click("main [data-actions] button:nth-of-type(2)")


def _email(tab: Tab, width: int) -> None:
    tab.page.click("[role=dialog] input[value=email] + label")


PAGES: Looks = [
    ("domains", "/console/domains", None, "main table td"),
    ("no-domain", "/console/domains?q=nothing", None, "main [role=status] p"),
    ("domain-add", "/console/domains?add=1", None, "[role=dialog] input"),
    ("domain-pending", "/console/domains/{pending}", None, "main li dl"),
    ("domain-verified", "/console/domains/{verified}", None, "main li dl"),
    ("domain-rotate", "/console/domains/{verified}", _rotate, "[role=dialog] button"),
    ("domain-message", "/console/messages?send=1", _email, "[role=dialog] input[maxlength='320']"),
]


@pytest.fixture(scope="module")
def owner(live: Live) -> Person:
    return new_user(live)


@pytest.fixture(scope="module")
def ids(live: Live, zone: Zone, owner: Person) -> dict[str, str]:
    """A domain whose records are in the DNS, and one with a long name whose records are not."""
    made = {
        name: call(live, owner, _CREATE, n=domain)["createDomain"]
        for name, domain in (
            ("verified", "looks.example"),
            ("pending", f"{'a-long-name-' * 4}of.a.{'domain' * 5}.example"),
        )
    }
    zone.publish(made["verified"]["records"])
    for one in made.values():
        call(live, owner, _VERIFY, i=one["uuid"])
    return {name: str(one["uuid"]) for name, one in made.items()}


@every_look
def test_pages(page: Tab, owner: Person, ids: dict[str, str], language: str, sizes: Sizes) -> None:
    Look(page, language, sizes).at_all(owner, PAGES, ids)
