"""API tokens: made, limited, changed and revoked."""

from http import HTTPStatus
from typing import Any

import pytest

from runtime.permissions import SCOPES
from tests.console.answers import IN_DIALOG, answer, stored_secret
from tests.console.steps import Tab
from tests.console.users import call, new_user
from tests.support.live import Live
from tests.support.people import Person
from tests.support.ports import free_port

_CREATE = "mutation ($i: NewApiToken!) { createApiToken(input: $i) { token } }"
_TOKENS = "{ apiTokens(first: 10) { nodes { name scopes networks expiresAt revokedAt } } }"
_HOOK = "mutation ($i: NewEventWebhook!) { createWebhook(input: $i) { webhook { uuid } } }"
_HOOKS = "{ webhooks(first: 10) { nodes { enabled } } }"


def _only_token(live: Live, user: Person) -> Any:
    (token,) = call(live, user, _TOKENS)["apiTokens"]["nodes"]
    return token


def _status(live: Live, token: str, path: str) -> int:
    return live.client.get(path, headers={"authorization": f"Bearer {token}"}).status_code


def _ticked(page: Tab) -> list[str]:
    boxes = "document.querySelectorAll('[role=dialog] input[type=checkbox]:checked')"
    return sorted(page.page.evaluate(f"[...{boxes}].map((box) => box.value)"))


def _field_error(page: Tab, selector: str) -> str:
    """Returns the error that a field of the dialog names as its description."""
    field = f"document.querySelector('[role=dialog] {selector}')"
    named = f"{field}.getAttribute('aria-describedby') ?? ''"
    text = f"({named}).split(' ').map((id) => document.getElementById(id)?.textContent ?? '').join(' ')"
    return str(page.page.wait(f"{field}.ariaInvalid === 'true' && {text}"))


def test_a_token_is_made_used_and_revoked(page, live):
    page.comes_as(new_user(live), "/console/tokens")
    page.sees("You have no API token.")
    page.press("New API token")
    page.fill("Name", "nightly export")
    page.press("Create")
    page.sees("It is shown only this time.")
    token = stored_secret(page)
    assert token not in page.page.evaluate(
        "document.documentElement.outerHTML + JSON.stringify(localStorage)"
    )
    assert _status(live, token, "/auth/me") == HTTPStatus.OK
    page.sees_row("nightly export", f"pst_…{token[-4:]}", "Full", "Everywhere")
    page.press("Revoke nightly export")
    answer(page, "Revoke")
    page.sees("nightly export is revoked.")
    assert _status(live, token, "/auth/me") == HTTPStatus.UNAUTHORIZED
    page.open("/console/tokens?show=revoked")
    page.sees_row("nightly export")


def test_a_limited_token_may_only_what_is_ticked(page, live):
    user = new_user(live)
    page.comes_as(user, "/console/tokens")
    page.press("New API token")
    page.fill("Name", "shop")
    page.press("Only what is ticked")
    page.press("Send messages")
    page.press("See the block list")
    page.press("Upload and delete files")  # which the preset has ticked
    scopes = [
        "accounts:read", "blocks:read", "messages:read", "messages:send", "verifications:read", "verifications:write",
    ]  # fmt: skip
    assert _ticked(page) == scopes
    page.press("Create")
    token = stored_secret(page)
    page.sees_row("shop", "6 permissions", "Everywhere")
    assert _only_token(live, user)["scopes"] == scopes
    assert _status(live, token, "/accounts") == HTTPStatus.OK
    assert _status(live, token, "/messages") == HTTPStatus.OK
    assert _status(live, token, "/settings") == HTTPStatus.FORBIDDEN


def test_what_somebody_does_not_have_cannot_be_ticked(page, live):
    page.comes_as(new_user(live), "/console/tokens?new=1")
    page.press("Only what is ticked")
    disabled = "[...document.querySelectorAll('[role=dialog] input[type=checkbox]:disabled')].map((box) => box.value)"
    assert sorted(page.page.wait(f"({disabled}).length > 0 && {disabled}")) == [
        "accounts:credit",
        "system:read",
        "users:admin",
        "users:list",
    ]
    page.sees("system:read · you don't have it")
    page.page.wait(
        "[...document.querySelectorAll('[role=dialog] button')]"
        ".find((button) => button.textContent === 'Read metrics')?.disabled"
    )
    boxes = page.page.evaluate("document.querySelectorAll('[role=dialog] input[value*=\":\"]').length")
    assert boxes == len(SCOPES)


def test_a_token_is_narrowed_and_gets_its_permissions_back(page, live):
    user = new_user(live)
    made = call(live, user, _CREATE, i={"name": "shop", "networks": ["127.0.0.0/8"]})
    token = made["createApiToken"]["token"]
    page.comes_as(user, "/console/tokens")
    page.sees_row("shop", "Full", "127.0.0.0/8")
    page.press("Edit shop")
    page.press("Only what is ticked")
    page.press("Send messages")
    page.press("Save")
    page.sees("shop is changed.")
    page.page.wait(f"!({IN_DIALOG})")
    page.sees_row("shop", "Send messages", "127.0.0.0/8")
    assert (_status(live, token, "/accounts"), _status(live, token, "/settings")) == (200, 403)
    stored = _only_token(live, user)
    assert (stored["networks"], stored["expiresAt"]) == (["127.0.0.0/8"], None), "the others stay"
    page.press("Edit shop")
    page.press("Everything that you may")
    page.clear("Networks")
    page.fill("Name", "the shop")
    page.press("Save")
    page.sees("the shop is changed.")
    page.sees_row("the shop", "Full", "Everywhere")
    stored = _only_token(live, user)
    assert (stored["scopes"], stored["networks"]) == (None, None)
    assert _status(live, token, "/settings") == HTTPStatus.OK


def test_a_wrong_network_is_named_at_its_field(page, live):
    user = new_user(live)
    page.comes_as(user, "/console/tokens?new=1")
    page.fill("Name", "shop")
    page.fill("Networks", "192.0.2.1/24")
    page.press("Create")
    assert "'192.0.2.1/24' is no network" in _field_error(page, "textarea")
    assert page.page.evaluate("document.querySelector('[role=dialog] [role=alert]') === null")
    page.fill("Networks", "10.0.0.0/7")
    page.press("Create")
    page.sees("10.0.0.0/7 is too wide; /8 is the widest.")
    page.clear("Networks")
    page.paste("Networks", "192.0.2.0/24\n2001:db8::/48")
    page.press("Create")
    stored_secret(page)
    page.sees_row("shop", "192.0.2.0/24, 2001:db8::/48")
    assert _only_token(live, user)["networks"] == ["192.0.2.0/24", "2001:db8::/48"]


def test_a_limited_token_without_any_permission_is_refused_at_the_list(page, live):
    page.comes_as(new_user(live), "/console/tokens?new=1")
    page.fill("Name", "shop")
    page.press("Only what is ticked")
    page.press("Create")
    page.sees_element("[role=dialog] .mantine-InputWrapper-error")
    assert page.page.evaluate("document.querySelector('[role=dialog] [role=alert]') === null")


@pytest.mark.parametrize("keep", [False, True], ids=["ended", "kept"])
def test_webhooks_of_a_revoked_token(page, live, keep):
    user = new_user(live)
    token = call(live, user, _CREATE, i={"name": "shop"})["createApiToken"]["token"]
    program = Person(user.id, user.email, user.account_id, token, user.client)
    call(live, program, _HOOK, i={"url": f"http://127.0.0.1:{free_port()}/"})
    page.comes_as(user, "/console/tokens")
    page.press("Revoke shop")
    page.page.wait(IN_DIALOG)
    if keep:
        page.press("Keep webhooks that it has made")
    answer(page, "Revoke")
    page.sees("shop is revoked.")
    (hook,) = call(live, user, _HOOKS)["webhooks"]["nodes"]
    assert hook["enabled"] is keep


def test_a_token_is_limited_to_an_account_and_an_amount_a_day(page, live):
    user = new_user(live)
    page.comes_as(user, "/console/tokens?new=1")
    page.sees("An amount a day and accounts can limit a token")
    page.fill("Name", "shop")
    page.press("Only what is ticked")
    page.press("Send messages")
    page.fill("Most to spend in a day", "2.5")
    page.press("Main (USD)")
    page.press("Create")
    page.sees("Your new API token")
    (made,) = call(live, user, "{apiTokens{nodes{spendPerDay accountIds scopes}}}")["apiTokens"]["nodes"]
    assert made["spendPerDay"] == 2.5 and len(made["accountIds"]) == 1
    assert made["scopes"] == [
        "accounts:read", "files:write", "messages:read", "messages:send", "verifications:read", "verifications:write",
    ]  # fmt: skip
    # A scope that pays later is refused, with a sentence that names what to leave out.
    page.comes_as(user, "/console/tokens?new=1")
    page.press("Only what is ticked")
    page.fill("Name", "other")
    page.fill("Most to spend in a day", "1")
    page.press("Run projects")
    page.press("Create")
    page.sees("projects pay later")
