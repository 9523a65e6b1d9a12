"""Configuration of messenger accounts: named JSON documents (contract §4)."""

from collections.abc import Mapping
from typing import Annotated, Any
from uuid import UUID

import strawberry
from pydantic import BeforeValidator, ConfigDict, Field, StrictBool, StrictInt, ValidationError
from strawberry.scalars import JSON

from shapes.messenger_accounts import AccountState, MessengerSource
from shapes.shape import JsonObject, Shape, Updated
from shapes.values import json_at_most
from shapes.vendor import Answer, Call, Credentialed
from shapes.where import Choice, Exactly, TimeSpan, Where

MAX_DOCUMENT = 64 * 1024  # bytes, as JSON
MAX_DOCUMENTS = 50  # of one account
DEFAULT = "default"  # the document that the service itself reads

ConfigName = Annotated[
    str,
    Field(
        pattern=r"^[A-Za-z0-9_.-]{1,64}$",
        description="name of the document; the service itself reads only `default`, all other names are free for "
        "your use",
        examples=[DEFAULT],
    ),
]
Document = Annotated[
    JsonObject,
    json_at_most(MAX_DOCUMENT),
    Field(
        description="the new document, which replaces the old one; top-level keys with the value null are "
        "dropped, and an empty object deletes it",
        examples=[{"stateWebhooks": {"syncing": False}, "autoRead": True}],
    ),
]


_KEYS = ConfigDict(populate_by_name=False)  # a document is kept as it came, so it has one spelling


class Reconnect(Shape):
    """Settings for a working account that loses its connection."""

    model_config = _KEYS

    enabled: StrictBool = True
    max_attempts: Annotated[StrictInt, Field(ge=1, le=1000)] | None = None  # in a row; none: for ever


class Quiet(Shape):
    """Settings that select chats whose messages are stored but sent to no webhook."""

    model_config = _KEYS

    ignore_groups: StrictBool = False
    ignore_channels: StrictBool = False
    ignore_outgoing: StrictBool = False  # what the account itself wrote, here or on another device
    ignore_statuses: StrictBool = False
    ignore_reactions: StrictBool = False


def _states(value: Any) -> Any:
    """Replaces the errors of the union's branches by one sentence."""
    if isinstance(value, bool):
        return value
    if not isinstance(value, dict):
        sentence = "must be true, false, or an object of states, each true or false"
        raise ValueError(sentence)  # noqa: TRY004  pydantic takes no TypeError
    for state, setting in value.items():
        if state not in AccountState.__members__:
            raise ValueError(f"{str(state)[:64]!r} is not a state; states are {', '.join(AccountState)}")
        if not isinstance(setting, bool):
            raise ValueError(f"{state} must be true or false")  # noqa: TRY004  as above
    return value


class DefaultConfig(Shape):
    """The keys of `default`. Every one may be left out."""

    model_config = _KEYS

    state_webhooks: Annotated[bool | dict[AccountState, bool], BeforeValidator(_states)] = (
        True  # one that is not named is sent
    )
    auto_read: StrictBool = False
    reconnect: Reconnect = Reconnect()
    quiet: Quiet = Quiet()
    takeover: StrictBool = False  # "use here", when another client opens the same session


def checked(name: str, config: Mapping[str, Any]) -> dict[str, Any]:
    """Returns the document as it is kept. Raises ValueError: one sentence, for `default` with what is allowed."""
    values = {key: value for key, value in config.items() if value is not None}
    if name != DEFAULT:
        return values
    try:
        DefaultConfig.model_validate(values)
    except ValidationError as error:
        raise ValueError("; ".join(_sentence(problem) for problem in error.errors()[:10])) from None
    return values


def _sentence(problem: Mapping[str, Any]) -> str:
    where = [str(part)[:64] for part in problem["loc"]]
    if problem["type"] == "extra_forbidden":
        inside = _SHAPES[where[0]] if len(where) > 1 else DefaultConfig
        aliases = ", ".join(str(field.alias) for field in inside.model_fields.values())
        return f"config.{'.'.join(where)} is not known; known are {aliases}"
    message = str(problem["msg"]).removeprefix("Value error, ").removeprefix("Input ")
    if problem["type"] in ("model_type", "model_attributes_type"):
        message = "should be an object"
    return f"config.{'.'.join(where)}: {message}"


_SHAPES: dict[str, type[Shape]] = {"reconnect": Reconnect, "quiet": Quiet}


class Config(Shape):
    """A named JSON document of a messenger account."""

    account_id: Annotated[UUID, strawberry.Private]
    source: Annotated[MessengerSource, Field(description="messenger of the account")]
    login: Annotated[str, Field(description="the account's login")]
    name: Annotated[str, Field(description="name of the document")]
    config: Annotated[Any, Field(description="the JSON document"), strawberry.field(graphql_type=JSON)]
    updated_at: Updated


class ConfigWhere(Where):
    """Filter for documents."""

    name: Annotated[Exactly | None, Field(description="filter by name")] = None
    source: Annotated[
        Choice[MessengerSource] | None, Field(description="filter by the messenger of the account")
    ] = None
    updated_at: Annotated[TimeSpan | None, Field(description="filter by the time of the last change")] = None


class GetConfigList(Credentialed):
    """Selects the documents of your accounts to return."""

    source: (
        Annotated[MessengerSource, Field(description="only documents of accounts of this messenger")] | None
    ) = None
    after: Annotated[UUID, Field(description="the `next` value of the previous page")] | None = None


class GetConfig(Call):
    """The document to return."""

    name: ConfigName = DEFAULT


class SetConfig(Call):
    """A document to set. It replaces the document of that name."""

    name: ConfigName = DEFAULT
    config: Document


class NewConfig(Shape):
    """A document to set. It replaces the document of that name. Top-level keys with the value null are dropped; `{}`
    deletes the document.
    """

    name: ConfigName = DEFAULT
    config: Annotated[Document, strawberry.field(graphql_type=JSON)]


class ConfigEntry(Shape):
    """A document and the account that it belongs to."""

    source: MessengerSource
    login: Annotated[str, Field(description="the account's login")]
    name: Annotated[str, Field(description="name of the document")]
    config: Annotated[dict[str, Any], Field(description="the JSON document")]


class ConfigList(Answer):
    """Documents, in the order in which they were first set."""

    configs: Annotated[list[ConfigEntry], Field(description="the documents of your accounts")]
    next: (
        Annotated[
            UUID, Field(description="cursor to send as `after` for the next page; null on the last page")
        ]
        | None
    ) = None


class ConfigAnswer(Answer):
    """One document."""

    config: Annotated[dict[str, Any], Field(description="the document; `{}` if none is set")]
