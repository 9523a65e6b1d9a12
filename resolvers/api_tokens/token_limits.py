"""Checks what an API token is limited to: permissions, networks, accounts, money and messages."""

from collections.abc import Sequence
from datetime import datetime
from decimal import Decimal
from difflib import get_close_matches
from ipaddress import ip_network
from typing import Any

from sqlalchemy import any_, select

from core.errors import BadRequest, Forbidden, ValidationFailed
from db import models
from db.query import Query, Reads, p
from runtime.permissions import PRESETS, SCOPES, Permission, Rights, allowed
from runtime.services import Services
from runtime.viewers import Viewer
from shapes.auth import ApiTokenPatch, GrantedPermission, NewApiToken

_CHARGED_LATER = frozenset({Permission.projects_send, Permission.projects_write, Permission.recipients_write})
_ACCOUNTS = Query(
    models.Account,
    select(models.Account.id.label("id"), models.Account.owner_id.label("owner_id")).where(
        models.Account.id == any_(p("ids", like=models.Account.id))
    ),
)
_WIDEST = {4: 8, 6: 32}
"""The shortest prefix of a network: a wider one protects no user."""


def limits_of(rights: Rights, input: NewApiToken | ApiTokenPatch) -> dict[str, Any]:
    """Returns the columns of a token's limits that the input sets.

    Raises BadRequest `unknown_scope` | `bad_network` | `scopes_and_preset`, Forbidden `scope_beyond_yours`.
    """
    columns: dict[str, Any] = {}
    if "scopes" in input.model_fields_set:
        columns["scopes"] = input.scopes if input.scopes is None else _scopes(rights, input.scopes)
    if isinstance(input, NewApiToken) and input.preset is not None:
        if input.scopes is not None:
            raise BadRequest("Send `scopes` or `preset`, not both.", code="scopes_and_preset")
        columns["scopes"] = _scopes(rights, sorted(PRESETS[input.preset]))
    if "networks" in input.model_fields_set:
        columns["networks"] = input.networks if input.networks is None else _networks(input.networks)
    if "account_ids" in input.model_fields_set:
        columns["account_ids"] = (
            input.account_ids if input.account_ids is None else sorted({*input.account_ids})
        )
    if "spend_per_day" in input.model_fields_set:
        columns["spend_per_day"] = input.spend_per_day
    if "messages_per_day" in input.model_fields_set:
        columns["messages_per_day"] = input.messages_per_day
    if "approval_above" in input.model_fields_set:
        columns["approval_above"] = input.approval_above
    return columns


def bounded(columns: dict[str, Any], most: int | None, *, is_new: bool) -> dict[str, Any]:
    """Returns the columns of a token that a member makes who may reach `most` recipients: without a number of its own
    the token has the member's.

    Raises Forbidden `limit_beyond_yours`.
    """
    above = columns.get("approval_above")
    if most is None or not (is_new or "approval_above" in columns):
        return columns
    if above is not None and above > most:
        raise Forbidden(
            f"You may reach {most:,} recipients in 24 hours without an approval, and no token of yours may reach more."
            " Send a lower `approvalAbove`, or ask the owner to raise yours.",
            code="limit_beyond_yours",
            details={"approvalAbove": most},
        )
    return {**columns, "approval_above": most if above is None else above}


async def require_money(services: Services, columns: dict[str, Any], before: Decimal | None = None) -> None:
    """Raises BadRequest `billing_off` if the columns set `spend_per_day` to another value than `before` while billing
    is off: nothing costs anything, so it would limit nothing.
    """
    spend = columns.get("spend_per_day")
    if spend not in (None, before) and (await services.choices.now()).is_free:
        raise BadRequest(
            "Messages cost nothing here, so `spendPerDay` would limit nothing. Set `messagesPerDay`, the most messages"
            " that the token may send in a day.",
            code="billing_off",
        )


async def require_payable(db: Reads, viewer: Viewer, token: models.ApiToken) -> None:
    """Checks a token's limits of money and messages, together with its scopes. `viewer` makes the token.

    Raises BadRequest: `limit_needs_no_projects` if the token could start what a worker charges later, which the limits
    would not reach; `unknown_account`.
    """
    ids = token.account_ids
    if ids is None and token.spend_per_day is None and token.messages_per_day is None:
        return
    if token.scopes is None or not _CHARGED_LATER.isdisjoint(token.scopes):
        names = ", ".join(sorted(_CHARGED_LATER))
        raise BadRequest(
            "`accountIds`, `spendPerDay` and `messagesPerDay` hold for single messages; projects pay later, and would"
            f" not be limited. Send `scopes` without {names}, the preset `send` for example.",
            code="limit_needs_no_projects",
        )
    if ids is not None:
        rows = await _ACCOUNTS.all(db, ids=ids)
        mine = {row.id for row in rows if viewer.admin or row.owner_id == viewer.id}
        for id in ids:
            if id not in mine:
                raise BadRequest(
                    f"There is no account {id} among yours. Send ids of your accounts.",
                    code="unknown_account",
                )


def _scopes(rights: Rights, names: Sequence[str]) -> list[str]:
    permissions = {each.value: each for each in SCOPES}
    for name in names:
        if (permission := permissions.get(name)) is None:
            alike = get_close_matches(name, permissions, 1)
            hint = f" Do you mean {alike[0]}?" if alike else ""
            raise BadRequest(
                f"There is no permission {name!r}.{hint} GET /permissions lists all of them.",
                code="unknown_scope",
            )
        if not allowed(rights, permission):
            raise Forbidden(
                f"You don't have the permission {name}, so a token of yours can't have it. Leave it out.",
                code="scope_beyond_yours",
                details={"permission": name},
            )
    return sorted(set(names))


def _networks(texts: Sequence[str]) -> list[str]:
    networks = []
    for text in texts:
        try:
            network = ip_network(text.strip())
        except ValueError as error:
            raise BadRequest(
                f"networks: {text[:64]!r} is no network: {error}. Write it as 192.0.2.0/24 or 2001:db8::/48.",
                code="bad_network",
            ) from None
        if network.prefixlen < _WIDEST[network.version]:
            raise BadRequest(
                f"networks: {network} is too wide; /{_WIDEST[network.version]} is the widest. Leave `networks`"
                " out if the token may be used from everywhere.",
                code="bad_network",
            )
        networks.append(str(network))
    return sorted(set(networks))


def require_future(now: datetime, input: NewApiToken | ApiTokenPatch) -> None:
    """Raises ValidationFailed if the token would have expired before now."""
    if input.expires_at is not None and input.expires_at <= now:
        raise ValidationFailed(["expiresAt: must be in the future"])


def all_permissions(rights: Rights) -> list[GrantedPermission]:
    """Returns all permissions, by their areas, with what the caller has of them."""
    return [
        GrantedPermission(
            name=each.value,
            description=each.description,
            presets=[preset for preset, names in PRESETS.items() if each in names],
            granted=allowed(rights, each),
        )
        for each in sorted(SCOPES)
    ]
