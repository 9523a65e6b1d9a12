"""Providers that an administrator can set up and test from a form."""

from typing import Annotated

import strawberry
from pydantic import ConfigDict, Field, JsonValue
from strawberry.scalars import JSON

from shapes.messages import MessageChannel
from shapes.shape import Cost, Line, Shape, Text

MOST_FIELDS = 20


class ProviderField(Shape):
    """A field that a provider needs."""

    name: Annotated[str, Field(description="its name in `values`", examples=["host"])]
    label: Annotated[str, Field(description="a title for people, in English", examples=["Server"])]
    about: Annotated[str, Field(description="what it is, in English")]
    secret: Annotated[bool, Field(description="whether it must be hidden; no answer ever has its value")]
    required: Annotated[bool, Field(description="whether it must be given")]
    example: Annotated[str, Field(description="an example; may be empty")]
    default: Annotated[str | None, Field(description="what holds if it is left out; null: nothing")]
    choices: Annotated[list[str], Field(description="the values that it may have; empty: any")]


class ProviderDescription(Shape):
    """A provider that can be set up."""

    name: Annotated[str, Field(description="its name", examples=["postmark"])]
    label: Annotated[str, Field(description="a title for people, in English", examples=["Postmark"])]
    about: Annotated[str, Field(description="what it is, in English")]
    channels: Annotated[list[MessageChannel], Field(description="the channels that it carries")]
    fields: Annotated[list[ProviderField], Field(description="what it needs"), Cost(most=MOST_FIELDS)]


Values = Annotated[
    dict[str, Annotated[str, Field(max_length=2000)]],
    Field(
        max_length=MOST_FIELDS,
        description="the values of the provider's fields, by their names; they are stored encrypted",
        examples=[{"from": "news@example.com", "user": "…", "password": "…"}],
    ),
    strawberry.field(graphql_type=JSON),
]
_EXAMPLE: dict[str, JsonValue] = {
    "channel": "email",
    "provider": "mail-server",
    "values": {"from": "news@example.com", "host": "mail.example.com", "user": "postern", "password": "…"},
}


class NewProvider(Shape):
    """A provider to set up. Its route is used within two seconds: for emails and push in place of the sandbox and
    before the configured ones, for SMS to all numbers that no other rule of routes is about.
    """

    model_config = ConfigDict(json_schema_extra={"examples": [_EXAMPLE]})

    channel: Annotated[MessageChannel, Field(description="the channel whose messages it gets")]
    provider: Annotated[Line, Field(max_length=32, description="name of the provider", examples=["postmark"])]
    values: Values
    name: Annotated[
        Line | None,
        Field(
            min_length=1,
            max_length=32,
            description="name of its route, which no other route has or had; default: the provider's, with letters",
        ),
    ] = None


class ProviderTest(Shape):
    """A provider to try with one message, which leaves for real and is no message of the installation."""

    model_config = ConfigDict(json_schema_extra={"examples": [{**_EXAMPLE, "to": "you@example.com"}]})

    channel: Annotated[MessageChannel, Field(description="the channel to try")]
    provider: Annotated[Line, Field(max_length=32, description="name of the provider", examples=["postmark"])]
    values: Values
    to: Annotated[
        Text,
        Field(
            min_length=1, max_length=4096, description="who gets the message", examples=["you@example.com"]
        ),
    ]


class ProviderTestResult(Shape):
    """The answer of a provider to a test message."""

    sent: Annotated[bool, Field(description="whether the provider has accepted the message")]
    result: Annotated[
        str,
        Field(
            description="sent, delivered, refused, transient, throttled, misconfigured or unknown",
            examples=["misconfigured"],
        ),
    ]
    code: Annotated[
        str | None, Field(description="why it was not accepted, as a code", examples=["bad_credentials"])
    ]
    reason: Annotated[str | None, Field(description="the same as a sentence, with the provider's own words")]
    provider_message_id: Annotated[str | None, Field(description="the message's id at the provider")]
    seconds: Annotated[float, Field(description="how long the provider took")]
