"""Changes tables that every request needs, from a migration."""

import time
from collections.abc import Sequence

from alembic import op
from sqlalchemy.exc import DBAPIError

_WAIT = "SET LOCAL lock_timeout = '300ms'"
_PAUSE = 0.5  # seconds, in which others go on
_TRIES = 600
_NOT_AVAILABLE = "55P03"


def change_briefly(statements: Sequence[str]) -> None:
    """Runs statements together, as the last step of a migration.

    A statement that waits for a lock makes everybody wait who comes after it. So these wait for 0.3 s, give up what
    they have locked, and try again half a second later, six hundred times. It is the last step, since what is locked
    stays so until the migration commits. Raises what PostgreSQL raises.
    """
    connection = op.get_bind()
    for attempt in range(1, _TRIES + 1):
        try:
            with connection.begin_nested():
                connection.exec_driver_sql(_WAIT)
                for statement in statements:
                    connection.exec_driver_sql(statement)
            return
        except DBAPIError as error:
            if getattr(error.orig, "sqlstate", None) != _NOT_AVAILABLE or attempt == _TRIES:
                raise
            time.sleep(_PAUSE)
