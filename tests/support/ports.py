"""A port for a server that is yet to start."""

import os
import random
import socket
from contextlib import suppress


def free_port() -> int:
    """Nobody else takes it before its server does: the kernel gives away others, and each test process has its own."""
    while True:
        port = random.randrange(20_000 + os.getpid() % 16, 32_000, 16)
        with socket.socket() as probe, suppress(OSError):
            probe.bind(("127.0.0.1", port))
            return port
