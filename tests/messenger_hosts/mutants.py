"""Hosts that are broken on purpose: the tests of ownership must turn red with each of them, or they prove nothing.

`python -m tests.messenger_hosts.mutants NAME` is a worker with that fault.
"""

import sys
from collections.abc import Collection

from engine.messengers import account_writer, leases


def no_fencing() -> None:
    """Removes the check that a worker still has the account."""
    fence = leases.FENCED.format(id="$1", holder="$2", fence="$3")
    always = "($2::uuid IS NOT NULL AND $3::bigint IS NOT NULL)"
    for name in ("_STATE", "_SESSION", "_CURSOR", "_CHECKED", "_CLEARED"):
        sql = getattr(account_writer, name)
        assert fence in sql
        setattr(account_writer, name, sql.replace(fence, always))
    leases.AccountLease.valid = property(lambda self: True)  # type: ignore[assignment, method-assign]

    async def nothing_is_lost(
        self: leases.Leases, _connection: object, held: Collection[leases.AccountLease]
    ) -> set[leases.AccountLease]:
        await self.appear()
        return set(held)

    leases.Leases.renew = nothing_is_lost  # type: ignore[method-assign]


def kept_for_ever() -> None:
    """Keeps a process that stops from giving back its leases."""

    async def not_at_all(self: leases.Leases, excluding: object) -> None: ...

    leases.Leases.give_back_all = not_at_all  # type: ignore[assignment, method-assign]


MUTANTS = {mutant.__name__: mutant for mutant in (no_fencing, kept_for_ever)}

if __name__ == "__main__":
    MUTANTS[sys.argv[1]]()
    sys.argv = ["postern", "worker"]
    from postern.cli import app

    app()
