"""Writes how the tests of a run ended to the file that `POSTERN_TEST_OUTCOME` names, for tests/run.py."""

import json
import os
from pathlib import Path

from _pytest.terminal import TerminalReporter

from tests.support import spending

FILE = "POSTERN_TEST_OUTCOME"


def pytest_terminal_summary(terminalreporter: TerminalReporter) -> None:
    """Writes the ids of the failed tests, the numbers of the others, and the seconds of a processor.

    Only the controlling process is asked.
    """
    if file := os.environ.get(FILE):
        ended = terminalreporter.stats
        failed = {report.nodeid for kind in ("failed", "error") for report in ended.get(kind, ())}
        outcome = {
            "failed": sorted(failed),
            **{kind: len(ended.get(kind, ())) for kind in ("passed", "skipped")},
            "seconds": sum(spending.totals.values()),
        }
        Path(file).write_text(json.dumps(outcome))
