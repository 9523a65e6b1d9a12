"""`postern upgrade` says what it will do, and `--check` does nothing."""

import pytest

from db import migrate
from tests.support.gateway import Gateway, gateway
from tests.support.people import Person

__all__ = ["gateway"]

pytestmark = pytest.mark.servers


async def _older(gateway: Gateway) -> None:
    """Makes the database that of the revision before the newest, as far as the command looks."""
    await gateway.db.fetch("UPDATE alembic_version SET version_num = '0002_first_due_at'")
    await gateway.db.fetch("DELETE FROM schema_functions WHERE name = 'postern_journal_blocks'")


async def test_nothing_is_to_be_done(postern, gateway: Gateway) -> None:
    done = postern("upgrade", "--check")
    assert done.returncode == 0, done.stderr
    assert "Nothing is to be done." in done.stdout
    assert "back up" not in done.stdout


async def test_it_names_migrations_tables_and_processes(postern, gateway: Gateway, ada: Person) -> None:
    await gateway.db.fetch(
        "INSERT INTO sending_projects (id, owner_id, account_id, name, channel) VALUES ($1, $1, $2, 'x', 'sms')",
        ada.id,
        ada.account_id,
    )
    async with gateway.db.reading() as db:
        await db.execute("ANALYZE sending_projects")
    await _older(gateway)
    done = postern("upgrade", "--check")
    assert done.returncode == 0, done.stderr
    assert "schema     0002_first_due_at, and this version needs" in done.stdout
    assert "0003_installation: Tables installation and journal_entries" in done.stdout
    assert "names sending_projects (1 row," in done.stdout
    assert "1 function of the database" in done.stdout
    assert "API processes on 1 machine: they may go on" in done.stdout
    assert "postern backup FILE" in done.stdout
    row = await gateway.db.fetchval("SELECT version_num FROM alembic_version")
    assert row == "0002_first_due_at"  # nothing has changed


async def test_a_newer_database_is_refused(postern, gateway: Gateway) -> None:
    await gateway.db.fetch("UPDATE alembic_version SET version_num = '9999_later'")
    done = postern("upgrade")
    assert done.returncode == 1
    assert "9999_later" in done.stderr


def test_all_migrations_have_a_sentence() -> None:
    every = migrate.since(None)
    assert every[0][0] == migrate.BASELINE
    assert all(sentence for _, sentence, _ in every)
