"""A machine whose wall clock is wrong: every module of ours then reads another time, and the database does not."""

import datetime as dt
import sys
import time
from datetime import timedelta
from typing import Any

import pytest

_OURS = ("engine", "resolvers", "postern", "db", "channels", "messengers")


def shift(monkeypatch: pytest.MonkeyPatch, hours: float) -> None:
    """Sets this process's wall clock ahead by so many hours, for the code of ours that reads it."""
    ahead, true_time = timedelta(hours=hours), time.time

    class Kind(type):
        def __instancecheck__(cls, value: Any) -> bool:
            return isinstance(value, dt.datetime)

    class Shifted(dt.datetime, metaclass=Kind):
        @classmethod
        def now(cls, tz: Any = None) -> Any:
            return dt.datetime.now(tz) + ahead

    for name, module in list(sys.modules.items()):
        if name.split(".")[0] in _OURS and getattr(module, "datetime", None) is dt.datetime:
            monkeypatch.setattr(module, "datetime", Shifted)
    monkeypatch.setattr(time, "time", lambda: true_time() + hours * 3600)
