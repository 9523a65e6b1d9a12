"""Signed links end with the login or the API token that they were made for."""

from collections.abc import Set as AbstractSet
from uuid import UUID

from core.errors import Forbidden
from resolvers.auth.token_rows import membership_permissions
from runtime.operation import Op
from shapes.users import Role, UserStatus

# The person who has asked for a link ($2: a login or an API token) to a row of an owner ($1), and the permissions now.
_LINK = """
SELECT o.status AS owner_status, o.id AS owner_id, u.id AS user_id, u.status, u.roles, m.role, m.permissions, t.scopes,
  t.id IS NULL OR (t.revoked_at IS NULL AND COALESCE(t.expires_at > now(), true)) AS is_token_alive
FROM users AS o LEFT JOIN sessions AS s ON s.id = $2
LEFT JOIN api_tokens AS t ON t.id = COALESCE(s.api_token_id, $2)
LEFT JOIN users AS u ON u.id = COALESCE(t.created_by, t.user_id, s.user_id)
LEFT JOIN memberships AS m ON m.owner_id = o.id AND m.member_id = u.id
WHERE o.id = $1
"""


async def is_link_alive(op: Op, owner_id: UUID, maker: UUID | None, permissions: AbstractSet[str]) -> bool:
    """Returns whether a signed link still opens a row of its owner: the owner is active, and the login or the API token
    that has asked for it still has one of the permissions for the owner. It may be the owner's, a member's or an
    administrator's.
    """
    row = await op.db.fetchrow(_LINK, owner_id, maker)
    if row is None or row["owner_status"] != UserStatus.active:
        return False
    if maker is None:
        return True
    if row["status"] != UserStatus.active or not row["is_token_alive"]:
        return False
    if row["scopes"] is not None and not permissions & {*row["scopes"]}:
        return False
    if row["user_id"] == owner_id or Role.admin in row["roles"]:
        return True
    return row["role"] is not None and bool(permissions & {*membership_permissions(row)})


def bad_link() -> Forbidden:
    return Forbidden("This link has expired or is invalid. Ask for a new one.", code="bad_link")
