"""Every change through a door leaves an entry in the audit, or is in a list of exceptions with the reason."""

from runtime.audit import UNAUDITED
from runtime.operation import OPERATIONS
from runtime.services import Services
from tests.doors.matrix import MATRIX

_READS = "it reads, though it is no `read`"
_CALLS = "it calls another system, or Redis, and changes no row"
NEVER: dict[str, str] = {
    **UNAUDITED,
    **dict.fromkeys(
        ("changes.messages", "changes.projects", "changes.queue", "chats.media", "chats.messages", "chats.user",
         "chats.written", "console.demo_login", "event_feed.follow", "event_feed.state",
         "hooks.verify_cloud", "imports.preview", "inbox.changes", "logins.qr", "logins.pairing_code",
         "contact_imports.preview", "domains.check", "domains.findings",
         "logins.screenshot", "messenger_accounts.changes", "messenger_accounts.drivers", "messenger_accounts.get",
         "messenger_accounts.me", "submissions.log_in", "system.doctor", "webhooks.preview"), _READS
    ),
    **dict.fromkeys(
        ("legacy.call", "presence.recording", "presence.reset", "presence.typing", "storage.delete", "storage.put",
         "logins.give_password", "logins.solve"), _CALLS
    ),
    "ai.generate": "it counts the request of a day, which is a row of its own",
    "auth.refresh": "it exchanges one token for the next, by the thousand; a stolen one that is used again is audited",
    "auth.request_password_reset": "its row is the same for unknown emails; setting the password is audited",
}  # fmt: skip
"""Operations that leave no entry, with the reason."""

ALIKE: dict[str, str] = {
    "agents.allow": "it needs a client; it makes an API token as api_tokens.create does (tests/mcp/test_oauth.py)",
    "first_user.create": "it needs an installation without an administrator; tests/first_user looks for its entry",
    "providers.test": "it needs a provider that answers; tests/providers looks for its entry",
    "auth.reset_password": "it needs a mail; it changes the row of the user, as auth.change_password does",
    "undo.confirm": "it needs a mail; it changes the row of the user, as users.update does (tests/users/test_undo.py)",
    "messenger_accounts.renew_proxy": "it needs a pool of proxies; it changes the row as `update` does",
}
"""Operations whose case is refused, and which change their row by the statements of another one, which is checked."""

ELSEWHERE = frozenset(
    {"canned_answers.delete", "chat_labels.delete", "chat_notes.create", "chat_notes.delete",
     "console.log_out", "contact_fields.delete", "contacts.delete", "contacts.merge",
     "brand_domains.verify", "domains.delete", "domains.rotate", "domains.verify",
     "event_feed.disable", "event_sinks.create", "event_sinks.delete", "event_sinks.replay", "event_sinks.update",
     "members.accept", "members.leave", "members.remove",
     "messenger_accounts.clear", "messenger_accounts.lift_restriction", "messenger_accounts.stop",
     "price_lists.add_version", "price_lists.delete", "price_lists.delete_version", "price_lists.update",
     "project_actions.delete_multiple", "project_actions.retry_multiple",
     "provider_invoices.create", "provider_invoices.delete",
     "receivers.delete_rule", "receivers.lift_pause",
     "recipients.remove_some", "route_rules.delete", "route_rules.update",
     "second_factors.confirm_totp", "second_factors.new_recovery_codes",
     "second_factors.remove", "segments.delete", "second_factors.verify", "signup_forms.delete",
     "sending_projects.retry", "sending_projects.start",
     "sending_projects.stop", "sending_projects.stop_multiple",
     "system.delete_route", "tariffs.set", "template_versions.delete", "templates.delete",
     "topics.delete", "users.activate",
     "webhook_deliveries.replay", "webhooks.replay"}
)  # fmt: skip
"""Operations whose case changes nothing, or is refused: tests/audit/test_operations.py calls each so that it changes
something.
"""

_UNCHECKED = {*NEVER, *ALIKE, *ELSEWHERE}
_ENTRIES = "SELECT count(*) FROM audit_entries WHERE operation = $1 AND result = 'done'"


async def check_audited(services: Services, name: str) -> None:
    """Checks that the calls of a case have left an entry, through whichever door, or none if it is an exception."""
    if OPERATIONS[name].mode == "read":
        return
    entries = await services.db.fetchval(_ENTRIES, name)
    assert (entries > 0) == (name not in _UNCHECKED), f"{name} has left {entries} entries"
    assert MATRIX[name].owner is None or name in _UNCHECKED
