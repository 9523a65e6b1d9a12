"""`postern doctor` against real good and real broken settings, servers and files."""

import os
import subprocess

import pytest

from core.installation import ROOT
from tests.doctor.looking import look
from tests.support import prefork

pytestmark = pytest.mark.servers


async def test_all_is_well(own):
    seen = await look(own())
    assert seen.problems == 0
    assert seen.one("settings").endswith("servers of your own (DB_STRING)")
    assert seen.one("keys") == "✓ keys        long enough"
    assert seen.one("PostgreSQL").startswith("✓")
    assert seen.one("schema").startswith("✓")
    assert seen.one("Redis").startswith("✓")
    assert seen.one("workers").startswith("! workers     none is connected")
    assert seen.one("email").startswith("! email       sandbox")


def test_the_command_ends_with_1_when_there_is_a_problem(tmp_path):
    environment = {
        "PATH": os.environ["PATH"],
        "PYTHONPATH": str(ROOT),
        "POSTERN_DATA_DIR": str(tmp_path / "data"),
        "POSTERN_PORT": "0",
        "IP_ALLOWLIST_FILE": "/nowhere/ip-allowlist.conf",
    }

    def doctor(**more: str) -> subprocess.CompletedProcess[str]:
        return prefork.run(["postern", "doctor"], cwd=ROOT, env={**environment, **more}, timeout=60)

    well = doctor()
    assert (well.returncode, well.stderr) == (0, ""), well.stdout
    broken = doctor(IP_ALLOWLIST_MODE="Enforce")
    assert broken.returncode == 1
    assert "✗ allowlist" in broken.stdout
