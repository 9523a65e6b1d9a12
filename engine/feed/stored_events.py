"""The SQL that reads events by their positions, wherever they are stored.

A row of `events` is one event, or the place of up to a hundred: those that one statement recorded of messages, which
stay where the trigger has written them, in `message_events`. Positions of these follow the row's own without a gap. An
event of an erased person is NULL there, and its position is given to no other.
"""

from typing import Final

GROUP: Final = 100
"""Events of one row of `message_events` at most, as the triggers make them."""

COLUMNS: Final = """owner_id, position, id, type, at, subject, subject_id, project_id, account_id, data, created_at,
  sent_at, recipient_id, channel, "to", price, provider_message_id"""
"""The columns that `engine.feed.event_feed.event_of` needs."""
_OF_GROUP = """
  SELECT e.position + m.number - 1 AS position, (left(g.id::text, 32) || lpad(to_hex(m.number), 4, '0'))::uuid AS id,
    m.type, g.subject, m.subject_id, m.project_id, m.account_id, COALESCE(m.data, '{}') AS data, m.created_at,
    m.sent_at, m.recipient_id, m.channel, m."to", to_jsonb(m.price) AS price, m.provider_message_id
  FROM unnest(g.events) WITH ORDINALITY AS m (created_at, sent_at, subject_id, project_id, account_id, recipient_id,
    type, channel, "to", price, provider_message_id, data, number)
  WHERE m.type IS NOT NULL"""
_SINGLE = """
  SELECT e.position, e.id, e.type, e.subject, e.subject_id, e.project_id, e.account_id, e.data, NULL::timestamptz,
    NULL::timestamptz, NULL::uuid, NULL::text, NULL::text, NULL::jsonb, NULL::text"""
EVENTS: Final = f"""(
  SELECT e.owner_id, e.at, e.position AS first, v.* FROM events AS e
  LEFT JOIN LATERAL (
    SELECT id, subject, events FROM message_events WHERE owner_id = e.owner_id AND seq = e.seq OFFSET 0
  ) AS g ON e.seq IS NOT NULL
  CROSS JOIN LATERAL ({_OF_GROUP} AND e.seq IS NOT NULL UNION ALL {_SINGLE} WHERE e.seq IS NULL) AS v
  WHERE e.owner_id = $1 AND e.position > $2::bigint - {GROUP} AND e.position <= $3::bigint
    AND e.position + e.count - 1 > $2::bigint
    AND v.position > $2::bigint AND v.position <= $3::bigint
) AS events"""  # noqa: S608  our own columns
"""The events of the feed of $1 behind the position $2, up to $3. Their order is `first, position`: PostgreSQL reads the
rows of `events` in it, and sorts each row's own.
"""
