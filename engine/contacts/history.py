"""The SQL that finds the messages to a contact and from it, by its addresses and always of the same owner.

Each statement returns ids; `{contact}` is the SQL of the contact's id. The callers compare an id with the array of
them, so that PostgreSQL begins at the addresses, whose rows are few, and not at the newest rows of the owner.
"""

_CONTACT = "(SELECT c.owner_id FROM contacts AS c WHERE c.id = {contact})"

MESSAGES = f"""
SELECT found.id FROM contact_addresses AS a CROSS JOIN LATERAL (
  SELECT m.id FROM messages AS m
  WHERE m.owner_id = {_CONTACT} AND COALESCE(m.address_key, m."to") = COALESCE(a.address_key, a.address)
    AND m.channel = a.channel
  ORDER BY m.id DESC LIMIT 10000
) AS found WHERE a.contact_id = {{contact}}
"""  # noqa: S608  our own words
"""Single messages: of each address the newest ones, as many as are counted, by ix_messages_owner_id_key_id."""

RECORDS = f"""
SELECT r.id FROM contact_addresses AS a JOIN message_records AS r
  ON COALESCE(r.address_key, r."to") = COALESCE(a.address_key, a.address) AND r.owner_id = {_CONTACT}
  AND r.channel = a.channel
WHERE a.contact_id = {{contact}}
"""  # noqa: S608  our own words
"""Messages of projects and replies to them, by ix_message_records_key."""

CHATS = f"""
SELECT h.id FROM contact_addresses AS a JOIN messenger_accounts AS s ON s.owner_id = {_CONTACT}
  AND s.deleted_at IS NULL
JOIN messenger_chats AS h ON h.account_id = s.id AND h.phone = a.address
WHERE a.contact_id = {{contact}} AND a.channel IN ('sms', 'whatsapp', 'telegram') AND h.last_at IS NOT NULL
UNION SELECT h.id FROM contact_addresses AS a JOIN messenger_accounts AS s ON s.owner_id = {_CONTACT}
  AND s.deleted_at IS NULL
JOIN messenger_chats AS h ON h.account_id = s.id AND lower(h.username) = lower(ltrim(a.address, '@'))
WHERE a.contact_id = {{contact}} AND a.channel = 'telegram' AND a.address LIKE '@%' AND h.last_at IS NOT NULL
"""  # noqa: S608  our own words
"""Chats of messenger accounts, by a phone or a user name: ix_messenger_chats_phone and ix_messenger_chats_username."""


def ids_of(statement: str, contact: str) -> str:
    """Returns the SQL of the array of ids that a statement of this file finds for a contact."""
    return f"ARRAY({statement.format(contact=contact)})"
