"""Says which permissions a person's rows need, table by table: to be read in an export, and to be erased."""

from collections.abc import Mapping
from typing import Final

from engine.persons.registry import ALL
from runtime.permissions import Permission, Rights, allowed

_CONTACTS = (Permission.contacts_read, Permission.contacts_write)
_MESSAGES = (Permission.messages_read, Permission.messages_send)
_RECIPIENTS = (Permission.recipients_read, Permission.recipients_write)
_MESSENGERS = (Permission.messengers_read, Permission.messengers_write)
_EVENTS = (Permission.events_read, Permission.events_write)
_FILES = (Permission.files_read, Permission.files_write)
_VERIFICATIONS = (Permission.verifications_read, Permission.verifications_write)

OF: Final[Mapping[str, tuple[Permission, Permission]]] = {
    "address_health": _MESSAGES,
    "blocked_phones": (Permission.blocks_read, Permission.blocks_write),
    "clicks": _RECIPIENTS,
    "consent_entries": _CONTACTS,
    "contact_addresses": _CONTACTS,
    "contact_merges": _CONTACTS,
    "contacts": _CONTACTS,
    "discarded_files": _FILES,
    "early_reports": _MESSAGES,
    "event_inbox": _EVENTS,
    "events": _EVENTS,
    "export_links": (Permission.exports_read, Permission.exports_write),
    "files": _FILES,
    "former_contacts": _CONTACTS,
    "idempotency_keys": _CONTACTS,
    "import_payloads": _RECIPIENTS,
    "import_rows": _RECIPIENTS,
    "mail_report_mails": _MESSAGES,
    "mail_reports": _MESSAGES,
    "message_events": _EVENTS,
    "message_records": _RECIPIENTS,
    "messages": _MESSAGES,
    "message_chains": _MESSAGES,
    "messenger_chat_labels": _MESSENGERS,
    "messenger_chats": _MESSENGERS,
    "messenger_early": _MESSENGERS,
    "messenger_messages": _MESSENGERS,
    "messenger_notes": _MESSENGERS,
    "messenger_parts": _MESSENGERS,
    "opt_ins": _CONTACTS,
    "recipient_imports": _RECIPIENTS,
    "recipients": _RECIPIENTS,
    "reconciliation_chunks": _RECIPIENTS,
    "self_service_requests": _CONTACTS,
    "submitted_mails": _MESSAGES,
    "topic_subscriptions": _CONTACTS,
    "series_entries": _CONTACTS,
    "verification_codes": _VERIFICATIONS,
    "verifications": _VERIFICATIONS,
    "webhook_deliveries": _EVENTS,
}
"""The permissions that each table of the registry needs: to read its rows, and to change them."""
_ALSO_READ = {"webhook_deliveries": Permission.messengers_read}  # webhooks of both kinds are in one table


def unread(rights: Rights) -> dict[str, list[str]]:
    """Returns the tables that an export for this caller leaves out, with the permissions that are lacking."""
    lacking = {}
    for table in {rows.table: None for rows in ALL if rows.exported}:
        needed = [OF[table][0], *filter(None, [_ALSO_READ.get(table)])]
        if names := [each.value for each in needed if not allowed(rights, each)]:
            lacking[table] = names
    return lacking


def lacking_to_erase(rights: Rights) -> list[Permission]:
    """Returns the permissions that the caller lacks to erase a person: those to change rows of all its tables."""
    needed = {OF[rows.table][1] for rows in ALL}
    return sorted(each for each in needed if not allowed(rights, each))
