"""The tables that an erasure leaves as they are, each with the reason, and what it says that it did not erase."""

from collections.abc import Mapping, Sequence
from typing import Final

from shapes.persons import NotErased

_STAFF = "it is about users of this installation, who are deleted as users"
_NUMBERS = "it has numbers alone"
_SETTINGS = "it is what its owner has set, with no recipient in it"
_MESSENGER = "it is about the owner's own account of a messenger"
_WORK = "it is about workers"

UNTOUCHED: Final[Mapping[str, str]] = {
    **dict.fromkeys(
        (
            "users",
            "sessions",
            "refresh_tokens",
            "password_resets",
            "user_undos",
            "user_notices",
            "second_factors",
            "recovery_codes",
            "memberships",
            "former_members",
            "api_tokens",
            "agent_clients",
            "agent_grants",
            "api_token_spend",
            "api_token_messages",
            "reach_counters",
            "reach_projects",
            "ai_usage",
        ),
        _STAFF,
    ),
    **dict.fromkeys(
        (
            "domain_counters",
            "failure_counters",
            "message_buckets",
            "message_counters",
            "message_failures",
            "outcome_counters",
            "outcome_starts",
            "project_mail_counters",
            "route_receipts",
            "degraded_routes",
            "sending_counters",
            "statistics_buckets",
            "tariff_usage",
            "variant_counters",
            "degraded_providers",
            "receiver_days",
            "receiver_pauses",
            "country_limits",
            "chain_signals",
            "suspected_groups",
            "verification_counters",
            "click_links",
            "traffic",
            "traffic_due",
            "traffic_progress",
        ),
        _NUMBERS,
    ),
    **dict.fromkeys(
        (
            "settings",
            "brands",
            "tariffs",
            "price_lists",
            "price_list_versions",
            "prices",
            "route_costs",
            "country_rules",
            "verification_protections",
            "routes",
            "route_rules",
            "receiver_rules",
            "topics",
            "media",
            "signup_forms",
            "contact_fields",
            "canned_answers",
            "templates",
            "series",
            "template_versions",
            "template_texts",
            "template_words",
            "messenger_labels",
            "webhooks",
            "callback_secrets",
            "event_sinks",
            "hook_secrets",
            "source_accounts",
            "domains",
            "brand_domains",
            "senders",
            "dkim_keys",
            "repeatable_projects",
            "repeatable_firings",
            "sending_projects",
            "project_contents",
            "project_plans",
            "approval_rules",
            "event_feeds",
            "event_feed_progress",
            "recipient_additions",
        ),
        _SETTINGS,
    ),
    **dict.fromkeys(
        ("messenger_accounts", "messenger_configs", "messenger_holds", "messenger_state_changes"), _MESSENGER
    ),
    **dict.fromkeys(
        (
            "claims",
            "leases",
            "installation",
            "installation_choice",
            "journal_entries",
            "fair_shares",
            "sending_units",
            "route_breakers",
            "event_sink_cursors",
            "ledger_progress",
        ),
        _WORK,
    ),
    "accounts": "it is the owner's balance",
    "account_debts": "what an owner owes must be paid; it names messages by uuid and has no address",
    "ledger_entries": "charges and refunds must add up; they name messages by uuid and have no address",
    "audit_entries": "who did what must stay; addresses and names of people are hashed in it",
    "project_approvals": "it has decisions of users about plans, with no recipient in it",
    "content_editors": "it has ids of users of this installation, who are deleted as users",
    "audience_digests": "it has one number a project, from which no address can be found without the key of the owner",
    "audience_keys": "it has keys of hashes",
    "statements": "it has sums by country, route and project, and no address",
    "statement_months": "it has months",
    "provider_invoices": "it has sums; its file is one that its owner has stored, and stays",
    "provider_invoice_lines": "a line has a phone until it is compared, which is at once; then it has ids and numbers",
    "reconciliations": "it has sums of projects; its lines have the people, and are erased",
    "signing_keys": "it has the sealed keys that sign documents",
    "audit_keys": "it has the sealed keys of hashes",
    "secret_keys": "it has ids of keys",
    "bounce_mailboxes": "it has places in mailboxes",
    "mail_domains": "it has domains of mailbox providers, without the part before the @",
    "mail_domain_requests": "it has domains of mailbox providers, without the part before the @",
    "segments": "its conditions are their owner's words; `notErased` says that they stay",
    "consent_texts": "it has texts that many people saw",
    "reach_recipients": "it has hashes of addresses under a key, for 25 hours",
    "reach_additions": "it has hashes of addresses under a key, until the project has ended",
    "verification_days": "it has hashes of addresses under a key, for two days",
    "hook_events": "it has ids of events, for 72 hours",
    "erasures": "it is the record of erasures, with a hash of the address",
    "erasure_addresses": "its rows are deleted at the end of the erasure",
}
"""The tables that are not in the registry."""

NOT_ERASED: Final[Sequence[NotErased]] = (
    NotErased(
        kind="ledger", reason="Charges and refunds stay. They name messages by uuid and have no address."
    ),
    NotErased(
        kind="consentHistory",
        reason="That there were subscriptions stays, under the uuid of a contact that is gone, without network address,"
        " browser and evidence.",
    ),
    NotErased(kind="audit", reason="Entries stay. Addresses and names are hashed in them."),
    NotErased(
        kind="blocks",
        reason="A block stays as a hash of the address, so that it is refused if it is brought in again.",
    ),
    NotErased(
        kind="webhooks",
        reason="What webhooks, brokers and readers of the event feed have received is theirs. Erase it there;"
        " contact.erased tells them that you did.",
    ),
    NotErased(kind="providers", reason="Providers and mailboxes have what was sent. Ask them."),
    NotErased(
        kind="freeText",
        reason="Texts that only mention the person, such as messages to others, notes in others' chats and templates,"
        " can't be known. Search for the name.",
    ),
    NotErased(
        kind="formerAddresses",
        reason="Messages to addresses that the contact had before can't be known. Erase these addresses, too.",
    ),
    NotErased(
        kind="segments",
        reason="Conditions of segments that name the person stay, since the segment would have others without them."
        " Change or delete these segments.",
    ),
    NotErased(
        kind="administratorExports",
        reason="Exports that administrators have made belong to them. Ask them to delete what they do not need.",
    ),
    NotErased(
        kind="webhookQueries",
        reason="Waiting and delivered webhooks with a GraphQL query of yours are found by addresses and uuids. Those"
        " that have only a text of the person stay until they are deleted by age.",
    ),
    NotErased(
        kind="sending",
        reason="What a worker had read before the request may still be sent; the erasure waits for it.",
    ),
    NotErased(
        kind="files",
        reason="Files that were sent to others, too, or that you have only stored are not looked into.",
    ),
    NotErased(
        kind="storage",
        reason="The key-value storage and the legacy bridge hold what your programs have put there. Delete it there.",
    ),
    NotErased(
        kind="backups",
        reason="Backups, replicas' archives and logs of the servers keep the rows until they are rotated.",
    ),
)
"""The answer of each erasure."""
