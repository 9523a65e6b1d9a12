"""Periodic maintenance: messages without a job, expired rows, and partitions.

worker ──► every 5 s     is_due           whether the next two, or recovery in direct/dispatch.py, have work
       │   and 60 s      end_frozen       transactions of processes that stand still
       │                 wake_channels    a job for each channel whose messages have none
       ├─► every 15 s    counter_generations.py  new rows of counters while a snapshot is old
       ├─► every 5 min   prune            expired rows, in batches
       ├─► every 5 min   retention.py     projects' messages, chats, imports and reports that are too old
       ├─► every 5 min   ledger_sums.py   charges and refunds of what was deleted, added up by day
       └─► every 10 min  partitions.py    the months that come, and those that are too old
"""

from datetime import timedelta
from typing import Any

import structlog

from core.ids import least_uuid7
from db.query import execute_planned
from db.session import Database
from engine import queue
from runtime.database_errors import is_gone, translate
from shapes.sending_projects import ProjectChannel

log = structlog.get_logger("postern.upkeep")

BITE = 5000
"""Rows per statement, few enough for the statement time-out, however much there is to delete."""

RECENT = timedelta(minutes=1)
"""Each look but one a minute is for messages that became due since then: a look at everything passes the entries of all
messages that were sent since the oldest snapshot (engine/direct/due_floor.py). While a snapshot is old it is one in ten
minutes.
"""
EVER = timedelta(days=36_500)
_RARELY = "(SELECT last_value FROM old_snapshot) = 0 OR extract(minute FROM now())::int % 10 = 0"

# min() is one index lookup. An EXISTS may read the whole table when another channel has a backlog.
_WAKE = """
SELECT postern_wake(c.job) FROM unnest($1::text[], $2::text[]) AS c (job, channel) WHERE (
  SELECT min(due_at) FROM messages WHERE state = 'queued' AND channel = c.channel AND due_at > now() - $3::interval
) <= now() - interval '1 second' AND NOT EXISTS (
  SELECT FROM pgqueuer WHERE entrypoint = c.job AND status = 'queued' AND execute_after <= now()
)
"""

# table, key, condition. A session is deleted only with its last refresh token.
_SERVED = (
    ("idempotency_keys", "ctid", "expires_at < now()"),
    ("blocked_phones", "id", "expires_at <= now()"),
    ("early_reports", "id", "received_at < now() - interval '72 hours'"),
    ("messenger_early", "id", "received_at < now() - interval '72 hours'"),
    ("hook_events", "ctid", "received_at < now() - interval '72 hours'"),
    ("refresh_tokens", "id", "expires_at < now() - interval '1 day'"),
    ("password_resets", "id", "expires_at < now() - interval '1 day'"),
    ("user_undos", "id", "expires_at < now() - interval '1 day'"),
    ("user_notices", "id", "created_at < now() - interval '4 days'"),
    (
        "sessions",
        "id",
        (
            "created_at < now() - interval '1 day'"
            " AND NOT EXISTS (SELECT FROM refresh_tokens WHERE session_id = sessions.id)"
        ),
    ),
    # No message went to that host, or through that account, for an hour.
    (
        "route_breakers",
        "ctid",
        "probe_at < now() - interval '1 hour' AND COALESCE(expires_at, probe_at) < now()",
    ),
    # Older ones can't be requested: resolvers/outcomes.py and resolvers/deliverability.
    ("outcome_counters", "ctid", "bucket < now() - interval '93 days'"),
    ("domain_counters", "ctid", "bucket < now() - interval '93 days'"),
    ("receiver_days", "ctid", "day < (now() AT TIME ZONE 'UTC')::date - 92"),
    ("receiver_pauses", "id", "until < now() - interval '7 days'"),  # no mail went there since
    ("traffic", "ctid", "hour < now() - interval '25 months'"),
    ("country_limits", "id", "created_at < now() - interval '30 days'"),
    ("verification_days", "ctid", "day < (now() AT TIME ZONE 'UTC')::date - 1"),
    ("verification_counters", "ctid", "since < now() - interval '8 days'"),
    ("suspected_groups", "id", "created_at < now() - interval '90 days'"),
    ("mail_domains", "ctid", "looked_up_at < now() - interval '60 days'"),
    (
        "agent_clients",
        "client_id",
        (
            "by_itself AND created_at < now() - interval '1 day'"
            " AND NOT EXISTS (SELECT FROM agent_grants AS g WHERE g.client_id = agent_clients.client_id)"
        ),
    ),
    # The token of an agent whose code was not exchanged within an hour: no client has received its secret.
    (
        "api_tokens",
        "id",
        (
            "EXISTS (SELECT FROM agent_grants AS g WHERE g.token_id = api_tokens.id AND g.code_used_at IS NULL"
            " AND g.code_expires_at < now() - interval '1 hour')"
        ),
    ),
    # A message waits for a day, and an uncertain one is asked about for another one.
    (
        "submitted_mails",
        "id",
        (
            "created_at < now() - interval '5 minutes' AND (created_at < now() - interval '8 days' OR NOT EXISTS ("
            "SELECT FROM messages AS m WHERE m.id = ANY(submitted_mails.message_ids)"
            " AND m.state IN ('queued', 'sending', 'unknown')))"
        ),
    ),
    ("leases", "name", "expires_at < now() - interval '1 hour'"),
    ("fair_shares", "ctid", "taken_at < now() - interval '1 day'"),
    ("pgqueuer_log", "id", "created < now() - interval '1 day'"),
    ("pgqueuer_statistics", "id", "created < now() - interval '30 days'"),
)

# Ids begin with their time, so the primary key finds the old ones; a scheduled message is as old as its `send_at`.
# `unknown` messages stay: they are charged and unsettled. So do those of a chain until it is settled and gone. Each id
# of an array is looked up. With IN, PostgreSQL hashes them and reads all rows of a table of some hundred thousand.
_RETIRE = """
DELETE FROM messages WHERE id = ANY(ARRAY(
  SELECT m.id FROM messages AS m WHERE m.id < $1 AND m.state IN ('sent', 'delivered', 'failed', 'canceled')
    AND (m.send_at IS NULL OR m.send_at < $3) AND (
    m.step IS NULL OR (SELECT c.id FROM message_chains AS c WHERE c.id = COALESCE(m.chain_id, m.id)) IS NULL)
  ORDER BY m.id LIMIT $2
))
"""
_RETIRE_CHAINS = """
DELETE FROM message_chains WHERE id = ANY(ARRAY(
  SELECT id FROM message_chains WHERE id < $1 AND settled_at IS NOT NULL AND (began_at IS NULL OR began_at < $3)
  ORDER BY id LIMIT $2
))
"""

# Whatever they say, their codes can't be entered any more.
_OLD_VERIFICATIONS = """
DELETE FROM verifications WHERE id = ANY(ARRAY(SELECT id FROM verifications WHERE id < $1 ORDER BY id LIMIT $2))
"""
VERIFICATION_DAYS = 30
"""Days after which a verification is deleted."""


# Transactions of a process that froze between the parts of one statement: for the server the statement is being
# executed, and neither `statement_timeout` nor `idle_in_transaction_session_timeout` ends it, however long its locks
# are held.
_FROZEN = """
FROM pg_stat_activity
WHERE datname = current_database() AND usename = current_user AND application_name LIKE 'postern%'
  AND state = 'active' AND wait_event = 'ClientRead' AND pid <> pg_backend_pid()
  AND xact_start < now() - {lease} AND state_change < now() - {lease}
"""
_END_FROZEN = f"SELECT pg_terminate_backend(pid) {_FROZEN.format(lease='$1::interval')}"

# The looks of `_WAKE`, `claims.recover` and `claims.claim_expired`, each into its own index.
_DUE = f"""
EXISTS (
  SELECT FROM unnest(ARRAY[{{channels}}]) AS c (channel) WHERE (
    SELECT min(due_at) FROM messages
    WHERE state = 'queued' AND channel = c.channel AND due_at > now() - {{within}}
  ) <= now() - interval '1 second'
) OR EXISTS (SELECT FROM claims WHERE expires_at < now()) OR EXISTS (
  SELECT FROM messages
  WHERE state = 'queued' AND expires_at <= now() AND expires_at > now() - {{within}} AND handed_at IS NULL
) OR EXISTS (SELECT {_FROZEN})
"""  # noqa: S608  our own words


def is_due(lease: timedelta, within: timedelta = EVER) -> str:
    """Returns an SQL condition: whether an upkeep has something to do. `lease`: that of claims, `within`: how long ago
    a message was due at most.

    A message that has waited for a day was due long ago, so the first part finds it, too.
    """
    condition = _DUE.format(
        channels=", ".join(f"'{channel.value}'" for channel in ProjectChannel),
        lease=f"interval '{lease.total_seconds()} seconds'",
        within=f"interval '{within.total_seconds()} seconds'",
    )
    # CASE, since PostgreSQL may evaluate the sides of AND in any order.
    return f"CASE WHEN {_RARELY} THEN {condition} ELSE false END" if within == EVER else condition


async def end_frozen(db: Database, lease: timedelta) -> int:
    """Ends the transactions of processes that have been frozen for a lease. Returns how many there were."""
    ended = len(await db.fetch(_END_FROZEN, lease))
    if ended:
        log.warning("ended transactions of processes that stand still", transactions=ended)
    return ended


async def wake_channels(db: Database, within: timedelta = EVER) -> None:
    """Queues a job for each channel that has due messages and no job, as after a crash or a wiped table. `within`: how
    long ago they were due at most.

    A job for later does not count: it waits for another message, perhaps an hour away. Nor does one that a worker
    has picked: that worker's provider may hang, while another worker's doesn't.
    """
    channels = [channel.value for channel in ProjectChannel]
    await db.fetch(_WAKE, [queue.drain(channel) for channel in channels], channels, within)


async def prune(db: Database, retention_days: int | None) -> None:
    """Deletes expired rows; old messages only if the operator set a retention. Never raises."""
    try:
        await _prune(db, retention_days)
    except Exception as error:  # the database is away: the next round tries again
        log.warning("can't prune", error=error, exc_info=translate(error) is None)


async def _prune(db: Database, retention_days: int | None) -> None:
    """Does the same. Raises the error of a database that does not answer."""
    for table, key, condition in _SERVED:
        await _forget(
            db,
            table,
            f"DELETE FROM {table} WHERE {key} IN ("  # noqa: S608  our own words
            f"SELECT {key} FROM {table} WHERE {condition} LIMIT {BITE})",
        )
    since = least_uuid7(db.now() - timedelta(days=VERIFICATION_DAYS))
    await _forget(db, "verifications", _OLD_VERIFICATIONS, since, BITE)
    if retention_days is not None:
        before = db.now() - timedelta(days=retention_days)
        oldest = least_uuid7(before)
        await _forget(db, "message_chains", _RETIRE_CHAINS, oldest, BITE, before)
        await _forget(db, "messages", _RETIRE, oldest, BITE, before)


async def _forget(db: Database, table: str, statement: str, *arguments: Any) -> None:
    """Deletes in batches until nothing is left; a table that can't be pruned now does not block the others. Raises the
    error of a database that does not answer, which would be the same for each table.
    """
    try:
        while await execute_planned(db, statement, *arguments) == BITE:
            pass
    except Exception as error:  # the next round tries again
        if is_gone(translated := translate(error)):
            raise
        log.warning("can't prune", table=table, error=error, exc_info=translated is None)
