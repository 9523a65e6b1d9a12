"""Names settings of PostgreSQL that lose data, or that make Postern slow, with their cure."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from db.session import Database
from postern.doctor.findings import Findings

TOPIC = "server"
LEAST_BUFFERS = 128  # MB, PostgreSQL's own default
_CRASH = "a crash of its machine can destroy the database"


@dataclass(frozen=True, slots=True)
class Rule:
    """One setting. `hurts` takes its value as pg_settings has it; `loses` says whether data can be lost."""

    name: str
    hurts: Callable[[str], bool]
    effect: str
    cure: str
    loses: bool = True


def _is_off(value: str) -> bool:
    return value == "off"


def _is_zero(value: str) -> bool:
    return value == "0"


SERVER_RULES = (
    Rule("fsync", _is_off, _CRASH, "Set fsync = on."),
    Rule("full_page_writes", _is_off, _CRASH, "Set full_page_writes = on."),
    Rule(
        "synchronous_commit",
        _is_off,
        "a crash of the server loses messages that were accepted in its last second, and some are sent twice",
        "Set synchronous_commit = on.",
    ),
    Rule(
        "default_transaction_isolation",
        lambda value: value != "read committed",
        "transactions at once fail with serialization errors; Postern locks the rows that it must",
        "Set default_transaction_isolation = 'read committed' for this database.",
    ),
    Rule(
        "autovacuum",
        _is_off,
        "dead rows are never removed, and sending gets slower and slower",
        "Set autovacuum = on.",
        loses=False,
    ),
    Rule(
        "shared_buffers",
        lambda value: int(value) * 8 < LEAST_BUFFERS * 1024,  # in pages of 8 kB
        f"less than {LEAST_BUFFERS} MB are cached",
        "Set shared_buffers to a quarter of the machine's memory.",
        loses=False,
    ),
)
SESSION_RULES = (
    Rule(
        "jit",
        lambda value: value == "on",
        "compiling queries takes longer than they do, and a pooler drops our `SET jit = off`",
        "Run: ALTER ROLE … SET jit = off, with the role of DB_STRING.",
        loses=False,
    ),
    Rule(
        "random_page_cost",
        lambda value: float(value) > 1.1,
        "some lists are read without their index, and a pooler drops our `SET random_page_cost = 1.1`",
        "Run: ALTER ROLE … SET random_page_cost = 1.1, with the role of DB_STRING.",
        loses=False,
    ),
    Rule(
        "statement_timeout",
        _is_zero,
        "a slow statement runs on after its caller has given up; a pooler drops what connections ask for",
        "Run: ALTER ROLE … SET statement_timeout = '15s', with the role of DB_STRING.",
        loses=False,
    ),
    Rule(
        "lock_timeout",
        _is_zero,
        "a statement waits for a lock until it is stopped; a pooler drops what connections ask for",
        "Run: ALTER ROLE … SET lock_timeout = '5s', with the role of DB_STRING.",
        loses=False,
    ),
    Rule(
        "idle_in_transaction_session_timeout",
        _is_zero,
        "the locks of a process whose machine is gone stay; a pooler drops what connections ask for",
        "Run: ALTER ROLE … SET idle_in_transaction_session_timeout = '30s', with the role of DB_STRING.",
        loses=False,
    ),
)
"""The settings that our connections ask for themselves; a pooler may drop them."""
_VALUES = "SELECT name, setting FROM pg_settings WHERE name = ANY($1)"


async def look(findings: Findings, db: Database) -> None:
    """Reports each setting that hurts, as the connections of Postern have it."""
    await _look(findings, db, (*SERVER_RULES, *SESSION_RULES))


async def look_at_sessions(findings: Findings, db: Database) -> None:
    """Reports what the connections to a pooler lack, as it does not pass on what they ask for."""
    await _look(findings, db, SESSION_RULES)


async def _look(findings: Findings, db: Database, rules: Sequence[Rule]) -> None:
    rows: list[Any] = await db.fetch(_VALUES, [rule.name for rule in rules])
    values = {row["name"]: row["setting"] for row in rows}
    for rule in rules:
        value = values.get(rule.name)
        if value is not None and rule.hurts(value):
            report = findings.bad if rule.loses else findings.note
            setting = rule.name if rule.name == "shared_buffers" else f"{rule.name} = {value}"
            report(TOPIC, f"PostgreSQL has {setting}: {rule.effect}", rule.cure)
