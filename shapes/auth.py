"""Credentials and tokens (specification §2; contract §1)."""

from typing import Annotated
from uuid import UUID

from pydantic import Field

from shapes.described import DescribedEnum
from shapes.passwords import CurrentPassword, Password, RepeatedPassword
from shapes.second_factors import Otp
from shapes.shape import Created, Id, Line, Money, Shape, Text, Timestamp
from shapes.users import DisplayName, Email, Locale, Mailed, Role
from shapes.values import nothing
from shapes.where import Flag, TimeSpan, Where


class Credentials(Shape):
    """Login with an email and a password."""

    email: Email
    password: Password
    otp: (
        Annotated[
            Otp,
            Field(
                description="code of the second factor, if the user has one: the six digits of the authenticator app, "
                "or a recovery code"
            ),
        ]
        | None
    ) = None


class Register(Shape):
    """Registration of a new user."""

    email: Email
    password: Password
    display_name: DisplayName | None = None
    locale: Locale | None = None


class Refresh(Shape):
    """A refresh token to exchange."""

    refresh_token: Annotated[
        Text,
        Field(
            min_length=1,
            max_length=512,
            description="the latest refresh token of the login",
            examples=["qE1…"],
        ),
    ]


class TokenLogin(Shape):
    """Login with an API token."""

    token: Annotated[
        Text, Field(min_length=1, max_length=512, description="an API token", examples=["pst_qE1…"])
    ]


class AuthTokens(Shape):
    """The access token and refresh token of a login."""

    access_token: Annotated[
        str, Field(description="access token: a JWT for the `Authorization: Bearer` header")
    ]
    refresh_token: Annotated[str, Field(description="refresh token; it can be exchanged once for new tokens")]
    token_type: Annotated[str, Field(description="always `Bearer`")] = "Bearer"
    expires_in: Annotated[int, Field(description="seconds until the access token expires")]


class DemoLogin(Shape):
    """The logins of a demo installation. Only a browser on the same machine gets them."""

    email: Annotated[str, Field(description="email of a user with a balance")]
    admin_email: Annotated[str, Field(description="email of an administrator")]
    password: Annotated[str, Field(description="password of both")]


class ConsoleToken(Shape):
    """An access token of the console's login, for a page of this service that tries REST operations."""

    access_token: Annotated[
        str, Field(repr=False, description="access token: a JWT for the `Authorization: Bearer` header")
    ]
    expires_in: Annotated[int, Field(description="seconds until the access token expires")]
    email: Annotated[str, Field(description="the user who is logged in")]


class ChangePassword(Shape):
    """Changes the password of the calling user."""

    current_password: CurrentPassword
    new_password: Password


class Invite(Shape):
    """A user to invite."""

    email: Email
    display_name: DisplayName | None = None
    roles: Annotated[list[Role], Field(min_length=1, max_length=8, description="roles of the user")] = Field(
        default_factory=lambda: [Role.user]
    )


class NewUser(Invite):
    """A user to create."""

    password: (
        Annotated[
            Password,
            Field(
                description="password of the user; without one, the user is created as invited and sets the password "
                "later"
            ),
        ]
        | None
    ) = None


class Invitation(Shape):
    """An invitation, shown only once. With its token, the invited user's password can be set."""

    user_id: Annotated[UUID, Field(description="id of the invited user")]
    token: Annotated[str, Field(description="invitation token, for acceptInvitation")]
    expires_at: Annotated[Timestamp, Field(description="time from which the invitation is invalid")]
    mailed: Mailed


class AcceptInvitation(Shape):
    """Accepts an invitation and sets the password."""

    token: Annotated[
        Text,
        Field(min_length=1, max_length=512, description="token of the invitation", examples=["inv_qE1…"]),
    ]
    password: Password
    display_name: DisplayName | None = None


class PasswordResetRequest(Shape):
    """Asks for a mail with a link to set a new password."""

    email: Annotated[
        Text,
        Field(
            min_length=1,
            max_length=320,
            description="email that the user logs in with",
            examples=["ada@example.com"],
        ),
    ]


class NewPassword(Shape):
    """Sets a new password with the token of such a link."""

    token: Annotated[
        Text,
        Field(
            min_length=1,
            max_length=512,
            description="the part of the link behind the `#`",
            examples=["AZoh…"],
        ),
    ]
    password: Password


class TokenPreset(DescribedEnum):
    """Permissions that are often wanted together. `GET /permissions` lists them."""

    send = "send", "to send messages and to see their status"
    read = "read", "to see everything of the user, and to change nothing"
    campaigns = "campaigns", "to make and send projects, with their recipients, blocks and files"
    messengers = "messengers", "to use messenger accounts"
    events = "events", "to read the event feed, and to make webhooks"
    metrics = "metrics", "for a monitoring system, which reads the metrics of the installation"


TokenName = Annotated[
    Line,
    Field(
        min_length=1,
        max_length=64,
        description="label to recognise the token by",
        examples=["nightly export"],
    ),
]
Scopes = Annotated[
    list[Annotated[Line, Field(max_length=64)]],
    Field(
        min_length=1,
        max_length=64,
        description="permissions that the token has, of those of its user: `GET /permissions` lists them",
        examples=[["messages:send", "messages:read"]],
    ),
]
Networks = Annotated[
    list[Annotated[Line, Field(max_length=64)]],
    Field(
        min_length=1,
        max_length=32,
        description="networks (CIDR) from which the token may be used; at the widest /8 or, of IPv6, /32",
        examples=[["192.0.2.0/24", "2001:db8::/48"]],
    ),
]
AccountIds = Annotated[
    list[UUID],
    Field(
        min_length=1,
        max_length=100,
        description="accounts that the token may charge; a message without `accountId` is paid by the only one",
    ),
]
SpendPerDay = Annotated[
    Money,
    Field(
        gt=0,
        description="the most that messages of the token may cost in a day (UTC), in each currency; a refund gives"
        " nothing back",
        examples=[25],
    ),
]
_MESSAGES_PER_DAY = "the most single and test messages that the token may send in a day (UTC); null: no limit"
MessagesPerDay = Annotated[int, Field(ge=1, le=2**31 - 1, description=_MESSAGES_PER_DAY, examples=[500])]
APPROVAL_ABOVE = (
    "the most distinct recipients that may be reached in any 24 hours without an approved plan, by single and test"
    " messages, chats, starts and retries; beyond it 409 `approval_required`. 0: no recipient; null: no limit"
)
ApprovalAbove = Annotated[int, Field(ge=0, le=1_000_000, description=APPROVAL_ABOVE, examples=[50])]
_NO_PROJECTS = (
    "It needs `scopes` without projects:send, projects:write and recipients:write, since projects pay later"
)


class NewApiToken(Shape):
    """An API token to create."""

    name: TokenName
    expires_at: (
        Annotated[
            Timestamp,
            Field(description="time from which it is invalid, in the future; default: it does not expire"),
        ]
        | None
    ) = None
    scopes: Scopes | None = None
    preset: (
        Annotated[
            TokenPreset,
            Field(
                description="a set of permissions, in place of `scopes`. Default: all permissions of the user"
            ),
        ]
        | None
    ) = None
    networks: Networks | None = None
    account_ids: (
        Annotated[
            AccountIds, Field(description=f"accounts that the token may charge; default: all. {_NO_PROJECTS}")
        ]
        | None
    ) = None
    spend_per_day: Annotated[
        SpendPerDay | None,
        Field(
            description="the most that messages of the token may cost in a day (UTC), in each currency; a refund"
            f" gives nothing back. Default: no limit. {_NO_PROJECTS}"
        ),
    ] = None
    messages_per_day: Annotated[
        MessagesPerDay | None, Field(description=f"{_MESSAGES_PER_DAY}. {_NO_PROJECTS}")
    ] = None
    approval_above: Annotated[
        ApprovalAbove | None,
        Field(description=f"{APPROVAL_ABOVE}. A member who has it makes no token with more"),
    ] = None
    password: RepeatedPassword | None = None


class ApiTokenPatch(Shape):
    """The values of an API token that change; the others stay."""

    name: TokenName | None = Field(default_factory=nothing)
    scopes: Annotated[
        Scopes | None, Field(description="permissions that the token has; null: all of its user")
    ] = Field(default_factory=nothing)
    networks: Annotated[
        Networks | None, Field(description="networks from which the token may be used; null: all")
    ] = Field(default_factory=nothing)
    account_ids: Annotated[
        AccountIds | None, Field(description="accounts that the token may charge; null: all of its user")
    ] = Field(default_factory=nothing)
    spend_per_day: Annotated[
        SpendPerDay | None,
        Field(
            description="the most that messages of the token may cost in a day (UTC), in each currency; null: no limit"
        ),
    ] = Field(default_factory=nothing)
    messages_per_day: MessagesPerDay | None = Field(default_factory=nothing, description=_MESSAGES_PER_DAY)
    approval_above: ApprovalAbove | None = Field(default_factory=nothing, description=APPROVAL_ABOVE)
    expires_at: (
        Annotated[Timestamp, Field(description="time from which it is invalid, in the future; null: never")]
        | None
    ) = Field(default_factory=nothing)


class ApiToken(Shape):
    """A long-lived credential for scripts. The token itself is shown only once, when it is created."""

    id: Id
    name: Annotated[str, Field(description="label to recognise the token by")]
    hint: Annotated[str, Field(description="last four characters of the secret value")]
    created_by: Annotated[
        UUID | None,
        Field(
            description="id of the member who has made it for its user, and with whose membership it ends; null: it is"
            " its user's own"
        ),
    ]
    created_at: Created
    expires_at: (
        Annotated[Timestamp, Field(description="time from which it is invalid; null: it does not expire")]
        | None
    )
    revoked_at: (
        Annotated[Timestamp, Field(description="time from which it is rejected; null: it is not revoked")]
        | None
    )
    scopes: Annotated[
        list[str] | None, Field(description="permissions that it has; null: all of its user, now and later")
    ]
    networks: Annotated[list[str] | None, Field(description="networks from which it may be used; null: all")]
    account_ids: Annotated[
        list[UUID] | None, Field(description="accounts that it may charge; null: all of its user")
    ]
    spend_per_day: Annotated[
        Money | None,
        Field(
            description="the most that its messages may cost in a day (UTC), in each currency; null: no limit"
        ),
    ]
    messages_per_day: Annotated[int | None, Field(description=_MESSAGES_PER_DAY)]
    approval_above: Annotated[int | None, Field(description=APPROVAL_ABOVE)]
    last_used_at: Annotated[
        Timestamp | None,
        Field(
            description="when it was used last, to the minute; also by a login that it has opened, when that was"
            " refreshed. null: never"
        ),
    ]
    last_used_ip: Annotated[
        str | None, Field(description="address that it was used from last; null: never used")
    ]
    last_refused_at: Annotated[
        Timestamp | None,
        Field(
            description="when a request went beyond what it is limited to, once an hour at most; null: never"
        ),
    ]
    last_refusal: Annotated[
        str | None,
        Field(
            description="the permission that it lacked then, or `token_network`, `token_account`,"
            " `token_spend_limit` or `approval_required`",
            examples=["projects:send"],
        ),
    ]


class GrantedPermission(Shape):
    """A permission, which operations require of their callers."""

    name: Annotated[
        str, Field(description="the name, as scopes of API tokens have it", examples=["messages:send"])
    ]
    description: Annotated[str, Field(description="what it allows")]
    presets: Annotated[list[TokenPreset], Field(description="the presets that have it")]
    granted: Annotated[bool, Field(description="whether you have it, so that a token of yours can have it")]


class ApiTokenWhere(Where):
    """Filter for API tokens."""

    revoked: Annotated[Flag | None, Field(description="filter by whether they are revoked")] = None
    created_at: Annotated[TimeSpan | None, Field(description="filter by creation time")] = None


class IssuedApiToken(Shape):
    """A new API token with its secret value."""

    token: Annotated[str, Field(description="the secret value; it is shown only in this response")]
    api_token: Annotated[ApiToken, Field(description="its metadata, without the secret value")]
