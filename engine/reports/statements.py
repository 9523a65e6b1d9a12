"""The statements that apply reports, made once for each of the two tables of sent messages."""

from dataclasses import dataclass
from typing import Final

from engine.reports import early
from engine.reports.report import RANKS


@dataclass(frozen=True, slots=True)
class Table:
    """Names a table of sent messages, and the parts of a report's statement that differ between the two."""

    name: str
    status: str  # its column with the status
    newest: str  # the order of messages that have the same provider's number
    has_read: bool  # whether it knows that a message was read; else it was delivered
    may_lack_route: bool  # whether a route may report a message that has no route stored
    only: str  # a condition for messages that are found by number
    sent: str  # a condition on its rows: those that are sent
    changes: str  # columns that change beside those of both tables
    taken: str  # the refund that a later `delivered` takes back
    returning: str


# One statement per table and batch. Rows are locked in the order of their ids, so that two batches never deadlock, and
# conditions see the newest version of a row. Of several reports at once the furthest counts, and each sets its time. If
# a provider uses a number again, the newest message with the number is meant. A channel's report has the id in the form
# of reports: another message may have the same id in the form of answers. A hook names no route, and may have read
# either. While a hook's status is shown, `way_status` has the way's own, above which the way's reports count; times
# that the hook has set end with its status. A hook says nothing of a message that is being sent, and never when it was
# accepted. A message whose way has called it failed is moved by `delivered` or `read` for 72 hours, and so is one
# that is queued again after that (`replaced`): its retry is canceled then, and other reports of the attempt that it
# replaces say nothing. So is one whose retry was canceled before it was handed over, by its owner or a chain: it has
# arrived, and the refund of the cancel is taken back.
_APPLY = """
WITH reports AS (
  SELECT s.place, {reported} AS status, s.code, s.reason, LEAST(s.at, now()) AS at, COALESCE(
    (SELECT m.id FROM {name} AS m WHERE m.id = s.message_id AND {mine}),
    (SELECT m.id FROM {name} AS m WHERE (m.report_id = s.number
        OR (m.provider_message_id = s.number AND (m.report_id IS NULL OR s.provider IS NULL))) AND {mine} AND {only}
     ORDER BY {newest} LIMIT 1)
  ) AS id
  FROM unnest($1::uuid[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::timestamptz[])
    WITH ORDINALITY AS s (message_id, provider, channel, number, status, code, reason, at, place)
), locked AS (
  SELECT id, {status} AS status, COALESCE(way_status, {status}) AS way_status, price, handed_at,
    NOT $10 AND ({status} = 'queued' OR {status} = 'canceled' AND updated_at > now() - {window})
      AND handed_at IS NULL AND attempts > 0
      AND (failed_at IS NULL OR failed_at > now() - {window}) AS replaced
  FROM {name} WHERE id IN (SELECT id FROM reports)
  ORDER BY id FOR NO KEY UPDATE
), furthest AS (
  SELECT s.id,
    (array_agg(s.status ORDER BY {rank_of_reported} DESC))[1] AS status,
    min(s.at) FILTER (WHERE s.status = 'sent') AS sent_at,
    min(s.at) FILTER (WHERE s.status = 'delivered') AS delivered_at,
    min(s.at) FILTER (WHERE s.status = 'read') AS read_at,
    (array_agg(s.code ORDER BY s.place) FILTER (WHERE s.status = 'failed'))[1] AS code,
    (array_agg(s.reason ORDER BY s.place) FILTER (WHERE s.status = 'failed'))[1] AS reason
  FROM reports AS s JOIN locked ON locked.id = s.id
  -- What is queued here was handed over once, and its provider was to be asked again.
  WHERE NOT ({early})
    AND (locked.handed_at IS NULL OR s.at >= locked.handed_at - interval '5 minutes')
    AND NOT (locked.replaced AND s.status IN ('sent', 'failed'))
  GROUP BY s.id
), moved AS (
  UPDATE {name} AS m SET
    {status} = t.status, claim_id = NULL,
    failure_code = CASE WHEN t.status = 'failed' THEN COALESCE(t.code, 'rejected') END,
    failure_reason = CASE WHEN t.status = 'failed' AND m."to" <> 'erased' THEN t.reason END, refused = NULL,
    failed_at = CASE WHEN t.status = 'failed' AND NOT $10 THEN now() ELSE m.failed_at END,
    handed_at = COALESCE(m.handed_at, CASE WHEN locked.replaced THEN COALESCE(t.delivered_at, t.read_at) END),
    way_status = CASE WHEN $10 THEN COALESCE(m.way_status, m.{status}) END,
    reported_by = CASE WHEN $10 THEN 'hook' END,
    sent_at = COALESCE(m.sent_at, CASE WHEN NOT $10 AND COALESCE(t.sent_at, t.delivered_at, t.read_at) IS NOT NULL
      THEN GREATEST(COALESCE(t.sent_at, t.delivered_at, t.read_at), m.handed_at) END),
    delivered_at = COALESCE(CASE WHEN $10 OR m.way_status IS NULL OR m.way_status = 'delivered' THEN m.delivered_at END,
      CASE WHEN t.status IN ('delivered', 'read')
        THEN GREATEST(COALESCE(t.delivered_at, t.read_at), t.sent_at, m.sent_at, m.handed_at) END),
    {changes}
  FROM furthest AS t JOIN locked ON locked.id = t.id
  WHERE m.id = t.id AND {rank_of_furthest} > {rank_of_stored}
  RETURNING m.id, m.owner_id, m.channel, m."to", m.{status} AS status, m.failure_code, locked.price,
    {revived} AS revived, {taken} AS taken,
    NOT $10 AND t.status <> 'failed' AND (locked.status = 'failed' OR locked.replaced) AS is_reached, {returning}
)
SELECT s.place, s.id AS found, COALESCE({early}, true) AS early, moved.*
FROM reports AS s LEFT JOIN locked ON locked.id = s.id LEFT JOIN moved ON moved.id = s.id
ORDER BY s.place
"""
_MINE = """m.direction = 'outbound' AND {sent} AND ($9::uuid IS NULL OR m.owner_id = $9)
  AND (s.provider IS NULL OR {any_route} OR m.provider = s.provider) AND (s.channel IS NULL OR m.channel = s.channel)"""
_EARLY = """locked.status = 'queued' AND (locked.handed_at IS NULL AND NOT locked.replaced OR $10::bool)
  OR locked.status = 'sending' AND $10"""
_REVIVED = "NOT $10 AND t.status <> 'failed' AND (locked.way_status = 'failed' OR locked.replaced)"
WINDOW: Final = "interval '72 hours'"
"""For so long after a failure its way may still report that the message was delivered."""
_RANK_OF_REPORTED = " ".join(f"WHEN '{status}' THEN {rank}" for status, rank in RANKS.items())

PROJECTS = Table(
    name="message_records",
    status="status",
    newest="m.handed_at DESC NULLS LAST, m.seq DESC",
    has_read=True,
    may_lack_route=True,
    # A direct message that has the number since is meant.
    only="""NOT EXISTS (
      SELECT FROM messages AS d WHERE d.provider = s.provider AND d.direction = 'outbound' AND d.handed_at > m.handed_at
        AND (d.report_id = s.number OR (d.provider_message_id = s.number AND d.report_id IS NULL))
    )""",
    sent="true",
    changes="""price = CASE WHEN $10 THEN m.price WHEN t.status = 'failed' THEN 0
      WHEN {revived} THEN COALESCE(m.refunded, m.price) ELSE m.price END,
    refunded = CASE WHEN $10 THEN m.refunded WHEN t.status = 'failed' THEN m.price
      WHEN {revived} THEN NULL ELSE m.refunded END,
    attempts = m.attempts + CASE WHEN $10 THEN 0 WHEN t.status = 'failed' THEN 1 WHEN {revived} THEN -1 ELSE 0 END,
    read_at = COALESCE(CASE WHEN $10 OR m.way_status IS NULL THEN m.read_at END, CASE WHEN t.status = 'read'
      THEN GREATEST(t.read_at, t.delivered_at, m.delivered_at, t.sent_at, m.sent_at, m.handed_at) END)""",
    taken="CASE WHEN {revived} THEN m.price - locked.price ELSE 0 END",
    returning="m.project_id, (SELECT account_id FROM sending_projects WHERE id = m.project_id) AS account_id",
)
"""Messages of projects. One that its way has reported as failed costs nothing from then on."""

DIRECT = Table(
    name="messages",
    status="state",
    newest="m.handed_at DESC NULLS LAST, m.id DESC",
    has_read=False,
    may_lack_route=False,
    only="true",
    sent="m.step IS DISTINCT FROM 0",  # no provider has the head of a chain
    changes="updated_at = now()",
    # One that is queued again stayed charged; one that was canceled then was refunded.
    taken="CASE WHEN {revived} AND locked.status <> 'queued' THEN locked.price ELSE 0 END",
    returning="NULL::uuid AS project_id, m.account_id",
)
"""Direct messages."""


def _rank_of_stored(column: str) -> str:
    """Returns SQL for the rank of a stored status: for a hook's reports that of the shown one, for others that of the
    way's own. One that nothing may follow has the highest: also a failure that no report of the way has said, or that
    is too old. A canceled message may be moved if a provider had it before.
    """
    ranks: dict[str, str] = {status: str(rank) for status, rank in RANKS.items()}
    recent = f"NOT $10 AND m.failed_at > now() - {WINDOW}"
    ranks["failed"] = f"CASE WHEN {recent} THEN {RANKS['failed']} ELSE 5 END"
    ranks["canceled"] = f"CASE WHEN locked.replaced THEN {RANKS['failed']} ELSE 5 END"
    words = " ".join(f"WHEN '{status}' THEN {rank}" for status, rank in ranks.items())
    counts = f"CASE WHEN $10 THEN m.{column} ELSE COALESCE(m.way_status, m.{column}) END"
    return (
        f"CASE {counts} WHEN 'queued' THEN 0 WHEN 'sending' THEN 0 WHEN 'unknown' THEN 0 {words} ELSE 5 END"
    )


def _statement(table: Table) -> str:
    """Returns the statement that applies reports to a table."""
    return _APPLY.format(
        name=table.name,
        status=table.status,
        newest=table.newest,
        only=table.only,
        changes=table.changes.format(revived=f"({_REVIVED})"),
        taken=table.taken.format(revived=f"({_REVIVED})"),
        revived=_REVIVED,
        window=WINDOW,
        returning=table.returning,
        mine=_MINE.format(
            sent=table.sent, any_route="m.provider IS NULL" if table.may_lack_route else "false"
        ),
        reported="s.status"
        if table.has_read
        else "CASE s.status WHEN 'read' THEN 'delivered' ELSE s.status END",
        rank_of_reported=f"CASE s.status {_RANK_OF_REPORTED} END",
        rank_of_furthest=f"CASE t.status {_RANK_OF_REPORTED} END",
        rank_of_stored=_rank_of_stored(table.status),
        early=_EARLY,
    )


STATEMENTS: Final = {table.name: _statement(table) for table in (PROJECTS, DIRECT)}
"""By table. Arguments: message ids, routes, their channels, provider's ids, statuses, codes, reasons, times, the owner
or NULL, and whether a hook reports."""

_FIND = """
SELECT id FROM {name}
WHERE (id = ANY($1) OR provider_message_id = ANY($2) OR report_id = ANY($2)) AND direction = 'outbound'
  AND ($3::uuid IS NULL OR owner_id = $3)
"""
POP: Final = {table.name: early.pop_statement(table.name, table.status) for table in (PROJECTS, DIRECT)}
"""By table. Argument: message ids."""
FIND: Final = {table.name: _FIND.format(name=table.name) for table in (PROJECTS, DIRECT)}
"""By table. Arguments: message ids, provider's ids, and the owner or NULL."""
