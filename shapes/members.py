"""Members: people who act for an owner, whose rows they see and change as far as their role allows."""

from typing import Annotated, ClassVar
from uuid import UUID

from pydantic import Field

from shapes.auth import APPROVAL_ABOVE, ApprovalAbove
from shapes.described import DescribedEnum
from shapes.shape import Cost, Created, Id, Shape, Text, Timestamp
from shapes.users import Email, Mailed
from shapes.values import nothing
from shapes.where import Flag, Ids, Where

MOST_MEMBERS = 100  # of one owner, and owners of one person


class MemberRole(DescribedEnum):
    """Says what a member may do for the owner."""

    manager = "manager", "everything but the owner's user, accounts, and members"
    editor = "editor", "make projects, recipients, blocks and exports; start nothing"
    sender = "sender", "start, stop and repeat projects; edit nothing"
    approver = (
        "approver",
        "see projects, and approve or refuse their plans; edit and start nothing, no addresses of recipients",
    )
    support = "support", "the inbox, messenger accounts' chats, and single messages; no projects, no exports"
    viewer = "viewer", "see projects, their counts, statistics and prices; no recipients, no messages"
    billing = "billing", "see accounts, ledgers, statistics and prices"


Permissions = Annotated[
    list[Text],
    Field(
        min_length=1,
        max_length=60,
        description="permissions instead of those of the role, as GET /permissions names them",
        examples=[["projects:read", "statistics:read"]],
    ),
]
_Role = Annotated[MemberRole, Field(description="what the member may do")]
_ABOVE = f"{APPROVAL_ABOVE}. What the member's API tokens reach for you counts, too"
_Effective = Annotated[
    list[str],
    Field(description="permissions that the member has: those of the role, or those that the owner chose"),
]


class NewMember(Shape):
    """A person to invite."""

    email: Annotated[Email, Field(description="email of the person's user, who accepts the invitation")]
    role: _Role
    permissions: Permissions | None = None
    approval_above: Annotated[ApprovalAbove | None, Field(description=_ABOVE)] = None


class CredentialKind(DescribedEnum):
    """A kind of credential that a member can make for an owner."""

    api_token = "api_token", "an API token, with the logins that were opened with it"
    webhook = "webhook", "a webhook of the event feed"
    messenger_webhook = "messenger_webhook", "a webhook of a messenger account"
    event_sink = "event_sink", "an event sink"
    hook_secret = "hook_secret", "a secret that engines sign their requests with"
    hook_key = "hook_key", "a key that engines send in the URL"
    export = "export", "an export that is not finished"


class EndedCredential(Shape):
    """A credential that a member had made, and that has ended because the member may not make it any more."""

    kind: Annotated[CredentialKind, Field(description="kind of the credential")]
    credential_uuid: Annotated[UUID, Field(description="id of its row")]
    name: Annotated[
        str, Field(description="its name, its address, or the last characters of its secret value")
    ]
    last_used_at: Annotated[
        Timestamp | None, Field(description="when it was last used; null: never, or that is not known")
    ]


MOST_ENDED = 500
"""A list of ended credentials is priced as one of this length."""
Ended = Annotated[list[EndedCredential], Cost(most=MOST_ENDED)]


_KEEP = (
    "true: {} that the member made and may not make any more become your own; false: they end; null: they end, unless"
    " one was used within the last 7 days: then nothing is changed, and the error is `credentials_in_use`"
)
KEEP_TOKENS = _KEEP.format("API tokens")
KEEP_WEBHOOKS = _KEEP.format("webhooks and event sinks")
KEEP_HOOK_SECRETS = _KEEP.format("hook secrets and hook keys")
KeepTokens = Annotated[bool | None, Field(description=KEEP_TOKENS)]
KeepWebhooks = Annotated[bool | None, Field(description=KEEP_WEBHOOKS)]
KeepHookSecrets = Annotated[bool | None, Field(description=KEEP_HOOK_SECRETS)]


class MemberPatch(Shape):
    """The values of a member that change, the others stay; and what becomes of credentials that the member has made
    and may not make any more.
    """

    role: _Role | None = Field(default_factory=nothing)
    permissions: Annotated[
        Permissions | None,
        Field(description="permissions instead of those of the role; null: those of the role"),
    ] = Field(default_factory=nothing)
    approval_above: ApprovalAbove | None = Field(default_factory=nothing, description=_ABOVE)
    keep_tokens: KeepTokens = Field(default_factory=nothing)
    keep_webhooks: KeepWebhooks = Field(default_factory=nothing)
    keep_hook_secrets: KeepHookSecrets = Field(default_factory=nothing)


class MemberRemoval(Shape):
    """Says what becomes of the credentials that a removed member has made."""

    keep_tokens: KeepTokens = None
    keep_webhooks: KeepWebhooks = None
    keep_hook_secrets: KeepHookSecrets = None


class RemovedMember(Shape):
    """Lists the credentials that have ended with a membership."""

    ended: Annotated[Ended, Field(description="credentials of the member that have ended")]


class AcceptMembership(Shape):
    """Accepts an invitation to act for an owner."""

    token: Annotated[
        Text,
        Field(min_length=1, max_length=512, description="token of the invitation", examples=["mbr_qE1…"]),
    ]


class Member(Shape):
    """A person who acts for you, or is invited to."""

    id: Id
    email: Annotated[str, Field(description="email that was invited")]
    user_uuid: Annotated[
        UUID | None, Field(description="id of the person's user; null: the invitation is not accepted yet")
    ]
    role: _Role
    permissions: _Effective
    has_own_permissions: Annotated[
        bool, Field(description="whether the permissions were chosen one by one, and the role does not count")
    ]
    approval_above: Annotated[int | None, Field(description=_ABOVE)]
    created_at: Created
    joined_at: Annotated[Timestamp | None, Field(description="when the invitation was accepted")]
    expires_at: Annotated[
        Timestamp | None,
        Field(description="time from which the invitation can't be accepted any more; null: it was accepted"),
    ]
    ended: Annotated[
        Ended,
        Field(
            default_factory=list,
            description="credentials of the member that a change has ended; empty but in the answer to the change",
        ),
    ]


class InvitedMember(Shape):
    """An invitation, shown only once: give the token to the person, who accepts it with a login of the same email."""

    member: Member
    token: Annotated[str, Field(description="token of the invitation, for acceptMembership")]
    mailed: Mailed


class Membership(Shape):
    """An owner that you act for: send its `ownerUuid` as the header X-Postern-Owner."""

    id: Id
    owner_uuid: Annotated[UUID, Field(description="id of the owner")]
    owner_email: Annotated[str, Field(description="email of the owner")]
    owner_name: Annotated[str, Field(description="name of the owner; empty if there is none")]
    role: _Role
    permissions: _Effective
    approval_above: Annotated[int | None, Field(description=APPROVAL_ABOVE)]
    joined_at: Annotated[Timestamp, Field(description="when you accepted the invitation")]


class MemberWhere(Where):
    """Filter for members."""

    kinds: ClassVar = {"id": "Member"}

    id: Annotated[Ids | None, Field(description="filter by id")] = None
    joined: Annotated[Flag | None, Field(description="filter by whether the invitation was accepted")] = None
