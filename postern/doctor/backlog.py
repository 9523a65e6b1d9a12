"""Reports messages that wait too long: for a worker, for a provider that does not answer, or for another reason."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any, Final

import channels
from core.settings import Settings
from db.models.message_chains import NEVER
from db.session import Database
from engine.sending.backlogs import RouteBacklog, backlogs, route_backlogs
from postern.doctor.findings import Findings
from runtime import breakers
from runtime.routes import Routes

LATE: Final = timedelta(seconds=60)
"""The age from which a message that waits is reported."""

SETTLED: timedelta = timedelta(seconds=30)
"""For so long a worker is connected before it must have reported that it lives."""

MOST: Final = 100_000  # messages whose reasons are counted
REFUSED: Final = "bad_credentials"
"""The code of a message whose provider refuses our login or our settings."""
_REASONS: Final = 5  # in one finding
_WORKERS: Final = "workers"
_ROUTES: Final = "routes"
_CHAINS_OVERDUE: Final = "chains"

_DUE: Final = """
SELECT channel, count(*) AS number, now() - min(LEAST(COALESCE(send_at, created_at), due_at)) AS waits FROM messages
WHERE state = 'queued' AND due_at < now() - $1::interval GROUP BY channel
"""
# A message with a later attempt, a pause that the provider asked for, or a breaker ahead says so in its failure code.
_LATER: Final = f"""
SELECT channel, COALESCE(code, '-') AS code, count(*) AS number, now() - min(since) AS waits FROM (
  (SELECT channel, failure_code AS code, COALESCE(send_at, created_at) AS since FROM messages
   WHERE state = 'queued' AND due_at >= now() - $1::interval AND due_at < {NEVER}
     AND COALESCE(send_at, created_at) < now() - $1::interval LIMIT {MOST})
  UNION ALL
  (SELECT channel, failure_code, COALESCE(send_at, created_at) FROM messages
   WHERE claim_id IS NOT NULL AND state = 'sending' AND COALESCE(send_at, created_at) < now() - $1::interval
   LIMIT {MOST})
) AS late GROUP BY channel, code ORDER BY number DESC
"""  # noqa: S608  our own number
# Nothing but other settings ends this, so it is told at once.
_REFUSED: Final = f"""
SELECT channel, '{REFUSED}' AS code, count(*) AS number, now() - min(COALESCE(send_at, created_at)) AS waits FROM (
  SELECT channel, failure_code, send_at, created_at FROM messages
  WHERE state = 'queued' AND due_at >= now() - $1::interval AND due_at < {NEVER} ORDER BY channel, due_at LIMIT {MOST}
) AS next WHERE failure_code = '{REFUSED}' GROUP BY channel ORDER BY number DESC
"""  # noqa: S608  our own words
# A chain that can't be taken on is postponed by a minute again and again: then the time of its newest step shows it.
_CHAINS: Final = f"""
SELECT count(*) AS number, now() - min(since) AS waits FROM (
  (SELECT due_at AS since FROM message_chains WHERE due_at < now() - $1::interval ORDER BY due_at LIMIT {MOST})
  UNION ALL
  (SELECT began_at + (steps -> current - 1 ->> 'within')::int * interval '1 second' FROM message_chains
   WHERE due_at >= now() - $1::interval AND due_at < now() + $1::interval AND current < jsonb_array_length(steps)
     AND settled_at IS NULL AND began_at + (steps -> current - 1 ->> 'within')::int * interval '1 second'
       < now() - $1::interval LIMIT {MOST})
) AS late
"""  # noqa: S608  our own number
_OTHERS: Final = """
SELECT now() AS now, (SELECT count(*) FROM messages WHERE claim_id IS NOT NULL AND state = 'unknown') AS orphaned,
  w.connections, w.has_settled FROM (
  SELECT count(DISTINCT client_addr::text || client_port) AS connections,
    COALESCE(bool_or(backend_start < now() - $1::interval), false) AS has_settled
  FROM pg_stat_activity WHERE application_name = 'postern-worker' AND datname = current_database()
) AS w
"""


async def look(findings: Findings, settings: Settings, db: Database) -> bool:
    """Checks what waits. Each open breaker is a finding, with the messages that wait for it.

    Returns whether a worker has been connected to PostgreSQL for 30 seconds.
    """
    others: Any = await db.fetchrow(_OTHERS, SETTLED)
    opened = await _open_routes(settings, db)
    for route in opened:
        _report_route(findings, route, others.now)
    behind = {route.channel for route in opened if route.whole}  # their messages wait for the provider
    due = [row for row in await db.fetch(_DUE, LATE) if row["channel"] not in behind]
    later = [row for row in await db.fetch(_LATER, LATE) if row["channel"] not in behind]
    if due:
        workers = "a worker is connected" if others.connections else "no worker is connected"
        findings.bad(
            _WORKERS,
            f"{_sum(due)} messages wait, the oldest for {span(_longest(due))}; {workers}",
            "Start `postern worker` (or `postern serve`). If one is running, read its log for the cause.",
        )
    if silent := [row for row in later if row["code"] in breakers.NO_ANSWER]:
        findings.bad(
            _ROUTES,
            f"{_sum(silent)} messages wait since their provider can't be reached or does not answer, the oldest for"
            f" {span(_longest(silent))} ({_reasons(silent)})",
            "Ask the provider. They are tried again until they have failed too often; docs/operations.md,"
            " 'Nothing is sent'.",
        )
    if refused := [row for row in await db.fetch(_REFUSED, LATE) if row["channel"] not in behind]:
        findings.bad(
            _ROUTES,
            f"a provider refuses our credentials or settings: {_messages(_sum(refused))} in the queue, the oldest for"
            f" {span(_longest(refused))} ({_reasons(refused)})",
            "Correct login and key of the provider in the console, or in its DSN. They are sent when it takes them.",
        )
    if others_later := [row for row in later if row["code"] not in (*breakers.NO_ANSWER, REFUSED)]:
        findings.note(
            _WORKERS,
            f"{_sum(others_later)} messages have waited for more than a minute and are tried again, the oldest for"
            f" {span(_longest(others_later))} ({_reasons(others_later)})",
            "Each says why in waitingFor; docs/operations.md, 'Nothing is sent'.",
        )
    late: Any = await db.fetchrow(_CHAINS, LATE)
    if late["number"]:
        findings.bad(
            _CHAINS_OVERDUE,
            f"{late['number']} are overdue by more than a minute, the oldest for {span(late['waits'])}",
            "Start `postern worker`. If one is running, read its log: it names a chain that it can't take on.",
        )
    if not others.connections and not due:
        findings.note(_WORKERS, "none is connected", "`postern serve` starts them, or run `postern worker`.")
    elif not (due or later or refused) and not any(route.waits for route in opened):
        findings.good(_WORKERS, "connected; nothing waits too long")
    if others.orphaned:
        findings.note(
            _WORKERS,
            f"{others.orphaned} messages are unknown since their worker died",
            "docs/operations.md says what that means and what to do.",
        )
    return bool(others.has_settled)


async def _open_routes(settings: Settings, db: Database) -> Sequence[RouteBacklog]:
    try:
        routes = Routes(settings)
    except channels.BadDsn:  # another check says so
        return ()
    return await route_backlogs(db, routes, await backlogs(db))


def _report_route(findings: Findings, route: RouteBacklog, now: datetime) -> None:
    lasts = span(now - route.opened_at)
    if route.channel is None:
        findings.note(
            _ROUTES,
            f"a messenger account has not answered for {lasts}; its messages wait",
            "Look at the account in the console; one message at a time is tried until it answers.",
        )
        return
    advice = (
        "Ask the provider. One message at a time is tried, and the others are sent when it answers;"
        " docs/channels.md says how often."
    )
    if not route.waits:
        findings.note(_ROUTES, f"{route.name} has not answered for {lasts}; no message waits for it", advice)
        return
    number, since = "messages wait", None
    if route.waiting is not None:
        verb = "waits" if route.waiting.number == 1 else "wait"
        number, since = f"{_messages(route.waiting.number)} {verb}", route.waiting.since
    oldest = "" if since is None else f", the oldest for {span(now - since)}"
    findings.bad(_ROUTES, f"{route.name} has not answered for {lasts}; {number} for it{oldest}", advice)


def span(time: timedelta) -> str:
    """Returns a time as a person says it: `45 s`, `2 min`, `3 h`."""
    seconds = time.total_seconds()
    if seconds < 60:
        return f"{seconds:.0f} s"
    return f"{seconds // 60:.0f} min" if seconds < 2 * 3600 else f"{seconds // 3600:.0f} h"


def _messages(number: int) -> str:
    return "1 message" if number == 1 else f"{number:,} messages"


def _sum(rows: Sequence[Any]) -> int:
    return sum(row["number"] for row in rows)


def _reasons(rows: Sequence[Any]) -> str:
    return ", ".join(f"{row['number']} {row['channel']}: {row['code']}" for row in rows[:_REASONS])


def _longest(rows: Sequence[Any]) -> timedelta:
    return max((row["waits"] for row in rows), default=timedelta())
