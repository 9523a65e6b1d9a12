"""Members: an owner invites, a person joins and acts for the owner, sees what the role opens, and is removed."""

from typing import Any

import pytest

from tests.console.answers import answer
from tests.console.messengers import connect
from tests.console.steps import Tab
from tests.console.test_projects import project_with
from tests.console.users import call, new_user
from tests.support.live import Live
from tests.support.people import PASSWORD, Person
from tests.support.ports import free_port

_INVITE = "mutation ($i: NewMember!) { inviteMember(input: $i) { token member { uuid } } }"
_ACCEPT = "mutation ($i: AcceptMembership!) { acceptMembership(input: $i) { uuid } }"
_REMOVE = "mutation ($id: ID!) { removeMember(id: $id) }"
_CHANGE = "mutation ($id: ID!, $i: MemberPatch!) { changeMember(id: $id, input: $i) { uuid } }"
_BLOCK = 'mutation { blockPhone(phone: "+14155550177") { uuid } }'
_HOOK = """
mutation ($id: ID!, $i: NewWebhook!) { addWebhook(accountId: $id, input: $i) { webhook { uuid } } }
"""
_PROJECT = "mutation ($i: NewSendingProject!) { createSendingProject(input: $i) { uuid } }"


def _name(person: Person) -> str:
    """Returns the name that the console shows for a person."""
    return person.email.partition("@")[0]


def invite(live: Live, owner: Person, email: str, role: str, **more: Any) -> tuple[str, str]:
    """Invites somebody. Returns the member's id, and the token."""
    made = call(live, owner, _INVITE, i={"email": email, "role": role, **more})["inviteMember"]
    return str(made["member"]["uuid"]), str(made["token"])


def join(live: Live, owner: Person, member: Person, role: str, **more: Any) -> str:
    """Makes somebody a member. Returns the member's id."""
    id, token = invite(live, owner, member.email, role, **more)
    call(live, member, _ACCEPT, i={"token": token})
    return id


def _acts(page: Tab, live: Live, owner: Person, member: Person, path: str = "/console") -> None:
    """Logs in as the member, acts for the owner by the menu, and opens a page."""
    page.comes_as(member, "/console/profile")
    page.press(f"Account menu of {_name(member)}")
    page.press(f"Act for {_name(owner)}")
    page.sees(f"You act for {_name(owner)}.")
    page.open(path)
    page.sees(f"You act for {_name(owner)}.")


def _menu(page: Tab) -> list[str]:
    """The pages of the navigation."""
    page.opens_more()
    return list(
        page.page.evaluate(
            "[...document.querySelectorAll(\"nav[aria-label='Main navigation'] a\")].map((one) => one.innerText)"
        )
    )


def _logs_in(page: Tab, person: Person) -> None:
    page.fill("Email", person.email)
    page.fill("Password", PASSWORD)
    page.press("Log in")


@pytest.fixture
def owner(live: Live) -> Person:
    return new_user(live)


@pytest.fixture
def member(live: Live) -> Person:
    return new_user(live)


def test_an_invitation_leads_to_the_owner_s_data_and_back(page, live, owner, member):
    call(live, owner, _PROJECT, i={"name": "Of the owner", "channel": "sms", "text": "Hello"})
    call(live, member, _PROJECT, i={"name": "Of the member", "channel": "sms", "text": "Hello"})
    page.comes_as(owner, "/console/members")
    page.sees("Nobody acts for you yet.")
    page.press("Invite a member")
    page.fill("Email", member.email)
    page.press("Editor")
    page.press("Make the invitation")
    page.sees_element("[data-secret]")
    link = str(page.page.evaluate("document.querySelector('[data-secret]').textContent"))
    assert link.startswith(f"{page.url}/console/join#mbr_")
    page.press("I have copied it")
    page.sees_row(member.email, "Editor", "Invited", "until")

    # Somebody who is not logged in comes back after the login; the token is in no address then.
    page.page.call("Network.clearBrowserCookies")
    page.open(link.removeprefix(page.url))
    page.press("Log in and accept")
    page.is_at("/console/login?next=%2Fjoin")
    _logs_in(page, member)
    page.sees(f"You are logged in as {member.email}.")
    assert "mbr_" not in page.page.evaluate("location.href")
    page.press("Accept the invitation")
    page.press(f"Act for {_name(owner)} now")
    page.sees(f"You act for {_name(owner)}. Your role: Editor.")

    page.press("Projects")
    page.sees("Of the owner")
    page.sees_no("Of the member")
    menu = _menu(page)
    assert "Files" in menu
    assert not {"Inbox", "Webhooks", "Audit", "Members", "Report keys"} & set(menu)
    page.open("/console/inbox")
    page.sees("Your role does not open this page")
    page.press("Back to your own")
    page.sees_no("You act for")
    page.press("Projects")
    page.sees("Of the member")
    page.sees_no("Of the owner")
    page.comes_as(owner, "/console/members")
    page.sees_row(member.email, "Editor", "Member")


def test_each_tab_acts_for_itself(page, live, owner, member, another_tab):
    join(live, owner, member, "manager")
    _acts(page, live, owner, member, "/console/projects")
    other = another_tab()
    other.open("/console/projects")
    other.sees("Projects")
    other.sees_no("You act for")
    page.page.reload()
    page.sees(f"You act for {_name(owner)}.")


def test_a_removal_leads_back_while_the_page_is_open(page, live, owner, member):
    id = join(live, owner, member, "viewer")
    _acts(page, live, owner, member, "/console/projects")
    page.expected += ["403"]
    call(live, owner, _REMOVE, id=id)
    page.sees(f"You don't act for {_name(owner)} any more.")
    page.sees_no("Your role")
    page.press("Close")
    page.sees_no("any more")


def test_another_role_counts_in_the_open_page(page, live, owner, member):
    id = join(live, owner, member, "editor")
    _acts(page, live, owner, member, "/console/blocks")
    page.sees("Nobody is blocked.")
    call(live, owner, _CHANGE, id=id, i={"role": "viewer"})
    page.opens_more()
    page.press("Files")  # the next request is refused, and the console asks what is left
    page.sees("Your role does not open this page")
    assert set(_menu(page)) == {
        "Overview",
        "Projects",
        "Repeating",
        "Series",
        "Templates",
        "Approvals",
        "Deliverability",
        "API tokens",
    }


def test_an_owner_changes_and_removes_a_member(page, live, owner, member):
    join(live, owner, member, "viewer")
    page.comes_as(owner, "/console/members")
    page.press(f"Change what {member.email} may")
    page.press("Chosen permissions")
    page.press("See the block list")
    page.press("Save")
    page.sees_row(member.email, "4 permissions")
    page.press(f"Remove {member.email}")
    answer(page, "Remove")
    page.sees(f"{member.email} is no member any more.")
    page.sees("Nobody acts for you yet.")
    page.open("/console/audit?operation=members.accept")
    page.sees_row(member.email, "of the member")


def test_an_open_invitation_gets_a_new_link_and_is_withdrawn(page, live, owner, member):
    _, old = invite(live, owner, member.email, "viewer")
    page.comes_as(owner, "/console/members")
    page.press(f"Make a new link for {member.email}")
    page.sees_element("[data-secret]")
    page.press("I have copied it")
    page.press(f"Withdraw the invitation of {member.email}")
    answer(page, "Withdraw")
    page.sees("Nobody acts for you yet.")
    page.comes_as(member)
    page.open(f"/console/join#{old}")
    page.press("Accept the invitation")
    page.sees("This invitation is not valid")


def test_an_invitation_for_somebody_else_says_so_and_waits_for_them(page, live, owner, member):
    _, token = invite(live, owner, member.email, "viewer")
    wrong = new_user(live)
    page.comes_as(wrong)
    page.open(f"/console/join#{token}")
    page.press("Accept the invitation")
    page.sees("This invitation is for another email")
    page.press("Log in as somebody else")
    page.press("Log in and accept")
    _logs_in(page, member)
    page.press("Accept the invitation")
    page.sees(f"You act for {_name(owner)}")


def test_a_member_leaves_in_the_profile(page, live, owner, member):
    join(live, owner, member, "viewer")
    page.comes_as(member, "/console/profile")
    page.press(f"Leave {_name(owner)}")
    answer(page, "Leave")
    page.sees(f"You have left {_name(owner)}.")
    page.comes_as(owner, "/console/members")
    page.sees("Nobody acts for you yet.")


def test_the_profile_stays_one_s_own_while_acting(page, live, owner, member):
    join(live, owner, member, "viewer")
    _acts(page, live, owner, member, "/console/profile")
    page.fill("Display name", "Anna")
    page.press("Save")
    page.sees("Your profile is saved.")
    assert call(live, member, "{ me { displayName } }")["me"]["displayName"] == "Anna"
    assert call(live, owner, "{ me { displayName } }")["me"]["displayName"] == _name(owner)


def test_another_person_in_the_same_tab_acts_for_nobody(page, live, owner, member):
    join(live, owner, member, "manager")
    _acts(page, live, owner, member)
    other = new_user(live)
    join(live, owner, other, "manager")
    page.comes_as(other, "/console/projects")
    page.sees("Projects")
    page.sees_no("You act for")


@pytest.mark.parametrize("role", ["manager", "editor", "sender", "approver", "support", "viewer", "billing"])
def test_no_page_of_a_role_asks_for_what_is_refused(page, live, owner, member, role):
    """Each page of the menu shows no error, and the owner's audit has no refusal."""
    project = call(live, owner, _PROJECT, i={"name": "Spring", "channel": "sms", "text": "Hello"})
    join(live, owner, member, role)
    _acts(page, live, owner, member)
    if role == "support":
        page.is_at("/console/messages")  # this role has no overview
    links = (
        "[...document.querySelectorAll(\"nav[aria-label='Main navigation'] a\")].map((one) => one.pathname)"
    )
    page.opens_more()
    paths = list(page.page.evaluate(links))
    if "/console/projects" in paths:
        paths.append(f"/console/projects/{project['createSendingProject']['uuid']}")
    if "/console/accounts" in paths:
        paths.append(f"/console/accounts/{owner.account_id}")
    for path in paths:
        page.open(path)
        page.sees_element("main h1")
        page.page.wait("document.querySelector('main .mantine-Loader-root') === null")
        assert not page.page.evaluate("document.querySelectorAll('main [role=alert]').length"), (
            path,
            page.text(),
        )
    page.expected += ["403"]
    refused = call(
        live, owner, "{ auditEntries(where: { result: { eq: refused } }) { nodes { operation } } }"
    )
    assert refused["auditEntries"]["nodes"] == []


def test_who_may_only_look_is_offered_no_act(page, live, owner, member):
    """Of the pages that a permission to read opens, each act of the owner needs another permission."""
    call(live, owner, _BLOCK)
    account = connect(live, owner, "Desk").id
    url = f"http://127.0.0.1:{free_port()}/desk"
    added = call(live, owner, _HOOK, id=account, i={"webhookUrl": url})["addWebhook"]
    hook = f"/console/webhooks/{added['webhook']['uuid']}"
    acts = {
        "/console/blocks": (
            "+14155550177",
            "Block",
            "Import",
            "Export",
            "Unblock +14155550177",
            "Select +14155550177",
        ),
        "/console/messengers": ("Desk", "Add an account"),
        f"/console/messengers/{account}": ("Connected", "Stop…", "More actions", "Send a test", "Settings"),
        f"/console/messengers/{account}?tab=proxy": ("Proxy", "Stop…"),
        f"/console/messengers/{account}?tab=webhooks": (
            url,
            "Add a webhook",
            "Send a test event",
            f"More actions for {url}",
        ),
        "/console/webhooks": (url, "New webhook"),
        hook: (url, "Send a test event", "More actions", "Settings"),
    }
    permissions = ["blocks:read", "messengers:read"]
    join(live, owner, member, "viewer", permissions=permissions)
    page.comes_as(owner)
    for path, (seen, *names) in acts.items():
        page.open(path)
        page.sees(seen)
        assert [name for name in names if not page.has(name)] == [], path
    _acts(page, live, owner, member, "/console/blocks")
    for path, (seen, *names) in acts.items():
        page.open(path)
        page.sees(seen)
        assert [name for name in names if page.has(name)] == [], path
        assert not page.page.evaluate("document.querySelectorAll('main [role=alert]').length"), path
        page.page.wait(
            "[...document.querySelectorAll('main input[role=switch]')].every((one) => one.disabled)"
        )
    for path in ("/console/messengers/new", "/console/webhooks/new"):
        page.open(path)
        page.sees("Your role does not open this page")
    refused = "{ auditEntries(where: { result: { eq: refused } }) { nodes { operation } } }"
    assert call(live, owner, refused)["auditEntries"]["nodes"] == []


def test_three_people_send_one_project(page, live, owner):
    """An editor prepares it, a sender starts it, a viewer sees what came of it, and the owner reads who did what."""
    editor, sender, viewer = (new_user(live) for _ in range(3))
    for person, role in ((editor, "editor"), (sender, "sender"), (viewer, "viewer")):
        join(live, owner, person, role)

    _acts(page, live, owner, editor, "/console/projects/new")
    project_with(page, "+15005550000", "+15005550001", "+15005550010")
    page.sees("Your role prepares projects, and does not start them.")
    assert not page.has("Start")
    project = page.page.evaluate("new URLSearchParams(location.search).get('project')")
    page.picture("member-editor-plan")

    _acts(page, live, owner, sender, f"/console/projects/{project}")
    page.sees("Draft")
    assert not page.has("Continue editing")
    assert not page.has("Delete")
    page.press("Start")
    page.sees("3 messages are sent.")
    page.picture("member-sender-start")
    answer(page, "Start")
    page.sees("Finished")
    page.open(f"/console/projects/new?project={project}&step=text")
    page.sees("Your role does not open this page")

    _acts(page, live, owner, viewer, f"/console/projects/{project}")
    page.sees("Finished")
    page.sees("All shares are of the 3 messages")
    page.sees("Not delivered")
    page.picture("member-viewer-results")
    assert "+1500555" not in page.text()
    assert not page.has("Send again…")
    assert not page.page.evaluate(
        "[...document.querySelectorAll('main a')].some((a) => a.href.includes('messages'))"
    )
    page.open(f"/console/messages?kind=project&project={project}")
    page.sees("Your role does not open this page")

    page.comes_as(owner, f"/console/audit?object={project}")
    page.sees_row(f"{editor.email} created the project", "for you")
    page.sees_row(sender.email, "for you", "start")
    page.sees_no(viewer.email)
    page.picture("member-owner-audit")
