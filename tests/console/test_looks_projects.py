"""The pages of projects and blocks as people see them: see looks.py."""

from typing import Any

import pytest

from tests.console.looks import LONG, Look, Looks, Sizes, every_look
from tests.console.messengers import connect
from tests.console.steps import Tab
from tests.console.users import call, new_user
from tests.support.live import Live
from tests.support.people import Person

pytestmark = pytest.mark.rotating


def _another_account(page: Tab, width: int) -> None:
    page.page.click("[role=dialog] input[value=other] + label")


def _all_rows(page: Tab, width: int) -> None:
    page.page.click("main thead input[type=checkbox]:not([disabled])")


def _write(page: Tab, width: int) -> None:
    page.page.click("main button:has(.tabler-icon-sparkles)")


def _try(page: Tab, width: int) -> None:
    page.page.click("main button:has(.tabler-icon-send)")


def _columns(page: Tab, width: int) -> None:
    page.page.click("main button[aria-haspopup=menu]:has(.tabler-icon-download)")
    page.page.click("[role=menu] button:has(.tabler-icon-columns)")


PAGES: Looks = [
    ("projects", "/console/projects", None, "main a[href*='/console/projects/']"),
    ("new-project", "/console/projects/new", None, "main nav[aria-label] button"),
    ("project-text", "/console/projects/new?project={draft}&step=text", None, "textarea"),
    ("project-schedule", "/console/projects/new?project={draft}&step=schedule", None, "main input"),
    ("project-plan", "/console/projects/new?project={draft}&step=check", None, "main dl"),
    ("project", "/console/projects/{project}", None, "h1"),
    ("followed", "/console/projects/{slow}", None, "main table td"),
    ("following", "/console/projects/{following}", None, "main dl a"),
    ("new-follow-up", "/console/projects/new?follow={project}", None, "main .mantine-NumberInput-input"),
    ("follow-up-plan", "/console/projects/new?project={follow_up}&step=check", None, "main dl"),
    ("speed", "/console/projects/{slow}?change=speed", None, "[role=dialog] input"),
    ("repeatable", "/console/repeatable", None, "h1"),
    ("edit-repeatable", "/console/repeatable/{repeatable}/edit", None, "main textarea"),
    ("blocks", "/console/blocks", None, "main table td, [role=cell]"),
    ("block", "/console/blocks?add=1", None, "[role=dialog] input"),
    ("senders", "/console/senders", None, "main table td"),
    ("sender", "/console/senders?add=1", None, "[role=dialog] form input"),
    ("sender-other", "/console/senders?add=1", _another_account, "[role=dialog] input[type=password]"),
    ("no-sender", "/console/senders?q=nothing", None, "main [role=status] p"),
    ("files", "/console/files", None, "main table td"),
    ("files-chosen", "/console/files", _all_rows, "main [role=group] button"),
    ("write", "/console/projects/new?project={draft}&step=text", _write, "[role=dialog] textarea"),
    ("trial", "/console/projects/new?project={draft}&step=text", _try, "[role=dialog] section"),
    ("columns", "/console/projects/{project}", _columns, "[role=dialog] fieldset input"),
]

_MAKE = "mutation ($i: NewSendingProject!) { createSendingProject(input: $i) { uuid } }"
_ADD = "mutation ($id: ID!, $i: AddRecipients!) { addRecipients(sendingProjectId: $id, input: $i) { added } }"
_START = "mutation ($id: ID!) { startSendingProject(id: $id) { uuid } }"
_REPEAT = "mutation ($i: NewRepeatableProject!) { createRepeatableSendingProject(input: $i) { uuid } }"
_SENDER = "mutation ($i: NewSourceAccount!) { createSourceAccount(input: $i) { uuid } }"
_TRIAL = "mutation ($i: SendTest!) { sendTestMessage(input: $i) { messageId } }"
_BLOCK = 'mutation { blockPhone(phone: "+14155550199") { uuid } }'


def _project(live: Live, user: Person, *phones: str, **fields: Any) -> str:
    new = {"name": LONG[:100], "channel": "sms", "text": f"Hello {LONG}", **fields}
    project = call(live, user, _MAKE, i=new)
    id = str(project["createSendingProject"]["uuid"])
    call(live, user, _ADD, id=id, i={"recipients": [{"phone": phone} for phone in phones]})
    return id


def _following(live: Live, user: Person, followed: str) -> str:
    """Makes a project for those whom `followed` does not reach."""
    new = {"name": LONG[:100], "channel": "sms", "text": f"Hello {LONG}"}
    audience = {"topicUuids": [], "follows": {"projectUuid": followed, "within": 3600}}
    made = call(live, user, _MAKE, i={**new, "audience": audience})
    return str(made["createSendingProject"]["uuid"])


@pytest.fixture(scope="module")
def user(live: Live) -> Person:
    return new_user(live)


@pytest.fixture(scope="module")
def ids(live: Live, user: Person) -> dict[str, str]:
    """A project that has not started, one that has, a slow one and two that follow it, a repeatable one, a block."""
    draft, project = (_project(live, user, "+15005550000", "+15005550010") for _ in range(2))
    call(live, user, _START, id=project)
    many = [f"+1415555{number:04}" for number in range(60)]  # so that it runs while its page is looked at
    slow = _project(live, user, *many, speed={"perMinute": 1})
    call(live, user, _START, id=slow)
    following, follow_up = (_following(live, user, slow) for _ in range(2))
    call(live, user, _START, id=following)
    repeatable = {
        "name": LONG[:100],
        "template": {"channel": "sms", "text": LONG},
        "schedule": {"cron": "0 9 * * *"},
        "source": {"sendingProjectUuid": draft},
    }
    repeated = call(live, user, _REPEAT, i=repeatable)["createRepeatableSendingProject"]["uuid"]
    call(live, user, _BLOCK)
    call(live, user, _SENDER, i={"source": "max", "login": LONG[:200], "token": "a-token-of-eighteen"})
    connect(live, user, LONG[:100])
    call(live, user, _TRIAL, i={"channel": "sms", "to": "+15005550010", "text": "Hello"})
    file = (f"{LONG[20:120].replace('/', '-')}.txt", LONG.encode())
    assert live.client.post("/file-uploader", files={"file": file}, headers=user.headers).is_success
    return {
        "draft": draft,
        "project": project,
        "slow": slow,
        "following": following,
        "follow_up": follow_up,
        "repeatable": str(repeated),
    }


@every_look
def test_pages(page: Tab, user: Person, ids: dict[str, str], language: str, sizes: Sizes) -> None:
    Look(page, language, sizes).at_all(user, PAGES, ids)
