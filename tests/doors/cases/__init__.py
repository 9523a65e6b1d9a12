"""One file a feature of Area B; `matrix.py` and `test_matrix.py` put them together."""

from tests.doors.cases import (
    ai,
    blocks,
    events,
    exports,
    files,
    imports,
    message_records,
    recipients,
    repeatable,
    sending_projects,
    source_accounts,
    statistics,
    tariffs,
    test_sending,
)

FEATURES = (
    ai,
    blocks,
    events,
    exports,
    files,
    imports,
    message_records,
    recipients,
    repeatable,
    sending_projects,
    source_accounts,
    statistics,
    tariffs,
    test_sending,
)
