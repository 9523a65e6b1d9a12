"""Rules of countries for SMS: those of the installation and of each user. engine/sms enforces them."""

from typing import Any, Final
from uuid import UUID

from core.errors import Forbidden, NotFound
from core.rate_limits import Limit
from db.models.country_rules import INSTALLATION
from engine.projects.country_waits import WAITS
from engine.projects.due import make_due
from engine.sms import country_caps
from engine.sms.country_caps import Caps
from engine.sms.country_rules import (
    NONE,
    RULES,
    Rule,
    Rules,
    country,
    is_within,
    raises_cap,
    rule_of,
    rules_of,
)
from resolvers.recipient_addresses import normalise
from runtime.operation import Op, operation
from runtime.permissions import Permission
from shapes.country_rules import (
    MOST_LIMITED,
    CountryCap,
    CountryCheck,
    CountryLimit,
    CountryRefusal,
    CountryRule,
    CountryRules,
    CountryRuleScope,
    SetCountryRules,
)
from shapes.messages import MessageChannel

_LIMIT: Final = Limit("country-rules", 60, 60.0)
_READ: Final = f"SELECT {RULES.format(owner='u.id')} AS rules FROM users AS u WHERE u.id = $1"  # noqa: S608  our own
_ALL_LIMITED: Final = f"""
SELECT owner_id AS owner_uuid, country, cap, until, created_at FROM country_limits
WHERE created_at > now() - interval '7 days' ORDER BY created_at DESC LIMIT {MOST_LIMITED}
"""  # noqa: S608  our own number
_LIMITED: Final = _ALL_LIMITED.replace("WHERE", "WHERE owner_id = $1 AND")
_LOCK: Final = "SELECT FROM users WHERE id = $1 FOR NO KEY UPDATE"
_LOCK_INSTALLATION: Final = "SELECT pg_advisory_xact_lock(hashtextextended('country_rules', 0))"
_SET: Final = """
INSERT INTO country_rules AS r (id, owner_id, allow, deny, per_hour, per_day)
VALUES ($1, $2, $3, $4, $5, $6)
ON CONFLICT (id) DO UPDATE SET allow = excluded.allow, deny = excluded.deny, per_hour = excluded.per_hour,
  per_day = excluded.per_day, epoch = r.epoch + $7::int, updated_at = now()
"""
_DELETE: Final = "DELETE FROM country_rules WHERE id = $1"


@operation(Permission.settings_read, "read")
async def get(op: Op, user_uuid: UUID | None = None) -> CountryRules:
    """Returns the installation's rule of countries, yours, and what holds by both, with the caps that were reached
    lately.

    Administrators may name a user. Raises NotFound.
    """
    user = _user(op, user_uuid)
    return await _answer(op, op.db, user, user_uuid)


@operation(Permission.settings_read, "read")
async def check(op: Op, to: str, user_uuid: UUID | None = None) -> CountryCheck:
    """Returns whether an SMS to a number would be accepted now, and what the caps leave. Nothing is sent or counted.
    Raises BadRequest (`invalid_recipient`), NotFound (user).
    """
    phone = normalise(MessageChannel.sms, to, op.services.settings.default_region, op.services.guard)
    user, of_number = _user(op, user_uuid), country(phone)
    rules = await _read(op.db, user)
    caps = Caps.of(user, rules, of_number)
    left = {cap: await country_caps.left(op.services, caps, cap) for cap in caps.buckets}
    used_up = next((cap for cap, count in left.items() if count < 1), None)
    refusal = rules.refusal(of_number) or (CountryRefusal(used_up.value) if used_up else None)
    return CountryCheck(
        to=phone,
        country=of_number,
        allowed=refusal is None,
        refused_by=refusal,
        left_this_hour=left.get(CountryCap.hour),
        left_today=left.get(CountryCap.day),
    )


async def _within_limit(op: Op, input: SetCountryRules) -> None:
    """Raises RateLimited."""
    await op.services.limiter.enforce(_LIMIT, str(op.viewer.actor_id), "changes of rules")


@operation(Permission.settings_write, "sql", before=_within_limit)
async def set(op: Op, input: SetCountryRules) -> CountryRules:
    """Replaces your rule of countries, which may only become narrower. Administrators set any user's, and the
    installation's. Raises NotFound (user), Forbidden, RateLimited.
    """
    db, new = op.connection, rule_of(input.allow, input.deny, input.per_hour, input.per_day)
    if input.scope is CountryRuleScope.installation:
        if not op.viewer.admin:
            raise Forbidden(
                "Only administrators may set the installation's rule. Leave out `scope` to set your own."
            )
        await db.execute(_LOCK_INSTALLATION)
        old = (await _read(db, op.viewer.id)).installation
        await _store(db, INSTALLATION, None, new, old)
        return await _answer(op, db, op.viewer.id, None)
    user = _user(op, input.user_uuid)
    await db.execute(_LOCK, user)
    old = (await _read(db, user)).own
    if not (op.viewer.admin or is_within(new, old)):
        raise Forbidden(
            "You may make your rule narrower, but this one would allow more than the present one. Ask an administrator"
            " to set it.",
            code="country_rule_wider",
        )
    await _store(db, user, user, new, old)
    return await _answer(op, db, user, input.user_uuid)


async def _store(db: Any, id: UUID, owner: UUID | None, new: Rule, old: Rule) -> None:
    """Stores a rule. One that limits nothing is no row, unless there were caps, whose counts must not come back."""
    if new.is_open and old.per_hour is None and old.per_day is None:
        await db.execute(_DELETE, id)
    else:
        allow = None if new.allow is None else sorted(new.allow)
        raised = raises_cap(new, old)
        await db.execute(_SET, id, owner, allow, sorted(new.deny), new.per_hour, new.per_day, int(raised))
    if raises_cap(new, old):
        await make_due(db, owner, WAITS)


def _user(op: Op, id: UUID | None) -> UUID:
    """Returns whose rules are meant. Raises NotFound for another user than the caller."""
    if id is None or id == op.viewer.id or op.viewer.admin:
        return id or op.viewer.id
    raise _unknown()


def _unknown() -> NotFound:
    return NotFound("There is no user with this id. Check the id.", code="user_not_found")


async def _read(db: Any, user: UUID) -> Rules:
    row = await db.fetchrow(_READ, user)
    if row is None:
        raise _unknown()
    return rules_of(row["rules"]) or NONE


async def _answer(op: Op, db: Any, user: UUID, chosen: UUID | None) -> CountryRules:
    rules = await _read(db, user)
    everybody = op.viewer.admin and chosen is None
    limited = await (db.fetch(_ALL_LIMITED) if everybody else db.fetch(_LIMITED, user))
    return CountryRules(
        installation=_shape(rules.installation),
        own=_shape(rules.own),
        effective=_shape(rules.effective.listed),
        limited=[CountryLimit.model_validate(dict(row)) for row in limited],
    )


def _shape(rule: Rule) -> CountryRule:
    return CountryRule(
        allow=None if rule.allow is None else sorted(rule.allow),
        deny=sorted(rule.deny),
        per_hour=rule.per_hour,
        per_day=rule.per_day,
    )
