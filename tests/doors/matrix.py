"""Every operation with a call of each door that succeeds for its owner (tests/doors/cases)."""

from typing import Any

from tests.doors.case import Case
from tests.doors.cases import FEATURES

MATRIX: dict[str, Case] = {name: case for feature in FEATURES for name, case in feature.CASES.items()}

# The same operation by an id that stands elsewhere than in the path: accounts of settings and lists.
OTHER_WAYS: dict[str, tuple[str, str, Any, int]] = {
    "settings.list by account": ("GET", "/settings?scope=account&accountId={account}", None, 404),
    "settings.get by account": ("GET", "/settings/a?scope=account&accountId={account}", None, 404),
    "settings.put by account": ("PUT", "/settings/a?scope=account&accountId={account}", {"value": 1}, 404),
    "settings.update by account": ("PATCH", "/settings?scope=account&accountId={account}", {"a": 1}, 404),
    "settings.delete by account": ("DELETE", "/settings/a?scope=account&accountId={account}", None, 404),
    "messages.list by account": ("GET", "/messages?accountId={account}", None, 200),
}
