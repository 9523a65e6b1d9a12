"""Users: the specification's User (§2), and what is said about one."""

from enum import StrEnum
from typing import Annotated, ClassVar
from uuid import UUID

from pydantic import AfterValidator, Field

from schema.types.emails import mailbox
from schema.types.shape import Created, Id, Line, Shape, Timestamp, Updated, Uuid
from schema.types.where import Choice, Contains, Exactly, Ids, TimeSpan, Where


class UserStatus(StrEnum):
    """Only an active user can log in."""

    active = "active"
    invited = "invited"
    suspended = "suspended"
    deleted = "deleted"


class Role(StrEnum):
    """What a user may do."""

    admin = "admin"
    user = "user"


DisplayName = Annotated[Line, Field(max_length=64, description="shown to people", examples=["Ada Lovelace"])]
Locale = Annotated[
    str,
    Field(
        pattern=r"^[A-Za-z]{2,3}([_-][A-Za-z0-9]{2,8}){0,3}$",
        description="a language tag (BCP 47): the language of the page to unsubscribe from this user's messages",
        examples=["en-GB"],
    ),
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


class User(Shape):
    """A person or a system that uses this gateway."""

    id: Id
    email: Annotated[str, Field(description="what he logs in with, in lower case")]
    display_name: Annotated[str, Field(description="shown to people")]
    status: Annotated[UserStatus, Field(description="whether he can log in")]
    roles: Annotated[list[Role], Field(description="what he may do")]
    locale: Annotated[
        str | None,
        Field(description="a language tag (BCP 47): of the page to unsubscribe from this user's messages"),
    ]
    created_at: Created
    updated_at: Updated


class UserRecord(User):
    """The same user in Area B, where his id is called `uuid`."""

    id: Uuid


class CreatedUser(UserRecord):
    """A new user; without a password, the token that lets him set one."""

    invitation_token: Annotated[str | None, Field(description="shown once; for acceptInvitation")] = None
    invitation_expires_at: Annotated[
        Timestamp | None, Field(description="after which the token is worth nothing")
    ] = None


class UserPatch(Shape):
    """The fields of a user that a PATCH may carry. Read-only ones are accepted when they don't change."""

    id: Annotated[UUID, Field(description="read-only")] | None = None
    email: Email | None = None
    display_name: DisplayName | None = None
    locale: Locale | None = None
    status: Annotated[UserStatus, Field(description="for administrators")] | None = None
    roles: (
        Annotated[list[Role], Field(min_length=1, max_length=8, description="for administrators")] | None
    ) = None
    created_at: Annotated[Timestamp, Field(description="read-only")] | None = None
    updated_at: Annotated[Timestamp, Field(description="read-only")] | None = None


class UserWhere(Where):
    """What must hold for users."""

    kinds: ClassVar = {"id": "User"}

    id: Annotated[Ids | None, Field(description="which ones")] = None
    email: Annotated[Exactly | None, Field(description="in small letters")] = None
    text: Annotated[Contains | None, Field(description="in the email or the name")] = None
    status: Annotated[Choice[UserStatus] | None, Field(description="who may log in")] = None
    created_at: Annotated[TimeSpan | None, Field(description="when they were made")] = None
