"""Lists with very many rows, every filter of them, and the filters that are allowed to read many rows."""

from typing import Any

from tests.connections import large_contacts
from tests.connections.seeded import AT as _AT
from tests.connections.seeded import FAR
from tests.connections.seeded import ID as _ID
from tests.connections.seeded import TO as _TO
from tests.connections.seeded import each as _each
from tests.connections.seeded import times as _times

_OTHERS = "md5((i % 500)::text)::uuid, md5((i % 700)::text)::uuid"
_STATES = "(ARRAY['queued', 'sending', 'sent', 'failed', '{0}', 'unknown'])[i]"

SEEDS: dict[str, tuple[str, int, tuple[str, ...]]] = {
    **large_contacts.SEEDS,
    "messages": (
        f"""INSERT INTO messages (id, owner_id, account_id, direction, channel, state, "to", sender, body, failure_code,
          created_at, updated_at, due_at, price, trial)
        SELECT {_ID}, $2::uuid, CASE WHEN i BETWEEN 38 AND 40 THEN $4::uuid ELSE $3::uuid END,
          CASE WHEN i IN (10, 11) THEN 'inbound' ELSE 'outbound' END, CASE i WHEN 12 THEN 'email' WHEN 13 THEN 'push'
            ELSE 'sms' END,
          CASE WHEN i <= 6 THEN {_STATES.format("canceled")} ELSE 'delivered' END, {_TO},
          CASE WHEN i IN (10, 11) THEN '+14155550100' END, 'x', CASE WHEN i = 4 THEN 'rejected' END, {_AT}, {_AT},
            {_AT}, 1, i = 20
        FROM generate_series(1, $1::int) AS i
        UNION ALL
        SELECT (left({_ID}::text, 19) || 'b' || right({_ID}::text, 16))::uuid, {_OTHERS}, 'outbound', 'email', 'failed',
          '+14150000000', NULL, 'x', 'rejected', now(), now(), now(), 1, false
        FROM generate_series(41, $1::int, 5) AS i""",
        1,
        ("owner", "account", "second"),
    ),
    "message_records": (
        f"""WITH counter AS (
          INSERT INTO sending_counters (project_id, owner_id, shard, total, queued, sending, sent, failed, skipped,
            unknown, delivered)
          SELECT $3::uuid, $2::uuid, 0, $1::int, 1, 1, 1, 1, 1, 1, $1::int - 6)
        INSERT INTO message_records (id, project_id, owner_id, account_uuid, direction, channel, "to", status,
          is_unknown,
          failure_code, queued_at, updated_at)
        SELECT gen_random_uuid(), $3::uuid, $2::uuid, CASE WHEN i = 20 THEN $4::uuid END,
          CASE WHEN i IN (10, 11) THEN 'inbound' ELSE 'outbound' END, 'sms', {_TO},
          CASE WHEN i <= 6 THEN {_STATES.format("skipped")} ELSE 'delivered' END, CASE WHEN i = 6 THEN true END,
          CASE WHEN i IN (4, 5, 6) THEN 'rejected' END, {_AT}, {_AT}
        FROM generate_series(1, $1::int) AS i""",
        10,
        ("owner", "project", "second"),
    ),
    "recipients": (
        """INSERT INTO recipients (id, project_id, address, name)
        SELECT gen_random_uuid(), $2, '+1415' || lpad(i::text, greatest(7, length(i::text)), '0'), 'x'
        FROM generate_series(1, $1::int) AS i""",
        10,
        ("project",),
    ),
    "ledger_entries": (
        f"""INSERT INTO ledger_entries (id, account_id, kind, amount, reference, created_at)
        SELECT {_ID}, $2, CASE i WHEN 1 THEN 'credit' WHEN 2 THEN 'refund' ELSE 'charge' END,
          CASE WHEN i <= 2 THEN 1 ELSE -1 END, gen_random_uuid(), {_AT} FROM generate_series(1, $1::int) AS i""",
        10,
        ("account",),
    ),
    "blocked_phones": (
        f"""INSERT INTO blocked_phones (id, owner_id, phone, reason, scope, created_at)
        SELECT {_ID}, $2, '+1415' || lpad(i::text, greatest(7, length(i::text)), '0'),
          CASE WHEN i <= 4 THEN (ARRAY['manual', 'optOut', 'complaint', 'hardBounce'])[i] ELSE 'unsubscribed' END,
          CASE WHEN i <= 4 THEN 'all' ELSE 'promotional' END, {_AT} FROM generate_series(1, $1::int) AS i""",
        10,
        ("owner",),
    ),
    "mail_reports": (
        f"""INSERT INTO mail_reports (id, owner_id, message_id, kind, type, class, source, source_id, outcome,
          created_at)
        SELECT {_ID}, $2, CASE WHEN i BETWEEN 38 AND 40 THEN $3::uuid ELSE gen_random_uuid() END, 'direct',
          CASE WHEN i <= 3 THEN (ARRAY['delay', 'complaint', 'rescue'])[i] ELSE 'bounce' END,
          CASE WHEN i > 3 THEN 'hard' END, 'dsn', i::text, 'none', {_AT}
        FROM generate_series(1, $1::int) AS i""",
        10,
        ("owner", "second"),
    ),
    "import_rows": (
        """INSERT INTO import_rows (import_id, line, address, error_code)
        SELECT $2, i, 'x', CASE WHEN i = $1::int THEN 'bad' END FROM generate_series(1, $1::int) AS i""",
        10,
        ("import",),
    ),
    "webhook_deliveries": (
        f"""INSERT INTO webhook_deliveries (id, webhook_id, event_id, type, body, state, created_at, dead_at,
          delivered_at)
        SELECT {_ID}, $2, gen_random_uuid(), CASE WHEN i <= 4 THEN 'state' ELSE 'message' END, '{{}}',
          CASE WHEN i = 1 THEN 'waiting' WHEN i % 2 = 0 THEN 'dead' ELSE 'delivered' END, {_AT}, {_AT}, {_AT}
        FROM generate_series(1, $1::int) AS i""",
        10,
        ("webhook",),
    ),
    "messenger_chats": (
        f"""INSERT INTO messenger_chats (id, account_id, thread, kind, name, unread, last_at)
        SELECT {_ID}, $2, i::text, CASE WHEN i <= 2 THEN 'group' ELSE 'user' END, 'x',
          CASE WHEN i <= 2 THEN 1 ELSE 0 END, {_AT}
        FROM generate_series(1, $1::int) AS i""",
        10,
        ("messenger",),
    ),
    "messenger_messages": (
        f"""INSERT INTO messenger_messages (id, account_id, chat_id, thread, outgoing, text, status, at, created_at,
          provider_id)
        SELECT {_ID}, $2, (SELECT id FROM messenger_chats ORDER BY last_at LIMIT 1), '1', i = 1, 'x',
          CASE i WHEN 1 THEN 'pending' WHEN 2 THEN 'errored' ELSE 'delivered' END, {_AT}, {_AT}, i::text
        FROM generate_series(1, $1::int) AS i""",
        10,
        ("messenger",),
    ),
    "audit_entries": (
        f"""INSERT INTO audit_entries (id, created_at, owner_id, actor_id, actor_kind, token_id, operation, object_type,
          object_id, result)
        SELECT {_ID}, {_AT}, $2, CASE WHEN i BETWEEN 38 AND 40 THEN $3::uuid ELSE $2 END, 'user',
          CASE i WHEN 7 THEN $3::uuid END, CASE WHEN i <= 4 THEN 'tariffs.set' ELSE 'sending_projects.update' END,
          CASE WHEN i <= 4 THEN 'user' ELSE 'project' END, CASE i WHEN 21 THEN 'one' ELSE (i % 9000)::text END,
          CASE WHEN i IN (5, 6) THEN 'refused' ELSE 'done' END
        FROM generate_series(1, $1::int) AS i
        UNION ALL
        SELECT (left({_ID}::text, 19) || 'b' || right({_ID}::text, 16))::uuid, {_AT}, md5((i % 500)::text)::uuid,
          md5((i % 500)::text)::uuid, 'user', NULL, 'accounts.rename', 'account', 'x', 'refused'
        FROM generate_series(41, $1::int, 5) AS i""",
        10,
        ("owner", "second"),
    ),
    "events": (
        """WITH feed AS (INSERT INTO event_feeds (owner_id, last_position) VALUES ($2, $1::int))
        INSERT INTO events (owner_id, position, type, subject, subject_id, at, data)
        SELECT $2, i, CASE i WHEN $1::int THEN 'message.failed' ELSE 'message.sent' END, 'message', gen_random_uuid(),
          now(), '{}' FROM generate_series(1, $1::int) AS i""",
        10,
        ("owner",),
    ),
}  # fmt: skip

FEED = {
    "oldest": "{events(first:20){events{uuid type}}}",
    "of a type that is rare": '{events(first:20,types:["message.failed"]){events{uuid type}}}',
}
"""Pages of the event feed. One by type searches 50,000 positions at most, and says so by its cursor."""


CASES: dict[str, tuple[str, str, list[dict[str, Any]]]] = {
    **large_contacts.CASES,
    "messages": (
        "found:messages(where:$w){…}",
        "MessageWhere",
        [
            {},
            *_each("id", "{of_messages}", "{nobody}"),
            {"id": {"in": ["{of_messages}", "{nobody}"]}},
            *_each("ownerId", "{owner}", "{nobody}"),
            *_each("accountId", "{account}", "{second}", "{nobody}"),
            {"accountId": {"in": ["{second}", "{nobody}"]}},
            *_each("status", "queued", "sent", "delivered", "failed"),
            {"status": {"in": ["queued", "failed"]}},
            {"status": {"notIn": ["delivered"]}},
            *_each("deliveryState", "queued", "sending", "sent", "delivered", "failed", "canceled", "unknown"),
            {"deliveryState": {"in": ["unknown", "canceled"]}},
            {"deliveryState": {"notIn": ["delivered", "sent"]}},
            *_each("failureCode", "rejected", "no_such_code"),
            {"failureCode": {"in": ["rejected", "no_such_code"]}},
            *_each("channel", "sms", "email", "push"),
            {"channel": {"in": ["email", "push"]}},
            {"channel": {"notIn": ["sms"]}},
            *_each("direction", "inbound", "outbound"),
            {"direction": {"notIn": ["outbound"]}},
            {"status": {"eq": "failed"}, "channel": {"eq": "email"}, "direction": {"eq": "outbound"}},
            *_each("to", FAR, "+14159999999"),
            {"to": {"in": [FAR, "+14159999999"]}},
            *_times("createdAt"),
            *_times("updatedAt"),
        ],
    ),
    "messages of an account": (
        'account(id:"<second>"){found:messages(where:$w){…}}',
        "MessageWhere",
        [{}, *_times("createdAt")],
    ),
    "messages of a busy account": (
        'account(id:"<account>"){found:messages(where:$w){…}}',
        "MessageWhere",
        [{}, *_times("createdAt")],
    ),
    "trials": (
        "found:trialMessages(where:$w){…}",
        "TrialMessageWhere",
        [
            {},
            *_each("id", "{of_messages}", "{nobody}"),
            *_each("channel", "sms", "email"),
            *_each("to", FAR, "+14159999999"),
            *_times("createdAt"),
        ],
    ),
    "records": (
        "found:messageRecords(where:$w){…}",
        "MessageRecordWhere",
        [
            {},
            *_each("id", "{of_message_records}", "{nobody}"),
            *_each("sendingProjectUuid", "{project}", "{nobody}"),
            *_each("accountUuid", "{second}", "{nobody}"),
            *_each("channel", "sms", "email"),
            *_each("direction", "inbound", "outbound"),
            *_each("status", "queued", "sending", "sent", "delivered", "read", "failed", "skipped", "unknown",
                "canceled"),
            {"status": {"in": ["failed", "skipped", "unknown"]}},
            *_each("to", FAR, "+14159999999"),
            *_each("failureCode", "rejected", "no_such_code"),
            *_each("clicked", "human", "machine"),
            *_each("clickedLinkUuid", "{nobody}"),
            *_each("reaction", "replied", "bounced", "complained", "unsubscribed"),
            *_times("queuedAt"),
            *_times("updatedAt"),
        ],
    ),
    "recipients": (
        'sendingProject(id:"<project>"){found:recipients(where:$w){…}}',
        "RecipientWhere",
        [
            {},
            *_each("id", "{of_recipients}", "{nobody}"),
            *_each("address", FAR, "+14159999999"),
            {"text": {"contains": "nobody"}},
        ],
    ),
    "ledger": (
        'account(id:"<account>"){found:ledger(where:$w){…}}',
        "LedgerWhere",
        [
            {},
            *_each("id", "{of_ledger_entries}", "{nobody}"),
            *_each("projectId", "{nobody}"),
            {"grouped": {"eq": True}},
            *_each("kind", "credit", "refund", "charge"),
            {"kind": {"notIn": ["charge"]}},
            *_times("createdAt"),
        ],
    ),
    "blocks": (
        "found:blockedPhones(where:$w){…}",
        "BlockedPhoneWhere",
        [
            {},
            *_each("id", "{of_blocked_phones}", "{nobody}"),
            *_each("ownerId", "{owner}", "{nobody}"),
            *_each("phone", FAR, "+14159999999"),
            *_each("reason", "manual", "optOut", "complaint", "hardBounce", "unsubscribed"),
            *_each("scope", "all", "promotional"),
            {"text": {"contains": "nobody"}},
            *_times("createdAt"),
        ],
    ),
    "mail reports": (
        "found:mailReports(where:$w){…}",
        "MailReportWhere",
        [
            {},
            *_each("id", "{of_mail_reports}", "{nobody}"),
            *_each("ownerId", "{owner}", "{nobody}"),
            *_each("messageUuid", "{second}", "{nobody}"),
            *_each("type", "bounce", "delay", "complaint", "rescue"),
            *_times("createdAt"),
        ],
    ),
    "import rows": (
        'recipientImport(id:"<import>"){found:rows(where:$w){…}}',
        "ImportRowWhere",
        [{}, *_each("valid", True, False)],
    ),
    "deliveries": (
        'webhook(id:"<webhook>"){found:deliveries(where:$w){…}}',
        "WebhookDeliveryWhere",
        [
            {},
            *_each("id", "{of_webhook_deliveries}", "{nobody}"),
            *_each("state", "waiting", "delivered", "dead"),
            *_times("createdAt"),
        ],
    ),
    "dead letters": (
        'found:deadLetters(where:$w,webhookId:"<webhook>"){…}',
        "DeadLetterWhere",
        [
            {},
            *_each("id", "{of_webhook_deliveries}", "{nobody}"),
            *_each("type", "state", "message"),
            *_times("deadAt"),
        ],
    ),
    "chats": (
        'found:chats(where:$w,accountId:"<messenger>"){…}',
        "MessengerChatWhere",
        [
            {},
            *_each("id", "{of_messenger_chats}", "{nobody}"),
            *_each("kind", "user", "group", "channel"),
            *_each("unread", True, False),
            *_each("state", "open", "closed"),
            *_each("label", "{nobody}"),
            {"text": {"contains": "nobody"}},
            *_times("lastAt"),
        ],
    ),
    "audit": (
        "found:auditEntries(where:$w){…}",
        "AuditEntryWhere",
        [
            {},
            *_each("ownerId", "{owner}", "{nobody}"),
            *_each("actorId", "{owner}", "{second}", "{nobody}"),
            *_each("tokenId", "{second}", "{nobody}"),
            *_each("operation", "tariffs.set", "sending_projects.update"),
            *_each("objectType", "user", "project"),
            *_each("objectId", "one", "17", "none"),
            *_each("result", "refused", "done"),
            *_times("createdAt"),
        ],
    ),
    "chat messages": (
        'messengerChat(id:"<chat>"){found:messages(where:$w){…}}',
        "MessengerMessageWhere",
        [
            {},
            *_each("id", "{of_messenger_messages}", "{nobody}"),
            *_each("outgoing", True, False),
            *_each("status", "pending", "errored", "delivered"),
            *_times("at"),
        ],
    ),
}  # fmt: skip
_PART = "finding a part of a text in many rows needs an extension of PostgreSQL (pg_trgm) that not every server has"
_CLICKS = "an index by the kind of click would make each click slower; in a project, as the console asks, one finds it"
_HOT = "no index contains a column that changes while a message is sent: see db/models/message_records.py"
_SENDER = (
    "an index would cost each message of a project with source accounts 44 % more WAL: see decision 0047"
)
_SHORT = "deliveries are kept for days, and of a busy webhook not all of them"
_FEW = "an account has some thousands of chats at most, and each new message would change one more index"
_CHAT = "a chat is one conversation, and its list is read by time"
_WRITES = "an index would cost every audited change a fifth entry; an object, an actor or a time makes the list short"
_OF_TOPIC = "an index would cost every change of a subscription; a topic or a contact makes the list short"
EXCEPTIONS: dict[str, dict[str, str]] = {
    "records": {"accountUuid": _SENDER, "status": _HOT, "clicked": _CLICKS},
    "recipients": {"text": _PART},
    "blocks": {"text": _PART},
    "deliveries": {"createdAt": _SHORT},
    "dead letters": {"type": _SHORT, "deadAt": _SHORT},
    "chats": {"kind": _FEW, "unread": _FEW, "text": _PART},
    "subscriptions": {"channel": _OF_TOPIC, "state": _OF_TOPIC},
    "consent entries": {"action": _OF_TOPIC},
    "contacts": {
        "channel": "the addresses of a channel are joined with their contacts, all of them if there are few"
    },
    "audit": {"operation": _WRITES, "objectType": _WRITES},
    "chat messages": {"outgoing": _CHAT, "status": _CHAT},
}
"""Filters of these lists that may read many rows, and why."""
