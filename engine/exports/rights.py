"""Reads which data an export may show: the present rights of its owner, within the token and the membership that have
started it.
"""

from dataclasses import dataclass
from typing import Any
from uuid import UUID

from core.errors import Forbidden
from db.session import Database
from engine.credentials import Maker
from runtime.permissions import Permission, allowed, permissions_of_member
from runtime.viewers import Viewer
from shapes.users import UserStatus

_RIGHTS = """
SELECT e.owner_id, u.status, u.roles, e.scopes, e.api_token_id, e.started_by, t.scopes AS token_scopes,
  t.id IS NOT NULL AND t.revoked_at IS NULL AND COALESCE(t.expires_at > now(), true) AS is_token_alive,
  p.status AS person_status, m.role, m.permissions
FROM export_links AS e JOIN users AS u ON u.id = e.owner_id
LEFT JOIN api_tokens AS t ON t.id = e.api_token_id
LEFT JOIN users AS p ON p.id = e.started_by
LEFT JOIN memberships AS m ON m.owner_id = e.owner_id AND m.member_id = e.started_by
WHERE e.id = $1
"""


@dataclass(frozen=True, slots=True)
class Starter:
    """Says who starts an export, as it is stored with it."""

    scopes: list[str] | None
    api_token_id: UUID | None
    started_by: UUID | None
    """The member who acts for the owner, or who has made the token; None means the owner."""


def starter_of(viewer: Viewer, maker: Maker) -> Starter:
    """Returns the values that are stored of the caller who starts an export."""
    scopes = None if viewer.scopes is None else sorted(viewer.scopes)
    return Starter(scopes, maker.token_id, maker.member_id)


async def exporter(db: Database, id: UUID, permission: Permission) -> Viewer:
    """Returns the caller for whom an export is written, with the caller's present rights.

    Raises Forbidden, with the reason for the owner: the user, the token or the membership has ended, or does not have
    `permission` any more.
    """
    row = await db.fetchrow(_RIGHTS, id)
    if row is None or row["status"] != UserStatus.active:
        raise Forbidden("The owner of this export is no longer active.")
    scopes = _within(None if row["scopes"] is None else frozenset(row["scopes"]), _limits(row))
    viewer = Viewer(row["owner_id"], frozenset(row["roles"]), scopes=scopes)
    if not (allowed(viewer, permission) and allowed(viewer, Permission.exports_write)):
        raise Forbidden(f"Whoever started this export may not see its rows any more ({permission}).")
    return viewer


def _limits(row: Any) -> frozenset[str] | None:
    """Returns the permissions that token and membership have now; None: all that their owner has."""
    limits = None
    if row["api_token_id"] is not None:
        if not row["is_token_alive"]:
            raise Forbidden("The API token that started this export has ended. Start the export again.")
        limits = None if row["token_scopes"] is None else frozenset(row["token_scopes"])
    if row["started_by"] is not None:
        if row["role"] is None or row["person_status"] != UserStatus.active:
            raise Forbidden("The member who started this export has left. Start the export again.")
        names = None if row["permissions"] is None else tuple(row["permissions"])
        limits = _within(limits, frozenset(each.value for each in permissions_of_member(row["role"], names)))
    return limits


def _within(scopes: frozenset[str] | None, limits: frozenset[str] | None) -> frozenset[str] | None:
    return scopes if limits is None else limits if scopes is None else scopes & limits
