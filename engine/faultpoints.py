"""Places where the fault tests kill this process: `FAULT_AT=<point>` in the environment, nothing otherwise."""

import os
import signal

_AT = os.environ.get("FAULT_AT")

POINTS = ("claimed", "marked", "sent", "written", "settled")

PROJECT_POINTS = (
    "prepared",
    "unit.claimed",
    "unit.held",
    "unit.marked",
    "unit.sent",
    "unit.recorded",
    "unit.closed",
)
"""In the order in which a hand-over passes them."""

RECIPIENT_POINTS = ("recipients.added",)
"""A bite of an import is in a project."""

MESSENGER_POINTS = ("messenger.held", "messenger.connecting", "messenger.told")
"""An account is taken; its driver has a connection that is not started; what it told is about to be committed."""


def reach(point: str) -> None:
    if point == _AT:
        os.kill(os.getpid(), signal.SIGKILL)
