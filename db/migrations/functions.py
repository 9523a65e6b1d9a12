"""Changes the text of a database function in a migration."""

from collections.abc import Sequence

from alembic import op


def change(name: str, changes: Sequence[tuple[str, str]]) -> None:
    """Replaces each left side by its right side, wherever the function has it; a side that is replaced already
    stays.
    """
    function = str(op.get_bind().exec_driver_sql(f"SELECT pg_get_functiondef('{name}'::regproc)").scalar())
    for before, after in changes:
        if after not in function:
            assert before in function, before
            function = function.replace(before, after)
    op.get_bind().exec_driver_sql(function)
