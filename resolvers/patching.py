"""Fields that a PATCH may contain but not change."""

from datetime import datetime
from typing import Any

from core.errors import Forbidden
from shapes.shape import Shape


def refuse_changes(row: Any, patch: Shape, *names: str) -> None:
    """Raises Forbidden if a given field differs from the row. Times are compared in milliseconds, as shown."""
    for name in names:
        requested, current = getattr(patch, name), getattr(row, name)
        if requested is None:
            continue
        if isinstance(requested, datetime):
            same = abs((requested - current).total_seconds()) < 0.001 if requested.tzinfo else False
        elif isinstance(requested, list):
            same = set(requested) == set(current)
        else:
            same = requested == current
        if not same:
            field = type(patch).model_fields[name].alias or name
            raise Forbidden(
                f"{field} can't be changed by this request. Leave it out.",
                code="read_only_field",
                details={"field": field},
            )
