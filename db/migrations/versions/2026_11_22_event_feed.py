"""The event feed: tables, and the triggers that record what happens for owners who have a feed."""

from typing import Any

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "0023"
down_revision = "0022"


def upgrade() -> None:
    op.execute("SET LOCAL lock_timeout = '10s'")
    # IF NOT EXISTS, here and below: what was committed before the triggers stays when those are broken off.
    op.create_table(
        "event_feeds",
        sa.Column("owner_id", sa.Uuid(), nullable=False),
        sa.Column("recording", sa.Boolean(), server_default=sa.text("true"), nullable=False),
        sa.Column(
            "recording_since", sa.DateTime(timezone=True), server_default=sa.func.now(), nullable=False
        ),
        sa.Column("pending_xid", sa.BigInteger(), nullable=True),
        sa.Column(
            "epoch", sa.Integer(), server_default=sa.text("(random() * 2147483647)::integer"), nullable=False
        ),
        sa.Column("last_position", sa.BigInteger(), server_default="0", nullable=False),
        sa.Column("pruned_position", sa.BigInteger(), server_default="0", nullable=False),
        sa.Column("used_at", sa.DateTime(timezone=True), server_default=sa.func.now(), nullable=False),
        sa.Column("progress_at", sa.DateTime(timezone=True), server_default=sa.func.now(), nullable=False),
        sa.Column("nearly_full", sa.Boolean(), server_default=sa.text("false"), nullable=False),
        sa.ForeignKeyConstraint(
            ["owner_id"], ["users.id"], name="fk_event_feeds_owner_id", ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("owner_id", name="pk_event_feeds"),
        postgresql_with={"fillfactor": "50"},
        if_not_exists=True,
    )
    op.create_table(
        "events",
        sa.Column("owner_id", sa.Uuid(), nullable=False),
        sa.Column("position", sa.BigInteger(), nullable=False),
        *_recorded(),
        sa.PrimaryKeyConstraint("owner_id", "position", name="pk_events"),
        if_not_exists=True,
    )
    op.create_table(
        "event_inbox",
        sa.Column("seq", sa.BigInteger(), sa.Identity(), nullable=False),
        sa.Column("owner_id", sa.Uuid(), nullable=False),
        *_recorded(),
        sa.PrimaryKeyConstraint("seq", name="pk_event_inbox"),
        postgresql_with={"autovacuum_vacuum_scale_factor": "0", "autovacuum_vacuum_threshold": "10000"},
        if_not_exists=True,
    )
    op.create_index("ix_event_inbox_owner_id_seq", "event_inbox", ["owner_id", "seq"], if_not_exists=True)
    op.execute(_UTC)
    op.execute(_PROJECT_DATA)
    for name, body in _FUNCTIONS.items():
        op.execute(_FUNCTION.format(name=name, body=body).replace(":", r"\:"))
    # One transaction each: nothing waits for one table while it has the lock of another.
    with op.get_context().autocommit_block():
        op.execute("SET lock_timeout = '10s'")
        for table, name, definition in _TRIGGERS:
            op.execute(f"DROP TRIGGER IF EXISTS {name} ON {table}")
            op.execute(definition)
        op.execute("RESET lock_timeout")


def _recorded() -> list[sa.Column[Any]]:
    """Returns the columns of an event, which it has before and after it gets its position."""
    return [
        sa.Column("id", sa.Uuid(), server_default=sa.text("gen_random_uuid()"), nullable=False),
        sa.Column("type", sa.Text(), nullable=False),
        sa.Column("subject", sa.Text(), nullable=False),
        sa.Column("subject_id", sa.Uuid(), nullable=False),
        sa.Column("project_id", sa.Uuid(), nullable=True),
        sa.Column("account_id", sa.Uuid(), nullable=True),
        sa.Column("at", sa.DateTime(timezone=True), server_default=sa.func.now(), nullable=False),
        sa.Column("data", postgresql.JSONB(), nullable=False),
    ]


_UTC = """
CREATE OR REPLACE FUNCTION postern_utc(moment timestamptz) RETURNS text LANGUAGE sql STABLE PARALLEL SAFE AS
$$ SELECT to_char(moment AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24\\:MI\\:SS.US"Z"') $$
"""
# A function, for the triggers and for the round that tells how far a project is (engine/event_feed.py).
_PROJECT_DATA = r"""
CREATE OR REPLACE FUNCTION postern_project_data(p sending_projects) RETURNS jsonb LANGUAGE sql STABLE AS $$
SELECT jsonb_build_object('uuid', p.id, 'name', p.name, 'status', p.status,
      'statusReason', p.status_reason, 'channel', p.channel, 'accountId', p.account_id,
      'startAt', postern_utc(p.start_at), 'startedAt', postern_utc(p.started_at), 'finishedAt', postern_utc(p.finished_at),
      'repeatableUuid', p.repeatable_uuid, 'counts', (
        SELECT jsonb_build_object('total', COALESCE(sum(total), 0), 'queued', COALESCE(sum(queued), 0),
          'sending', COALESCE(sum(sending), 0), 'sent', COALESCE(sum(sent), 0), 'delivered', COALESCE(sum(delivered), 0),
          'read', COALESCE(sum(read), 0), 'failed', COALESCE(sum(failed), 0), 'skipped', COALESCE(sum(skipped), 0),
          'unknown', COALESCE(sum(unknown), 0), 'canceled', COALESCE(sum(canceled), 0), 'replied', COALESCE(sum(replied), 0))
        FROM sending_counters WHERE project_id = p.id))
$$
"""
# A plan is made for the rows of a session's first statement and kept for all: a nested loop would compare each of five
# hundred rows with all the others.
_FUNCTION = """
CREATE OR REPLACE FUNCTION {name}() RETURNS trigger LANGUAGE plpgsql SET enable_nestloop = off AS $$
BEGIN
{body}
  RETURN NULL;
END $$
"""

# Whoever has no feed pays for this look, and for nothing else.
_NOBODY = """  IF NOT EXISTS (
    SELECT FROM {rows} AS r JOIN event_feeds AS f ON f.owner_id = r.owner_id WHERE f.recording
  ) THEN RETURN NULL; END IF;"""
_INTO = "INSERT INTO event_inbox (owner_id, type, subject, subject_id, project_id, account_id, data)"


def _listens(owner: str) -> str:
    return f"EXISTS (SELECT FROM event_feeds AS f WHERE f.owner_id = {owner} AND f.recording)"


def _type(status: str) -> str:
    """Returns the SQL of the type of a message's event. What could not be sent in time has a type of its own."""
    return f"""CASE WHEN c.{status} = 'failed' AND c.failure_code = 'expired' THEN 'message.expired'
      ELSE 'message.' || c.{status} END"""


def _is_event(status: str) -> str:
    """Returns the SQL that tells whether a new status is an event.

    A dispatch that was put off is none; a message that is queued again after it was settled is one.
    """
    return f"""c.{status} <> w.{status} AND c.{status} <> 'sending'
      AND (c.{status} <> 'queued' OR w.{status} IN ('failed', 'skipped', 'unknown', 'canceled'))"""


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


def _messages(status: str, subject: str, data: str, project: str, account: str, replied: str = "") -> str:
    of_row = f"'{subject}', c.id, {project}, {account}, {data}"
    return f"""{_NOBODY.format(rows="came")}
  IF TG_OP = 'INSERT' THEN
    {_INTO}
    SELECT c.owner_id, CASE WHEN c.direction = 'inbound' THEN 'message.received' ELSE {_type(status)} END, {of_row}
    FROM came AS c WHERE {_listens("c.owner_id")};
  ELSE
    {_INTO}
    SELECT c.owner_id, {_type(status)}, {of_row}
    FROM came AS c JOIN went AS w USING (id) WHERE {_is_event(status)} AND {_listens("c.owner_id")};
    {replied}
  END IF;"""


_REPLIED = f"""IF EXISTS (SELECT FROM came WHERE replied_at IS NOT NULL) THEN
    {_INTO}
    SELECT c.owner_id, 'message.replied', 'messageRecord', c.id, c.project_id, NULL, {_RECORD}
    FROM came AS c JOIN went AS w USING (id)
    WHERE c.replied_at IS NOT NULL AND w.replied_at IS NULL AND {_listens("c.owner_id")};
    END IF;"""


def _row(owner: str, type: str, subject: str, data: str, project: str = "NULL", account: str = "NULL") -> str:
    """Returns the body of a trigger for each row; the trigger has the conditions."""
    return f"""  IF {_listens(owner)} THEN
    {_INTO} VALUES ({owner}, {type}, '{subject}', NEW.id, {project}, {account}, {data});
  END IF;"""


_PROJECT_TYPE = """CASE NEW.status
      WHEN 'running' THEN CASE WHEN TG_OP = 'UPDATE' AND OLD.status = 'paused' THEN 'project.resumed'
        ELSE 'project.started' END
      ELSE 'project.' || NEW.status END"""

_CHAT = """jsonb_build_object('uuid', NEW.id, 'chatUuid', NEW.chat_id, 'accountUuid', NEW.account_id, 'thread', NEW.thread,
      'outgoing', NEW.outgoing, 'from', NEW.sender, 'to', NEW.recipient, 'name', NEW.name, 'text', left(NEW.text, 4096),
      'status', NEW.status, 'failureCode', NEW.failure_code, 'failureReason', NEW.failure_reason, 'at', postern_utc(NEW.at))"""

_FUNCTIONS = {
    "postern_record_events": _messages("status", "messageRecord", _RECORD, "c.project_id", "NULL", _REPLIED),
    "postern_message_events": _messages("state", "message", _MESSAGE, "NULL", "c.account_id"),
    "postern_project_events": _row(
        "NEW.owner_id",
        _PROJECT_TYPE,
        "sendingProject",
        "postern_project_data(NEW)",
        "NEW.id",
        "NEW.account_id",
    ),
    "postern_import_events": _row(
        "NEW.owner_id",
        "CASE NEW.status WHEN 'ready' THEN 'import.finished' ELSE 'import.failed' END",
        "recipientImport",
        "jsonb_build_object('uuid', NEW.id, 'status', NEW.status, 'statusReason', NEW.status_reason,"
        " 'fileName', NEW.file_name, 'total', NEW.total, 'valid', NEW.valid, 'invalid', NEW.invalid, 'duplicates', NEW.duplicates)",
    ),
    "postern_export_events": _row(
        "NEW.owner_id",
        "CASE NEW.status WHEN 'ready' THEN 'export.finished' ELSE 'export.failed' END",
        "exportLink",
        "jsonb_build_object('uuid', NEW.id, 'source', NEW.source, 'status', NEW.status, 'statusReason', NEW.status_reason,"
        " 'format', NEW.format, 'total', NEW.total, 'done', NEW.done, 'fileUuid', NEW.file_uuid)",
        "NEW.sending_project_uuid",
    ),
    "postern_block_events": f"""  IF TG_OP = 'INSERT' THEN
    {_INTO}
    SELECT c.owner_id, 'block.added', 'blockedPhone', c.id, NULL, NULL,
      jsonb_build_object('uuid', c.id, 'phone', c.phone, 'reason', c.reason, 'scope', c.scope, 'createdAt', postern_utc(c.created_at))
    FROM came AS c WHERE {_listens("c.owner_id")};
  ELSE
    {_INTO}
    SELECT w.owner_id, 'block.removed', 'blockedPhone', w.id, NULL, NULL,
      jsonb_build_object('uuid', w.id, 'phone', w.phone, 'reason', w.reason, 'scope', w.scope, 'createdAt', postern_utc(w.created_at))
    FROM went AS w WHERE {_listens("w.owner_id")};
  END IF;""",
    "postern_credit_events": f"""  {_INTO}
  SELECT a.owner_id, 'account.credited', 'account', a.id, NULL, a.id,
    jsonb_build_object('uuid', a.id, 'name', a.name, 'currency', a.currency, 'amount', NEW.amount, 'balance', a.balance,
      'entryId', NEW.id, 'note', NEW.note)
  FROM accounts AS a WHERE a.id = NEW.account_id AND {_listens("a.owner_id")};""",
    "postern_balance_events": _row(
        "NEW.owner_id",
        "'account.empty'",
        "account",
        "jsonb_build_object('uuid', NEW.id, 'name', NEW.name, 'currency', NEW.currency, 'balance', NEW.balance)",
        account="NEW.id",
    ),
    "postern_messenger_events": _row(
        "NEW.owner_id",
        "'messengerAccount.changed'",
        "messengerAccount",
        "jsonb_build_object('uuid', NEW.id, 'source', NEW.source, 'login', NEW.login, 'name', NEW.name, 'state', NEW.state,"
        " 'reason', NEW.reason, 'reasonCode', NEW.reason_code, 'until', postern_utc(NEW.until),"
        " 'connectedPhone', NEW.connected_phone)",
    ),
    "postern_chat_events": f"""  {_INTO}
  SELECT a.owner_id, CASE WHEN NOT NEW.outgoing THEN 'chat.received' ELSE CASE NEW.status WHEN 'server' THEN 'chat.sent'
      WHEN 'has_seen' THEN 'chat.read' WHEN 'errored' THEN 'chat.failed' ELSE 'chat.delivered' END END,
    'messengerMessage', NEW.id, NULL, NULL, {_CHAT}
  FROM messenger_accounts AS a WHERE a.id = NEW.account_id AND {_listens("a.owner_id")};""",
    "postern_token_events": _row(
        "NEW.user_id",
        "CASE WHEN NEW.revoked_at IS NULL THEN 'apiToken.created' ELSE 'apiToken.revoked' END",
        "apiToken",
        "jsonb_build_object('uuid', NEW.id, 'name', NEW.name, 'expiresAt', postern_utc(NEW.expires_at),"
        " 'revokedAt', postern_utc(NEW.revoked_at), 'createdAt', postern_utc(NEW.created_at))",
    ),
    "postern_hook_secret_events": _row(
        "NEW.user_id",
        "CASE WHEN NEW.revoked_at IS NULL THEN 'hookSecret.created' ELSE 'hookSecret.revoked' END",
        "hookSecret",
        "jsonb_build_object('uuid', NEW.id, 'kind', NEW.kind, 'revokedAt', postern_utc(NEW.revoked_at),"
        " 'createdAt', postern_utc(NEW.created_at))",
    ),
}


def _of_statement(table: str, function: str, *whens: str) -> list[tuple[str, str, str]]:
    tables = {"INSERT": "NEW TABLE AS came", "UPDATE": "OLD TABLE AS went NEW TABLE AS came"}
    tables["DELETE"] = "OLD TABLE AS went"
    return [
        (
            table,
            f"events_{when.lower()}",
            (
                f"CREATE TRIGGER events_{when.lower()} AFTER {when} ON {table} REFERENCING {tables[when]}"
                f" FOR EACH STATEMENT EXECUTE FUNCTION {function}()"
            ),
        )
        for when in whens
    ]


def _of_row(table: str, function: str, when: str, condition: str) -> tuple[str, str, str]:
    name = f"events_{when.lower().replace(' of ', '_').replace(', ', '_')}"
    return (
        table,
        name,
        (
            f"CREATE TRIGGER {name} AFTER {when} ON {table} FOR EACH ROW"
            f" WHEN ({condition}) EXECUTE FUNCTION {function}()"
        ),
    )


_TRIGGERS: list[tuple[str, str, str]] = [
    *_of_statement("message_records", "postern_record_events", "INSERT", "UPDATE"),
    *_of_statement("messages", "postern_message_events", "INSERT", "UPDATE"),
    *_of_statement("blocked_phones", "postern_block_events", "INSERT", "DELETE"),
    _of_row("sending_projects", "postern_project_events", "INSERT", "NEW.status <> 'draft'"),
    _of_row(
        "sending_projects",
        "postern_project_events",
        "UPDATE OF status, start_at",
        "NEW.status <> 'draft' AND (NEW.status <> OLD.status"
        " OR (NEW.status = 'scheduled' AND NEW.start_at IS DISTINCT FROM OLD.start_at))",
    ),
    _of_row(
        "recipient_imports",
        "postern_import_events",
        "UPDATE OF status",
        "NEW.status <> OLD.status AND NEW.status <> 'processing'",
    ),
    _of_row(
        "export_links",
        "postern_export_events",
        "UPDATE OF status",
        "NEW.status <> OLD.status AND NEW.status IN ('ready', 'failed')",
    ),
    # At the end of the transaction, when the balance has the credit.
    (
        "ledger_entries",
        "events_credit",
        (
            "CREATE CONSTRAINT TRIGGER events_credit AFTER INSERT ON ledger_entries DEFERRABLE INITIALLY DEFERRED"
            " FOR EACH ROW WHEN (NEW.kind = 'credit') EXECUTE FUNCTION postern_credit_events()"
        ),
    ),
    _of_row("accounts", "postern_balance_events", "UPDATE OF balance", "OLD.balance > 0 AND NEW.balance = 0"),
    _of_row(
        "messenger_accounts",
        "postern_messenger_events",
        "UPDATE OF state",
        "NEW.state <> OLD.state AND NEW.deleted_at IS NULL",
    ),
    _of_row(
        "messenger_messages",
        "postern_chat_events",
        "INSERT",
        "NOT NEW.past AND (NOT NEW.outgoing OR NEW.status <> 'pending')",
    ),
    _of_row(
        "messenger_messages",
        "postern_chat_events",
        "UPDATE OF status",
        "NEW.outgoing AND NOT NEW.past AND NEW.status <> OLD.status AND NEW.status <> 'pending'",
    ),
    # A message of the history that has come in just now.
    _of_row(
        "messenger_messages",
        "postern_chat_events",
        "UPDATE OF past",
        "OLD.past AND NOT NEW.past AND NOT NEW.outgoing",
    ),
    _of_row("api_tokens", "postern_token_events", "INSERT", "true"),
    _of_row(
        "api_tokens",
        "postern_token_events",
        "UPDATE OF revoked_at",
        "OLD.revoked_at IS NULL AND NEW.revoked_at IS NOT NULL",
    ),
    _of_row("hook_secrets", "postern_hook_secret_events", "INSERT", "true"),
    _of_row(
        "hook_secrets",
        "postern_hook_secret_events",
        "UPDATE OF revoked_at",
        "OLD.revoked_at IS NULL AND NEW.revoked_at IS NOT NULL",
    ),
]


def downgrade() -> None:
    raise NotImplementedError("migrations go forward only; restore a backup to go back")
