"""The one table of what each permission may change, and whose rows.

`tables` are those of the owner for whom the caller acts; of an administrator, those of all users. A few columns are
worth more than the rest of their row, and have names of their own: `accounts.balance`, `users.email`. Webhooks have
three names by their kind. What no permission of a call has here, the call must not change.
"""

from uuid import UUID

from runtime.operation import OPERATIONS
from runtime.permissions import PROFILE
from runtime.permissions import Permission as P
from tests.authority.effects import Change
from tests.authority.world import Caller

GUARDED = {
    "project_approvals": {"decided_by"},
    "accounts": {"balance", "owed"},
    "users": {"email", "roles", "status", "password_hash", "tariff_code"},
}
"""The columns that are named apart, by table."""
_TOUCHED = {"updated_at", "period"}

_LOGIN = "sessions refresh_tokens"
_CREDENTIALS = (  # they end with a maker
    "api_tokens export_links hook_secrets event_sinks webhooks:feed webhooks:account webhooks:callback"
)
_COUNTED = "message_buckets message_counters message_failures outcome_counters"
_COUNTED_PROJECTS = (
    "sending_counters statistics_buckets failure_counters variant_counters domain_counters"
    " project_mail_counters"
)
_FEED = "event_feeds event_feed_progress event_inbox events message_events"
_PLANNED = "project_plans project_approvals content_editors audience_digests"
_MONEY = "accounts.balance ledger_entries api_token_spend api_token_messages tariff_usage"

_REACHED = "reach_counters reach_recipients reach_projects"  # by credentials with `approvalAbove`

TABLES: dict[P, str] = {
    P.accounts_write: "accounts",
    P.accounts_credit: "accounts.balance ledger_entries accounts.owed account_debts",
    P.messages_send: f"messages message_chains submitted_mails {_MONEY} {_COUNTED} {_REACHED} webhooks:callback"
    " callback_secrets",
    P.verifications_write: "verifications verification_codes verification_days verification_counters suspected_groups"
    f" verification_protections messages {_MONEY} {_COUNTED} {_REACHED}",
    P.settings_write: "settings country_rules country_limits brands brand_domains",
    P.projects_write: "templates template_versions template_texts template_words series"
    f" sending_projects repeatable_projects user_notices audience_keys {_PLANNED} {_REACHED}",
    P.projects_approve: "project_approvals project_approvals.decided_by",
    P.projects_send: "series sending_projects repeatable_projects project_contents messages message_counters"
    f" message_records content_editors {_COUNTED_PROJECTS} {_REACHED}",
    P.recipients_write: "recipients recipient_imports recipient_additions import_payloads import_rows files"
    f" {_PLANNED} {_REACHED} reach_additions",
    P.contacts_write: "contacts contact_addresses contact_fields contact_merges former_contacts segments signup_forms"
    " topics topic_subscriptions series_entries consent_entries consent_texts opt_ins erasures erasure_addresses"
    f" recipient_imports import_payloads content_editors project_approvals {_REACHED}",
    P.blocks_write: "blocked_phones",
    P.files_write: "files media brands.logo_uuid",
    P.exports_write: "export_links",
    P.senders_write: "senders source_accounts domains dkim_keys",
    P.tariffs_write: "users.tariff_code",
    P.hooks_write: "hook_secrets",
    P.hooks_report: "messages message_records blocked_phones source_accounts hook_events address_health mail_reports"
    f" {_COUNTED} {_COUNTED_PROJECTS}",
    P.events_read: _FEED,
    P.events_write: f"{_FEED} webhooks:feed webhooks:callback callback_secrets webhook_deliveries event_sinks"
    " event_sink_cursors",
    P.ai_write: "ai_usage",
    P.messengers_write: "messenger_accounts messenger_configs webhooks:account webhook_deliveries",
    P.messengers_send: "canned_answers messenger_labels messenger_chat_labels messenger_notes messenger_chats"
    f" messenger_messages {_REACHED}",
    P.members_write: f"memberships user_notices former_members approval_rules audience_keys {_CREDENTIALS}",
    P.profile_write: "users users.password_hash agent_grants second_factors recovery_codes memberships former_members"
    f" {_LOGIN} {_CREDENTIALS}",
    P.users_write: f"users users.email users.status user_undos user_notices sending_projects {_LOGIN} {_CREDENTIALS}",
    P.users_admin: "users users.email users.status users.roles users.tariff_code user_undos"
    f" user_notices accounts sending_projects senders route_rules provider_invoices receiver_pauses"
    f" {_LOGIN} {_CREDENTIALS}",
}
"""The tables of users' rows, by permission."""

OF_THE_INSTALLATION: dict[P, str] = {
    P.users_admin: "installation_choice routes route_rules price_lists price_list_versions prices tariffs route_costs"
    " traffic_due traffic_progress receiver_rules",
    P.hooks_report: "early_reports",
}
"""The tables of rows without an owner, by permission."""

OF_ALL_USERS = frozenset({P.users_admin, P.accounts_credit})
"""The permissions that are for the rows of all users."""

BY_PROOF: dict[str, str] = {
    "auth.register": "users accounts",
    "auth.login": _LOGIN,
    "auth.refresh": _LOGIN,
    "auth.exchange": _LOGIN,
    "auth.accept_invitation": f"users users.status users.password_hash {_LOGIN}",
    "console.log_in": _LOGIN,
    "console.log_out": _LOGIN,
}
"""The tables of public operations, by whose request the row's owner is known: a password, a token, a link. They are of
ada, whose proofs the cases have, or of a user who is new.
"""

BY_OWN_LOGIN = frozenset(
    {"users.email", "users.roles", "users.status", "users.password_hash", "user_undos", "second_factors",
     "recovery_codes", "memberships", "api_tokens", "agent_grants", "approval_rules", "project_approvals.decided_by"}
)  # fmt: skip
"""Rows and columns that no API token changes, whatever its scopes are: who someone is, and who else may act."""

TRACE = frozenset({"audit_entries"})
"""Any call may leave these: that it was done or refused."""
BESIDE = frozenset({"event_inbox", "message_events", "idempotency_keys", "journal_entries"})
"""An allowed call may write these beside, for the owner of what it changes."""
JOBS = frozenset({"pgqueuer", "pgqueuer_log", "discarded_files"})
"""Work for later, which is the worker's and not done here."""
PROVEN = {"events.deliver": P.hooks_report, "events.channel": P.hooks_report}
"""Public operations that ask for a permission by another way than the frame."""
ALSO: dict[str, tuple[P, ...]] = {
    "messages.by_ids": (P.events_read,),  # by the field of an event
    "exports.handle": (P.recipients_write,),
}
"""Operations that change rows of a second permission, which they ask for too."""


def needed(operation: str) -> frozenset[P]:
    """Returns the permissions that an operation goes by."""
    entry = OPERATIONS[operation]
    named = PROVEN.get(operation, entry.permission)
    return frozenset(
        {named, *ALSO.get(operation, ())} | ({entry.or_permission} if entry.or_permission else set())
    )


def names(change: Change) -> frozenset[str]:
    """Returns the names under which the table has a change."""
    if change.table == "webhooks":
        row = change.old or change.new or {}
        if row["is_callback"]:
            return frozenset({"webhooks:callback"})
        return frozenset({"webhooks:feed" if row["account_id"] is None else "webhooks:account"})
    guarded = GUARDED.get(change.table, set())
    if change.old is None or change.new is None:
        return frozenset({change.table})
    columns = change.columns - _TOUCHED
    apart = {f"{change.table}.{name}" for name in columns & guarded}
    return frozenset(apart | ({change.table} if columns - guarded or not apart else set()))


def beyond(
    change: Change, operation: str, caller: Caller, *, refused: bool, ada: UUID, known: frozenset[UUID]
) -> str:
    """Returns what a call has changed without a permission that says so, in words; empty if nothing."""
    permissions = frozenset[P]() if refused else needed(operation) & caller.permissions
    by_proof = set[str]() if refused else {*BY_PROOF.get(operation, "").split()}
    kinds = OF_THE_INSTALLATION if change.owner is None else TABLES
    allowed = {name for each in permissions for name in kinds.get(each, "").split()}
    if caller.is_token:
        allowed -= BY_OWN_LOGIN
    allowed |= by_proof | (TRACE if refused else TRACE | BESIDE | JOBS)
    owners = {caller.owner, None}
    if permissions & PROFILE or change.table in TRACE:
        owners.add(caller.person)
    whose = change.owner in owners or bool(permissions & OF_ALL_USERS) or (caller.is_admin and not refused)
    if operation in BY_PROOF:
        whose = whose or change.owner in (ada, caller.person) or change.owner not in known
    wrong = sorted(names(change) - allowed)
    if not wrong and whose:
        return ""
    how = "inserts" if change.old is None else "deletes" if change.new is None else "changes"
    owner = (
        "the installation" if change.owner is None
        else "the caller's owner" if change.owner == caller.owner
        else "the caller" if change.owner == caller.person
        else "another user"
    )  # fmt: skip
    said = " though it was refused" if refused else ""
    return f"{how} {', '.join(wrong or names(change))} of {owner}{said}"


_READS = "it reads, though it is no `read`"
_CALLS = "it calls another system, Redis, or a process that connects messenger accounts, and none runs here"
_PROOF = "it needs what a mail, a link or an own login has; tests of its feature call it with that"
SILENT: dict[str, str] = {
    **dict.fromkeys(
        ("chats.media", "chats.messages", "chats.written",
         "console.demo_login", "contact_imports.preview", "domains.check", "domains.findings", "event_feed.state",
         "hooks.verify_cloud", "imports.preview", "logins.screenshot", "webhooks.preview",
         "messenger_accounts.drivers", "messenger_accounts.get", "system.doctor"), _READS
    ),
    **dict.fromkeys(
        ("ai.generate", "chats.send", "chats.user", "domains.rotate", "event_sinks.create", "event_sinks.test",
         "hooks.receive", "hooks.receive_cloud", "legacy.call", "logins.give_password", "logins.pairing_code",
         "logins.qr", "logins.solve", "messenger_accounts.clear", "messenger_accounts.me",
         "messenger_accounts.renew_proxy", "presence.recording", "presence.reset", "presence.typing",
         "storage.delete", "storage.put", "webhooks.test"), _CALLS
    ),
    **dict.fromkeys(
        ("auth.request_password_reset", "auth.reset_password", "first_user.create", "members.accept", "members.leave",
         "preferences.save", "second_factors.confirm_totp", "second_factors.new_recovery_codes",
         "second_factors.verify", "self_service.ask", "self_service.confirm", "signups.confirm", "signups.sign_up",
         "undo.confirm", "unsubscribe.confirm", "verification_pages.enter"), _PROOF
    ),
    "event_feed.disable": "the owner's webhooks need the feed",
    "messenger_accounts.lift_restriction": "the accounts of the world are not restricted",
    "providers.test": "what it sends is refused by the guard, and nothing is stored of it",
    "price_lists.delete_version": "the only version of a list stays",
    "provider_invoices.create": "the file of the case is none of the caller's",
    "provider_invoices.delete": "no invoice is there, since none is made",
    "system.delete_route": "the routes of the tests stand in the settings",
    "verifications.resend": "the code was sent a moment ago",
    "users.activate": "the users of the world are active",
}  # fmt: skip
"""Operations whose call changes nothing for any caller, with the reason. All others have to show what they change."""
