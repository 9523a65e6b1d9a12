"""Checks what an API token is limited to: permissions and networks."""

from collections.abc import Sequence
from difflib import get_close_matches
from ipaddress import ip_network
from typing import Any

from core.errors import BadRequest, Forbidden, ValidationFailed
from runtime.operation import Op
from runtime.permissions import PRESETS, SCOPES, Rights, allowed
from shapes.auth import ApiTokenPatch, GrantedPermission, NewApiToken

_WIDEST = {4: 8, 6: 32}
"""The shortest prefix of a network: a wider one protects nobody."""


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
    return columns


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
                f"{text[:64]!r} is no network: {error}. Write it as 192.0.2.0/24 or 2001:db8::/48.",
                code="bad_network",
            ) from None
        if network.prefixlen < _WIDEST[network.version]:
            raise BadRequest(
                f"The network {network} is too wide; /{_WIDEST[network.version]} is the widest. Leave `networks`"
                " out if the token may be used from everywhere.",
                code="bad_network",
            )
        networks.append(str(network))
    return sorted(set(networks))


def require_future(op: Op, input: NewApiToken | ApiTokenPatch) -> None:
    """Raises ValidationFailed if the token would have expired before now."""
    if input.expires_at is not None and input.expires_at <= op.services.db.now():
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
