"""The look at a start, without Alembic, sees what Alembic sees."""

import pytest
from alembic.script import ScriptDirectory
from sqlalchemy import text

from core.database_options import BadSettings
from db.migrate import config, newest, pending, revisions


def test_the_files_are_read_as_alembic_reads_them():
    scripts = ScriptDirectory.from_config(config())
    all_revisions = revisions()
    assert all_revisions == {script.revision: script.down_revision for script in scripts.walk_revisions()}
    assert newest(all_revisions) == scripts.get_current_head()


async def test_what_a_database_lacks(services):
    engine = services.db.engine
    assert not await pending(engine)
    async with services.db.session.begin() as session:
        await session.execute(text("UPDATE alembic_version SET version_num = 'from-the-future'"))
    with pytest.raises(BadSettings, match="from-the-future, which this release doesn't know"):
        await pending(engine)
    async with services.db.session.begin() as session:
        await session.execute(text("DROP TABLE alembic_version"))
    assert await pending(engine)
