"""Mails the people who may decide that an approval was asked for. The link in the mail carries no right."""

from typing import Any
from uuid import UUID

from engine.users import notices
from runtime.permissions import Permission, permissions_of_member
from runtime.services import Services

# The owner, and the members who have accepted.
_DECIDERS = """
SELECT u.id, u.email, NULL AS role, NULL AS permissions FROM users AS u WHERE u.id = $1 AND u.status = 'active'
UNION ALL
SELECT u.id, u.email, m.role, m.permissions FROM memberships AS m JOIN users AS u ON u.id = m.member_id
WHERE m.owner_id = $1 AND u.status = 'active'
"""


async def ask(services: Services, connection: Any, owner: UUID, approval: UUID, *, asker: UUID) -> None:
    """Has all who may decide mailed, but who has asked, in the transaction of the request."""
    for person in await connection.fetch(_DECIDERS, owner):
        if person["id"] != asker and _may_decide(person):
            await notices.add(services, connection, person["id"], person["email"], [], approval_id=approval)


def _may_decide(person: Any) -> bool:
    if person["role"] is None:
        return True
    names = None if person["permissions"] is None else tuple(person["permissions"])
    return Permission.projects_approve in permissions_of_member(person["role"], names)
