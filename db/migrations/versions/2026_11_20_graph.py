"""Indexes of lists that GraphQL reads by other orders and from other sides. All of small tables."""

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"


def upgrade() -> None:
    op.execute("SET LOCAL lock_timeout = '10s'")
    op.create_index("ix_sending_projects_owner_id_name_id", "sending_projects", ["owner_id", "name", "id"])
    op.create_index(
        "ix_sending_projects_owner_id_updated_at_id", "sending_projects", ["owner_id", "updated_at", "id"]
    )
    op.create_index("ix_sending_projects_account_id_id", "sending_projects", ["account_id", "id"])
    op.create_index(
        "ix_sending_projects_account_uuids", "sending_projects", ["account_uuids"], postgresql_using="gin"
    )
    op.create_index(
        "ix_messenger_accounts_owner_id_name_id", "messenger_accounts", ["owner_id", "name", "id"]
    )
    op.create_index("ix_source_accounts_owner_id_name_id", "source_accounts", ["owner_id", "name", "id"])
    op.create_index("ix_files_owner_id_name_id", "files", ["owner_id", "name", "id"])
    op.create_index("ix_files_owner_id_size_id", "files", ["owner_id", "size", "id"])
    op.create_index(
        "ix_recipient_imports_file_uuid_id",
        "recipient_imports",
        ["file_uuid", "id"],
        postgresql_where=sa.text("file_uuid IS NOT NULL"),
    )
    op.create_index(
        "ix_export_links_sending_project_uuid_id",
        "export_links",
        ["sending_project_uuid", "id"],
        postgresql_where=sa.text("sending_project_uuid IS NOT NULL"),
    )
    op.create_index(
        "ix_export_links_file_uuid",
        "export_links",
        ["file_uuid"],
        postgresql_where=sa.text("file_uuid IS NOT NULL"),
    )


def downgrade() -> None:
    raise NotImplementedError("migrations go forward only; restore a backup to go back")
