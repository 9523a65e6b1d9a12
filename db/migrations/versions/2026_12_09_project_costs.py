"""An index finds the ledger entries of a project: what it has cost, and the newest of them."""

from db.migrations import indexes

revision = "0046"
down_revision = "0045"


def upgrade() -> None:
    indexes.build(
        "ix_ledger_entries_project",
        "ledger_entries (project_id, account_id, id) INCLUDE (amount) WHERE project_id IS NOT NULL",
    )


def downgrade() -> None:
    raise NotImplementedError("migrations go forward only; restore a backup to go back")
