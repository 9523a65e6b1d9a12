"""Logging messenger accounts in: QR, pairing code, challenge, cloud password (contract §4)."""

import re
from typing import Annotated, Any, Self

from pydantic import BeforeValidator, ConfigDict, Field, model_validator

from shapes.messenger_accounts import Phone
from shapes.rules import required
from shapes.shape import NO_CONTROLS, Shape, Timestamp
from shapes.vendor import Answer, Call

_PHONE = re.compile(r"\+?[0-9]{5,15}")
_BRACED = re.compile(r"\s*\{\{(.*)\}\}\s*", re.DOTALL)


def _without_placeholder(phone: Any) -> Any:
    """Drops an empty value: it was left out."""
    return None if phone == "" else phone


def _unbraced(value: Any) -> Any:
    """The vendor's cabinet sends the code as `{{ 123456 }}`, and some clients as a number."""
    if isinstance(value, int) and not isinstance(value, bool) and 0 <= value < 10**16:
        return str(value)
    braced = _BRACED.fullmatch(value) if isinstance(value, str) else None
    return braced[1].strip() if braced else value


def _unspaced(value: Any) -> Any:
    """People read codes out in groups."""
    plain = _unbraced(value)
    return re.sub(r"[\s-]", "", plain) if isinstance(plain, str) else plain


_DIGITS = r"[\s-]*([0-9A-Za-z][\s-]*){1,16}"
Code = Annotated[
    str,
    BeforeValidator(_unspaced),
    Field(
        pattern=r"^[0-9A-Za-z]{1,16}$",
        json_schema_extra={"pattern": rf"^({_DIGITS}|\s*\{{\{{{_DIGITS}\}}\}}\s*)$"},
        description="the code, as `123456` or `{{ 123456 }}`",
        examples=["123456"],
    ),
]
Password = Annotated[
    str,
    BeforeValidator(_unbraced),
    Field(
        min_length=1,
        max_length=256,
        pattern=NO_CONTROLS,
        json_schema_extra={"pattern": NO_CONTROLS},
        description="the account's cloud password",
        examples=["correct horse"],
    ),
]


class EnablePhoneAuth(Call):
    """Login with a code for this phone instead of a QR code, from the account's next start."""

    model_config = ConfigDict(
        json_schema_extra={
            "if": {"properties": {"login": {"pattern": rf"^\s*{_PHONE.pattern}\s*$"}}},
            "else": required("phone"),
        }
    )

    phone: Annotated[
        Phone | None,
        BeforeValidator(_without_placeholder),
        Field(description="default: the account's login, which must then be a phone"),
    ] = None

    @model_validator(mode="after")
    def _login_as_phone(self) -> Self:
        """Old clients of the vendor's send no phone: their accounts are named by it."""
        if self.phone is None:
            if not _PHONE.fullmatch(self.login):
                raise ValueError("Send phone: the login is not a phone number.")
            self.phone = self.login
        return self


class SolveChallenge(Call):
    """A login code that the messenger has sent to the account's user."""

    code: Annotated[Code, Field(repr=False)]


class TwoFactorAuth(Call):
    """The cloud password for two-step verification."""

    code: Annotated[Password, Field(repr=False)]


class AuthCodeAnswer(Answer):
    auth_code: Annotated[str, Field(description="pairing code to enter on the phone, under linked devices")]
    expires_at: Annotated[
        Timestamp | None, Field(description="when the code expires and another one replaces it")
    ]


class QrAnswer(Answer):
    value: Annotated[str, Field(description="text of the QR code")]
    expires_at: Annotated[
        Timestamp | None, Field(description="when the code expires and another one replaces it")
    ]


class MessengerPhone(Shape):
    """The phone that an account logs in with; null: it logs in by a QR code."""

    phone: Phone | None = None


class ChallengeCode(Shape):
    """A login code that the messenger has sent to the account's user."""

    code: Annotated[Code, Field(repr=False)]


class CloudPassword(Shape):
    """The cloud password (two-step verification) of an account."""

    password: Annotated[Password, Field(repr=False)]
