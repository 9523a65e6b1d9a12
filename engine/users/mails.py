"""Hands a mail about a user to the installation's own email routes."""

from datetime import timedelta
from uuid import UUID

import structlog

from channels.port import Outgoing, Result
from engine.domains.senders import senders_of
from engine.jobs import JobName, enqueue
from runtime.services import Services

log = structlog.get_logger("postern.engine")

MOST_TRIES = 5
PAUSE = timedelta(seconds=20)
"""The least time between two tries of one mail."""


def is_available(services: Services) -> bool:
    """Returns whether such a mail can be sent: by a route that is not the sandbox, with links to this service."""
    return services.settings.public_url is not None and services.routes.real("email")


async def hand_over(services: Services, id: UUID, attempt: int, to: str, subject: str, body: str) -> bool:
    """Hands a mail to the first email route that takes it. Returns whether one did."""
    senders = await senders_of(services).load()
    outgoing = Outgoing(
        id=id,
        key=f"user-{id}-{attempt}",
        to=to,
        body=body,
        subject=subject,
        headers={"Auto-Submitted": "auto-generated"},
        signers=senders.of_default,
    )
    for route in services.routes.of("email"):
        if services.routes.is_off(route):
            continue
        (outcome,) = await route.send([outgoing])
        if outcome.result in (Result.sent, Result.delivered, Result.unknown):
            return True
        log.warning(
            "a mail to a user was not sent",
            route=services.routes.name(route),
            code=outcome.code,
            attempt=attempt,
        )
    return False


async def retry(services: Services, left: str, job: JobName) -> None:
    """Queues again the mails that no route has taken, or whose worker has died. `left` is the SQL that finds them."""
    if not is_available(services):
        return
    async with services.db.transaction() as connection:
        for row in await connection.fetch(left, MOST_TRIES, PAUSE):
            await enqueue(connection, job, row["id"], unless_queued=True)
