"""Tells of a message of a followed project whether it waits, is over, or is due to be followed."""

from typing import Final

from db.address_keys import key_of
from engine import blocks

SUPERSEDED: Final = "superseded"
"""The code of a message that is not sent, because the message that it follows has arrived meanwhile."""

# A person who has withdrawn, or whom a block protects, is not written to by another channel instead.
DECIDED: Final = f"""COALESCE(m.failure_code IN ('opted_out', 'replied', 'not_subscribed', 'changed_after_plan',
  '{SUPERSEDED}'), false)"""
# An address that a bounce has blocked says nothing about the person. `category`: of the messages that follow.
BLOCKED: Final = f"""EXISTS (SELECT FROM blocked_phones AS b
  WHERE b.owner_id = m.owner_id AND {key_of("b.phone")} = {key_of('m."to"')}
    AND b.reason NOT IN ('hardBounce', 'softBounce') AND {blocks.STOPS})"""
ENDED: Final = f"""(m.status = 'canceled' OR m."to" = '{blocks.ERASED}' OR m.replied_at IS NOT NULL
  OR m.complained_at IS NOT NULL OR {DECIDED})"""
ARRIVED: Final = """CASE {until} WHEN 'accepted' THEN m.status IN ('sent', 'delivered', 'read')
  WHEN 'delivered' THEN m.status IN ('delivered', 'read') ELSE m.status = 'read' END"""
# A bounce may come minutes after a message was accepted, so that waits for its time, too.
STATE: Final = f"""CASE
  WHEN m.status IN ('queued', 'sending') THEN 'waits'
  WHEN {ENDED} THEN 'over'
  WHEN m.status IN ('failed', 'skipped') THEN 'due'
  WHEN m.status <> 'sent' AND {ARRIVED.format(until="{until}")} THEN 'over'
  WHEN COALESCE(m.sent_at, m.handed_at, m.queued_at) + {{within}} > now() THEN 'waits'
  WHEN {ARRIVED.format(until="{until}")} THEN 'over' ELSE 'due' END"""
