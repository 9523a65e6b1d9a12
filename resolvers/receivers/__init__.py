"""Rules of receivers, and their pauses. engine/receivers sends by them."""

from typing import Any, Final
from uuid import UUID

import orjson

from core.errors import BadRequest, NotFound
from core.ids import uuid7
from engine.receivers.rules import Rule, today
from resolvers.receivers import lifting
from resolvers.statistics.owner_rows import owner_arguments, owner_sql
from runtime.operation import Op, operation
from runtime.permissions import Permission
from shapes.receivers import (
    MOST_PAUSES,
    MOST_RULES,
    ReceiverPause,
    ReceiverRule,
    ReceiverRuleInput,
    ReceiverUse,
)

_COLUMNS: Final = """r.id AS uuid, r.domain, r.provider_class, r.in_flight, r.per_minute, r.warm_up_from, r.warm_up,
  r.pauses, r.created_at, r.updated_at, (r.warm_up_from AT TIME ZONE 'UTC')::date AS first_day,
  ARRAY(SELECT json_build_array(d.provider_class, d.messages)::text FROM receiver_days AS d
    WHERE d.day = {day} AND d.domain = r.domain AND r.warm_up IS NOT NULL AND CASE
      WHEN r.provider_class IS NOT NULL THEN d.provider_class = r.provider_class
      ELSE NOT EXISTS (
        SELECT FROM receiver_rules AS x WHERE x.domain = r.domain AND x.provider_class = d.provider_class)
    END ORDER BY 1) AS used"""
_RULES: Final = f"""
SELECT {_COLUMNS.format(day="$1")} FROM receiver_rules AS r
WHERE EXISTS (SELECT FROM domains AS o WHERE o.name = r.domain AND MINE)
ORDER BY r.domain, r.provider_class NULLS FIRST LIMIT {MOST_RULES}
"""  # noqa: S608  our own columns
_PAUSES: Final = f"""
SELECT p.id AS uuid, p.owner_id AS owner_uuid, p.domain, p.provider_class, p.until, p.times, p.answer, p.created_at
FROM receiver_pauses AS p WHERE MINE ORDER BY p.created_at DESC, p.id LIMIT {MOST_PAUSES}
"""  # noqa: S608  our own number
_LOCK: Final = "SELECT pg_advisory_xact_lock(hashtextextended('receiver_rules', 0))"
_COUNT: Final = "SELECT count(*) FROM receiver_rules WHERE domain <> $1 OR provider_class IS DISTINCT FROM $2"
_SET: Final = f"""
INSERT INTO receiver_rules AS r
  (id, domain, provider_class, in_flight, per_minute, warm_up_from, warm_up, pauses)
VALUES ($1, $2, $3, $4, $5, CASE WHEN $7::int[] IS NOT NULL THEN COALESCE($6, now()) END, $7, $8)
ON CONFLICT (domain, provider_class) DO UPDATE SET in_flight = excluded.in_flight, per_minute = excluded.per_minute,
  warm_up_from = CASE WHEN $6 IS NULL AND $7 IS NOT NULL THEN COALESCE(r.warm_up_from, now())
    ELSE excluded.warm_up_from END,
  warm_up = excluded.warm_up, pauses = excluded.pauses, updated_at = now()
RETURNING {_COLUMNS.format(day="$9")}
"""  # noqa: S608  our own columns
_DELETE: Final = "DELETE FROM receiver_rules WHERE id = $1 RETURNING id"
_LIFT: Final = "DELETE FROM receiver_pauses WHERE id = $1 RETURNING owner_id"


@operation(Permission.statistics_read, "read")
async def rules(op: Op) -> list[ReceiverRule]:
    """Lists the rules by which your domains' emails go to mailbox providers, with what a warm-up allows today and what
    of it is used. Administrators get those of all domains.
    """
    day = today(op.services)
    sql = owner_sql(_RULES, "o.owner_id", op.viewer.admin, 2)
    if op.viewer.admin:  # the domain of a channel has no owner
        sql = _RULES.replace("EXISTS (SELECT FROM domains AS o WHERE o.name = r.domain AND MINE)", "true")
    return [_rule(row, op) for row in await op.db.fetch(sql, day, *owner_arguments(op))]


@operation(Permission.statistics_read, "read")
async def pauses(op: Op) -> list[ReceiverPause]:
    """Lists the mailbox providers that refuse your emails by their policy, so that these wait, with the providers'
    answers; the newest 200. Administrators get those of all users.
    """
    rows = await op.db.fetch(owner_sql(_PAUSES, "p.owner_id", op.viewer.admin), *owner_arguments(op))
    return [ReceiverPause.model_validate({**row}) for row in rows]


@operation(Permission.users_admin, "sql")
async def set_rule(op: Op, input: ReceiverRuleInput) -> ReceiverRule:
    """Sets how fast a domain's emails go to a class of mailbox providers, for administrators. It holds in every worker
    within two seconds. Raises BadRequest (`too_many_rules`, `no_warm_up`).
    """
    if input.warm_up_from is not None and input.warm_up is None:
        raise BadRequest("warmUpFrom says when a warm-up began. Give warmUp, too.", code="no_warm_up")
    db = op.connection
    await db.execute(_LOCK)
    provider = input.provider_class and input.provider_class.value
    if await db.fetchval(_COUNT, input.domain, provider) >= MOST_RULES:
        raise BadRequest(f"There may be at most {MOST_RULES} rules. Delete one.", code="too_many_rules")
    row: Any = await db.fetchrow(
        _SET,
        uuid7(),
        input.domain,
        provider,
        input.in_flight,
        input.per_minute,
        input.warm_up_from,
        input.warm_up,
        input.pauses,
        today(op.services),
    )
    await lifting.make_due(db, None)
    return _rule(row, op)


@operation(Permission.users_admin, "sql")
async def delete_rule(op: Op, id: UUID) -> None:
    """Deletes a rule of receivers, for administrators. Emails that wait for it go at once. Raises NotFound."""
    if await op.connection.fetchval(_DELETE, id) is None:
        raise NotFound(
            "There is no rule of receivers with this id. Check the id.", code="receiver_rule_not_found"
        )
    await lifting.make_due(op.connection, None)


@operation(Permission.users_admin, "sql")
async def lift_pause(op: Op, id: UUID) -> None:
    """Ends the pause of a mailbox provider, for administrators: emails that wait for it go at once. Raises NotFound."""
    if (owner := await op.connection.fetchval(_LIFT, id)) is None:
        raise NotFound("There is no pause with this id, or it has ended.", code="receiver_pause_not_found")
    await lifting.make_due(op.connection, owner)


def _rule(row: Any, op: Op) -> ReceiverRule:
    values = {**row}
    curve = Rule(warm_up_from=values.pop("first_day"), warm_up=tuple(row["warm_up"] or ()))
    used = [ReceiverUse(provider_class=name, used=count) for name, count in map(orjson.loads, row["used"])]
    return ReceiverRule.model_validate(
        {**values, "allowance": curve.allowance(today(op.services)), "used": used}
    )
