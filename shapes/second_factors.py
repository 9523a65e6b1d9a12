"""The second factor of logins: an authenticator app (TOTP), and recovery codes."""

import re
from typing import Annotated

from pydantic import AfterValidator, Field

from shapes.described import DescribedEnum
from shapes.passwords import OwnPassword
from shapes.shape import Cost, Created, Id, Line, Shape, Timestamp

_DIGITS = re.compile("[0-9]{6}")
_RECOVERY_CODE = re.compile("[A-Z2-7]{16}")  # 80 bits in base32


def _code(text: str) -> str:
    """Returns a code without spaces and hyphens, which apps and our answers show in it."""
    code = text.replace(" ", "").replace("-", "").upper()
    if _DIGITS.fullmatch(code) or _RECOVERY_CODE.fullmatch(code):
        return code
    raise ValueError("must be the six digits of the authenticator app, or a recovery code of 16 characters")


Otp = Annotated[
    Line,
    Field(
        max_length=32,
        description="the six digits that the authenticator app shows, or a recovery code",
        examples=["123456"],
    ),
    AfterValidator(_code),
]


class FactorKind(DescribedEnum):
    """The kinds of second factors."""

    totp = "totp", "an authenticator app, which shows another code every 30 seconds (RFC 6238)"


class NewTotp(Shape):
    """An authenticator app to add."""

    name: Annotated[
        Line,
        Field(min_length=1, max_length=64, description="label to recognise it by", examples=["my phone"]),
    ] = "Authenticator app"
    password: OwnPassword | None = None


class SecondFactorCode(Shape):
    """A code of the second factor."""

    otp: Otp


class SecondFactorProof(Shape):
    """A code of the second factor, unless this login has given one in the last ten minutes."""

    otp: Otp | None = None


class SecondFactor(Shape):
    """A proof of a login beside the password."""

    id: Id
    kind: Annotated[FactorKind, Field(description="how it proves a login")]
    name: Annotated[str, Field(description="label to recognise it by")]
    created_at: Created
    confirmed_at: Annotated[
        Timestamp | None, Field(description="time since which logins need it; null: it is not confirmed")
    ]
    last_used_at: Annotated[Timestamp | None, Field(description="time of the last code; null: there is none")]


class SecondFactors(Shape):
    """The second factors of the caller."""

    factors: Annotated[
        list[SecondFactor], Field(description="the confirmed ones, oldest first"), Cost(most=10)
    ]
    recovery_codes: Annotated[int, Field(description="number of recovery codes that are not used")]
    demanded: Annotated[
        bool, Field(description="true if this installation demands one: the last one can't be removed")
    ]
    fresh_until: (
        Annotated[
            Timestamp,
            Field(
                description="time until which this login may do what needs a fresh code; null: it needs one now"
            ),
        ]
        | None
    )


class BegunTotp(Shape):
    """An authenticator app, which counts once a code of it has confirmed it. The secret is shown only here."""

    id: Id
    secret: Annotated[str, Field(repr=False, description="the secret in base32, to type into the app")]
    uri: Annotated[str, Field(repr=False, description="the same as the text of a QR code: `otpauth://…`")]
    qr_png: Annotated[str, Field(repr=False, description="the QR code as a PNG image, in base64")]


class RecoveryCodes(Shape):
    """New recovery codes, shown only in this response. Each replaces the second factor once."""

    recovery_codes: Annotated[list[str], Field(repr=False, description="ten codes; earlier ones are invalid")]


class SecondFactorCheck(Shape):
    """The result of a right code."""

    fresh_until: Annotated[
        Timestamp, Field(description="time until which this login may do what needs a fresh code")
    ]
