"""The purposes of an installation, which switch its modules, and its billing (contract §9.9, 9.10)."""

from collections.abc import Collection
from typing import Any, Final
from uuid import UUID

from core.errors import Conflict
from core.settings import Settings
from runtime import audit
from runtime.operation import Op, operation
from runtime.permissions import Permission
from runtime.services import Services
from shapes.purposes import Billing, InstallationView, Module, ModuleUse, Purpose, Purposes, PurposesPatch

_LOCK: Final = "SELECT pg_advisory_xact_lock(hashtextextended('postern:purposes', 0))"
_READ: Final = "SELECT purposes, billing FROM installation_choice"
_WRITE: Final = """
INSERT INTO installation_choice AS c (purposes, billing, billing_since, changed_at, changed_by)
VALUES ($1, $2, CASE WHEN $3 THEN now() END, now(), $4)
ON CONFLICT (single) DO UPDATE SET purposes = $1, billing = $2, changed_at = now(), changed_by = $4,
  billing_since = CASE WHEN $3 THEN now() ELSE c.billing_since END
"""
# What goes on in a module whatever its switch says, with its plural. Each count reads an index or a small table.
_GOING_ON: Final[dict[Module, tuple[tuple[str, str], ...]]] = {
    Module.messengers: (
        ("messenger account|s", "SELECT count(*) FROM messenger_accounts WHERE deleted_at IS NULL"),
    ),
    Module.people: (
        ("sign-up form|s", "SELECT count(*) FROM signup_forms"),
        ("import|s under way", "SELECT count(*) FROM recipient_imports WHERE status = 'processing'"),
    ),
    Module.trade: (
        ("rule|s of SMS routes", "SELECT count(*) FROM route_rules"),
        ("price list|s", "SELECT count(*) FROM price_lists"),
        ("limit|s of countries", "SELECT count(*) FROM country_rules"),
    ),
    Module.mail: (("domain|s of emails", "SELECT count(*) FROM domains"),),
    Module.events: (
        ("event sink|s", "SELECT count(*) FROM event_sinks WHERE enabled"),
        ("webhook|s", "SELECT count(*) FROM webhooks WHERE enabled"),
    ),
}


@operation(Permission.profile_read, "read")
async def view(op: Op) -> InstallationView:
    """Returns which modules are on, and whether messages cost money: what a front end needs to know of the
    installation.
    """
    choice = await op.services.choices.now()
    return InstallationView(
        modules=sorted(choice.modules),
        billing=choice.billing,
        purposes=sorted(choice.purposes),
        writes_texts=op.services.settings.ai_url is not None,
    )


@operation(Permission.system_read, "read")
async def get(op: Op) -> Purposes:
    """Returns what the installation is for, and what goes on in each module. Administrators only."""
    return await _shape(op)


async def _possible(op: Op, input: PurposesPatch) -> None:
    """Raises Conflict (`set_by_setting`) for what the settings of the process decide."""
    settings = op.services.settings
    for name, value, setting in (
        ("POSTERN_PURPOSE", input.purposes, settings.purpose),
        ("POSTERN_BILLING", input.billing, settings.billing),
    ):
        if value is not None and setting:
            raise Conflict(
                f"{name} sets this, and wins over the console. Change the setting, and start Postern again.",
                code="set_by_setting",
            )


async def _after(op: Op, _: None) -> Purposes:
    op.services.choices.forget()
    return await _shape(op)


def _first_billing(settings: Settings, purposes: Collection[Purpose]) -> Billing:
    """Returns the billing that the first choice of purposes brings along."""
    is_free = settings.billing is None and purposes and Purpose.resale not in purposes
    return Billing.off if is_free else Billing.prepaid


async def choose_first(
    services: Services, connection: Any, purposes: Collection[Purpose], chosen_by: UUID
) -> None:
    """Stores the first choice of purposes, in the transaction of this asyncpg connection, unless there is one, or the
    settings decide.
    """
    if not purposes or services.settings.purpose:
        return
    await connection.execute(_LOCK)
    if await connection.fetchrow(_READ) is None:
        await _store(connection, None, purposes, _first_billing(services.settings, purposes), chosen_by)


async def _store(
    connection: Any, row: Any, purposes: Collection[Purpose], billing: Billing, chosen_by: UUID
) -> None:
    """Stores a choice in place of the one in `row`, and an entry in the audit."""
    chosen = sorted(set(purposes))
    before = Billing(row["billing"]) if row is not None else Billing.prepaid
    await connection.execute(_WRITE, chosen, billing, billing is not before, chosen_by)
    changes = {"purposes": [row and row["purposes"], chosen], "billing": [before, billing]}
    await audit.record(connection, None, "installation", None, changes)


@operation(Permission.users_admin, "sql", before=_possible, after=_after)
async def set_purposes(op: Op, input: PurposesPatch) -> None:
    """Chooses what the installation is for: the modules that it needs are on, the others off. What goes on in a module
    that is off ends in its own time, and nothing is deleted. Administrators only. Raises Conflict
    (`set_by_setting`).

    The first choice of purposes switches billing off, unless it is among the changes or `resale` is chosen.
    """
    await op.connection.execute(_LOCK)
    row = await op.connection.fetchrow(_READ)
    purposes = input.purposes
    if purposes is None:
        purposes = [Purpose(name) for name in row["purposes"]] if row is not None else []
    billing = input.billing
    if billing is None:
        settings = op.services.settings
        billing = Billing(row["billing"]) if row is not None else _first_billing(settings, purposes)
    await _store(op.connection, row, purposes, billing, op.viewer.actor_id)


async def _shape(op: Op) -> Purposes:
    settings = op.services.settings
    choice = await op.services.choices.now()
    return Purposes(
        purposes=sorted(choice.purposes),
        modules=[
            ModuleUse(name=module, on=module in choice.modules, going_on=await _going_on(op, module))
            for module in Module
        ],
        billing=choice.billing,
        billing_since=choice.billing_since,
        purposes_by_setting=bool(settings.purpose),
        billing_by_setting=settings.billing is not None,
        changed_at=choice.changed_at,
    )


async def _going_on(op: Op, module: Module) -> list[str]:
    """Returns what goes on in a module, each with its number."""
    counts = [(name, await op.services.db.fetchval(sql)) for name, sql in _GOING_ON[module]]
    return [f"{count} {name.replace('|s', '' if count == 1 else 's')}" for name, count in counts if count]
