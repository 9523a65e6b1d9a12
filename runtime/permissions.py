"""All permissions, and which role has them. `public` needs no credential."""

from enum import StrEnum
from functools import lru_cache

from shapes.users import Role


class Permission(StrEnum):
    """Names what an operation requires of its caller."""

    public = "public"
    profile_read = "profile:read"
    profile_write = "profile:write"
    users_read = "users:read"
    users_write = "users:write"
    users_list = "users:list"
    users_admin = "users:admin"
    accounts_read = "accounts:read"
    accounts_write = "accounts:write"
    accounts_credit = "accounts:credit"
    messages_read = "messages:read"
    messages_send = "messages:send"
    settings_read = "settings:read"
    settings_write = "settings:write"
    storage_read = "storage:read"
    storage_write = "storage:write"
    legacy_call = "legacy:call"
    projects_read = "projects:read"
    projects_write = "projects:write"
    projects_send = "projects:send"
    recipients_read = "recipients:read"
    recipients_write = "recipients:write"
    blocks_read = "blocks:read"
    blocks_write = "blocks:write"
    files_read = "files:read"
    files_write = "files:write"
    exports_read = "exports:read"
    exports_write = "exports:write"
    statistics_read = "statistics:read"
    senders_read = "senders:read"
    senders_write = "senders:write"
    tariffs_read = "tariffs:read"
    tariffs_write = "tariffs:write"
    hooks_write = "hooks:write"
    events_read = "events:read"
    events_write = "events:write"
    ai_write = "ai:write"
    messengers_read = "messengers:read"
    messengers_write = "messengers:write"
    messengers_send = "messengers:send"
    system_read = "system:read"


_ADMIN_ONLY = {
    Permission.users_list,
    Permission.users_admin,
    Permission.accounts_credit,
    Permission.system_read,
}

ROLES: dict[Role, frozenset[Permission]] = {
    Role.user: frozenset(set(Permission) - _ADMIN_ONLY),
    Role.admin: frozenset(Permission),
}


@lru_cache(4096)
def allowed(roles: frozenset[str], permission: Permission) -> bool:
    """Returns whether one of the roles has the permission."""
    return any(permission in ROLES[role] for role in Role if role in roles)
