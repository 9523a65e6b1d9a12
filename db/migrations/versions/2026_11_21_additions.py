"""recipient_additions: imports whose rows a worker adds; a running project that waits says for what."""

import sqlalchemy as sa
from alembic import op

revision = "0018"
down_revision = "0016"

_REASONS = (
    "'no_sender_online', 'balance_used_up', 'tariff_used_up', 'provider_refuses_credentials', 'owner_suspended',"
    " 'recipients_failed', 'recipients_pending', 'window_closed'"
)


def upgrade() -> None:
    op.execute("SET LOCAL lock_timeout = '10s'")
    op.create_table(
        "recipient_additions",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), server_default=sa.func.now(), nullable=False),
        sa.Column("project_id", sa.Uuid(), nullable=False),
        sa.Column("import_id", sa.Uuid(), nullable=False),
        sa.Column("line", sa.Integer(), nullable=False),
        sa.Column("added", sa.Integer(), nullable=False),
        sa.Column("rows_left", sa.Integer(), nullable=False),
        sa.Column("updated_at", sa.DateTime(timezone=True), server_default=sa.func.now(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_recipient_additions"),
        sa.ForeignKeyConstraint(
            ["project_id"],
            ["sending_projects.id"],
            name="fk_recipient_additions_project_id",
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(
            ["import_id"], ["recipient_imports.id"], name="fk_recipient_additions_import_id"
        ),
    )
    for column in ("project_id", "import_id"):
        op.create_index(f"ix_recipient_additions_{column}", "recipient_additions", [column])
    op.add_column(
        "sending_projects", sa.Column("recipients_pending", sa.Integer(), server_default="0", nullable=False)
    )
    op.add_column("sending_projects", sa.Column("recipients_error", sa.Text(), nullable=True))
    # One row a project: the check looks at each in no time.
    op.execute("ALTER TABLE sending_projects DROP CONSTRAINT ck_sending_projects_status_reason")
    op.execute(
        "ALTER TABLE sending_projects ADD CONSTRAINT ck_sending_projects_status_reason"
        f" CHECK (status_reason IN ({_REASONS}))"
    )


def downgrade() -> None:
    raise NotImplementedError("migrations go forward only; restore a backup to go back")
