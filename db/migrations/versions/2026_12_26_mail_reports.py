"""Reports about emails that come back as mail, the addresses that often fail for a while, and blocks that end.

The functions of messages' events are those of revision 0062, with two more events. They look for them in statements
that change a message with a report alone.
"""

from alembic import op

from db.migrations.indexes import build

revision = "0063"
down_revision = "0062"

_TABLES = (
    """
CREATE TABLE IF NOT EXISTS mail_reports (
  id uuid NOT NULL,
  created_at timestamptz DEFAULT now() NOT NULL,
  owner_id uuid NOT NULL,
  message_id uuid NOT NULL,
  kind text NOT NULL,
  type text NOT NULL,
  class text,
  source text NOT NULL,
  source_id text NOT NULL,
  address text,
  domain text,
  status text,
  code integer,
  diagnostic text,
  outcome text NOT NULL,
  CONSTRAINT pk_mail_reports PRIMARY KEY (id),
  CONSTRAINT uq_mail_reports_source UNIQUE (source, source_id, message_id),
  CONSTRAINT ck_mail_reports_kind CHECK (kind IN ('direct', 'project')),
  CONSTRAINT ck_mail_reports_type CHECK (type IN ('bounce', 'delay', 'complaint', 'rescue')),
  CONSTRAINT ck_mail_reports_class CHECK (class IN ('hard', 'full', 'content', 'policy', 'transient', 'unknown')),
  CONSTRAINT ck_mail_reports_outcome CHECK (outcome IN ('fails', 'stays', 'waits', 'none'))
)
""",
    "CREATE INDEX IF NOT EXISTS ix_mail_reports_owner_id_id ON mail_reports (owner_id, id)",
    "CREATE INDEX IF NOT EXISTS ix_mail_reports_type ON mail_reports (owner_id, type, id)",
    "CREATE INDEX IF NOT EXISTS ix_mail_reports_message_id_id ON mail_reports (message_id, id)",
    """
CREATE TABLE IF NOT EXISTS mail_report_mails (
  report_id uuid NOT NULL,
  mail bytea NOT NULL,
  CONSTRAINT pk_mail_report_mails PRIMARY KEY (report_id),
  CONSTRAINT fk_mail_report_mails_report_id FOREIGN KEY (report_id) REFERENCES mail_reports (id) ON DELETE CASCADE
)
""",
    """
CREATE TABLE IF NOT EXISTS address_health (
  owner_id uuid NOT NULL,
  address text NOT NULL,
  soft_bounces timestamptz[] NOT NULL,
  last_soft_at timestamptz NOT NULL,
  CONSTRAINT pk_address_health PRIMARY KEY (owner_id, address)
)
""",
    "CREATE INDEX IF NOT EXISTS ix_address_health_last_soft_at ON address_health (last_soft_at)",
)

_FUNCTION = """
CREATE OR REPLACE FUNCTION {name}() RETURNS trigger LANGUAGE plpgsql{options} AS $$
BEGIN
{body}
  RETURN NULL;
END $$
"""

_INTO = "INSERT INTO event_inbox (owner_id, type, subject, subject_id, project_id, account_id, data)"
_LISTENS = "EXISTS (SELECT FROM event_feeds AS f WHERE f.owner_id = c.owner_id AND f.recording)"

_RECORD = """jsonb_strip_nulls(jsonb_build_object('recipientUuid', c.recipient_id,
      'accountUuid', c.account_uuid, 'channel', c.channel, 'direction', NULLIF(c.direction, 'outbound'), 'to', c."to",
      'status', c.status, 'variant', c.variant, 'failureCode', c.failure_code, 'failureReason', c.failure_reason,
      'attempts', NULLIF(c.attempts, 0),
      'providerMessageId', CASE WHEN c.sent_at IS NOT NULL THEN c.provider_message_id END,
      'price', c.price, 'queuedAt', postern_utc(NULLIF(c.queued_at, now())), 'sentAt', postern_utc(c.sent_at),
      'deliveredAt', postern_utc(c.delivered_at), 'readAt', postern_utc(c.read_at),
      'repliedAt', postern_utc(c.replied_at), 'bouncedAt', postern_utc(c.bounced_at),
      'complainedAt', postern_utc(c.complained_at), 'updatedAt', postern_utc(NULLIF(c.updated_at, now())),
      'body', CASE WHEN c.direction = 'inbound' THEN c.body END))"""
_MESSAGE = """jsonb_strip_nulls(jsonb_build_object('direction', NULLIF(c.direction, 'outbound'),
      'channel', c.channel, 'status', NULLIF(c.status, c.state), 'deliveryState', c.state, 'to', c."to",
      'sender', c.sender, 'price', c.price,
      'failureCode', c.failure_code, 'failureReason', c.failure_reason, 'attempts', NULLIF(c.attempts, 0),
      'providerMessageId', c.provider_message_id, 'category', NULLIF(c.category, 'transactional'),
      'trial', NULLIF(c.trial, false), 'createdAt', postern_utc(NULLIF(c.created_at, now())),
      'sentAt', postern_utc(c.sent_at), 'deliveredAt', postern_utc(c.delivered_at),
      'bouncedAt', postern_utc(c.bounced_at), 'complainedAt', postern_utc(c.complained_at),
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


# The report that was stored first is the one that has set the time.
_CLASS = """jsonb_build_object('bounceClass', (
      SELECT r.class FROM mail_reports AS r WHERE r.message_id = c.id AND r.type = 'bounce' ORDER BY r.id LIMIT 1
    ))"""


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
    IF EXISTS (SELECT FROM came WHERE bounced_at IS NOT NULL) THEN
    {_INTO}
    SELECT c.owner_id, 'message.bounced', {of_row} || {_CLASS} FROM came AS c JOIN went AS w USING (id)
    WHERE c.bounced_at IS NOT NULL AND w.bounced_at IS NULL AND {_LISTENS};
    END IF;
    IF EXISTS (SELECT FROM came WHERE complained_at IS NOT NULL) THEN
    {_INTO}
    SELECT c.owner_id, 'message.complained', {of_row} FROM came AS c JOIN went AS w USING (id)
    WHERE c.complained_at IS NOT NULL AND w.complained_at IS NULL AND {_LISTENS};
    END IF;
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


def _blocks(type: str, row: str, when: str = "true") -> str:
    return f"""{_INTO}
    SELECT c.owner_id, '{type}', 'blockedPhone', c.id, NULL, NULL,
      jsonb_build_object('uuid', c.id, 'phone', c.phone, 'reason', c.reason, 'scope', c.scope,
        'expiresAt', postern_utc(c.expires_at), 'createdAt', postern_utc(c.created_at))
    FROM {row} WHERE {when} AND {_LISTENS};"""


_SUPPRESSES = "c.reason IN ('softBounce', 'hardBounce', 'complaint')"
_FUNCTIONS = {
    "postern_record_events": _messages("status", "messageRecord", _RECORD, "c.project_id", "NULL", _REPLIED),
    "postern_message_events": _messages("state", "message", _MESSAGE, "NULL", "c.account_id"),
    "postern_block_events": f"""  IF TG_OP = 'INSERT' THEN
    {_blocks("block.added", "came AS c")}
    {_blocks("address.suppressed", "came AS c", _SUPPRESSES)}
  ELSIF TG_OP = 'UPDATE' THEN
    {_blocks("address.suppressed", "came AS c JOIN went AS w USING (id)", f"{_SUPPRESSES} AND w.reason <> c.reason")}
  ELSE
    {_blocks("block.removed", "went AS c")}
  END IF;""",
}
# A plan is made for the rows of a session's first statement and kept for all: a nested loop would compare each of five
# hundred rows with all the others.
_OPTIONS = {"postern_block_events": ""}

_SUPPRESSED = """
CREATE TRIGGER events_update AFTER UPDATE ON blocked_phones
REFERENCING OLD TABLE AS went NEW TABLE AS came FOR EACH STATEMENT EXECUTE FUNCTION postern_block_events()
"""
_REASONS = "reason IN ('manual', 'softBounce', 'optOut', 'hardBounce', 'complaint', 'unsubscribed')"


def upgrade() -> None:
    op.execute("SET LOCAL lock_timeout = '10s'")
    for statement in _TABLES:
        op.execute(statement)
    with op.get_context().autocommit_block():
        # One transaction a table: processes lock tables in orders of their own.
        op.execute("SET lock_timeout = '10s'")
        for table in ("messages", "message_records"):
            op.execute(
                f"ALTER TABLE {table} ADD COLUMN IF NOT EXISTS bounced_at timestamptz,"
                " ADD COLUMN IF NOT EXISTS complained_at timestamptz"
            )
        op.execute("ALTER TABLE blocked_phones ADD COLUMN IF NOT EXISTS expires_at timestamptz")
        op.execute(
            "ALTER TABLE blocked_phones DROP CONSTRAINT IF EXISTS ck_blocked_phones_reason,"
            f" ADD CONSTRAINT ck_blocked_phones_reason CHECK ({_REASONS}) NOT VALID"
        )
        op.execute("ALTER TABLE blocked_phones VALIDATE CONSTRAINT ck_blocked_phones_reason")
        for name, body in _FUNCTIONS.items():
            options = _OPTIONS.get(name, " SET enable_nestloop = off")
            op.execute(_FUNCTION.format(name=name, options=options, body=body).replace(":", r"\:"))
        op.execute("DROP TRIGGER IF EXISTS events_update ON blocked_phones")
        op.execute(_SUPPRESSED)
        op.execute("RESET lock_timeout")
    build("ix_blocked_phones_expires_at", "blocked_phones (expires_at) WHERE expires_at IS NOT NULL")


def downgrade() -> None:
    raise NotImplementedError("migrations go forward only; restore a backup to go back")
