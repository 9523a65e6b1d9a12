"""Whether a provider has refused a message: an event says so by a type of its own.

No table is rewritten: the columns are nullable, and only messages that were refused have a value. The functions are those of
the event feed; only the type of a message that has failed is another one.
"""

from alembic import op

revision = "0026"
down_revision = "0025"

# A plan is made for the rows of a session's first statement and kept for all: a nested loop would compare each of five
# hundred rows with all the others.
_FUNCTION = """
CREATE OR REPLACE FUNCTION {name}() RETURNS trigger LANGUAGE plpgsql SET enable_nestloop = off AS $$
BEGIN
{body}
  RETURN NULL;
END $$
"""

_INTO = "INSERT INTO event_inbox (owner_id, type, subject, subject_id, project_id, account_id, data)"
_LISTENS = "EXISTS (SELECT FROM event_feeds AS f WHERE f.owner_id = c.owner_id AND f.recording)"

# Here and below the data has the names that the fields have in GraphQL.
_RECORD = """jsonb_build_object('uuid', c.id, 'sendingProjectUuid', c.project_id, 'recipientUuid', c.recipient_id,
      'accountUuid', c.account_uuid, 'channel', c.channel, 'direction', c.direction, 'to', c."to", 'status', c.status,
      'variant', c.variant, 'failureCode', c.failure_code, 'failureReason', c.failure_reason, 'attempts', c.attempts,
      'providerMessageId', CASE WHEN c.sent_at IS NOT NULL THEN COALESCE(c.provider_message_id, c.id::text) END,
      'price', c.price, 'queuedAt', postern_utc(c.queued_at), 'sentAt', postern_utc(c.sent_at),
      'deliveredAt', postern_utc(c.delivered_at), 'readAt', postern_utc(c.read_at), 'repliedAt', postern_utc(c.replied_at),
      'updatedAt', postern_utc(c.updated_at),
      'body', CASE WHEN c.direction = 'inbound' THEN c.body END)"""
_MESSAGE = """jsonb_build_object('uuid', c.id, 'accountId', c.account_id, 'direction', c.direction, 'channel', c.channel,
      'status', c.status, 'deliveryState', c.state, 'to', c."to", 'sender', c.sender, 'price', c.price,
      'failureCode', c.failure_code, 'failureReason', c.failure_reason, 'attempts', c.attempts,
      'providerMessageId', c.provider_message_id, 'category', c.category, 'trial', c.trial,
      'createdAt', postern_utc(c.created_at), 'sentAt', postern_utc(c.sent_at), 'deliveredAt', postern_utc(c.delivered_at),
      'updatedAt', postern_utc(c.updated_at),
      'body', CASE WHEN c.direction = 'inbound' THEN c.body END)"""


def _type(status: str) -> str:
    """Returns the SQL of the type of a message's event. Two reasons for a failure have types of their own."""
    return f"""CASE WHEN c.{status} = 'failed' AND c.failure_code = 'expired' THEN 'message.expired'
      WHEN c.{status} = 'failed' AND c.refused THEN 'message.refused'
      ELSE 'message.' || c.{status} END"""


def _is_event(status: str) -> str:
    """Returns the SQL that tells whether a new status is an event.

    A dispatch that was put off is none; a message that is queued again after it was settled is one.
    """
    return f"""c.{status} <> w.{status} AND c.{status} <> 'sending'
      AND (c.{status} <> 'queued' OR w.{status} IN ('failed', 'skipped', 'unknown', 'canceled'))"""


def _messages(status: str, subject: str, data: str, project: str, account: str, replied: str = "") -> str:
    of_row = f"'{subject}', c.id, {project}, {account}, {data}"
    # Whoever has no feed pays for the first look, and for nothing else.
    return f"""  IF NOT EXISTS (
    SELECT FROM came AS r JOIN event_feeds AS f ON f.owner_id = r.owner_id WHERE f.recording
  ) THEN RETURN NULL; END IF;
  IF TG_OP = 'INSERT' THEN
    {_INTO}
    SELECT c.owner_id, CASE WHEN c.direction = 'inbound' THEN 'message.received' ELSE {_type(status)} END, {of_row}
    FROM came AS c WHERE {_LISTENS};
  ELSE
    {_INTO}
    SELECT c.owner_id, {_type(status)}, {of_row}
    FROM came AS c JOIN went AS w USING (id) WHERE {_is_event(status)} AND {_LISTENS};
    {replied}
  END IF;"""


_REPLIED = f"""IF EXISTS (SELECT FROM came WHERE replied_at IS NOT NULL) THEN
    {_INTO}
    SELECT c.owner_id, 'message.replied', 'messageRecord', c.id, c.project_id, NULL, {_RECORD}
    FROM came AS c JOIN went AS w USING (id)
    WHERE c.replied_at IS NOT NULL AND w.replied_at IS NULL AND {_LISTENS};
    END IF;"""

_FUNCTIONS = {
    "postern_record_events": _messages("status", "messageRecord", _RECORD, "c.project_id", "NULL", _REPLIED),
    "postern_message_events": _messages("state", "message", _MESSAGE, "NULL", "c.account_id"),
}


def upgrade() -> None:
    # One transaction each: nothing waits for one table while it has the lock of another. IF NOT EXISTS: what was
    # committed before the functions stays when those are broken off.
    with op.get_context().autocommit_block():
        op.execute("SET lock_timeout = '10s'")
        for table in ("messages", "message_records"):
            op.execute(f"ALTER TABLE {table} ADD COLUMN IF NOT EXISTS refused boolean")
        op.execute("RESET lock_timeout")
    for name, body in _FUNCTIONS.items():
        op.execute(_FUNCTION.format(name=name, body=body).replace(":", r"\:"))


def downgrade() -> None:
    raise NotImplementedError("migrations go forward only; restore a backup to go back")
