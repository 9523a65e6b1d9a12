"""TCP options that detect a dead peer, for connections to PostgreSQL and Redis."""

import socket

_PROBES = {  # detect a dead peer within 9 s (tcp(7))
    "TCP_KEEPIDLE": 5,
    "TCP_KEEPINTVL": 2,
    "TCP_KEEPCNT": 2,
    "TCP_USER_TIMEOUT": 9000,  # milliseconds for which sent data may stay unacknowledged
}


KEEPALIVE = {getattr(socket, name): value for name, value in _PROBES.items() if hasattr(socket, name)}
"""TCP options, by number, with which the kernel detects a dead peer within 10 s."""
