"""A child process ends with its deadline, by whichever clock that is over first."""

import os
import threading
import time

import pytest

from messengers.whatsapp.deadlines import Deadlines, wait_for_the_end
from tests.support.waits import PATIENCE

pytestmark = pytest.mark.servers

FAR = 6 * PATIENCE
"""Seconds of the deadline: a child that does not look at the clock waits so long."""


@pytest.mark.parametrize("clock", ["the machine slept", "the machine was frozen by its host"])
def test_a_child_ends_though_its_machine_slept(clock: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """No timer of the kernel goes on while the machine sleeps, so it would have ended FAR seconds after that."""
    deadlines = Deadlines()
    theirs, ours = deadlines.open(lambda: FAR)
    deadlines.close(ours)  # the process that renews the lease does not run any more
    child = threading.Thread(target=wait_for_the_end, args=(theirs,), daemon=True)
    child.start()
    child.join(1.5)
    assert child.is_alive()
    if clock == "the machine slept":
        real = time.clock_gettime
        monkeypatch.setattr(
            time, "clock_gettime", lambda which: real(which) + 2 * FAR * (which == time.CLOCK_BOOTTIME)
        )
    else:
        now = time.time
        monkeypatch.setattr(time, "time", lambda: now() + 2 * FAR)
    child.join(PATIENCE)
    assert not child.is_alive()
    os.close(theirs)
