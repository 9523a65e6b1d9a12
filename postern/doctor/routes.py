"""Reports numbers that no route serves, routes that no rule names, and routes that are switched off."""

import asyncio
from collections.abc import Callable, Collection, Mapping, Sequence
from functools import partial
from typing import Any, Final
from uuid import UUID

import orjson

import channels
from core.settings import Settings
from db.session import Database
from engine.sms.route_rules import READ, degraded_of, rules_of
from engine.sms.routing import RouteTable, Rule, choose
from postern.doctor.findings import Findings
from postern.doctor.local import sends_real_mail, without_public_url
from runtime.routes import Routes
from shapes.messages import MessageCategory, MessageChannel

_PRICED: Final = """
SELECT DISTINCT p.prefix FROM price_lists AS l
CROSS JOIN LATERAL (
  SELECT v.id FROM price_list_versions AS v WHERE v.list_id = l.id AND v.valid_from <= now()
  ORDER BY v.valid_from DESC, v.number DESC LIMIT 1
) AS v
JOIN prices AS p ON p.version_id = v.id AND p.channel = 'sms'
"""
_MOST: Final = 10  # names in one finding
_EVERYBODY: Final = UUID(int=0)  # the id of no user, so that rules of single users are left out
_TOPIC: Final = "routes"
_PAGE: Final = "the page Routes of the console"


def report_down_sessions(findings: Findings, down: Mapping[str, Mapping[str, Sequence[str]]]) -> None:
    """Names the sessions that are down, by worker and route: the others of a route go on, with less room."""
    for worker, by_route in down.items():
        for route, sentences in by_route.items():
            if not sentences:
                continue
            findings.bad(
                _TOPIC,
                f"{route} in {worker}: {' '.join(sentences[:_MOST])}",
                "Ask the provider whether the SMSC is up, and how many sessions the account may have: each worker opens"
                " as many as connections= says.",
            )


async def look(findings: Findings, settings: Settings, db: Database) -> None:
    """Checks the rules of routes against the configuration and the price lists."""
    try:
        routes = Routes(settings)
    except channels.BadDsn:  # another check says so
        return
    if unheard := [routes.name(route) for route in routes if not getattr(route, "takes_receipts", True)]:
        findings.note(
            _TOPIC,
            f"failures after acceptance can't be reported, and are not refunded: {_list(unheard)}",
            "Give the DSN a secret, receipts=whsec_…, by which the server signs reports to /hooks/post/{name};"
            " docs/channels.md says how.",
        )
    row: Any = await db.fetchrow(READ, None)
    off, rules = {*row["off"]}, rules_of(row["rules"])
    every = [(name, channel) for _, channel, name, _ in orjson.loads(row["made"])]
    made = [name for name, channel in every if channel == MessageChannel.sms]
    if others := sorted(f"{name} ({channel})" for name, channel in every if channel != MessageChannel.sms):
        findings.good(
            _TOPIC, f"set up in the console, and used before those of the settings: {_list(others)}"
        )
    mail = {name for name, channel in every if channel == MessageChannel.email} - off
    if mail and settings.public_url is None and not sends_real_mail(settings):
        without_public_url(findings)
    configured = [*routes.by_name(MessageChannel.sms)]
    if switched_off := sorted(off & {*made, *(routes.name(route) for route in routes)}):
        findings.note(
            _TOPIC,
            f"switched off: {_list(switched_off)}",
            f"Nothing is sent by them. Switch them on at {_PAGE}, or with PATCH /system/routes/{{name}}.",
        )
    if degraded := sorted(degraded_of(row["degraded"])):
        pairs = [f"{route} to {f'+{prefix}' if prefix else 'all numbers'}" for route, prefix in degraded]
        findings.note(
            _TOPIC,
            f"accepted, but hardly delivered: {_list(pairs)}",
            "Other routes that rules name are tried before these, if there are any. Ask the provider; if only its"
            f" receipts are missing, let the route keep its place at {_PAGE}.",
        )
    if rules or made:
        names = [*configured, *made]
        usable = [name for name in names if name not in off]
        served = partial(
            _is_served, RouteTable(rules), usable, [name for name in usable if name in configured]
        )
        await _look_at_rules(findings, db, rules, names, served)


async def _look_at_rules(
    findings: Findings,
    db: Database,
    rules: Sequence[Rule],
    names: Collection[str],
    served: Callable[[str], bool],
) -> None:
    if missing := sorted({rule.route for rule in rules} - {*names}):
        findings.bad(
            _TOPIC,
            f"rules name routes that are not configured: {_list(missing)}",
            f"Configure them in POSTERN_CHANNEL_SMS (name=…), or change the rules at {_PAGE}.",
        )
    if unserved := sorted({rule.prefix for rule in rules if not served(rule.prefix)}):
        findings.bad(
            _TOPIC,
            f"no route serves SMS to {_list([f'+{prefix}' for prefix in unserved])}: each route that rules name is"
            f" switched off or not configured{await _priced(db, unserved, served)}",
            f"Messages wait, for at most a day if they are direct ones. Change the rules at {_PAGE}.",
        )
    if unnamed := sorted({*names} - {rule.route for rule in rules}):
        everything = any(not rule.prefix and not rule.category and not rule.owner_id for rule in rules)
        findings.note(
            _TOPIC,
            f"no rule names {_list(unnamed)}: "
            + ("no SMS goes by it" if everything else "only SMS to numbers without a rule go by it"),
            f"Add a rule at {_PAGE}, or remove the route from POSTERN_CHANNEL_SMS.",
        )


async def _priced(db: Database, unserved: Sequence[str], served: Callable[[str], bool]) -> str:
    """Returns how many prefixes of the price lists in force no route serves, as the end of a sentence."""
    prefixes = [row["prefix"] for row in await db.fetch(_PRICED) if row["prefix"].startswith(tuple(unserved))]
    # In a thread: a list may have 200,000 rows, and each takes some microseconds.
    count = await asyncio.to_thread(lambda: sum(not served(prefix) for prefix in prefixes))
    return f"; the price lists have {count:,} such prefixes" if count else ""


def _is_served(table: RouteTable, usable: Collection[str], default: Sequence[str], prefix: str) -> bool:
    """Returns whether messages of each category to numbers with the prefix have a route, by the rules for all users."""
    return all(
        choose(f"+{prefix}", category.value, _EVERYBODY, table, usable, default)
        for category in MessageCategory
    )


def _list(names: Sequence[str]) -> str:
    more = f" and {len(names) - _MOST} more" if len(names) > _MOST else ""
    return ", ".join(names[:_MOST]) + more
