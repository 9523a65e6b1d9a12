"""Counts the requests that openapi.json allows and the service refuses, by operation and by cause.

`python -m tests.openapi.count_refused` takes three minutes: schemathesis makes them with a fixed seed. Its options may
follow: `--max-examples 40`, `--include-path /messages`.
"""

import base64
import json
import re
import subprocess
import sys
import tempfile
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from tests.support import servers
from tests.support.live import serving

_CHECK = "positive_data_acceptance"
# /legacy and /metrics are not ours to ask, the stream does not end, and a logout or a new password (the example of the
# document is the right one) would end the login.
_LEFT_OUT = "^/(legacy|metrics|graphql/stream|auth/logout|auth/password)"
_VALUES = re.compile(r"'[^']*'|\b[0-9a-f-]{20,}|[0-9]+|\b[A-Z]{3}\b")


def main(options: list[str]) -> None:
    with tempfile.TemporaryDirectory() as folder, servers.running(), serving() as live:
        report = Path(folder, "report.ndjson")
        command = [
            *(str(Path(sys.executable).with_name("schemathesis")), "run"),
            f"http://127.0.0.1:{live.port}/openapi.json",
            f"--header=Authorization: {live.admin.headers['Authorization']}",
            "--header=X-Postern-Errors: http",
            f"--exclude-path-regex={_LEFT_OUT}",
            *(
                "--checks=all",
                "--mode=positive",
                "--phases=examples,coverage,fuzzing",
                "--continue-on-failure",
            ),
            *("--seed=1", "--max-examples=8", "--no-shrink", "--generation-database=none", "--no-color"),
            f"--report-ndjson-path={report}",
            *options,
        ]
        live.client.get("/openapi.json")  # schemathesis waits ten seconds for it
        subprocess.run(command, cwd=folder, check=False)
        if live.client.get("/accounts", headers=live.admin.headers).status_code == 401:
            sys.exit("A request has ended the login, so the others were not looked at. Leave its path out.")
        causes: Counter[str] = Counter()
        operations: dict[str, set[str]] = defaultdict(set)
        for operation, cause in _refusals(report):
            causes[cause] += 1
            operations[cause].add(operation)
    print(
        f"\n{len(set().union(*operations.values()))} operations, {len(causes)} causes, {causes.total()} requests"
    )
    for cause, count in causes.most_common():
        print(f"{count:5} {cause}  ({', '.join(sorted(operations[cause]))})")


def _refusals(report: Path) -> Iterator[tuple[str, str]]:
    """Yields the operation and the cause of each refused request; a request can have several causes."""
    for line in report.open():
        if _CHECK not in line:
            continue
        recorder = json.loads(line).get("ScenarioFinished", {}).get("recorder", {})
        for id, checks in recorder.get("checks", {}).items():
            if any(check["name"] == _CHECK and check["status"] == "failure" for check in checks):
                content = recorder["interactions"][id]["response"]["content"]["$base64"]
                for sentence in _sentences(json.loads(base64.b64decode(content))):
                    yield recorder["label"], _VALUES.sub("…", sentence)[:120]


def _sentences(body: dict[str, Any]) -> list[str]:
    """Returns what an error's body says, of either kind of errors or GraphQL's."""
    error = body["errors"][0] if "errors" in body else body
    error = error["error"] if isinstance(error.get("error"), dict) else error
    message = error["message"]
    return [*message] if isinstance(message, list) else message.split("; ")


if __name__ == "__main__":
    main(sys.argv[1:])
