"""The look at a start, without Alembic, sees what Alembic sees; files of migrations count up."""

import re

import pytest
from alembic.script import ScriptDirectory
from sqlalchemy import text

from core.database_options import BadSettings
from core.installation import ROOT
from db.migrate import BASELINE, COMMIT_BEFORE, config, newest, pending, revisions

LONGEST = 32  # characters, which Alembic's table has


def test_the_files_are_read_as_alembic_reads_them():
    scripts = ScriptDirectory.from_config(config())
    all_revisions = revisions()
    assert all_revisions == {script.revision: script.down_revision for script in scripts.walk_revisions()}
    assert newest(all_revisions) == scripts.get_current_head()


async def test_what_a_database_lacks(services):
    engine = services.db.engine

    async def at(revision: str) -> bool:
        async with services.db.session.begin() as session:
            await session.execute(text("UPDATE alembic_version SET version_num = :to"), {"to": revision})
        return await pending(engine)

    assert not await pending(engine)
    for newer in ("from-the-future", "9999", "0092", "0099_holidays"):
        with pytest.raises(BadSettings, match=f"{newer}, which this release doesn't know: it is newer"):
            await at(newer)
    for older in ("0001", "0090"):
        with pytest.raises(
            BadSettings,
            match=f"{older}, .* from before the first release. Check out commit {COMMIT_BEFORE}, run",
        ):
            await at(older)
    async with services.db.session.begin() as session:
        await session.execute(text("DROP TABLE alembic_version"))
    assert await pending(engine)


def misnamed(files: dict[str, str]) -> list[str]:
    """Returns what is wrong with the names of the migrations, by the text of each file."""
    wrong = []
    before = None
    for number, name in enumerate(sorted(files), 1):
        stem, lines = name.removesuffix(".py"), files[name].splitlines()
        revision = BASELINE if number == 1 else stem
        if not re.fullmatch(rf"{number:04}_[a-z][a-z0-9_]*", stem) or len(stem) > LONGEST:
            wrong.append(f"{name}: name it {number:04}_word.py, with {LONGEST} characters at most")
        if f'revision = "{revision}"' not in lines:
            wrong.append(f'{name}: has no line `revision = "{revision}"`')
        if f"down_revision = {before!r}".replace("'", '"') not in lines:
            wrong.append(f"{name}: has no line `down_revision = {before!r}`")
        before = revision
    return wrong


def test_files_count_up_and_are_revisions():
    files = (ROOT / "db/migrations/versions").glob("[!_]*.py")
    assert misnamed({path.name: path.read_text(encoding="utf-8") for path in files}) == []


def test_a_wrong_name_is_found():
    first = {"0001_baseline.py": f'revision = "{BASELINE}"\ndown_revision = None'}
    second = f'revision = "0002_a"\ndown_revision = "{BASELINE}"'
    third = 'revision = "0003_b"\ndown_revision = "0002_a"'
    assert misnamed({**first, "0002_a.py": second, "0003_b.py": third}) == []
    assert len(misnamed({**first, "2027_01_01_a.py": second})) == 2
    assert len(misnamed({**first, "0002_a.py": third})) == 2
    assert len(misnamed({**first, "0003_b.py": third})) == 2
