"""A port for a server that is yet to start."""

import os
import random
import socket
from collections import deque
from contextlib import suppress

_recent: deque[int] = deque(maxlen=300)  # of 750


def free_port() -> int:
    """Nobody else takes it before its server does: the kernel gives away others, each test process has its own, and
    this one does not return the same twice in a row of 300, as a server may start late, or again.
    """
    while True:
        port = random.randrange(20_000 + os.getpid() % 16, 32_000, 16)
        if port in _recent:
            continue
        with socket.socket() as probe, suppress(OSError):
            probe.bind(("127.0.0.1", port))
            _recent.append(port)
            return port
