"""What engines tell us at a user's hooks, and what they prove themselves with (contract §3)."""

from datetime import UTC, datetime
from enum import StrEnum
from typing import Annotated, Any
from uuid import UUID

import strawberry
from pydantic import AfterValidator, BeforeValidator, ConfigDict, Field
from strawberry.scalars import JSON

from schema.types.shape import Created, JsonObject, Line, Shape, Timestamp, Uuid, in_calendar
from schema.types.source_accounts import SenderStatus
from schema.types.where import Choice, Flag, TimeSpan, Where


class HookCredential(StrEnum):
    """What an engine has of ours."""

    secret = "secret"  # it signs with this
    key = "key"  # it shows this in the URL


class HookSecret(Shape):
    """With what an engine proves itself at your hooks. The secret itself is shown once, when it is made."""

    id: Uuid
    kind: Annotated[HookCredential, Field(description="a secret to sign with, or a key for `?key=`")]
    hint: Annotated[str, Field(description="its last four characters")]
    created_at: Created
    revoked_at: Annotated[Timestamp, Field(description="since when it is refused")] | None


class HookSecretWhere(Where):
    """What must hold for hook secrets and keys."""

    kind: Annotated[Choice[HookCredential] | None, Field(description="secrets, or keys")] = None
    revoked: Annotated[Flag | None, Field(description="whether they are refused by now")] = None
    created_at: Annotated[TimeSpan | None, Field(description="when they were made")] = None


class IssuedHookSecret(Shape):
    """A new hook secret or key, in full."""

    secret: Annotated[str, Field(description="shown now and never again")]
    hook_secret: Annotated[HookSecret, Field(description="what can be seen of it later")]


class HookAnswer(Shape):
    """What became of the events of a request."""

    accepted: Annotated[int, Field(description="understood, and about something that we know")]
    duplicates: Annotated[int, Field(description="told before, within 72 hours")]
    unknown: Annotated[
        int, Field(description="not understood, or about a message that we don't know yet; those are kept")
    ]


class DeliverEvents(Shape):
    """Events of an engine, by its user."""

    events: Annotated[
        list[JsonObject],
        Field(
            max_length=1000,
            description="as `POST /delivery-hook/{engineUserUuid}` takes them",
            examples=[[{"event": "delivery", "providerMessageId": "SM1", "status": "delivered"}]],
        ),
        strawberry.field(graphql_type=list[JSON]),
    ]


class ChannelEvent(Shape):
    """What became of a sender identity, by its user."""

    event: Annotated[SenderStatus, Field(description="its state from now on")]
    source: Annotated[Line, Field(min_length=1, max_length=64, description="as the account has it")]
    login: Annotated[Line, Field(min_length=1, max_length=256, description="as the account has it")]
    at: Annotated[Timestamp, Field(description="when it happened; default: now")] | None = None


def _lower(value: Any) -> Any:
    return value.lower() if isinstance(value, str) else value


class ChannelHook(ChannelEvent):
    """The same as an engine posts it; what else it says is ignored."""

    model_config = ConfigDict(extra="ignore")

    engine_user_uuid: Annotated[UUID, Field(description="whose account it is")]
    event: Annotated[SenderStatus, BeforeValidator(_lower)]
    at: Annotated[
        datetime | None,
        AfterValidator(lambda at: at and in_calendar(at if at.tzinfo else at.replace(tzinfo=UTC))),
    ] = None


BODY: dict[str, Any] = {
    "type": "object",
    "description": "one event, or {events: [...]}; what is not known is ignored",
    "examples": [
        {
            "events": [
                {"id": "e1", "event": "delivery", "providerMessageId": "SM1", "status": "delivered"},
                {"id": "e2", "event": "reply", "from": "+14155550100", "text": "Yes, please"},
            ]
        }
    ],
}
"""JSON Schema of a delivery hook's body."""

CHANNEL_BODY: dict[str, Any] = {
    "type": "object",
    "required": ["engineUserUuid", "event", "source", "login"],
    "properties": {
        "engineUserUuid": {"type": "string", "format": "uuid", "description": "whose account it is"},
        "event": {"type": "string", "enum": [status.value for status in SenderStatus]},
        "source": {"type": "string", "minLength": 1, "maxLength": 64},
        "login": {"type": "string", "minLength": 1, "maxLength": 256},
        "at": {"type": "string", "description": "ISO 8601, or a number of seconds; default: now"},
    },
    "examples": [
        {
            "engineUserUuid": str(UUID(int=0x01890000_0000_7000_8000_000000000000)),
            "event": "connected",
            "source": "telegram",
            "login": "79990000000",
            "at": "2026-11-20T12:00:00Z",
        }
    ],
}
"""JSON Schema of a channel hook's body."""
