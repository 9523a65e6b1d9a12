"""Every permission by name, and which role has it. `public` needs no credential."""

from enum import StrEnum

from schema.types.users import Role


class Permission(StrEnum):
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


_ADMIN_ONLY = {Permission.users_list, Permission.users_admin, Permission.accounts_credit}

ROLES: dict[Role, frozenset[Permission]] = {
    Role.user: frozenset(set(Permission) - _ADMIN_ONLY),
    Role.admin: frozenset(Permission),
}


def allowed(roles: frozenset[str], permission: Permission) -> bool:
    return any(permission in ROLES[role] for role in Role if role in roles)
