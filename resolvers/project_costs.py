"""Adds up the ledger entries of projects."""

from collections.abc import Sequence
from typing import Any
from uuid import UUID

from resolvers.accounts import visible as visible_account
from resolvers.sending_projects.project_rows import visible
from runtime.operation import Op, operation
from runtime.permissions import Permission
from shapes.project_costs import ProjectCost

# An account can change its owner, and what it paid is then the new owner's to know.
_COSTS = """
SELECT e.project_id, e.account_id, a.currency, COALESCE(-sum(e.amount) FILTER (WHERE e.amount < 0), 0) AS charged,
  COALESCE(sum(e.amount) FILTER (WHERE e.amount > 0), 0) AS refunded, -sum(e.amount) AS cost, count(*)::int4 AS entries
FROM ledger_entries AS e JOIN accounts AS a ON a.id = e.account_id
WHERE e.project_id = ANY($1) AND ($2 OR a.owner_id = $3)
GROUP BY e.project_id, e.account_id, a.currency
"""


@operation(Permission.accounts_read, "read")
async def get(op: Op, id: UUID) -> ProjectCost:
    """Returns what a project has cost, also one that was deleted: its charges and refunds together. Raises NotFound."""
    costs = await _costs(op, [id])
    if cost := next(iter(costs.values()), None):
        return cost
    project: Any = await visible(op, id)
    account = await visible_account(op, project.account_id)
    return _nothing(id, account.id, account.currency)


@operation(Permission.accounts_read, "read")
async def of_projects(op: Op, projects: Sequence[tuple[UUID, UUID]]) -> Sequence[ProjectCost | None]:
    """Returns what each project has cost its account, for pairs of both; None if there is no entry, or the caller does
    not see the account.
    """
    costs = await _costs(op, list({project for project, _ in projects}))
    return [costs.get(pair) for pair in projects]


async def _costs(op: Op, projects: Sequence[UUID]) -> dict[tuple[UUID, UUID], ProjectCost]:
    rows: Any = await op.db.fetch(_COSTS, projects, op.viewer.admin, op.viewer.id)
    return {(row["project_id"], row["account_id"]): ProjectCost.model_validate(dict(row)) for row in rows}


def _nothing(project: UUID, account: UUID, currency: str) -> ProjectCost:
    values = {"charged": 0, "refunded": 0, "cost": 0, "entries": 0}
    return ProjectCost.model_validate(
        {"project_id": project, "account_id": account, "currency": currency, **values}
    )
