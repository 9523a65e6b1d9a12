"""The SQL that reads the events of all feeds, with those of messages, and those that wait for their positions."""

from engine.feed.stored_events import EVENTS

_ROWS = EVENTS.partition("  WHERE e.owner_id = $1")[0]
ALL_EVENTS = f"{_ROWS}) AS events"
"""The events that have positions."""
ALL_WAITING = f"""{
    _ROWS.replace(
        "FROM events AS e",
        "FROM (SELECT owner_id, at, seq AS position, id, type, subject, "
        "subject_id, project_id, account_id, data, CASE WHEN type IS NULL THEN seq END AS seq FROM event_inbox) AS e",
    )
}
) AS waiting"""
"""The events of the inbox, whose numbers stand in the place of the positions."""
