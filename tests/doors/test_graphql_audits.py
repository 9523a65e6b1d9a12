"""GraphQL over HTTP: the 61 audits of npm `graphql-http`, run by node against a real server."""

import json
import subprocess
from pathlib import Path

import pytest

from tests.clients import installed
from tests.support.live import serving

pytestmark = pytest.mark.servers


@pytest.fixture(scope="module")
def packages() -> Path:
    return installed.node()


def test_all_audits_of_graphql_http_pass(packages: Path):
    with serving(POSTERN_GRAPHIQL="true") as live:  # four audits ask for __type
        done = subprocess.run(
            ["node", str(Path(__file__).with_name("audit.mjs")), str(packages),
                f"http://127.0.0.1:{live.port}/graphql"],
            check=False, capture_output=True, text=True, timeout=300,
        )  # fmt: skip
        assert done.returncode == 0, done.stderr
        results = json.loads(done.stdout)
        assert len(results) == 61
        assert [result for result in results if result["status"] != "ok"] == []
        live.sound(0)
