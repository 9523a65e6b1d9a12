"""The commands and options of an operator: credit, the version, the file with the settings."""

import os
from pathlib import Path
from uuid import UUID

import asyncpg
import pytest

from core import settings_files
from core.errors import ValidationFailed
from core.installation import ROOT
from core.version import __version__
from postern import command, operator
from tests.cli.conftest import KEYS
from tests.process.serve import run
from tests.support import servers

_LEDGER = """
SELECT a.name, e.kind, e.amount::text, e.note, e.created_by FROM ledger_entries AS e
JOIN accounts AS a ON a.id = e.account_id ORDER BY e.id
"""


def test_the_version(folder):
    completed = run(folder, "--version")
    assert (completed.returncode, completed.stdout, completed.stderr) == (0, f"postern {__version__}\n", "")


@pytest.mark.parametrize("words", [("serve", "--demo"), ("demo",)], ids=" ".join)
def test_servers_of_one_s_own_hold_no_demo(line, words):
    assert "DB_STRING is set. Unset it, or run `postern serve` without --demo" in line(*words)


@pytest.mark.parametrize("amount", ["0", "-5", "nan", "many", "0.0000001", "1e400"])
async def test_an_amount_that_is_none(amount, services):
    with pytest.raises(ValidationFailed, match="AMOUNT"):
        await operator.credit(services, "ada@example.com", amount, account_id=None, note="x")


async def test_a_credit_stands_in_the_ledger_and_in_the_balance(postern, database):
    assert postern("user", "create", "ada@example.com").returncode == 0
    first = postern("credit", "Ada@example.com", "25.5")
    assert (first.returncode, first.stdout.split()) == (0, ["account", "Main", "balance", "25.5", "USD"]), (
        first
    )
    second = postern("credit", "ada@example.com", "0.000001", "--note", "a gift")
    assert second.stdout.split()[-2:] == ["25.500001", "USD"]

    connection = await asyncpg.connect(database)
    try:
        owner = await connection.fetchval("SELECT id FROM users")
        other = UUID("01890000-0000-7000-8000-00000000000b")
        await connection.execute(
            "INSERT INTO accounts (id, owner_id, name, plan, currency, created_at)"
            " VALUES ($1, $2, 'Second', 'free', 'EUR', now())",
            other,
            owner,
        )
        third = postern("credit", "ada@example.com", "7", "--account", str(other))
        assert third.stdout.split() == ["account", "Second", "balance", "7", "EUR"]
        assert [tuple(row) for row in await connection.fetch(_LEDGER)] == [
            ("Main", "credit", "25.500000", "by the command line", None),
            ("Main", "credit", "0.000001", "a gift", None),
            ("Second", "credit", "7.000000", "by the command line", None),
        ]
    finally:
        await connection.close()


def test_a_credit_that_cannot_be(postern, line):
    assert postern("user", "create", "ada@example.com").returncode == 0
    assert postern("user", "create", "bob@example.com").returncode == 0
    assert "There is no user eve@example.com" in line("credit", "eve@example.com", "5")
    for amount in ("0", "many"):
        assert line("credit", "ada@example.com", amount).startswith("postern: AMOUNT"), amount
    assert "can't exceed" in line("credit", "ada@example.com", "100000000001")
    nobody = "01890000-0000-7000-8000-00000000000c"
    assert "no account with this id" in line("credit", "ada@example.com", "5", "--account", nobody)
    assert postern("credit", "ada@example.com", "5").stdout.split()[-2:] == ["5", "USD"]


def test_a_file_of_settings(postern, folder, database):
    """The file is read as systemd reads it: it sets what the environment lacks, also for children, and precedes
    `.env`.
    """
    file = folder / "environment"
    file.write_text(
        f"# keys\nDB_STRING={database}\nREDIS_URL='{os.environ[servers.REDIS]}'\n"
        f"POSTERN_SECRET_KEY={KEYS['POSTERN_SECRET_KEY']}\nPOSTERN_JWT_KEY={KEYS['POSTERN_JWT_KEY']}\n"
        "POSTERN_SIGNUP_CREDIT=3\n"
    )
    (folder / ".env").write_text("POSTERN_SIGNUP_CREDIT=4\n")
    nothing = dict.fromkeys(("DB_STRING", "REDIS_URL", *KEYS))
    options = ("--env-file", str(file))
    made = postern(*options, "user", "create", "ada@example.com", **nothing)
    assert made.returncode == 0, made.stderr
    assert not (folder / "data").exists(), "no server was started"
    assert postern("credit", "ada@example.com", "1").stdout.split()[-2:] == ["4", "USD"]
    postern(*options, "user", "create", "bob@example.com", **nothing, POSTERN_SIGNUP_CREDIT="7")
    assert postern("credit", "bob@example.com", "1").stdout.split()[-2:] == ["8", "USD"]


def test_a_file_of_settings_that_cannot_be_read(line, folder):
    assert line("--env-file", "nowhere", "migrate").endswith(
        "--env-file nowhere can't be read: No such file or directory."
    )
    (folder / "broken").write_text("DB_STRING=x\nPOSTERN_SECRET_KEY='hunter2\n")
    message = line("--env-file", "broken", "migrate")
    assert message.endswith("--env-file broken can't be read: line 2 is not written NAME=value.")
    assert "hunter2" not in message


@pytest.fixture
def production(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """A machine whose service has its settings in a file, and a terminal that has none of them."""
    for name in list(os.environ):
        if name in ("DB_STRING", "REDIS_URL") or (name.startswith("POSTERN_") and "_TEST_" not in name):
            monkeypatch.delenv(name)
    monkeypatch.chdir(tmp_path)
    file = tmp_path / "environment"
    monkeypatch.setattr(settings_files, "PRODUCTION_FILE", file)
    return file


def test_settings_of_production_that_are_overlooked(production, monkeypatch, capsys):
    command.read_settings()
    assert capsys.readouterr().err == "", "there is no such file"
    production.write_text("# nothing yet\n")
    command.read_settings()
    assert capsys.readouterr().err == "", "it names no servers"
    production.write_text("DB_STRING=postgresql://me:hunter2@db/x\n")
    assert command.read_settings().embedded
    (message,) = capsys.readouterr().err.splitlines()
    assert message.startswith(
        f"postern: DB_STRING is not set here, so this uses the embedded servers under {ROOT}"
    )
    assert f"--env-file {production}" in message
    assert "hunter2" not in message
    monkeypatch.setenv("DB_STRING", "postgresql://me@db/x")
    assert not command.read_settings().embedded
    assert capsys.readouterr().err == ""


def test_settings_of_production_that_may_not_be_read(production, monkeypatch, capsys):
    production.write_text("DB_STRING=postgresql://db/x\n")
    monkeypatch.setattr(Path, "read_text", _refused)
    command.read_settings()
    assert f"{production} may not be read" in capsys.readouterr().err


def _refused(self: Path, *_: object, **__: object) -> str:
    raise PermissionError(13, "Permission denied", str(self))
