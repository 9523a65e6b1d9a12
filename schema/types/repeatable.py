"""Repeatable Sending Projects (contract §3)."""

from enum import StrEnum


class RepeatableStatus(StrEnum):
    """Whether it fires."""

    draft = "draft"
    active = "active"
    stopped = "stopped"
    finished = "finished"


class Misfire(StrEnum):
    """What becomes of firings whose time went by while nobody could fire."""

    skip = "skip"
    one = "one"
