"""Source accounts: who a project's messages come from (contract §3)."""

from enum import StrEnum


class SenderStatus(StrEnum):
    """Whether messages can leave through it."""

    connected = "connected"
    disconnected = "disconnected"
    blocked = "blocked"
    deleted = "deleted"
