"""The inbox: chats are closed and opened again, and have labels and notes; canned answers."""

import sqlalchemy as sa
from alembic import op

from db.migrations.indexes import build

revision = "0047"
down_revision = "0046"

_COLORS = "'gray', 'red', 'orange', 'yellow', 'green', 'teal', 'blue', 'violet', 'pink'"
_FUNCTION = """
CREATE OR REPLACE FUNCTION postern_closed_chat_events() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO event_inbox (owner_id, type, subject, subject_id, project_id, account_id, data)
  SELECT a.owner_id, CASE WHEN NEW.closed_at IS NULL THEN 'chat.reopened' ELSE 'chat.closed' END, 'messengerChat',
    NEW.id, NULL, NULL, jsonb_build_object('uuid', NEW.id, 'accountUuid', NEW.account_id, 'thread', NEW.thread,
      'kind', NEW.kind, 'name', NEW.name, 'phone', NEW.phone, 'username', NEW.username, 'unread', NEW.unread,
      'lastAt', postern_utc(NEW.last_at), 'closedAt', postern_utc(NEW.closed_at))
  FROM messenger_accounts AS a
  WHERE a.id = NEW.account_id AND EXISTS (SELECT FROM event_feeds AS f WHERE f.owner_id = a.owner_id AND f.recording);
  RETURN NULL;
END $$
"""


def upgrade() -> None:
    # Each statement is a transaction of its own: running processes lock these tables in orders of their own.
    with op.get_context().autocommit_block():
        op.execute("SET lock_timeout = '10s'")
        op.create_table(
            "messenger_labels",
            _id(),
            sa.Column("owner_id", sa.Uuid(), nullable=False),
            sa.Column("name", sa.Text(), nullable=False),
            sa.Column("color", sa.Text(), server_default="gray", nullable=False),
            _at("created_at"),
            sa.CheckConstraint(f"color IN ({_COLORS})", name="ck_messenger_labels_color"),
            sa.ForeignKeyConstraint(["owner_id"], ["users.id"], name="fk_messenger_labels_owner_id"),
            sa.PrimaryKeyConstraint("id", name="pk_messenger_labels"),
            if_not_exists=True,
        )
        op.create_index(
            "uq_messenger_labels_name",
            "messenger_labels",
            ["owner_id", sa.text("lower(name)")],
            unique=True,
            if_not_exists=True,
        )
        op.create_table(
            "messenger_chat_labels",
            sa.Column("chat_id", sa.Uuid(), nullable=False),
            sa.Column("label_id", sa.Uuid(), nullable=False),
            _of("messenger_chat_labels", "chat_id", "messenger_chats"),
            _of("messenger_chat_labels", "label_id", "messenger_labels"),
            sa.PrimaryKeyConstraint("chat_id", "label_id", name="pk_messenger_chat_labels"),
            if_not_exists=True,
        )
        op.create_index(
            "ix_messenger_chat_labels_label_id_chat_id",
            "messenger_chat_labels",
            ["label_id", "chat_id"],
            if_not_exists=True,
        )
        op.create_table(
            "messenger_notes",
            _id(),
            sa.Column("account_id", sa.Uuid(), nullable=False),
            sa.Column("chat_id", sa.Uuid(), nullable=False),
            sa.Column("author_id", sa.Uuid(), nullable=False),
            sa.Column("text", sa.Text(), nullable=False),
            _at("created_at"),
            _of("messenger_notes", "account_id", "messenger_accounts"),
            _of("messenger_notes", "chat_id", "messenger_chats"),
            sa.ForeignKeyConstraint(["author_id"], ["users.id"], name="fk_messenger_notes_author_id"),
            sa.PrimaryKeyConstraint("id", name="pk_messenger_notes"),
            if_not_exists=True,
        )
        op.create_index(
            "ix_messenger_notes_account_id", "messenger_notes", ["account_id"], if_not_exists=True
        )
        op.create_index(
            "ix_messenger_notes_chat_id_id", "messenger_notes", ["chat_id", "id"], if_not_exists=True
        )
        op.create_table(
            "canned_answers",
            _id(),
            sa.Column("owner_id", sa.Uuid(), nullable=False),
            sa.Column("shortcut", sa.Text(), nullable=False),
            sa.Column("text", sa.Text(), nullable=False),
            _at("created_at"),
            _at("updated_at"),
            sa.ForeignKeyConstraint(["owner_id"], ["users.id"], name="fk_canned_answers_owner_id"),
            sa.PrimaryKeyConstraint("id", name="pk_canned_answers"),
            if_not_exists=True,
        )
        op.create_index(
            "uq_canned_answers_shortcut",
            "canned_answers",
            ["owner_id", "shortcut"],
            unique=True,
            if_not_exists=True,
        )
        op.create_index(
            "ix_canned_answers_list", "canned_answers", ["owner_id", "shortcut", "id"], if_not_exists=True
        )
        op.execute("ALTER TABLE messenger_chats ADD COLUMN IF NOT EXISTS closed_at timestamptz")
        op.execute(_FUNCTION.replace(":", r"\:"))
        op.execute(
            "CREATE OR REPLACE TRIGGER events_closed AFTER UPDATE OF closed_at ON messenger_chats FOR EACH ROW"
            " WHEN ((OLD.closed_at IS NULL) <> (NEW.closed_at IS NULL)) EXECUTE FUNCTION postern_closed_chat_events()"
        )
    for name, condition in (("open", "IS NULL"), ("closed", "IS NOT NULL")):
        build(
            f"ix_messenger_chats_{name}",
            f"messenger_chats (account_id, last_at, id) WHERE closed_at {condition}",
        )


def _id() -> sa.Column[sa.Uuid]:
    return sa.Column("id", sa.Uuid(), nullable=False)


def _at(name: str) -> sa.Column[sa.DateTime]:
    return sa.Column(name, sa.DateTime(timezone=True), server_default=sa.func.now(), nullable=False)


def _of(table: str, column: str, parent: str) -> sa.ForeignKeyConstraint:
    return sa.ForeignKeyConstraint(
        [column], [f"{parent}.id"], name=f"fk_{table}_{column}", ondelete="CASCADE"
    )


def downgrade() -> None:
    raise NotImplementedError("migrations go forward only; restore a backup to go back")
