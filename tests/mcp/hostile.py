"""The table of hostile tasks."""

from typing import Final

from tests.mcp import hostile_crowds, hostile_logins, hostile_repeats, hostile_requests, hostile_texts
from tests.mcp.stage import Task

HOSTILE: Final[list[Task]] = [
    *hostile_texts.HOSTILE,
    *hostile_crowds.HOSTILE,
    *hostile_repeats.HOSTILE,
    *hostile_requests.HOSTILE,
    *hostile_logins.HOSTILE,
]
