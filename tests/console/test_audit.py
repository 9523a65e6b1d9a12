"""The audit: its page with filters, and the history of a project and of an API token."""

from typing import Any

from tests.console.users import call, new_user
from tests.support.live import Live
from tests.support.people import Person

_TOKEN = "mutation ($i: NewApiToken!) { createApiToken(input: $i) { apiToken { uuid } } }"
_RENAME = "mutation ($id: ID!, $i: ApiTokenPatch!) { updateApiToken(id: $id, input: $i) { uuid } }"
_BLOCK = 'mutation { blockPhone(phone: "+14155550177") { uuid } }'
_CHANGE = (
    "mutation ($id: ID!, $i: SendingProjectPatch!) { updateSendingProject(id: $id, input: $i) { uuid } }"
)
_PROJECT = "mutation ($i: NewSendingProject!) { createSendingProject(input: $i) { uuid } }"


def _renamed_token(live: Live, user: Person) -> Any:
    made = call(live, user, _TOKEN, i={"name": "nightly"})["createApiToken"]["apiToken"]["uuid"]
    call(live, user, _RENAME, id=made, i={"name": "daily"})
    return made


def test_the_page_tells_who_changed_what(page, live):
    user = new_user(live)
    _renamed_token(live, user)
    call(live, user, _BLOCK)
    page.comes_as(user, "/console/audit")
    page.sees_row("You changed the name of the API token “daily”")
    page.press("Details: You changed the name of the API token “daily”")
    page.sees_row("api_tokens.update", "name: nightly → daily")
    page.press("Details: You blocked addresses in the block list")
    page.sees_row("blocks.block", "hidden (")
    page.sees_no("hmac:")
    assert "+14155550177" not in page.page.evaluate("document.body.innerText")
    page.fill("Operation", "blocks.block")
    page.page.wait("!document.body.innerText.includes('the API token')")
    page.sees_row("You blocked addresses")
    page.press("Export")
    page.press("Audit")
    page.press("CSV")
    page.sees("Download (1 row)")
    page.open("/console/audit?range=1h")
    page.sees_row("You blocked addresses")
    page.open("/console/audit?until=2026-01-01T00:00:00Z")
    page.sees("No entry matches the filters.")
    page.open("/console/audit?result=refused")
    page.sees("No entry matches the filters.")


def test_a_token_has_its_history(page, live):
    user = new_user(live)
    _renamed_token(live, user)
    page.comes_as(user, "/console/tokens")
    page.press("History of daily")
    page.sees_row("You changed the name of the API token “daily”")


def test_a_project_has_its_history(page, live):
    user = new_user(live)
    project = {"name": "Spring", "channel": "sms", "text": "Hello"}
    made = call(live, user, _PROJECT, i=project)["createSendingProject"]["uuid"]
    call(live, user, _CHANGE, id=made, i={"text": "Good morning"})
    page.comes_as(user, f"/console/projects/{made}")
    page.sees_row("You created the project “Spring”")
    page.sees_row("You changed the text of the project “Spring”")
    page.open(f"/console/audit?object={made}")
    page.sees_row("You changed the text of the project “Spring”", "Open")
    page.press("Details: You created the project “Spring”")
    page.sees_row("sending_projects.create", "name: nothing → Spring")
