"""Every page at the widths of a laptop and of a phone, light and dark: nothing is cut off, and everybody can use it.

With POSTERN_PICTURES=<folder> the pages are kept there as pictures.
"""

from collections.abc import Callable
from typing import Any

import pytest

from tests.console import axe
from tests.console.messengers import connect
from tests.console.steps import Tab
from tests.console.users import DELIVERED, FAILED, call, ends, new_user, send
from tests.support.live import Live
from tests.support.people import Person
from tests.support.ports import free_port
from tests.support.waits import eventually

LAPTOP, PHONE = 1280, 390
LOOKS = [
    (LAPTOP, "English", ("light", "dark")),
    (PHONE, "English", ("light", "dark")),
    (LAPTOP, "Русский", ("light",)),
]
_LONG = "https://example.com/" + "a-long-path-without-a-space/" * 8

# The last elements of the document that are wider than it.
_OUTSIDE = """[...document.querySelectorAll("main *")]
    .filter((one) => one.getBoundingClientRect().right > document.documentElement.clientWidth)
    .slice(-5).map((one) => `${one.tagName} ${one.innerText}`)"""


@pytest.fixture(scope="module")
def user(live: Live) -> Person:
    """A user with messages of two states, and a long word in each."""
    made = new_user(live)
    ids = [send(live, made, to, _LONG) for to in (DELIVERED, FAILED)]
    for id, state in zip(ids, ("delivered", "failed"), strict=True):
        ends(live, made, id, state)
    return made


def _key(page: Tab, width: int) -> None:
    page.page.press("k", 75, ctrl=True)


def _navigation(page: Tab, width: int) -> None:
    if width == PHONE:
        page.page.click("header button[aria-expanded]")


def _menu(page: Tab, width: int) -> None:
    page.page.click("header button[aria-haspopup=menu]:last-of-type")


def _table(page: Tab, width: int) -> None:
    """The numbers of the chart."""
    page.page.click("input[value=table] + label")


def _filters(page: Tab, width: int) -> None:
    if width == PHONE:
        page.page.click("main button[aria-expanded=false]")


# What a page is called, its address, what is then done, and what is there when all of it is loaded.
Looks = list[tuple[str, str, Callable[[Tab, int], None] | None, str]]
PAGES: Looks = [
    ("overview", "/console", None, "canvas"),
    ("numbers", "/console", _table, "main table td"),
    ("messages", "/console/messages", _filters, "[role=cell] a"),
    ("message", "/console/messages/{failed}", None, "table"),
    ("send", "/console/messages?send=1", None, "[role=dialog] textarea"),
    ("profile", "/console/profile", None, "main input[type=password]"),
    ("palette", "/console/profile", _key, "[role=dialog] input"),
    ("navigation", "/console/profile", _navigation, "nav a"),
    ("menu", "/console/profile", _menu, "[role=menu]"),
    ("nothing", "/console/nothing", None, "h1"),
]
PAGES_OF_PROJECTS: Looks = [
    ("projects", "/console/projects", None, "main a[href*='/console/projects/']"),
    ("new-project", "/console/projects/new", None, "nav[aria-label] button"),
    ("project-text", "/console/projects/new?project={draft}&step=text", None, "textarea"),
    ("project-schedule", "/console/projects/new?project={draft}&step=schedule", None, "main input"),
    ("project-plan", "/console/projects/new?project={draft}&step=check", None, "main dl"),
    ("project", "/console/projects/{project}", None, "h1"),
    ("repeatable", "/console/repeatable", None, "h1"),
    ("blocks", "/console/blocks", None, "main table td, [role=cell]"),
    ("block", "/console/blocks?add=1", None, "[role=dialog] input"),
]
PAGES_FOR_DEVELOPERS: Looks = [
    ("developer", "/console/developer", None, "main table"),
    ("tokens", "/console/tokens", None, "main table td"),
    ("new-token", "/console/tokens?new=1", None, "[role=dialog] input"),
    ("webhooks", "/console/webhooks", None, "main table td"),
    ("new-webhook", "/console/webhooks/new", None, "main textarea"),
    ("new-account-webhook", "/console/webhooks/new?of=account", None, "input[type=checkbox]"),
    ("webhook", "/console/webhooks/{webhook}", None, "main table td"),
    ("delivery", "/console/webhooks/{webhook}?delivery={delivery}", None, "[role=dialog] pre"),
    ("given-up", "/console/webhooks/{webhook}?tab=dead", None, "main table"),
    ("document", "/console/webhooks/{webhook}?tab=document", None, "main textarea"),
    ("webhook-settings", "/console/webhooks/{webhook}?tab=settings", None, "main form"),
    ("events", "/console/events", None, "[role=log] button"),
    ("event-types", "/console/events?tab=types", None, "main table td"),
    ("hook-secrets", "/console/hook-secrets", None, "main table td"),
]

# Shown to an administrator; the accounts are those of the user.
PAGES_OF_PEOPLE: Looks = [
    ("accounts", "/console/accounts?owner={user}", None, "[role=cell] a"),
    ("account", "/console/accounts/{account}", None, "[role=cell] a"),
    ("account-open", "/console/accounts?open=1", None, "[role=dialog] input"),
    ("users", "/console/users?status=active", None, "[role=cell] a"),
    ("invite", "/console/users?invite=1", None, "[role=dialog] input"),
    ("user", "/console/users/{user}", None, "main dl"),
    ("tariffs", "/console/tariffs", None, "main table a"),
    ("tariff", "/console/tariffs/default", None, "main dl"),
    ("tariff-edit", "/console/tariffs/default?edit=1", None, "main form input"),
    ("tariff-new", "/console/tariffs/new", None, "main form input"),
]
PAGES_OF_MESSENGERS: Looks = [
    ("inbox", "/console/inbox", None, "main ul a"),
    ("chat", "/console/inbox/{desk}/{chat}", None, "[role=log] li[data-outgoing]"),
    ("new-chat", "/console/inbox?new=1", None, "[role=dialog] input"),
]


def _newest(live: Live, user: Person) -> str:
    query = "{ messages(first: 1, where: { status: { eq: failed } }) { nodes { uuid } } }"
    return str(call(live, user, query)["messages"]["nodes"][0]["uuid"])


_MAKE = "mutation ($i: NewSendingProject!) { createSendingProject(input: $i) { uuid } }"
_ADD = "mutation ($id: ID!, $i: AddRecipients!) { addRecipients(sendingProjectId: $id, input: $i) { added } }"
_START = "mutation ($id: ID!) { startSendingProject(id: $id) { uuid } }"
_HOOK = "mutation ($i: NewEventWebhook!) { createWebhook(input: $i) { webhook { uuid } } }"
_TOKEN = 'mutation { createApiToken(input: { name: "nightly export" }) { token } }'
_HOOK_SECRET = "mutation { rotateHookSecret { secret } }"
_DELIVERIES = "query ($id: ID!) { webhookDeliveries(webhookId: $id, first: 50) { nodes { uuid attempts } } }"
_BLOCK = 'mutation { blockPhone(phone: "+14155550199") { uuid } }'


def _project(live: Live, user: Person, *phones: str) -> str:
    project = call(live, user, _MAKE, i={"name": _LONG[:100], "channel": "sms", "text": f"Hello {_LONG}"})
    id = str(project["createSendingProject"]["uuid"])
    call(live, user, _ADD, id=id, i={"recipients": [{"phone": phone} for phone in phones]})
    return id


def _chat(live: Live, user: Person) -> dict[str, str]:
    """A chat with messages of both sides, one of which is a reply."""
    desk, other = connect(live, user, "Support"), connect(live, new_user(live), "Bob")
    other.writes(desk.phone, _LONG)
    query = (
        "query ($id: ID!) { messengerChats(accountId: $id) { nodes { uuid messages { nodes { uuid } } } } }"
    )

    def came_in() -> list[Any]:
        return list(call(live, user, query, id=desk.id)["messengerChats"]["nodes"])

    (chat,) = eventually(came_in, "the message is in the inbox")
    desk.writes(other.phone, f"Hello {_LONG}")
    desk.writes(other.phone, "An answer", replyTo=chat["messages"]["nodes"][0]["uuid"])
    return {"desk": desk.id, "chat": str(chat["uuid"])}


@pytest.fixture(scope="module")
def ids(live: Live, user: Person) -> dict[str, str]:
    """What the addresses name: a message that has failed, a project that has not started, one that has."""
    draft, project = (_project(live, user, "+15005550000", "+15005550010") for _ in range(2))
    call(live, user, _START, id=project)
    hook = call(live, user, _HOOK, i={"url": f"http://127.0.0.1:{free_port()}/{'events-of-orders-' * 6}"})
    webhook = hook["createWebhook"]["webhook"]["uuid"]
    for query in (_BLOCK, _TOKEN, _HOOK_SECRET):
        call(live, user, query)

    def tried() -> Any:
        found = call(live, user, _DELIVERIES, id=webhook)["webhookDeliveries"]["nodes"]
        return next((one["uuid"] for one in found if one["attempts"]), None)

    return {
        "failed": _newest(live, user),
        "draft": draft,
        "project": project,
        "webhook": webhook,
        "delivery": eventually(tried, "an event could not be delivered"),
        "user": str(user.id),
        "account": str(user.account_id),
        **_chat(live, user),
    }


@pytest.mark.parametrize(
    "pages",
    [PAGES, PAGES_OF_PROJECTS, PAGES_FOR_DEVELOPERS, PAGES_OF_PEOPLE, PAGES_OF_MESSENGERS],
    ids=["messages", "projects", "developers", "people", "messengers"],
)
@pytest.mark.parametrize(("width", "language", "schemes"), LOOKS)
def test_every_page(
    page: Tab,
    live: Live,
    user: Person,
    ids: dict[str, str],
    pages: Looks,
    width: int,
    language: str,
    schemes: tuple[str, ...],
) -> None:
    axe.script()  # skips the test if it is not installed
    wrong = {}

    def look_at(name: str) -> None:
        page.page.wait("document.querySelector('main .mantine-Loader-root') === null")
        for scheme in schemes:
            page.dark(scheme == "dark")
            page.page.wait(f"document.documentElement.dataset.mantineColorScheme === {scheme!r}")
            page.page.wait("document.getAnimations().length === 0")  # colors change in a moment, not at once
            page.picture(f"{name}-{width}-{scheme}-{language[:2]}")
            wide = page.page.evaluate("document.documentElement.scrollWidth")
            assert wide <= width, (name, wide, page.page.evaluate(_OUTSIDE))
            if found := page.violations():
                wrong[name, scheme] = found

    page.at_width(width)
    page.open()
    page.press(language)
    look_at("login")
    page.open("/console/invitation")
    page.sees_element("form")
    look_at("invitation")
    page.comes_as(live.admin if pages is PAGES_OF_PEOPLE else user, "/console")
    for name, path, act, there in pages:
        page.open(path.format(**ids))
        page.sees_element("header")
        if act:
            act(page, width)
        page.sees_element(there)
        look_at(name)
    assert not wrong, wrong
