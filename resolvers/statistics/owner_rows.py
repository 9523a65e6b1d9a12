"""SQL that is limited to the caller's own rows; administrators see everybody's."""

from collections.abc import Sequence
from functools import cache
from uuid import UUID

from runtime.operation import Op


def _mine(column: str, everyone: bool) -> str:
    """Returns the condition for rows that the caller may see; the caller's id is then the last argument."""
    return "true" if everyone else f"{column} = {{}}"


@cache
def owner_sql(template: str, column: str, everyone: bool, number: int = 1) -> str:
    """Returns the SQL for rows that the caller may see: MINE says where. The caller's id is the argument `number`."""
    return template.replace("MINE", _mine(column, everyone).format(f"${number}"))


def owner_arguments(op: Op) -> Sequence[UUID]:
    """Returns the arguments that `owner_sql` needs: the caller's id; none for an administrator."""
    return [] if op.viewer.admin else [op.viewer.id]
