"""Descriptions in the GraphQL schema for arguments, enum values and roots, which have no docstring or Field.

An argument that has a description where it is defined keeps it. `tests/sdl` checks that none is missing.
"""

from collections.abc import Mapping

from graphql import GraphQLEnumType, GraphQLObjectType, GraphQLScalarType, GraphQLSchema

ROOTS = {
    "Query": "All read operations. Any field may be null; the error is then in `errors`.",
    "Mutation": "All write operations. A field returns the changed object; if it fails, the field is null "
    "and the error is in `errors`.",
    "Subscription": "Events as they happen, over a WebSocket or as server-sent events.",
}

# Names that mean the same wherever they stand. Any other argument is described where it is defined: graphql.argument.
ARGUMENTS = {
    "accountId": "id or uuid of the account",
    "id": "id or uuid",
    "input": "the input fields",
}

_SENT = {
    "queued": "waiting to be sent",
    "sending": "being sent: the provider may already have accepted it",
    "sent": "accepted by the provider",
    "delivered": "delivered to the recipient",
    "read": "read by the recipient",
    "failed": "not delivered, for certain",
    "skipped": "not sent: the recipient is blocked, or a variable is missing",
    "unknown": "sent, but the provider did not confirm it; it is not sent again automatically",
    "canceled": "not sent, because the project was deleted",
}
_CHANNELS = {
    "sms": "SMS",
    "email": "email",
    "push": "push messages to apps and browsers",
    "telegram": "Telegram, through source accounts",
    "whatsapp": "WhatsApp, through source accounts",
}

VALUES: dict[str, Mapping[str, str]] = {
    "ChatState": {
        "open": "it waits for an answer, or for the other side",
        "closed": "closed by a person; a message that comes in opens it again",
    },
    "LabelColor": {
        color: f"shown in {color}"
        for color in ("gray", "red", "orange", "yellow", "green", "teal", "blue", "violet", "pink")
    },
    "AccountState": {
        "stopped": "switched off, or not started yet",
        "starting": "a worker has taken the account over and connects it",
        "waitQr": "waits until the QR code is scanned",
        "waitPhone": "waits for the account's phone number",
        "waitCode": "waits for the login code that the messenger has sent",
        "waitPassword": "waits for the account's cloud password",
        "showCode": "waits until the pairing code is entered on the phone",
        "syncing": "logged in, and synchronising with the messenger",
        "working": "connected; messages are sent and received",
        "reconnecting": "the connection was lost and is being restored",
        "failed": "failed; it stays so until it is started again",
        "loggedOut": "the messenger has ended the session",
        "blocked": "the messenger has blocked the account",
    },
    "AllowlistReason": {
        "noHeader": "the request has no `x-real-ip`: it did not come through the reverse proxy",
        "severalHeaders": "the request has more than one `x-real-ip`",
        "unreadable": "`x-real-ip` is not one plain address",
        "notListed": "the list does not have the address",
    },
    "BlockReason": {
        "manual": "blocked manually, or through the API",
        "optOut": "the recipient opted out by a stop word",
        "hardBounce": "the provider reports that the address does not exist",
        "complaint": "the recipient reported a message as spam",
        "unsubscribed": "the recipient used an unsubscribe link",
    },
    "BlockScope": {"all": "all messages are blocked", "promotional": "only promotional messages are blocked"},
    "ChatKind": {"user": "a chat with one person", "group": "a group chat", "channel": "a broadcast channel"},
    "ChatMessageStatus": {
        "pending": "not yet accepted by the messenger",
        "server": "accepted by the messenger: one tick",
        "delivered": "delivered to the recipient's device: two ticks",
        "has_seen": "read by the recipient",
        "errored": "failed; it will not be delivered",
    },
    "ContentKind": {
        "image": "an image",
        "video": "a video",
        "audio": "an audio file, played like music",
        "voice": "a voice message",
        "file": "any file, shown as a download",
    },
    "DeliveryState": {
        **{name: text for name, text in _SENT.items() if name not in {"read", "skipped"}},
        "canceled": "reserved; not used in this version",
    },
    "Direction": {"inbound": "received from the other side", "outbound": "sent to the other side"},
    "EntryKind": {
        "credit": "money added by an administrator",
        "charge": "the price of a message",
        "refund": "the refund of a failed message's price",
    },
    "ExportFormat": {
        "csv": "comma-separated values (RFC 4180)",
        "xlsx": "an Excel spreadsheet",
        "ndjson": "one JSON object on each line",
    },
    "ExportStatus": {
        "created": "waiting for a worker",
        "running": "the file is being written",
        "ready": "the file can be downloaded",
        "failed": "failed; `statusReason` gives the reason",
        "canceled": "canceled by its owner",
    },
    "FindingSeverity": {
        "ok": "all is well",
        "warning": "worth knowing",
        "error": "a problem that must be corrected",
    },
    "HookCredential": {
        "secret": "a secret that the engine signs its requests with",
        "key": "a key that the engine sends in the URL",
    },
    "ImportStatus": {
        "processing": "the list is being read",
        "ready": "all rows are read and can be used",
        "failed": "failed; `statusReason` gives the reason",
    },
    "Interval": {
        "quarterHour": "a quarter of an hour",
        "hour": "one hour",
        "day": "one day",
        "week": "one week, starting on Monday",
        "month": "one month",
    },
    "LegacyMethod": {
        "GET": "reads",
        "POST": "creates",
        "PUT": "replaces",
        "PATCH": "changes",
        "DELETE": "deletes",
    },
    "MessageCategory": {
        "transactional": "messages that the recipient needs, such as codes and invoices",
        "promotional": "advertising; not sent to recipients who unsubscribed",
    },
    "MessageChannel": {name: text for name, text in _CHANNELS.items() if name in {"sms", "email", "push"}},
    "MessageStatus": {
        "queued": "not yet accepted by a provider, or the result is unknown",
        "sent": "accepted by the provider",
        "delivered": "delivered; for an inbound message: received",
        "failed": "not delivered, for certain, and refunded",
    },
    "MessengerDriver": {
        "telegram": "as a Telegram client of the account's user",
        "whatsapp": "as a linked device of a WhatsApp account",
        "whatsapp_cloud": "through Meta's WhatsApp Cloud API",
        "sandbox": "a simulated messenger for tests; nothing leaves the service",
    },
    "MessengerSource": {"telegram": "Telegram", "whatsapp": "WhatsApp"},
    "Misfire": {"skip": "missed runs are skipped", "one": "one run is made for all missed ones"},
    "OnMissingVariable": {
        "skip": "the recipient is skipped",
        "empty": "the variable is replaced by an empty text",
    },
    "PauseReason": {
        "no_sender_online": "no source account of the project is connected",
        "balance_used_up": "the account's balance is too low for the next message",
        "tariff_used_up": "a limit of the tariff is reached",
        "provider_refuses_credentials": "the provider rejects its credentials; an administrator must correct them",
        "owner_suspended": "the project's owner is suspended",
        "recipients_failed": "an import was added only in part; stop the project, "
        "then start it to send to the recipients "
        "that were added",
        "recipients_pending": "the project is running, and rows of an import are still being added",
        "window_closed": "the project is running, but the sending window of no recipient is open",
        "missed_start": "the project was stopped, because it could not be started within startWithinSeconds of its "
        "startAt; "
        "start it, or schedule it anew",
    },
    "Plan": {"free": "free of charge", "pro": "for regular use", "enterprise": "by agreement"},
    "ProcessingStatus": {
        "ok": "nothing is due, or it is being processed",
        "stuck": "a running project has messages that are due, but no worker sends them",
    },
    "RouteState": {
        "closed": "messages are sent through the route",
        "open": "the provider does not respond, and messages wait",
        "probing": "one message is being sent to test the provider",
    },
    "ProjectChannel": _CHANNELS,
    "PlanLimit": {
        "speed": "the project's own messages per minute",
        "senders": "the messages per minute of its source accounts",
        "jitter": "the random delay before each message",
        "tariff": "the messages per minute of the owner's tariff",
        "route": "nothing but the provider's route",
    },
    "ProjectStatus": {
        "draft": "never started",
        "scheduled": "starts at its `startAt`",
        "running": "its messages are being sent",
        "paused": "continues automatically when the cause is gone; `statusReason` gives the cause",
        "stopped": "stopped by a user; continues when it is started",
        "finished": "all messages have left the queue and none is being sent",
        "deleted": "deleted; it is kept only for the statistics",
    },
    "ReadinessStatus": {
        "ok": "everything is available",
        "degraded": "everything is available, but something is slow",
        "error": "something is unavailable",
    },
    "RecipientStatus": {"pending": "there is no message yet", **_SENT},
    "RecordStatus": _SENT,
    "StatisticsKind": {
        "project": "messages of Sending Projects",
        "direct": "single outbound messages, without test messages",
        "all": "the sum of both",
    },
    "RepeatableStatus": {
        "draft": "never started",
        "active": "runs by its schedule",
        "stopped": "does not run until it is started",
        "finished": "the schedule has no further runs",
    },
    "Role": {
        "admin": "can read and change everything",
        "user": "can read and change only the user's own objects",
    },
    "Scope": {"user": "the caller's own settings", "account": "the settings of an account"},
    "SenderStatus": {
        "connected": "messages can be sent through it",
        "disconnected": "its messages wait until it is connected again",
        "blocked": "its messenger has blocked it",
        "deleted": "deleted; it is no longer used",
    },
    "SortDirection": {
        "asc": "ascending: smallest or oldest first",
        "desc": "descending: largest or newest first",
    },
    "UserStatus": {
        "active": "can log in",
        "invited": "has not accepted the invitation yet",
        "suspended": "can't log in until activated again",
        "deleted": "deleted permanently",
    },
    "WebhookDeliveryState": {
        "waiting": "waits for its turn, or for its next attempt",
        "delivered": "the receiver has accepted it",
        "dead": "given up; it can be replayed",
    },
    "WebhookEvent": {
        "message": "a message was received, or was sent from another device",
        "message_status": "the status of a message has changed",
        "add_message_reaction": "somebody reacted to a message",
        "message_edited": (
            "the text of a message was edited at the messenger; it is sent only to webhooks that list "
            "this type"
        ),
        "message_deleted": "a message was deleted at the messenger; it is sent only to webhooks that list this type",
        "state": "the account's state has changed",
    },
}


SPECIFICATIONS = {
    "DateTime": "https://www.rfc-editor.org/rfc/rfc3339",
    "UUID": "https://www.rfc-editor.org/rfc/rfc9562",
}


# For every enum whose name ends with Sort.
SORTS = {
    "createdAt": "time of creation",
    "name": "by name, compared character by character",
    "size": "by size in bytes",
    "updatedAt": "time of the last change",
}


def describe(schema: GraphQLSchema) -> None:
    """Fills in the missing descriptions of a schema, and puts those that are docstrings on one line."""
    for name, kind in schema.type_map.items():
        if name.startswith("__"):
            continue
        if isinstance(kind, GraphQLScalarType):
            kind.specified_by_url = kind.specified_by_url or SPECIFICATIONS.get(name)
        elif isinstance(kind, GraphQLObjectType):
            kind.description = kind.description or ROOTS.get(name)
            for field in kind.fields.values():
                for argument_name, argument in field.args.items():
                    argument.description = argument.description or ARGUMENTS.get(argument_name)
        elif isinstance(kind, GraphQLEnumType):
            descriptions = SORTS if name.endswith("Sort") else VALUES.get(name, {})
            for value_name, value in kind.values.items():
                value.description = value.description or descriptions.get(value_name)
        kind.description = _in_one_line(kind.description)


def _in_one_line(text: str | None) -> str | None:
    return text and " ".join(text.split())
