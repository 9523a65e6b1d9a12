"""Where a Repeatable Sending Project can go, in one place; docs/states.md draws it."""

from postern.errors import Conflict
from schema.types.repeatable import RepeatableStatus as Status

MOVES: dict[Status, frozenset[Status]] = {
    Status.draft: frozenset({Status.active}),
    Status.active: frozenset({Status.stopped, Status.finished}),
    Status.stopped: frozenset({Status.active}),
    Status.finished: frozenset({Status.active}),
}
"""`finished` can only be started again when its schedule was changed, or still has a firing."""

DELETABLE = frozenset({Status.draft, Status.stopped, Status.finished})


def move(current: str, to: Status) -> str:
    """The new status. Raises Conflict."""
    if to not in MOVES[Status(current)]:
        raise Conflict(
            f"A repeatable project that is {current} can't become {to.value}. Read its status again before"
            " you change it.",
            code="bad_transition",
            details={"from": current, "to": to.value},
        )
    return to.value


def deletable(current: str) -> None:
    """Raises Conflict."""
    if Status(current) not in DELETABLE:
        raise Conflict(
            f"A repeatable project that is {current} can't become deleted. Stop it first.",
            code="bad_transition",
            details={"from": current, "to": "deleted"},
        )
