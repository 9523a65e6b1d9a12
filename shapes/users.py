"""Users: the specification's User (§2), and what is said about one."""

from typing import Annotated, ClassVar
from uuid import UUID

from pydantic import AfterValidator, Field

from shapes.described import DescribedEnum
from shapes.emails import mailbox
from shapes.locales import LOCALE
from shapes.self_service import SelfService
from shapes.shape import Created, Id, Line, Shape, Timestamp, Updated, Uuid
from shapes.where import Choice, Contains, Exactly, Filter, Ids, TimeSpan, Where


class UserStatus(DescribedEnum):
    """Status of a user. Only an active user can log in."""

    active = "active", "can log in"
    invited = "invited", "has not accepted the invitation yet"
    suspended = "suspended", "can't log in until activated again"
    deleted = "deleted", "deleted permanently"


class Role(DescribedEnum):
    """Role of a user."""

    admin = "admin", "can read and change everything"
    user = "user", "can read and change only the user's own objects"


DisplayName = Annotated[Line, Field(max_length=64, description="display name", examples=["Ada Lovelace"])]
Locale = Annotated[
    str,
    Field(
        pattern=LOCALE,
        description="language tag (BCP 47): language of the page on which recipients unsubscribe from this user's "
        "messages",
        examples=["en-GB"],
    ),
    AfterValidator(lambda tag: tag.replace("_", "-")),
]
Email = Annotated[
    str,
    Field(
        max_length=254,
        json_schema_extra={"format": "email"},
        description="an email address",
        examples=["ada@example.com"],
    ),
    AfterValidator(mailbox),
]
Mailed = Annotated[
    bool,
    Field(
        description="whether a mail with the link is on its way; false: give the token to the person yourself, since"
        " this installation can't mail, or enough mails have gone out within the last hour"
    ),
]


class User(Shape):
    """A person or a system that uses this gateway."""

    id: Id
    email: Annotated[str, Field(description="the login address, in lower case")]
    display_name: Annotated[str, Field(description="display name")]
    status: Annotated[UserStatus, Field(description="whether the user can log in")]
    roles: Annotated[list[Role], Field(description="roles of the user")]
    locale: Annotated[
        str | None,
        Field(
            description="language tag (BCP 47) of the page on which recipients unsubscribe from this user's messages"
        ),
    ]
    self_service: Annotated[
        list[SelfService],
        Field(
            description="requests that this user's contacts may make for themselves, by their page of preferences"
        ),
    ]
    created_at: Created
    updated_at: Updated


class UserRecord(User):
    """A user, with the id as `uuid` instead of `id`."""

    id: Uuid


class CreatedUser(UserRecord):
    """A new user and, if no password was given, the invitation token to set one."""

    invitation_token: Annotated[
        str | None,
        Field(
            description="invitation token for acceptInvitation, shown only once; null if a password was given"
        ),
    ] = None
    invitation_expires_at: Annotated[
        Timestamp | None, Field(description="time from which the token is invalid")
    ] = None


class UserPatch(Shape):
    """The fields of a user that a PATCH may contain. Read-only fields are accepted if they do not change."""

    id: Annotated[UUID, Field(description="read-only")] | None = None
    email: Email | None = None
    display_name: DisplayName | None = None
    locale: Locale | None = None
    status: Annotated[UserStatus, Field(description="status of the user; for administrators")] | None = None
    roles: (
        Annotated[
            list[Role],
            Field(min_length=1, max_length=8, description="status of the user; for administrators"),
        ]
        | None
    ) = None
    self_service: (
        Annotated[
            list[SelfService],
            Field(
                max_length=2,
                description="requests that this user's contacts may make for themselves, by their page of preferences",
                examples=[["export"]],
            ),
        ]
        | None
    ) = None
    created_at: Annotated[Timestamp, Field(description="read-only")] | None = None
    updated_at: Annotated[Timestamp, Field(description="read-only")] | None = None


class HasRole(Filter):
    """Filter by a role."""

    eq: Annotated[Role | None, Field(description="having this role")] = None


class UserWhere(Where):
    """Filter for users."""

    kinds: ClassVar = {"id": "User"}

    id: Annotated[Ids | None, Field(description="filter by id")] = None
    email: Annotated[Exactly | None, Field(description="filter by email, in lower case")] = None
    text: Annotated[
        Contains | None, Field(description="filter by a part of the email or the display name")
    ] = None
    status: Annotated[Choice[UserStatus] | None, Field(description="filter by status")] = None
    role: Annotated[HasRole | None, Field(description="filter by a role that they have")] = None
    tariff_code: Annotated[Exactly | None, Field(description="filter by the code of their tariff")] = None
    created_at: Annotated[TimeSpan | None, Field(description="filter by creation time")] = None
