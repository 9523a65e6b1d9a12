"""The states of a Repeatable Sending Project and their transitions; docs/states.md draws them."""

from core.errors import Conflict
from shapes.repeatable import RepeatableStatus as Status

MOVES: dict[Status, frozenset[Status]] = {
    Status.draft: frozenset({Status.active}),
    Status.active: frozenset({Status.stopped, Status.finished}),
    Status.stopped: frozenset({Status.active}),
    Status.finished: frozenset({Status.active}),
}
"""A `finished` one can be started again only if its schedule was changed or has a further time."""

DELETABLE = frozenset({Status.draft, Status.stopped, Status.finished})


def move(current: str, to: Status) -> str:
    """Returns the new status. Raises Conflict."""
    if to not in MOVES[Status(current)]:
        raise Conflict(
            f"A repeatable project that is {current} can't become {to.value}. Read its status again before"
            " you change it.",
            code="bad_transition",
            details={"from": current, "to": to.value},
        )
    return to.value


def deletable(current: str) -> None:
    """Checks that a project of this status can be deleted. Raises Conflict."""
    if Status(current) not in DELETABLE:
        raise Conflict(
            f"A repeatable project that is {current} can't become deleted. Stop it first.",
            code="bad_transition",
            details={"from": current, "to": "deleted"},
        )
