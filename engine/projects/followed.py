"""The people whom a project that follows another one may write to, and their addresses for its channel.

    the recipient's contact has an address for the channel ──► that one, of a phone also for messengers
    the list had it in a column, such as `phone`           ──► that one
    the channel can reach the recipient's own address      ──► that one

Nobody knows beforehand whom the other project will not reach: a plan counts all of its recipients who have an address;
of a project that is finished only those whose message is due to be followed, or may still come back.
"""

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from datetime import timedelta
from functools import lru_cache
from typing import Any, Final
from uuid import UUID

from core.errors import BadRequest
from engine.file_parsers.addresses import REACHED, Phones, TelegramAddresses, email, reaches
from engine.file_parsers.mapping import exact_role_of
from engine.projects import contact_audience
from engine.projects.follow_states import BLOCKED, STATE
from runtime.routes import MESSENGERS, Routes
from shapes.message_chains import StepUntil
from shapes.sending_projects import ProjectChannel

_PHONE: Final = "sms"  # the channel of contacts' phones
_BY_PHONE: Final = frozenset({"sms", *MESSENGERS})  # channels that can have an address in common

# A contact that was merged into another one since has the addresses of that one.
_OF_CONTACTS: Final = """
SELECT DISTINCT ON (w.id) w.id, a.address FROM unnest($1::uuid[]) AS w (id)
LEFT JOIN contact_merges AS g ON g.id = w.id
JOIN contact_addresses AS a ON a.contact_id = COALESCE(g.contact_id, w.id) AND a.channel = ANY($2)
ORDER BY w.id, array_position($2, a.channel), a."primary" DESC, a.id
"""
_PROJECT: Final = """
SELECT owner_id, channel, category, audience, audience_segments, audience_read_at, follows_uuid IS NOT NULL AS follows,
  status = 'finished' AS is_finished
FROM sending_projects WHERE id = $1
"""
_RECIPIENTS: Final = """
SELECT id, address, name, variables, timezone, contact_id FROM recipients WHERE project_id = $1 ORDER BY seq LIMIT $2
"""
_LAST_VARIABLES: Final = "SELECT variables FROM recipients WHERE project_id = $1 ORDER BY seq DESC LIMIT $2"
_ALL: Final = "SELECT count(*) FROM recipients WHERE project_id = $1"
_COUNT: Final = """
SELECT count(*) FROM recipients AS r WHERE project_id = $1
  AND ($2 OR r.address ~ $3 OR (cardinality($4::text[]) > 0 AND r.variables ?| $4) OR (r.contact_id IS NOT NULL
    AND EXISTS (SELECT FROM contact_addresses AS a WHERE a.channel = ANY($5) AND a.contact_id = COALESCE(
      (SELECT g.contact_id FROM contact_merges AS g WHERE g.id = r.contact_id), r.contact_id) OFFSET 0)))
"""
# The messages that are followed, or may be; each expression is a parameter.
_NOT_REACHED: Final = f"""
  SELECT m.recipient_id, {STATE.format(until="{until}", within="{within}")} AS state FROM message_records AS m
  WHERE m.project_id = $1 AND m.direction = 'outbound' AND NOT {BLOCKED}
"""  # noqa: S608  our own conditions
_LEFT: Final = f"""
SELECT r.id, r.address, r.name, r.variables, r.timezone, r.contact_id FROM recipients AS r
JOIN ({_NOT_REACHED.format(until="$3", within="$4::interval", category="$5")}) AS n ON n.recipient_id = r.id
WHERE n.state <> 'over' ORDER BY n.state = 'waits', r.seq LIMIT $2
"""  # noqa: S608  our own conditions
_COUNT_LEFT: Final = f"""
WITH asked AS MATERIALIZED (
  SELECT recipient_id FROM ({_NOT_REACHED.format(until="$6", within="$7::interval", category="$8")}) AS n
  WHERE state <> 'over'
){_COUNT} AND r.id IN (SELECT recipient_id FROM asked)
"""  # noqa: S608  our own conditions
_LOOKED_AT: Final = (
    1000  # of the first, and of the last recipients: their variables tell the names of columns
)

_role_of = lru_cache(10_000)(exact_role_of)


async def addressed(
    db: Any, region: str, channel: str, followed_channel: str, rows: Sequence[Any]
) -> list[tuple[Any, str]]:
    """Returns the rows whose people the channel can reach, each with the address.

    `rows`: address (for `followed_channel`), variables and contact_id. `region`: of phones without a country.
    """
    if channel == followed_channel:
        return [(row, row["address"]) for row in rows]
    contacts = [row["contact_id"] for row in rows if row["contact_id"] is not None]
    of_contacts = {
        row["id"]: row["address"] for row in await db.fetch(_OF_CONTACTS, contacts, _channels_of(channel))
    }
    return await asyncio.to_thread(_spelled, region, channel, followed_channel, rows, of_contacts)


def _spelled(
    region: str, channel: str, followed_channel: str, rows: Sequence[Any], of_contacts: Mapping[UUID, str]
) -> list[tuple[Any, str]]:
    """Spells the addresses of a page, which takes tenths of a second."""
    spelled = _spelling(channel, region)
    chosen = []
    for row in rows:
        address = of_contacts.get(row["contact_id"]) or _of_variables(row["variables"], channel, spelled)
        if address is None and {channel, followed_channel} <= _BY_PHONE and reaches(channel, row["address"]):
            address = row["address"]
        if address is not None:
            chosen.append((row, address))
    return chosen


def reported(routes: Routes, channel: str) -> list[StepUntil]:
    """Returns the states that are reported of all messages of a channel of projects; the last one is the default."""
    if channel == ProjectChannel.whatsapp:
        return [StepUntil.accepted, StepUntil.read, StepUntil.delivered]
    if channel == ProjectChannel.telegram:
        return [StepUntil.read, StepUntil.accepted]
    by_all = bool(routes.of(channel)) and routes.reports_delivery(channel)
    return [StepUntil.accepted, *([StepUntil.delivered] if by_all else [])]


def require_reported(routes: Routes, channel: str, until: str) -> None:
    """Raises BadRequest (`bad_chain`) for a state that is not reported of all messages of a channel."""
    states = reported(routes, channel)
    if until not in states:
        names = ", ".join(f"`{state.value}`" for state in states)
        raise BadRequest(
            f"It is not reported of all {channel} messages whether they were {until}. Use as `until` one of {names}.",
            code="bad_chain",
        )


async def most(db: Any, followed: UUID) -> int:
    """Returns the most people whom a project that follows `followed` can have, whatever addresses they have."""
    project = await db.fetchrow(_PROJECT, followed)
    if project is None:
        return 0
    if project["audience"] is None or project["audience_read_at"] is not None:
        return int(await db.fetchval(_ALL, followed))
    return await _of_audience(db, project, most)


async def size(db: Any, channel: str, followed: UUID, rule: Any = None, category: str = "") -> int:
    """Returns how many of the people whom `followed` has have an address for a channel.

    `rule`: `until` and `within` of a project of `category` that follows it. If `followed` is finished, those are
    counted whom that project writes to, or may still write to.
    """
    project = await db.fetchrow(_PROJECT, followed)
    if project is None:
        return 0
    if project["audience"] is not None and project["audience_read_at"] is None:
        return await _of_audience(db, project, lambda db, before: size(db, project["channel"], before))
    names: set[str] = set()
    for statement in (_RECIPIENTS, _LAST_VARIABLES):
        for row in await db.fetch(statement, followed, _LOOKED_AT):
            names.update(name for name in row["variables"] if _is_address(name, channel))
    same, pattern = channel == project["channel"], None
    if {channel, project["channel"]} <= _BY_PHONE:
        pattern = REACHED[channel]
    asked = (followed, same, pattern, sorted(names), _channels_of(channel))
    if rule is None or not project["is_finished"]:
        return int(await db.fetchval(_COUNT, *asked))
    return int(await db.fetchval(_COUNT_LEFT, *asked, *_times_of(rule), category))


async def _of_audience(db: Any, project: Any, before: Callable[[Any, UUID], Awaitable[int]]) -> int:
    """Returns how many people an audience has that is not read yet. `before` counts those of a followed project."""
    if project["follows"]:
        return await before(db, UUID(project["audience"]["follows"]["projectUuid"]))
    contacts, _ = await contact_audience.size(
        db, project["owner_id"], project["channel"], project["audience"], asked=project["audience_segments"]
    )
    return contacts


async def sample(db: Any, region: str, channel: str, rule: Any, category: str, most: int) -> list[Any]:
    """Returns some people whom a project with this rule may write to, as the recipients that they would be.

    Of a project that is finished, those come first whom its messages did not reach.
    """
    followed = UUID(rule["projectUuid"])
    project = await db.fetchrow(_PROJECT, followed)
    if project is None:
        return []
    if project["is_finished"]:
        rows = await db.fetch(_LEFT, followed, most, *_times_of(rule), category)
    elif project["audience"] is None or project["audience_read_at"] is not None:
        rows = await db.fetch(_RECIPIENTS, followed, most)
    elif project["follows"]:
        before = project["audience"]["follows"]
        rows = await sample(db, region, project["channel"], before, project["category"], most)
    else:
        rows = await contact_audience.sample(
            db, project["owner_id"], project["channel"], project["audience"], project["category"], most
        )
    return [
        {**row, "address": address}
        for row, address in await addressed(db, region, channel, project["channel"], rows)
    ]


def _times_of(rule: Any) -> tuple[str, timedelta]:
    """Returns the state that a message is to have, and the time that it has for that."""
    return rule["until"], timedelta(seconds=rule["within"])


def _channels_of(channel: str) -> list[str]:
    """Returns the channels whose addresses of a contact a channel can take, the best first."""
    return [channel, _PHONE] if channel in MESSENGERS else [channel]


def _spelling(channel: str, region: str) -> Callable[[str], str | None] | None:
    """Returns the function that gives the one spelling of a text of a list; None: lists don't have such addresses."""
    if channel == "push":
        return None
    if channel == "email":
        return email
    return TelegramAddresses(region) if channel == "telegram" else Phones(region)


def _is_address(name: str, channel: str) -> bool:
    return channel != "push" and _role_of(name) == ("email" if channel == "email" else "phone")


def _of_variables(
    variables: dict[str, Any], channel: str, spelled: Callable[[str], str | None] | None
) -> str | None:
    """Returns the first address that a column of the list had for the channel."""
    if spelled is None:
        return None
    for name, value in variables.items():
        if isinstance(value, str) and _is_address(name, channel) and (address := spelled(value.strip())):
            return address
    return None
