"""All permissions, and who has them: the roles of a user, within the scopes of a token, and within what a member may
do for an owner.

`public` needs no credential.
"""

from collections.abc import Collection
from functools import lru_cache
from typing import Protocol

from shapes.auth import TokenPreset
from shapes.described import DescribedEnum
from shapes.members import MemberRole
from shapes.users import Role


class Permission(DescribedEnum):
    """Names what an operation requires of its caller."""

    public = "public", "what needs no credential"
    profile_read = "profile:read", "see your user, and the names of your API tokens"
    profile_write = "profile:write", "end your own login"
    users_read = "users:read", "see your user by its id"
    users_write = "users:write", "change or delete your user"
    users_list = "users:list", "list users; for administrators"
    users_admin = (
        "users:admin",
        "act for all owners: invite and suspend users, see and change everybody's rows; for administrators",
    )
    accounts_read = "accounts:read", "see accounts, balances and ledgers"
    accounts_write = "accounts:write", "open, rename and close accounts"
    accounts_credit = "accounts:credit", "credit accounts; for administrators"
    messages_read = "messages:read", "see messages, with recipients and texts"
    messages_send = "messages:send", "send messages, and cancel them"
    verifications_read = (
        "verifications:read",
        "see verifications, with addresses, and suspected groups of numbers",
    )
    verifications_write = (
        "verifications:write",
        "send codes and check them, cancel verifications, and change their protection from SMS pumping",
    )
    settings_read = "settings:read", "see settings, the brand and the IP allowlist"
    settings_write = "settings:write", "change settings, the brand and the IP allowlist"
    storage_read = "storage:read", "read the key-value storage"
    storage_write = "storage:write", "write the key-value storage"
    legacy_call = "legacy:call", "call the legacy bridge"
    projects_read = "projects:read", "see Sending Projects, also the repeating ones"
    projects_write = "projects:write", "make, change and delete Sending Projects and templates"
    projects_send = "projects:send", "start, stop and repeat Sending Projects"
    projects_approve = (
        "projects:approve",
        "approve or refuse plans of Sending Projects, with an own login; no API token can have it",
    )
    recipients_read = "recipients:read", "see recipients of projects, and imports"
    recipients_write = "recipients:write", "add, change, import and remove recipients"
    contacts_read = "contacts:read", "see contacts, with their addresses and fields"
    contacts_write = "contacts:write", "make, change, merge and delete contacts and their fields"
    blocks_read = "blocks:read", "see the block list"
    blocks_write = "blocks:write", "block and unblock addresses"
    files_read = "files:read", "list and download files, and see pictures of letters"
    files_write = "files:write", "upload and delete files, and pictures of letters"
    exports_read = "exports:read", "see exports, and download them"
    exports_write = "exports:write", "make exports of what the other permissions show"
    statistics_read = "statistics:read", "see statistics and the queue"
    senders_read = "senders:read", "see senders, source accounts, and domains of emails"
    senders_write = (
        "senders:write",
        "ask for senders and delete them; make, change and delete source accounts, and domains of emails",
    )
    tariffs_read = "tariffs:read", "see tariffs and prices"
    tariffs_write = "tariffs:write", "make and change tariffs"
    hooks_write = "hooks:write", "make secrets of incoming hooks"
    hooks_report = "hooks:report", "report statuses, replies and complaints to incoming hooks"
    events_read = "events:read", "read the event feed"
    events_write = "events:write", "make, change and delete webhooks of the event feed"
    ai_write = "ai:write", "write texts by AI"
    messengers_read = "messengers:read", "see messenger accounts, chats and messages"
    messengers_write = "messengers:write", "log messenger accounts in and out, and change them"
    messengers_send = "messengers:send", "send messages by messenger accounts"
    members_read = "members:read", "see who may act for you"
    members_write = "members:write", "invite people to act for you, and change or remove them"
    audit_read = "audit:read", "see the audit: who changed what, and what was refused"
    system_read = "system:read", "see metrics, queues and the state of the installation; for administrators"


_ADMIN_ONLY = {
    Permission.users_list,
    Permission.users_admin,
    Permission.accounts_credit,
    Permission.system_read,
}

_OF_PERSONS = {Permission.projects_approve}
"""The permissions that no role has because it has all others: each role names them, and no token can have them."""

ROLES: dict[Role, frozenset[Permission]] = {
    Role.user: frozenset(set(Permission) - _ADMIN_ONLY - _OF_PERSONS) | {Permission.projects_approve},
    Role.admin: frozenset(Permission),
}


SCOPES = frozenset(Permission) - {Permission.public} - _OF_PERSONS
"""The permissions that a token can be limited to."""

_READ = frozenset(each for each in SCOPES if each.value.endswith(":read")) - {Permission.system_read}
PRESETS: dict[TokenPreset, frozenset[Permission]] = {
    TokenPreset.send: frozenset(
        {
            Permission.messages_send,
            Permission.messages_read,
            Permission.verifications_read,
            Permission.verifications_write,
            Permission.files_write,
            Permission.accounts_read,
        }
    ),
    TokenPreset.read: _READ,
    TokenPreset.campaigns: frozenset(
        {
            Permission.projects_read,
            Permission.projects_write,
            Permission.projects_send,
            Permission.recipients_read,
            Permission.recipients_write,
            Permission.contacts_read,
            Permission.contacts_write,
            Permission.blocks_read,
            Permission.blocks_write,
            Permission.files_read,
            Permission.files_write,
            Permission.senders_read,
            Permission.statistics_read,
            Permission.tariffs_read,
            Permission.messages_read,
            Permission.accounts_read,
        }
    ),
    TokenPreset.messengers: frozenset(
        {
            Permission.messengers_read,
            Permission.messengers_write,
            Permission.messengers_send,
            Permission.files_read,
            Permission.files_write,
        }
    ),
    TokenPreset.events: frozenset({Permission.events_read, Permission.events_write}),
    TokenPreset.metrics: frozenset({Permission.system_read}),
}
"""Scopes that are often wanted together, by name."""

PROFILE = frozenset({Permission.profile_read, Permission.profile_write})
"""The permissions that are about the person who has logged in. A person who acts for an owner keeps them."""

_FOR_THE_OWNER_ALONE = {
    Permission.members_write,
    Permission.users_write,
    Permission.accounts_write,
}
"""The permissions that no role gives: for members, the owner's user, and the money."""

_OF_EDITORS = {
    Permission.projects_read,
    Permission.projects_write,
    Permission.recipients_read,
    Permission.recipients_write,
    Permission.contacts_read,
    Permission.contacts_write,
    Permission.blocks_read,
    Permission.blocks_write,
    Permission.files_read,
    Permission.files_write,
    Permission.exports_read,
    Permission.exports_write,
    Permission.senders_read,
    Permission.statistics_read,
    Permission.tariffs_read,
    Permission.accounts_read,
    Permission.ai_write,
}
_OF_SENDERS = {
    Permission.projects_read,
    Permission.projects_send,
    Permission.recipients_read,
    Permission.statistics_read,
    Permission.tariffs_read,
    Permission.accounts_read,
}
_OF_SUPPORT = {
    Permission.messengers_read,
    Permission.messengers_send,
    Permission.messages_read,
    Permission.messages_send,
    Permission.files_read,
    Permission.files_write,
    Permission.accounts_read,
    Permission.ai_write,
}
_OF_APPROVERS = {
    Permission.projects_read,
    Permission.projects_approve,
    Permission.statistics_read,
    Permission.tariffs_read,
    Permission.accounts_read,
}
_OF_VIEWERS = {Permission.projects_read, Permission.statistics_read, Permission.tariffs_read}

MEMBER_ROLES: dict[MemberRole, frozenset[Permission]] = {
    MemberRole.manager: PROFILE
    | (ROLES[Role.user] - {Permission.public} - _FOR_THE_OWNER_ALONE - _OF_PERSONS)
    | {Permission.projects_approve},
    MemberRole.editor: PROFILE | _OF_EDITORS,
    MemberRole.sender: PROFILE | _OF_SENDERS,
    MemberRole.approver: PROFILE | _OF_APPROVERS,
    MemberRole.support: PROFILE | _OF_SUPPORT,
    MemberRole.viewer: PROFILE | _OF_VIEWERS,
    MemberRole.billing: PROFILE
    | {Permission.accounts_read, Permission.statistics_read, Permission.tariffs_read},
}
"""The permissions of each role of a member."""

FOR_MEMBERS = (
    ROLES[Role.user] - {Permission.public} - PROFILE - {Permission.members_write, Permission.users_write}
)
"""The permissions that an owner can give to a member by name."""


@lru_cache(1024)
def permissions_of_member(role: str, names: tuple[str, ...] | None) -> frozenset[Permission]:
    """Returns the permissions of a member: those of the role, or `names` if the owner has chosen them."""
    if names is None:
        return MEMBER_ROLES[MemberRole(role)]
    return PROFILE | {each for each in FOR_MEMBERS if each.value in names}


class Rights(Protocol):
    """Says what a caller may."""

    @property
    def roles(self) -> frozenset[str]:
        """Returns the roles of the user."""

    @property
    def scopes(self) -> frozenset[str] | None:
        """Returns the permissions that the token is limited to; None: it has no limit."""


def allowed(rights: Rights, permission: Permission) -> bool:
    """Returns whether a caller has the permission: by one of the roles, and within the scopes if there are any."""
    return (rights.scopes is None or permission in rights.scopes) and _of_roles(rights.roles, permission)


@lru_cache(4096)
def _of_roles(roles: frozenset[str], permission: Permission) -> bool:
    return any(permission in ROLES[role] for role in Role if role in roles)


def is_factor_demanded(policy: str, roles: Collection[str]) -> bool:
    """Returns whether POSTERN_SECOND_FACTOR, the `policy`, demands a second factor of a user with these roles."""
    return policy == "all" or (policy == "admins" and Role.admin in roles)
