"""Shapes of the events that engines post to a user's hooks, and of their credentials (contract §3)."""

from datetime import UTC, datetime
from typing import Annotated, Any
from uuid import UUID

import strawberry
from pydantic import AfterValidator, BeforeValidator, ConfigDict, Field
from strawberry.scalars import JSON

from shapes.described import DescribedEnum
from shapes.shape import NO_CONTROLS, Created, JsonObject, Line, Shape, Timestamp, Uuid, in_calendar
from shapes.source_accounts import SenderStatus
from shapes.where import Choice, Flag, TimeSpan, Where


class HookCredential(DescribedEnum):
    """The credential by which an engine authenticates its requests."""

    secret = "secret", "a secret that the engine signs its requests with"  # it signs with this
    key = "key", "a key that the engine sends in the URL"  # it shows this in the URL


class HookSecret(Shape):
    """The credential that an engine authenticates with at your hooks. Its secret value is shown only once, when it is
    created.
    """

    id: Uuid
    kind: Annotated[
        HookCredential, Field(description="a secret for signatures, or a key for the `key` query parameter")
    ]
    hint: Annotated[str, Field(description="last four characters of the secret value")]
    created_at: Created
    revoked_at: (
        Annotated[Timestamp, Field(description="time from which it is rejected; null: it is not revoked")]
        | None
    )
    created_by: Annotated[
        UUID | None,
        Field(
            description="id of the member who has made it, and with whose membership it ends; null: the user's own"
        ),
    ]
    last_used_at: (
        Annotated[Timestamp, Field(description="when a request was last proven by it; null: never")] | None
    )


class HookSecretWhere(Where):
    """Filter for hook secrets and keys."""

    kind: Annotated[Choice[HookCredential] | None, Field(description="filter by kind: secrets or keys")] = (
        None
    )
    revoked: Annotated[Flag | None, Field(description="filter by whether they are revoked")] = None
    created_at: Annotated[TimeSpan | None, Field(description="filter by creation time")] = None


class IssuedHookSecret(Shape):
    """A new hook secret or key with its secret value."""

    secret: Annotated[str, Field(description="the secret value; it is shown only in this response")]
    hook_secret: Annotated[HookSecret, Field(description="its metadata, without the secret value")]


class HookAnswer(Shape):
    """The result of processing the events of a request."""

    accepted: Annotated[int, Field(description="events that were valid and belong to a known message")]
    duplicates: Annotated[
        int, Field(description="events that were already received within the last 72 hours")
    ]
    unknown: Annotated[
        int,
        Field(
            description="events that were not valid, or belong to a message that is not known yet; the latter are "
            "kept until it is"
        ),
    ]


class DeliverEvents(Shape):
    """Events of a messaging engine, submitted by its user."""

    events: Annotated[
        list[JsonObject],
        Field(
            max_length=1000,
            description="the events, in the format of `POST /delivery-hook/{engineUserUuid}`",
            examples=[[{"event": "delivery", "providerMessageId": "SM1", "status": "delivered"}]],
        ),
        strawberry.field(graphql_type=list[JSON]),
    ]


class ChannelEvent(Shape):
    """A change of a sender identity, reported by its owner."""

    event: Annotated[SenderStatus, Field(description="the new state of the sender identity")]
    source: Annotated[Line, Field(min_length=1, max_length=64, description="source of the source account")]
    login: Annotated[Line, Field(min_length=1, max_length=256, description="source of the source account")]
    at: Annotated[Timestamp, Field(description="when it happened; default: now")] | None = None


def _lower(value: Any) -> Any:
    return value.lower() if isinstance(value, str) else value


class ChannelHook(ChannelEvent):
    """A change of a sender identity as an engine posts it; unknown fields are ignored."""

    model_config = ConfigDict(extra="ignore")

    engine_user_uuid: Annotated[UUID, Field(description="uuid of the user who owns the source account")]
    event: Annotated[SenderStatus, BeforeValidator(_lower)]
    at: Annotated[
        datetime | None,
        AfterValidator(lambda at: at and in_calendar(at if at.tzinfo else at.replace(tzinfo=UTC))),
    ] = None


BODY: dict[str, Any] = {
    "type": "object",
    "description": "one event, or {events: [...]}; unknown fields are ignored",
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
        "engineUserUuid": {
            "type": "string",
            "format": "uuid",
            "description": "uuid of the user who owns the source account",
        },
        "event": {"type": "string", "enum": [status.value for status in SenderStatus]},
        "source": {"type": "string", "minLength": 1, "maxLength": 64, "pattern": NO_CONTROLS},
        "login": {"type": "string", "minLength": 1, "maxLength": 256, "pattern": NO_CONTROLS},
        "at": {"type": "string", "description": "ISO 8601, or a Unix time in seconds; default: now"},
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
