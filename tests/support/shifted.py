"""A machine whose wall clock is wrong: every module of ours then reads another time, and the database does not."""

import datetime as dt
import sys
import time
from datetime import timedelta
from typing import Any

import pytest

_READERS = ("engine", "resolvers", "postern", "db", "channels", "messengers", "rest", "schema", "jose")


def shift(monkeypatch: pytest.MonkeyPatch, hours: float) -> None:
    """Sets this process's wall clock ahead by so many hours, for the code of ours that reads it."""
    ahead, true_time = timedelta(hours=hours), time.time

    class Kind(type):
        def __instancecheck__(cls, value: Any) -> bool:
            return isinstance(value, dt.datetime)

    class Shifted(dt.datetime, metaclass=Kind):
        def __new__(cls, *arguments: Any, **named: Any) -> Any:
            return dt.datetime(*arguments, **named)  # noqa: DTZ001  what is made is of the usual kind, which JSON knows

        @classmethod
        def now(cls, tz: Any = None) -> Any:
            return dt.datetime.now(tz) + ahead

    for name, module in list(sys.modules.items()):
        if name.split(".")[0] in _READERS and getattr(module, "datetime", None) is dt.datetime:
            monkeypatch.setattr(module, "datetime", Shifted)
    monkeypatch.setattr(time, "time", lambda: true_time() + hours * 3600)
