"""Shares the messages of a project among its source accounts, each at its own rate."""

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from uuid import UUID

from engine.projects.concurrency import ProjectRoutes
from engine.projects.context import ProjectContext
from engine.projects.items import Item, NotHandedOver
from engine.rates.send_rate import SendRate


async def free(
    send_rate: SendRate, routes: ProjectRoutes, project: ProjectContext, most: int
) -> tuple[dict[UUID, int], float]:
    """Returns how many of `most` each sender may send now, shared evenly, and when to ask again if none may."""
    free: dict[UUID, int] = {}
    left, wait = most, 0.0
    share = -(-most // len(project.senders)) if project.senders else 0
    for sender in random.sample(project.senders, len(project.senders)):
        if left <= 0:
            break
        if rest := routes.delay(project, sender):
            wait = min(wait or rest, rest)
            continue
        granted, later = await send_rate.take(project.sender_rates(sender), min(share, left))
        left -= granted
        if granted:
            free[sender] = granted
        else:
            wait = min(wait or later, later)
    return free, wait


@dataclass(frozen=True, slots=True)
class Assignment:
    ready: list[Item]  # each has its sender, where there are any
    gone: list[NotHandedOver]


def assign(items: Sequence[Item], connected: Sequence[UUID], free: Mapping[UUID, int]) -> Assignment:
    """Assigns messages to the senders in turn, as far as their own rates allow; the others stay queued.

    A message that may have been sent is retried through the same sender, because only that sender knows its idempotency
    key.
    """
    left, assignment = dict(free), Assignment([], [])
    others = []
    for item in items:
        sender = item.row["account_uuid"] if item.uncertain else None
        if sender is None:
            others.append(item)
        elif sender not in connected:
            reason = (
                "This message may have been sent through an account that is not connected, and only that"
                " account can tell. Connect it again, then retry with unknown."
            )
            assignment.gone.append(NotHandedOver(item.id, "unknown", "sender_gone", reason))
        elif left.get(sender, 0) > 0:
            left[sender] -= 1
            item.sender = sender
            assignment.ready.append(item)
    slots = iter(
        [sender for round in range(max(left.values(), default=0)) for sender in left if round < left[sender]]
    )
    for item in others:
        item.sender = next(slots, None)
        if item.sender is not None or not free:
            assignment.ready.append(item)
    return assignment
