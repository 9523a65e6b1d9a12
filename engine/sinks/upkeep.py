"""Gives the installation's sinks a cursor in the feed of each active user, and opens the feeds of those without one.

Deletes the rows that deleted users leave.
"""

from typing import Final

from engine.feed import event_feed
from engine.jobs import every
from runtime.services import Services

SECONDS: Final = 5.0
BATCH: Final = 200
"""Feeds that are opened, and cursors that are made, by one statement."""

_WITHOUT_FEED: Final = f"""
SELECT u.id FROM users AS u WHERE u.status = 'active'
  AND NOT EXISTS (SELECT FROM event_feeds AS f WHERE f.owner_id = u.id AND f.recording) LIMIT {BATCH}
"""  # noqa: S608  our own number
# A feed that was opened for the sink is read from its beginning.
_ADD: Final = f"""
INSERT INTO event_sink_cursors (sink_id, owner_id, epoch, position)
SELECT s.id, f.owner_id, f.epoch, f.pruned_position
FROM event_sinks AS s CROSS JOIN event_feeds AS f JOIN users AS u ON u.id = f.owner_id AND u.status = 'active'
WHERE s.owner_id IS NULL AND f.recording AND NOT EXISTS (
  SELECT FROM event_sink_cursors AS c WHERE c.sink_id = s.id AND c.owner_id = f.owner_id
) LIMIT {BATCH}
ON CONFLICT DO NOTHING RETURNING owner_id
"""  # noqa: S608  our own number

# The cursors go with them, and those of deleted users in the installation's sinks.
_OF_DELETED_USERS: Final = (
    """
DELETE FROM event_sinks WHERE id IN (
  SELECT s.id FROM users AS u JOIN event_sinks AS s ON s.owner_id = u.id WHERE u.status = 'deleted' LIMIT 100
)
""",
    """
DELETE FROM event_sink_cursors WHERE owner_id IN (
  SELECT c.owner_id FROM users AS u JOIN event_sink_cursors AS c ON c.owner_id = u.id WHERE u.status = 'deleted'
  LIMIT 100
)
""",
)


@every(60.0, due="EXISTS (SELECT FROM event_sinks)")
async def forget(services: Services) -> None:
    """Deletes the sinks of deleted users, and cursors in their feeds."""
    for statement in _OF_DELETED_USERS:
        await services.db.fetch(statement)


@every(SECONDS, due="EXISTS (SELECT FROM event_sinks WHERE owner_id IS NULL AND enabled)")
async def add_cursors(services: Services) -> None:
    """Opens the feeds of users who have none, and adds cursors, some at a time."""
    db = services.db
    while rows := await db.fetch(_WITHOUT_FEED):
        for row in rows:
            if services.stopping.is_set():
                return
            async with db.transaction() as connection:
                await event_feed.record(connection, row["id"])
    while len(await db.fetch(_ADD)) == BATCH and not services.stopping.is_set():
        pass
