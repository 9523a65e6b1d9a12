"""What GraphQL says of arguments, of enums' values and of its roots: what has no docstring or Field of its own.

An argument that is described where it is made keeps what it says there. `tests/sdl` asks for whatever is missing.
"""

from collections.abc import Mapping

from graphql import GraphQLEnumType, GraphQLObjectType, GraphQLScalarType, GraphQLSchema

ROOTS = {
    "Query": "What can be read. Every field may be null: what went wrong is in `errors`.",
    "Mutation": "What can be changed. Every field gives the thing itself, or null and what went wrong in `errors`.",
    "Subscription": "What is told while it happens, over a WebSocket or as server-sent events.",
}

# By `Type.field(argument:)`, else by the argument's name.
ARGUMENTS = {
    "accountId": "the account: its id or its uuid",
    "accountUuid": "only through this source account: its id or its uuid",
    "channel": "only those of this channel",
    "count": "how many; 1 to 50",
    "dateFrom": "only what was made then or later",
    "dateTo": "only what was made before then",
    "email": "its email address",
    "id": "its id or its uuid",
    "ids": "only these",
    "input": "what it is to be",
    "interval": "how long each of them is",
    "updatedSince": "only what changed then or later",
    "item": "the message's id or its uuid",
    "key": "its key",
    "name": "its name",
    "phone": "in any spelling that the caller's region knows",
    "probe": "ask the messenger first whether the connection lives",
    "q": "what their texts contain",
    "reason": "only those that are blocked for this",
    "scope": "the caller's own, or an account's",
    "secret": "the new one; left out: we make one",
    "sendingProjectId": "the project: its id or its uuid",
    "sendingProjectUuid": "only those of this project: its id or its uuid",
    "source": "only those of this kind",
    "status": "only those that stand so",
    "thread": "the chat, by its thread in place of `to`",
    "timezone": "IANA's name of the zone whose calendar is meant",
    "to": "the other side: a phone, a @username or a chat",
    "uuids": "only these rows; left out: all, and the import itself",
    "webhookId": "the webhook: its id or its uuid",
    "Query.exportVariables(source:)": "what would be exported",
    "Query.deliveryStatusCounts(kind:)": "of which messages",
    "Query.statisticsTotal(kind:)": "of which messages",
    "Query.statisticsGeneral(kind:)": "of which messages",
    "Query.statisticsGeneral(dateFrom:)": "when the first interval begins; left out: 24 hours, 30 days, 12 weeks or 12 months before",
    "Query.statisticsGeneral(dateTo:)": "when the last one ends; left out: now",
    "Query.messengerConfigs(after:)": "the last one of the page before",
    "Query.messengerMessages(before:)": "only older ones than this message: its id or its uuid",
    "Subscription.messengerAccountChanged(id:)": "only this account: its id or its uuid; left out: all of yours",
}

_SENT = {
    "queued": "waits for its turn",
    "sending": "may be in the provider's hands",
    "sent": "the provider took it",
    "delivered": "it arrived",
    "read": "it was read",
    "failed": "surely not delivered",
    "skipped": "not sent: blocked, or a text lacks a variable",
    "unknown": "it was handed over and no answer came; it is not sent again",
    "canceled": "its project was deleted before it left",
}
_CHANNELS = {
    "sms": "text messages",
    "email": "email",
    "push": "push messages to apps and browsers",
    "telegram": "Telegram accounts",
    "whatsapp": "WhatsApp accounts",
}

VALUES: dict[str, Mapping[str, str]] = {
    "AccountState": {
        "stopped": "not wanted, or not started yet",
        "starting": "a process has taken it and connects",
        "waitQr": "a QR code is to be scanned",
        "waitPhone": "it wants its phone number",
        "waitCode": "it wants the code that the messenger has sent",
        "waitPassword": "it wants its cloud password",
        "showCode": "a pairing code is to be entered on the phone",
        "syncing": "it is in, and catches up",
        "working": "messages come and go",
        "reconnecting": "the connection is lost and tried again",
        "failed": "it goes no further until it is started again",
        "loggedOut": "the messenger has ended the session",
        "blocked": "the messenger has blocked the account",
    },
    "BlockReason": {
        "manual": "by hand, or by the API",
        "optOut": "its owner wants nothing more: a stop word",
        "hardBounce": "the provider says that there is no such address",
        "complaint": "its owner has called a message spam",
        "unsubscribed": "its owner wants no advertising: an unsubscribe link",
    },
    "BlockScope": {"all": "every message", "promotional": "promotional messages"},
    "ChatKind": {"user": "one person", "group": "several people", "channel": "one who tells many"},
    "ChatMessageStatus": {
        "pending": "not yet at the messenger",
        "server": "the messenger has it: one tick",
        "delivered": "it is on the other side's device: two ticks",
        "has_seen": "it was read",
        "errored": "it will not arrive",
    },
    "ContentKind": {
        "image": "a picture",
        "video": "a film",
        "audio": "a recording to be played as music is",
        "voice": "a voice message",
        "file": "any file, as a download",
    },
    "DeliveryState": {
        **{name: said for name, said in _SENT.items() if name not in {"read", "skipped"}},
        "canceled": "reserved; nothing comes here in this version",
    },
    "Direction": {"inbound": "it came in", "outbound": "it goes out"},
    "EntryKind": {
        "credit": "money that an administrator put in",
        "charge": "the price of a message",
        "refund": "that of a message that failed",
    },
    "ExportFormat": {
        "csv": "comma-separated values, RFC 4180",
        "xlsx": "a spreadsheet",
        "ndjson": "a JSON object a line",
    },
    "ExportStatus": {
        "created": "waits for a worker",
        "running": "is being written",
        "ready": "the file can be fetched",
        "failed": "`statusReason` says why",
        "canceled": "its caller wants it no more",
    },
    "HookCredential": {"secret": "it signs with this", "key": "it shows this in the URL"},
    "ImportStatus": {
        "processing": "its file is being read",
        "ready": "its rows can be looked at and used",
        "failed": "`statusReason` says why",
    },
    "Interval": {"hour": "an hour", "day": "a day", "week": "a week, from Monday", "month": "a month"},
    "LegacyMethod": {
        "GET": "reads",
        "POST": "makes",
        "PUT": "replaces",
        "PATCH": "changes",
        "DELETE": "deletes",
    },
    "MessageCategory": {
        "transactional": "what its recipient must get, like a code or an invoice",
        "promotional": "advertising: not sent to who unsubscribed",
    },
    "MessageChannel": {name: said for name, said in _CHANNELS.items() if name in {"sms", "email", "push"}},
    "MessageStatus": {
        "queued": "not yet at the provider, or nobody knows",
        "sent": "the provider took it",
        "delivered": "it arrived; of one that came in: it is here",
        "failed": "surely not delivered, and refunded",
    },
    "MessengerDriver": {
        "telegram": "as a Telegram client of its owner's",
        "whatsapp": "as a device that is linked to a WhatsApp",
        "whatsapp_cloud": "through Meta's WhatsApp Cloud API",
        "sandbox": "not at all: a messenger of ours, to try things with",
    },
    "MessengerSource": {"telegram": "Telegram", "whatsapp": "WhatsApp"},
    "Misfire": {"skip": "none of them is made up for", "one": "one is, for all of them"},
    "OnMissingVariable": {"skip": "nothing is sent to him", "empty": "it is left empty in the text"},
    "PauseReason": {
        "no_sender_online": "no source account of the project is connected",
        "balance_used_up": "the account has too little money for the next message",
        "tariff_used_up": "the tariff allows no more for now",
        "provider_refuses_credentials": "an administrator must give the right ones",
        "owner_suspended": "its owner can't log in either",
        "recipients_failed": "an import could not be added to its end; stop the project, and start it with those that went in",
        "recipients_pending": "it runs, and the rows of an import are still being added",
        "window_closed": "it runs, and no recipient's window is open",
    },
    "Plan": {"free": "costs nothing", "pro": "for regular use", "enterprise": "by agreement"},
    "ProcessingStatus": {
        "ok": "nothing waits, or it is being worked on",
        "stuck": "a running project has work that is due, and nobody does it",
    },
    "RouteState": {
        "closed": "messages go through",
        "open": "its provider does not answer, and messages wait",
        "probing": "one message is being tried",
    },
    "ProjectChannel": _CHANNELS,
    "ProjectStatus": {
        "draft": "never started",
        "scheduled": "starts at its `startAt`",
        "running": "its messages leave",
        "paused": "goes on by itself when the cause is gone; `statusReason` names it",
        "stopped": "goes on when it is started",
        "finished": "nothing is queued or in flight any more",
        "deleted": "for good; its row stays, for the statistics",
    },
    "ReadinessStatus": {
        "ok": "all is up",
        "degraded": "all is up, something is slow",
        "error": "something is down",
    },
    "RecipientStatus": {"pending": "there is no message yet", **_SENT},
    "RecordStatus": _SENT,
    "StatisticsKind": {
        "project": "messages of Sending Projects",
        "direct": "single messages that were sent, without tests",
        "all": "both together",
    },
    "RepeatableStatus": {
        "draft": "never started",
        "active": "it fires by its schedule",
        "stopped": "it does not fire until it is started",
        "finished": "its schedule has no further time",
    },
    "Role": {"admin": "sees and may do all", "user": "sees and changes what is his own"},
    "Scope": {"user": "the caller's own", "account": "those of an account"},
    "SenderStatus": {
        "connected": "messages can leave",
        "disconnected": "they wait until it is connected",
        "blocked": "its messenger has blocked it",
        "deleted": "it is not used any more",
    },
    "SortDirection": {
        "asc": "the smallest or oldest first",
        "desc": "the greatest or newest first",
    },
    "UserStatus": {
        "active": "can log in",
        "invited": "has not accepted the invitation yet",
        "suspended": "can't log in until he is activated",
        "deleted": "for good",
    },
    "WebhookEvent": {
        "message": "a message has come in, or was sent from another device",
        "message_status": "a message has got further",
        "add_message_reaction": "somebody has reacted to a message",
        "message_deleted": "a message was deleted at the messenger; only webhooks that name it are told",
        "state": "the account's state has changed",
    },
}


SPECIFICATIONS = {
    "DateTime": "https://www.rfc-editor.org/rfc/rfc3339",
    "UUID": "https://www.rfc-editor.org/rfc/rfc9562",
}


# Of every enum whose name ends with Sort.
SORTS = {
    "createdAt": "when it was made",
    "name": "its name, by its characters",
    "size": "how many bytes it has",
    "updatedAt": "when it was last changed",
}


def describe(schema: GraphQLSchema) -> None:
    """Puts these words where the schema says nothing."""
    for name, kind in schema.type_map.items():
        if name.startswith("__"):
            continue
        if isinstance(kind, GraphQLScalarType):
            kind.specified_by_url = kind.specified_by_url or SPECIFICATIONS.get(name)
        elif isinstance(kind, GraphQLObjectType):
            kind.description = kind.description or ROOTS.get(name)
            for field_name, field in kind.fields.items():
                for argument_name, argument in field.args.items():
                    own = ARGUMENTS.get(f"{name}.{field_name}({argument_name}:)")
                    argument.description = argument.description or own or ARGUMENTS.get(argument_name)
        elif isinstance(kind, GraphQLEnumType):
            said = SORTS if name.endswith("Sort") else VALUES.get(name, {})
            for value_name, value in kind.values.items():
                value.description = value.description or said.get(value_name)
