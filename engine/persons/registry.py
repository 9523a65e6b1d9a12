"""The registry of the data that is stored of people: how the rows of a person are found, exported and erased.

Every table is either in `ALL` or in `untouched.UNTOUCHED`, with the reason;
tests/persons/test_registry.py fails otherwise. Conditions are on a row `t`. Their parameters: $1 the owner, $2 the
contact or NULL, $3 the keys (of addresses, as they are spelled, and threads of chats), $4 patterns of ILIKE, by which
the same are found in JSON, $5 hashes of the addresses.

No condition names another owner's rows. `cost` names reads of more rows than an index of the person gives.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final
from uuid import UUID

from engine.blocks import ERASED

PAGE: Final = 1000
"""Rows that one transaction erases."""

_TYPED = "num_nulls($1::uuid, $2::uuid, $3::text[], $4::text[], $5::text[]) >= 0"


@dataclass(frozen=True, slots=True)
class Person:
    """A person of an owner, as rows are found."""

    owner_id: UUID
    contact_id: UUID | None
    keys: Sequence[str]
    patterns: Sequence[str]
    hashes: Sequence[str]  # of the addresses
    texts: Sequence[str]  # that files are searched for: those of the keys that can be nothing else

    @property
    def arguments(self) -> tuple[Any, ...]:
        """Returns the parameters of the registry's conditions."""
        return self.owner_id, self.contact_id, self.keys, self.patterns, self.hashes


@dataclass(frozen=True, slots=True)
class Rows:
    """Rows of one table that are a person's."""

    table: str
    where: str
    emptied: str | None = None  # the SET that leaves the row without the person; None: it is deleted
    cost: str = "by an index of the person's addresses"
    name: str = ""  # in counts, if the table has several entries
    by: str | None = None  # the entry whose deletion deletes these, too; they are only exported
    left_out: Sequence[str] = ()  # columns that an export does not show
    only: str = "true"  # the rows that an erasure changes; an export shows all
    under_erasure: bool = False  # the statement runs with `postern.erasure` on
    exported: bool = True  # False: the rows are about other people, too
    parts: str = ""  # FROM and WHERE of an export, if only parts `t` of the rows are the person's

    @property
    def kind(self) -> str:
        """Returns the name in `counts` and in exports."""
        return self.name or self.table

    @property
    def page(self) -> str:
        """Returns the statement that erases at most `PAGE` rows."""
        ctids = (
            f"SELECT t.ctid FROM {self.table} AS t WHERE {self.where} AND {self.only}"  # noqa: S608  our own words
            f" AND {_TYPED} LIMIT {PAGE} FOR UPDATE"
        )
        where = f"WHERE ctid = ANY(ARRAY({ctids}))"
        if self.emptied is None:
            return f"DELETE FROM {self.table} {where}"  # noqa: S608  our own words
        return f"UPDATE {self.table} SET {self.emptied} {where}"  # noqa: S608  our own words

    @property
    def selection(self) -> str:
        """Returns the statement that reads the rows as JSON."""
        columns = " - ".join(["to_jsonb(t)", *(f"'{name}'" for name in self.left_out)])
        parts = self.parts or f"{self.table} AS t WHERE {self.where}"
        return f"SELECT ({columns})::text AS row FROM {parts} AND {_TYPED}"  # noqa: S608  our own words


def _of_owner(table: str, column: str = "id", more: str = "") -> str:
    return f"ANY(ARRAY(SELECT {column} FROM {table} WHERE owner_id = $1{more}))"  # noqa: S608  our own words


_ACCOUNTS = f"t.account_id = {_of_owner('messenger_accounts')}"
_NAMES = "ARRAY(SELECT lower(ltrim(k, '@')) FROM unnest($3::text[]) AS k WHERE k LIKE '@%')"
_HERS = f"(k = ANY($3) OR lower(k) = ANY({_NAMES}))"
_OTHER_REACTIONS = (
    f"COALESCE((SELECT jsonb_object_agg(r.k, r.value) FROM jsonb_each(reactions) AS r (k, value)"  # noqa: S608
    f" WHERE NOT {_HERS}), '{{}}')"
)
# Chats with the person's user name are there by their threads, which `finding.marks_of` has found: by the name alone a
# second look, after the first chat is gone, would find the one of another person to whom the name went.
_CHAT = (
    f"{_ACCOUNTS} AND t.kind = 'user' AND (t.phone = ANY($3) OR t.thread = ANY($3) OR t.user_id = ANY($3))"
)
_CHATS = f"ANY(ARRAY(SELECT t.id FROM messenger_chats AS t WHERE {_CHAT}))"  # noqa: S608  our own words
_GROUPS = f"""ANY(ARRAY(
  SELECT t.id FROM messenger_chats AS t WHERE {_ACCOUNTS} AND t.kind <> 'user'))"""  # noqa: S608  our own words
_DIRECT = 't.owner_id = $1 AND COALESCE(t.address_key, t."to") = ANY($3)'
_RECORD = 'COALESCE(t.address_key, t."to") = ANY($3) AND t.owner_id = $1'
_MESSAGE_IDS = f"""ANY(ARRAY(
  SELECT t.id FROM messages AS t WHERE {_DIRECT}
  UNION ALL SELECT t.id FROM message_records AS t WHERE {_RECORD}))"""  # noqa: S608
_REPORT = f"(t.message_id = {_MESSAGE_IDS} OR t.owner_id = $1 AND lower(t.address) = ANY($3))"
_EVENT = f"""t.owner_id = $1 AND (t.subject_id = $2 OR t.data::text ILIKE ANY($4)
  OR lower(t.data ->> 'from') = ANY({_NAMES}))"""
_FORMER = _of_owner("former_contacts", "contact_id", " AND address_hash = ANY($5)")
_VERIFICATIONS = f"ANY(ARRAY(SELECT t.id FROM verifications AS t WHERE {_DIRECT}))"  # noqa: S608  our own words
_SETTLED = "NOT IN ('queued', 'sending')"
_WITHOUT = f"""
  "to" = '{ERASED}', address_key = NULL, failure_reason = NULL, failed_attempts = NULL"""
_WITHOUT_PERSON = f"""(SELECT jsonb_agg(s.value || jsonb_build_object('message', jsonb_build_object(
    'channel', s.value -> 'message' -> 'channel', 'category', s.value -> 'message' -> 'category',
    'to', '{ERASED}', 'body', '', 'metadata', '{{}}'::jsonb)) ORDER BY s.number)
  FROM jsonb_array_elements(steps) WITH ORDINALITY AS s (value, number))"""  # noqa: S608  our own word
_WITHOUT_REASONS = """COALESCE((SELECT jsonb_object_agg(b.key, b.value || '{"reason": null}')
  FROM jsonb_each(not_begun) AS b (key, value)), '{}')"""
_IMPORTS = _of_owner("recipient_imports", more=" AND status <> 'processing'")
LINE = "(COALESCE(t.address_key, t.address) = ANY($3) OR t.variables::text ILIKE ANY($4))"

TABLES: Final[Sequence[Rows]] = (
    # Rows that are found through other rows come before them.
    Rows(
        "mail_report_mails",
        f"t.report_id = ANY(ARRAY(SELECT t.id FROM mail_reports AS t WHERE {_REPORT}))",  # noqa: S608
        by="mail_reports",
    ),
    Rows("mail_reports", _REPORT, cost="by the messages, and once all reports of the owner"),
    Rows("clicks", f"t.message_id = {_MESSAGE_IDS}", cost="by the messages"),
    Rows("address_health", "t.owner_id = $1 AND t.address = ANY($3)"),
    # The octets of mails that have not left; those of others are of other people, too.
    Rows(
        "submitted_mails",
        f"t.owner_id = $1 AND t.message_ids && ARRAY(SELECT t.id FROM messages AS t WHERE {_DIRECT})",  # noqa: S608
        only="NOT EXISTS (SELECT FROM messages AS m"
        " WHERE m.id = ANY(t.message_ids) AND m.state IN ('queued', 'sending'))",
        cost="the owner's mails that have not left",
        exported=False,
    ),
    # The rows stay without the person: counters, charges and receipts that come later refer to them.
    Rows(
        "messages",
        _DIRECT,
        f"{_WITHOUT}, to_given = NULL, sender = NULL, body = '', metadata = '{{}}', status_callback = NULL,"
        " callback_id = NULL",
        only=f"t.state {_SETTLED} AND t.step IS DISTINCT FROM 0",
        left_out=("status_callback", "callback_id"),
    ),
    # The head of a chain shows one of its steps, and counts in no statistics of emails.
    Rows(
        "messages",
        f"{_DIRECT} AND t.step = 0",
        f"{_WITHOUT}, to_given = NULL, sender = NULL, body = '', metadata = '{{}}', status_callback = NULL,"
        " callback_id = NULL",
        only=f"t.state {_SETTLED}",
        name="chain_heads",
        under_erasure=True,
        exported=False,
    ),
    Rows(
        "message_chains",
        "t.owner_id = $1 AND t.steps::text ILIKE ANY($4)",
        f"steps = {_WITHOUT_PERSON}, not_begun = {_WITHOUT_REASONS}, failure_reason = NULL",
        only="t.settled_at IS NOT NULL",
        cost="all chains of the owner",
    ),
    Rows(
        "messages",
        "t.owner_id = $1 AND t.direction = 'inbound' AND (t.sender = ANY($3) OR lower(t.sender) = ANY($3))",
        f"sender = '{ERASED}', body = '', metadata = '{{}}'",
        cost="all inbound messages of the owner",
        name="inbound_messages",
    ),
    Rows("verification_codes", f"t.id = {_VERIFICATIONS}", by="verifications", exported=False),
    Rows("verifications", _DIRECT),
    Rows(
        "verifications",
        "t.owner_id = $1 AND t.chain::text ILIKE ANY($4)",
        name="verification_chains",
        cost="the verifications of the owner's last 30 days",
    ),
    # Also where the address of a follow-up is one that others have, too.
    Rows(
        "recipients",
        """t.id = ANY(ARRAY(SELECT r.id FROM message_records AS m
          JOIN sending_projects AS f ON f.follows_uuid = m.project_id
          JOIN recipients AS r ON r.project_id = f.id AND r.follows_message_id = m.id
          WHERE m.owner_id = $1 AND COALESCE(m.address_key, m."to") = ANY($3)))""",
        name="following_recipients",
        under_erasure=True,
        exported=False,
    ),
    Rows("message_records", _RECORD, f"{_WITHOUT}, body = NULL", only=f"t.status {_SETTLED}"),
    Rows(
        "recipients",
        f"t.project_id = {_of_owner('sending_projects')} AND COALESCE(t.address_key, t.address) = ANY($3)",
        cost="one look into the index for each project and address",
        under_erasure=True,
    ),
    Rows(
        "messenger_parts",
        f"t.message_id = ANY(ARRAY(SELECT m.id FROM messenger_messages AS m WHERE m.chat_id = {_CHATS}))",  # noqa: S608
        by="messenger_messages",
    ),
    Rows("messenger_notes", f"t.chat_id = {_CHATS}"),
    Rows("messenger_chat_labels", f"t.chat_id = {_CHATS}", by="messenger_chats"),
    Rows("messenger_messages", f"t.chat_id = {_CHATS}", left_out=("request_hash",)),
    Rows(
        "messenger_messages",
        f"{_ACCOUNTS} AND t.thread IS NULL AND t.recipient = ANY($3)",
        name="messenger_messages_without_chat",
        cost="the owner's messages whose chat never became known",
    ),
    Rows(
        "messenger_messages",
        f"t.chat_id = {_GROUPS} AND (t.sender = ANY($3) OR lower(t.sender) = ANY({_NAMES}))",
        "sender = NULL, name = NULL, text = '', content = '[]', details = NULL, reactions = '{}'",
        name="messages_in_groups",
        cost="all messages in groups and channels of the owner's accounts",
    ),
    Rows(
        "messenger_messages",
        f"t.chat_id = {_GROUPS} AND EXISTS (SELECT FROM jsonb_object_keys(t.reactions) AS k WHERE {_HERS})",
        f"reactions = {_OTHER_REACTIONS}",
        name="reactions_in_groups",
        exported=False,
        cost="all messages in groups and channels of the owner's accounts",
    ),
    Rows(
        "messenger_early",
        f"{_ACCOUNTS} AND (t.thread = ANY($3) OR t.event::text ILIKE ANY($4))",
        cost="all early events of the owner's accounts: 72 hours at most",
    ),
    Rows("messenger_chats", _CHAT),
    Rows(
        "opt_ins",
        "(t.contact_id = $2 OR t.owner_id = $1 AND (t.address = ANY($3) OR lower(t.address) = ANY($3)))",
        cost="all requests of a week",
    ),
    Rows("self_service_requests", "t.contact_id = $2 AND t.owner_id = $1", cost="by the contact"),
    Rows("series_entries", "t.contact_id = $2", cost="by the contact"),
    Rows("topic_subscriptions", "t.contact_id = $2", cost="by the contact"),
    Rows(
        "consent_entries",
        f"(t.contact_id = $2 OR t.contact_id = {_FORMER}) AND t.owner_id = $1"
        " AND COALESCE(t.ip, t.user_agent, t.evidence) IS NOT NULL",
        "ip = NULL, user_agent = NULL, evidence = NULL",
        cost="by the contact, and those that had the addresses and were deleted",
        under_erasure=True,
    ),
    Rows("former_contacts", "t.owner_id = $1 AND t.address_hash = ANY($5)", exported=False),
    Rows("contact_merges", "t.contact_id = $2", by="contacts", cost="by the contact"),
    Rows(
        "contact_addresses",
        "(t.contact_id = $2 OR t.owner_id = $1 AND COALESCE(t.address_key, t.address) = ANY($3))",
    ),
    Rows("contacts", "t.id = $2 AND t.owner_id = $1", cost="by the contact", left_out=("terms",)),
    Rows(
        "early_reports",
        "t.scope = 'owner:' || $1::uuid::text AND t.event::text ILIKE ANY($4)",
        cost="all early reports of the owner: 72 hours at most",
    ),
    # With another fingerprint, a repeated key is refused (422) and sends nothing again.
    Rows(
        "idempotency_keys",
        "t.user_id = $1 AND t.answer::text ILIKE ANY($4)",
        "answer = '{}', fingerprint = ''",
        exported=False,
        cost="all answers of the owner: 24 hours at most",
        left_out=("fingerprint",),
    ),
    Rows(
        "event_inbox",
        _EVENT,
        cost="all events of the owner that have no position yet",
    ),
    # An event of the person becomes NULL: the others stay at their positions.
    Rows(
        "message_events",
        "t.owner_id = $1 AND to_jsonb(t.events)::text ILIKE ANY($4)",
        "events = ARRAY(SELECT CASE WHEN to_jsonb(m)::text ILIKE ANY($4::text[]) THEN NULL ELSE m END"
        " FROM unnest(events) AS m)",
        cost="all events of the owner's messages",
        parts="(SELECT g.owner_id, g.at, g.subject, m.* FROM message_events AS g, unnest(g.events) AS m) AS t"
        " WHERE t.owner_id = $1 AND to_jsonb(t)::text ILIKE ANY($4)",
    ),
    Rows(
        "events",
        _EVENT,
        cost="all events of the owner",
    ),
    Rows(
        "webhook_deliveries",
        f"t.webhook_id = {_of_owner('webhooks')}"
        " AND (t.body ILIKE ANY($4) OR COALESCE(t.answer, '') ILIKE ANY($4) OR COALESCE(t.url, '') ILIKE ANY($4))",
        cost="all deliveries of the owner's webhooks",
        left_out=("url",),
    ),
)
"""The rows that are deleted or emptied page by page, in this order."""

FILED: Final[Sequence[Rows]] = (
    Rows("import_rows", f"t.import_id = {_IMPORTS} AND {LINE}", cost="all rows of the owner's imports"),
    Rows(
        "import_payloads",
        "false",
        cost="none: it is deleted when a list is read, and a list that is being read is waited for",
    ),
    Rows("recipient_imports", "false", cost="it stays without its file, which it then does not name"),
    Rows(
        "export_links",
        "t.owner_id = $1 AND t.filters::text ILIKE ANY($4)",
        cost="all exports of the owner, and the bytes of their files",
        left_out=("scopes", "api_token_id", "claim_id"),
    ),
    Rows(
        "files", "false", cost="by lists.py: the files of lists, exports and of emails to this person alone"
    ),
    Rows(
        "reconciliation_chunks",
        "false",
        exported=False,
        cost="by reconciliations/erasing.py: one chunk of each reconciliation of the owner and address",
    ),
    Rows("discarded_files", "false", cost="ids of files whose bytes are about to be deleted"),
)
"""The tables that lists.py and engine/reconciliations/erasing.py erase, each in a way of its own."""

BLOCKS: Final = Rows("blocked_phones", "t.owner_id = $1 AND COALESCE(t.address_key, t.phone) = ANY($3)")
"""Blocks become hashes, by which the address is refused afterwards; see blocks.py."""

ALL: Final[Sequence[Rows]] = (*TABLES, *FILED, BLOCKS)
BY_STEP: Final[Mapping[str, Rows]] = {rows.kind: rows for rows in TABLES if rows.by is None}
