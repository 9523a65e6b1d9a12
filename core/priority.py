"""The priority that the system gives a process when the processors are busy."""

import os


def lower_priority(niceness: int) -> None:
    """Gives this process, and the processes that it starts from now on, at least this niceness (see nice(2)); 19 is the
    lowest priority.

    A process that has a higher niceness keeps it: added up, two of them would leave the inner one hardly any time.
    Raises OSError where the system refuses.
    """
    os.setpriority(os.PRIO_PROCESS, 0, max(niceness, os.getpriority(os.PRIO_PROCESS, 0)))
