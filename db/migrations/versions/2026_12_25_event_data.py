"""Events of messages are stored without what a reader can fill in (engine/feed/event_data.py): half the bytes.

The functions are those of revision 0026; only `data` is built otherwise. Events from before have all fields, and stay.
"""

from alembic import op

revision = "0062"
down_revision = "0061"

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

# The ids are in columns of their own, and a time is left out if it is that of the event.
_RECORD = """jsonb_strip_nulls(jsonb_build_object('recipientUuid', c.recipient_id,
      'accountUuid', c.account_uuid, 'channel', c.channel, 'direction', NULLIF(c.direction, 'outbound'), 'to', c."to",
      'status', c.status, 'variant', c.variant, 'failureCode', c.failure_code, 'failureReason', c.failure_reason,
      'attempts', NULLIF(c.attempts, 0),
      'providerMessageId', CASE WHEN c.sent_at IS NOT NULL THEN c.provider_message_id END,
      'price', c.price, 'queuedAt', postern_utc(NULLIF(c.queued_at, now())), 'sentAt', postern_utc(c.sent_at),
      'deliveredAt', postern_utc(c.delivered_at), 'readAt', postern_utc(c.read_at),
      'repliedAt', postern_utc(c.replied_at), 'updatedAt', postern_utc(NULLIF(c.updated_at, now())),
      'body', CASE WHEN c.direction = 'inbound' THEN c.body END))"""
_MESSAGE = """jsonb_strip_nulls(jsonb_build_object('direction', NULLIF(c.direction, 'outbound'),
      'channel', c.channel, 'status', NULLIF(c.status, c.state), 'deliveryState', c.state, 'to', c."to",
      'sender', c.sender, 'price', c.price,
      'failureCode', c.failure_code, 'failureReason', c.failure_reason, 'attempts', NULLIF(c.attempts, 0),
      'providerMessageId', c.provider_message_id, 'category', NULLIF(c.category, 'transactional'),
      'trial', NULLIF(c.trial, false), 'createdAt', postern_utc(NULLIF(c.created_at, now())),
      'sentAt', postern_utc(c.sent_at), 'deliveredAt', postern_utc(c.delivered_at),
      'updatedAt', postern_utc(NULLIF(c.updated_at, now())),
      'body', CASE WHEN c.direction = 'inbound' THEN c.body END))"""


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
    # One index where there were two: nobody looks for an event by its number alone. The table is nearly empty.
    op.execute("SET LOCAL lock_timeout = '10s'")
    op.execute(
        "ALTER TABLE event_inbox DROP CONSTRAINT IF EXISTS pk_event_inbox,"
        " ADD CONSTRAINT pk_event_inbox PRIMARY KEY (owner_id, seq)"
    )
    op.execute("DROP INDEX IF EXISTS ix_event_inbox_owner_id_seq")
    for name, body in _FUNCTIONS.items():
        op.execute(_FUNCTION.format(name=name, body=body).replace(":", r"\:"))


def downgrade() -> None:
    raise NotImplementedError("migrations go forward only; restore a backup to go back")
