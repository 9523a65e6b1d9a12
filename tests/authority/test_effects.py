"""Authority by effect: what a call changes is what its permission says, whatever the call answers.

Every operation is called in both doors with each scope alone, each preset, as each role of a member, with each proof of
a hook, and as the owner, another user, an administrator and nobody. What each call has changed is compared with
tests/authority/rules.py, and undone before the next. Jobs are rows, and no worker runs.
"""

from typing import Any
from uuid import UUID

import pytest

from runtime.operation import OPERATIONS
from runtime.services import Services
from tests.authority import rules
from tests.authority.calls import Call, is_refused, prepared
from tests.authority.effects import Effects
from tests.authority.world import World
from tests.doors.matrix import MATRIX
from tests.support.people import People

CALLED = [
    name for name, case in MATRIX.items() if case.rest or not (case.graphql or "").startswith("subscription")
]
"""All operations but the subscriptions, which read, and whose reader of the feed writes beside the next call."""


@pytest.mark.rotating
@pytest.mark.parametrize("operation", CALLED)
async def test_a_call_changes_what_its_permission_says(
    operation: str, world: World, effects: Effects, people: People
) -> None:
    known = frozenset(caller.person for caller in world.callers if caller.person)
    wrong: list[str] = []
    is_done = OPERATIONS[operation].mode == "read" or operation in rules.SILENT
    for caller in world.callers:
        call = Call(people.client, prepared(operation), world.rows, caller)
        for door in ("REST", "GraphQL"):
            answer: Any = await (call.rest() if door == "REST" else call.graphql())
            changes = await effects.undone()
            refused = answer is not None and is_refused(answer)
            is_done = is_done or any(change.table not in rules.TRACE | rules.BESIDE for change in changes)
            for change in changes:
                said = rules.beyond(
                    change, operation, caller, refused=refused, ada=UUID(world.rows["user"]), known=known
                )
                if said:
                    wrong.append(f"{operation} as {caller.name} by {door} {said}")
    assert not wrong, "\n".join(sorted(set(wrong)))
    assert is_done, f"{operation} has changed nothing for any caller, so this has shown nothing"


async def test_what_is_changed_is_seen_and_undone(world: World, effects: Effects, services: Services) -> None:
    """The instrument itself: a refund and a deletion are seen, as whose they are, and leave no trace."""
    ada, account = UUID(world.rows["user"]), UUID(world.rows["account"])
    before = await services.db.fetch("SELECT * FROM accounts ORDER BY id")
    messages = await services.db.fetch("SELECT * FROM messages ORDER BY id")
    await services.db.fetch("UPDATE accounts SET balance = balance + 1 WHERE id = $1", account)
    await services.db.fetch("DELETE FROM messages WHERE id = $1", UUID(world.rows["sent_message"]))
    changes = [each for each in await effects.undone() if each.table in ("accounts", "messages")]
    assert {(*rules.names(each), each.new is None, each.owner) for each in changes} == {
        ("accounts.balance", False, ada),
        ("messages", True, ada),
    }
    scope = next(caller for caller in world.callers if caller.name == "the scope hooks:report")
    (refund,) = (each for each in changes if each.table == "accounts")
    known = frozenset({ada})
    said = rules.beyond(refund, "events.deliver", scope, refused=False, ada=ada, known=known)
    assert said == "changes accounts.balance of the caller's owner"
    assert await services.db.fetch("SELECT * FROM accounts ORDER BY id") == before
    assert await services.db.fetch("SELECT * FROM messages ORDER BY id") == messages
