"""Defines what all calls of Area C have in common (contract §4): a public vendor API's shapes."""

from typing import Annotated, Literal

from pydantic import ConfigDict, Field

from shapes.messenger_accounts import Login, MessengerSource
from shapes.shape import Shape, Text


class Credentialed(Shape):
    """A body of Area C: what it does not know it ignores, as the vendor does."""

    model_config = ConfigDict(extra="ignore")

    token: Annotated[
        Text | None,
        Field(
            max_length=4096,
            repr=False,
            exclude=True,  # it says who asks, not what: another one with an Idempotency-Key is the same request
            description="an API token, in place of `Authorization: Bearer`; if both are sent, of the same user",
        ),
    ] = None


class Call(Credentialed):
    """The fields of every call about one of the caller's messenger accounts."""

    source: Annotated[MessengerSource, Field(description="messenger of the account")]
    login: Login


class Answer(Shape):
    """The fields that every response contains."""

    status: Annotated[Literal["ok"], Field(description="always `ok`; errors say `error`")] = "ok"
    uuid: Annotated[str, Field(description="uuid of this request, for support")] = ""
