"""GraphQL over HTTP: the 61 audits of npm `graphql-http`, run by node against a real server."""

import json
import shutil
import subprocess
import tempfile
from pathlib import Path

import pytest

from postern.settings import ROOT
from tests.support.live import serving

PACKAGES = ("graphql-http@1.23.1", "graphql@16.15.0")
CACHE = ROOT / ".venv" / f"audits-{'-'.join(PACKAGES)}"


@pytest.fixture(scope="module")
def packages() -> Path:
    """A folder with the packages in it, installed once; skips where npm can't."""
    if shutil.which("node") is None or shutil.which("npm") is None:
        pytest.skip("node and npm are not installed; the audits need both")
    if not CACHE.exists():
        with tempfile.TemporaryDirectory(dir=CACHE.parent) as folder:
            Path(folder, "package.json").write_text("{}", encoding="utf-8")
            try:
                subprocess.run(
                    ["npm", "install", "--ignore-scripts", "--no-audit", "--no-fund", "--silent", *PACKAGES],
                    cwd=folder, check=True, capture_output=True, timeout=60,
                )  # fmt: skip
            except (subprocess.SubprocessError, OSError) as error:
                pytest.skip(f"npm can't install {' '.join(PACKAGES)}: {type(error).__name__}")
            if not CACHE.exists():  # another test process may have been faster
                CACHE.mkdir()
                Path(folder, "node_modules").rename(CACHE / "node_modules")
    return CACHE


def test_all_audits_of_graphql_http_pass(packages: Path):
    with serving(POSTERN_GRAPHIQL="true") as live:  # four audits ask for __type
        done = subprocess.run(
            ["node", str(Path(__file__).with_name("audit.mjs")), str(packages), f"http://127.0.0.1:{live.port}/graphql"],
            check=False, capture_output=True, text=True, timeout=60,
        )  # fmt: skip
        assert done.returncode == 0, done.stderr
        results = json.loads(done.stdout)
        assert len(results) == 61
        assert [result for result in results if result["status"] != "ok"] == []
        live.sound(0)
