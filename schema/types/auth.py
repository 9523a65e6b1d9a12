"""Credentials and tokens (specification §2; contract §1)."""

from typing import Annotated
from uuid import UUID

from pydantic import Field

from postern.passwords import MAX_LENGTH, MIN_LENGTH
from schema.types.shape import Created, Id, Line, Shape, Text, Timestamp
from schema.types.users import DisplayName, Email, Locale, Role
from schema.types.where import Flag, TimeSpan, Where

Password = Annotated[
    Text,
    Field(
        min_length=MIN_LENGTH,
        max_length=MAX_LENGTH,
        description="any text; length is what makes it strong",
        examples=["correct horse battery"],
    ),
]


class Credentials(Shape):
    """What a user logs in with."""

    email: Email
    password: Password


class Register(Shape):
    """A user to be."""

    email: Email
    password: Password
    display_name: DisplayName | None = None
    locale: Locale | None = None


class Refresh(Shape):
    """A refresh token to exchange."""

    refresh_token: Annotated[
        Text, Field(min_length=1, max_length=512, description="the newest of its login", examples=["qE1…"])
    ]


class TokenLogin(Shape):
    """An API token to log in with."""

    token: Annotated[
        Text, Field(min_length=1, max_length=512, description="an API token", examples=["pst_qE1…"])
    ]


class AuthTokens(Shape):
    """The tokens of a login."""

    access_token: Annotated[str, Field(description="a JWT, for `Authorization: Bearer`")]
    refresh_token: Annotated[str, Field(description="exchanged once for the next two")]
    token_type: Annotated[str, Field(description="always Bearer")] = "Bearer"
    expires_in: Annotated[int, Field(description="seconds until the access token expires")]


class ChangePassword(Shape):
    """A new password, for whoever knows the old one."""

    current_password: Annotated[Text, Field(max_length=MAX_LENGTH, description="the one that is valid now")]
    new_password: Password


class Invite(Shape):
    """Somebody to invite."""

    email: Email
    display_name: DisplayName | None = None
    roles: Annotated[list[Role], Field(min_length=1, max_length=8, description="what he may do")] = Field(
        default_factory=lambda: [Role.user]
    )


class NewUser(Invite):
    """Somebody to create."""

    password: (
        Annotated[Password, Field(description="without one, the user is invited to set his own")] | None
    ) = None


class Invitation(Shape):
    """Shown once: whoever has the token can set the password of the invited user."""

    user_id: Annotated[UUID, Field(description="the invited user")]
    token: Annotated[str, Field(description="for acceptInvitation")]
    expires_at: Annotated[Timestamp, Field(description="after which it is worth nothing")]


class AcceptInvitation(Shape):
    """The answer to an invitation."""

    token: Annotated[Text, Field(min_length=1, max_length=512, description="from the invitation")]
    password: Password
    display_name: DisplayName | None = None


class NewApiToken(Shape):
    """An API token to make."""

    name: Annotated[
        Line, Field(min_length=1, max_length=64, description="to tell it apart", examples=["nightly export"])
    ]
    expires_at: Annotated[Timestamp, Field(description="in the future; default: never")] | None = None


class ApiToken(Shape):
    """A long-lived credential for scripts. The token itself is shown once, when it is made."""

    id: Id
    name: Annotated[str, Field(description="to tell it apart")]
    hint: Annotated[str, Field(description="its last four characters")]
    created_at: Created
    expires_at: Annotated[Timestamp, Field(description="null: never")] | None
    revoked_at: Annotated[Timestamp, Field(description="since when it is refused")] | None


class ApiTokenWhere(Where):
    """What must hold for API tokens."""

    revoked: Annotated[Flag | None, Field(description="whether they are refused by now")] = None
    created_at: Annotated[TimeSpan | None, Field(description="when they were made")] = None


class IssuedApiToken(Shape):
    """A new API token, in full."""

    token: Annotated[str, Field(description="shown now and never again")]
    api_token: Annotated[ApiToken, Field(description="what can be seen of it later")]
