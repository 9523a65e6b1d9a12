"""The moves of one project that an operation makes, for itself or for each of several projects."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import TypeVar
from uuid import UUID

from core.errors import AppError, Conflict
from engine.projects import project_moves
from engine.projects.approvals import starts
from engine.projects.states import Event, after
from resolvers import reach
from resolvers.sending_projects.project_rows import locked, require_messages
from runtime.operation import Op
from shapes.project_actions import RefusedProject, RetryProject

Refused = TypeVar("Refused", bound=RefusedProject)

# The counters know codes without states, which is enough while all messages with a code are in one state.
_BY_CODE = """
SELECT COALESCE(sum(count), 0)::int8 FROM failure_counters WHERE project_id = $1 AND code = ANY($2)
"""
_ANY_BY_CODE = """
SELECT EXISTS (
  SELECT FROM message_records WHERE project_id = $1 AND failure_code IS NOT NULL AND direction = 'outbound'
    AND ((status = 'failed' AND reported_by IS NULL AND failure_code = ANY($2))
      OR (status = 'skipped' AND failure_code = ANY($3)))
)
"""
# What only the owner's hook calls failed was sent, and is paid: engine/projects/audience.py leaves it out.
_ANY_FAILED = """
SELECT EXISTS (
  SELECT FROM message_records WHERE project_id = $1 AND failure_code IS NOT NULL AND direction = 'outbound'
    AND status = 'failed' AND reported_by IS NULL
)
"""


async def stop_project(op: Op, id: UUID) -> None:
    """Stops a project. Raises NotFound, Conflict."""
    row = await locked(op, id, still=True)
    after(row.status, Event.stop)
    await project_moves.stop(op.connection, id)


async def delete_project(op: Op, id: UUID) -> None:
    """Hides a project and cancels its queued messages. Raises NotFound, Conflict."""
    row = await locked(op, id)
    after(row.status, Event.delete)
    await project_moves.delete(op.connection, id)


async def retry_project(op: Op, id: UUID, input: RetryProject) -> None:
    """Sends messages of a project again. Raises NotFound, Conflict, and what `project_moves.admit` raises."""
    row = await locked(op, id, with_owner=True)
    after(row.status, Event.retry)
    require_messages(row.messages_deleted_at)
    counts = row.counts
    by_hook = counts["failed"] if not await op.connection.fetchval(_ANY_FAILED, id) else 0
    counts = {**counts, "failed": counts["failed"] - by_hook}
    everything = (counts["failed"] if input.failed is None else 0) + (
        counts["unknown"] if input.unknown else 0
    )
    if everything <= 0 and not await _has_any(op, id, counts, input.failed or (), input.skipped):
        hint = (
            ""
            if input.unknown or not counts["unknown"]
            else " To retry the unknown ones, send `unknown: true`."
        )
        if counts["skipped"]:
            hint += ' To retry skipped ones, send their failure codes as `skipped: ["…"]`.'
        if by_hook:
            hint += " Those that only your delivery hook has reported as failed were sent, and are not sent again."
        raise Conflict(
            "No message of this project can be retried: none has "
            f"failed{' for this reason' if input.failed else ''}.{hint}",
            code="nothing_to_retry",
        )
    await project_moves.admit(op.services, op.connection, id)
    plan = await starts.obey(op.connection, id, at=op.services.db.now(), is_retry=True, skipped=input.skipped)
    plan = await reach.require_retry(op, id, input) or plan
    await project_moves.retry(op.connection, id, input.unknown, input.skipped, input.failed, plan)


async def _has_any(
    op: Op, id: UUID, counts: Mapping[str, int], failed: Sequence[str], skipped: Sequence[str]
) -> bool:
    """Returns whether the project has a message with one of these codes that its way called failed, or that was
    skipped. The counters have also those that only the owner's hook calls failed.
    """
    codes = [*(failed if counts["failed"] else ()), *(skipped if counts["skipped"] else ())]
    if not codes or not await op.connection.fetchval(_BY_CODE, id, codes):
        return False  # without a look at the messages, of which there can be millions
    return bool(await op.connection.fetchval(_ANY_BY_CODE, id, [*failed], [*skipped]))


async def each_project(
    ids: Sequence[UUID], step: Callable[[UUID], Awaitable[None]], refused: type[Refused]
) -> tuple[list[UUID], list[Refused]]:
    """Returns which projects made the step, and why the others did not, both in the order of the ids."""
    done: set[UUID] = set()
    failed: dict[UUID, Refused] = {}
    for id in sorted(ids):  # a fixed order, so that two such calls can't deadlock
        try:
            await step(id)
            done.add(id)
        except AppError as error:
            failed[id] = refused(uuid=id, code=error.code, message=error.message)
    return [id for id in ids if id in done], [failed[id] for id in ids if id in failed]
