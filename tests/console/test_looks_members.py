"""The pages of members as people see them: see looks.py."""

import json

import pytest

from tests.console.looks import PHONE, Look, Looks, Sizes, every_look
from tests.console.steps import Tab
from tests.console.test_members import invite, join
from tests.console.users import call, new_user
from tests.support.live import Live
from tests.support.people import Person

pytestmark = pytest.mark.rotating


def _chosen(tab: Tab, width: int) -> None:
    """Opens the list of permissions."""
    tab.page.shows("[role=dialog] input[value=chosen]")
    tab.page.click("[role=dialog] input[value=chosen]")


def _new_link(tab: Tab, width: int) -> None:
    """Makes a new link for the first open invitation."""
    tab.page.click("main td button:nth-of-type(1):nth-last-of-type(3)")


def _remove(tab: Tab, width: int) -> None:
    """Asks whether the member is removed, who is the last of the list."""
    tab.page.click("main tr:last-of-type td button:last-of-type")


def _menu(tab: Tab, width: int) -> None:
    if width == PHONE:
        tab.page.click("header button[aria-expanded]")
    tab.page.click("header button[aria-haspopup=menu]:last-of-type")


OF_THE_OWNER: Looks = [
    ("members", "/console/members", None, "main table td"),
    ("member-invite", "/console/members?invite=1", None, "[role=dialog] input"),
    ("member-invite-chosen", "/console/members?invite=1", _chosen, "[role=dialog] fieldset input"),
    ("member-edit", "/console/members?edit={member}", None, "[role=dialog] input"),
    ("member-link", "/console/members", _new_link, "[role=dialog] [data-secret]"),
    ("member-remove", "/console/members", _remove, "[role=dialog] button:last-of-type"),
    ("member-audit", "/console/audit", None, "main table td"),
]
OF_THE_MEMBER: Looks = [
    ("members-none", "/console/members", None, "main [role=status]"),
    ("member-profile", "/console/profile", None, "main input[type=password]"),
]
WHILE_ACTING: Looks = [
    ("acting-overview", "/console", None, "canvas"),
    ("acting-menu", "/console/profile", _menu, "[role=menu]"),
    ("acting-project", "/console/projects/{project}", None, "main dl"),
    ("acting-accounts", "/console/accounts", None, "main [role=note]"),
    ("acting-not-open", "/console/inbox", None, "main h1"),
]

_PROJECT = "mutation ($i: NewSendingProject!) { createSendingProject(input: $i) { uuid } }"


@pytest.fixture(scope="module")
def member(live: Live) -> Person:
    return new_user(live)


@pytest.fixture(scope="module")
def owner(live: Live) -> Person:
    return new_user(live)


@pytest.fixture(scope="module")
def ids(live: Live, owner: Person, member: Person) -> dict[str, str]:
    """A member, an invitation with permissions that were chosen, and a project that the member sees."""
    id = join(live, owner, member, "viewer")
    long = f"{'accounting-' * 5}@example.com"
    invite(live, owner, long, "editor", permissions=["projects:read", "statistics:read"])
    project = call(live, owner, _PROJECT, i={"name": "Spring", "channel": "sms", "text": "Hello"})
    return {"member": id, "project": str(project["createSendingProject"]["uuid"])}


@every_look
def test_pages(
    page: Tab, owner: Person, member: Person, ids: dict[str, str], language: str, sizes: Sizes
) -> None:
    look = Look(page, language, sizes)
    page.open("/console/join#mbr_token")
    page.sees_element("main a")
    look.at("join-login", "main a")
    look.at_all(owner, OF_THE_OWNER, ids)
    look.at_all(member, OF_THE_MEMBER, ids)
    page.open("/console/join#mbr_token")
    look.at("join", "main form")
    acting = {"owner": str(owner.id), "name": owner.email, "person": str(member.id), "email": member.email}
    page.page.evaluate(
        f"sessionStorage.setItem('postern-acting-for', {json.dumps(json.dumps(acting))});"
        "sessionStorage.removeItem('postern-invitation-to-join')"
    )
    look.at_all(member, WHILE_ACTING, ids)
