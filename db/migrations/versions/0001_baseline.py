"""The schema of the first release: the tables of db/migrations/baseline/, and PgQueuer's.

Its revision is the last one of the migrations before the first release, which it replaces. Later migrations are named
by their files: 0002_…. The functions of the database and their triggers come after all migrations (db/functions/).
"""

from pathlib import Path

from alembic import op
from pgqueuer.adapters.persistence.qb import QueryBuilderEnvironment

from db import functions, scripts

revision = "0091"
down_revision = None

_FOLDER = Path(__file__).resolve().parents[1] / "baseline"
# A table comes after those that its foreign keys name.
_AREAS = (
    "users",
    "files",
    "money",
    "routes",
    "messages",
    "messengers",
    "projects",
    "people",
    "mail",
    "events",
)
# A generated column and an index are made by these.
_FUNCTIONS = ("postern_contact_terms", "postern_chat_words")


def upgrade() -> None:
    connection = op.get_bind()
    for name in _FUNCTIONS:
        functions.create(connection, name)
    scripts.run(connection, QueryBuilderEnvironment().build_install_query())
    # No query of ours needs this one, and each change of a job would have to write it.
    op.execute("DROP INDEX pgqueuer_priority_id_id1_idx")
    for area in _AREAS:
        scripts.run(connection, (_FOLDER / f"{area}.sql").read_text(encoding="utf-8"))


def downgrade() -> None:
    raise NotImplementedError("migrations go forward only; restore a backup to go back")
