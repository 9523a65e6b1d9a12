"""The name of a version of a template, and the letter builder's document that the HTML of a text was made from."""

from alembic import op

from db.scripts import briefly, run

revision = "0028_template_source"
down_revision = "0027_series"

_COLUMNS = """
ALTER TABLE template_versions ADD COLUMN IF NOT EXISTS name text;
ALTER TABLE template_texts ADD COLUMN IF NOT EXISTS source jsonb;
"""


def upgrade() -> None:
    connection = op.get_bind()
    briefly(connection, lambda: run(connection, _COLUMNS))


def downgrade() -> None:
    raise NotImplementedError("migrations go forward only; restore a backup to go back")
