"""Gives the stored steps of series `localeFrom`, the variable that has the language of each person."""

from alembic import op

from db.scripts import briefly, run

revision = "0031_series_languages"
down_revision = "0030_agents"

_STEPS = """
UPDATE series SET steps = (
  SELECT jsonb_agg('{"localeFrom": null}'::jsonb || step ORDER BY place)
  FROM jsonb_array_elements(steps) WITH ORDINALITY AS n (step, place))
WHERE jsonb_array_length(steps) > 0;
"""


def upgrade() -> None:
    connection = op.get_bind()
    briefly(connection, lambda: run(connection, _STEPS))


def downgrade() -> None:
    raise NotImplementedError("migrations go forward only; restore a backup to go back")
