"""A bug of our own code is a failed call with a traceback in the log, and ends an account that can't connect for it."""

from typing import Any

import pytest

from messengers.port import Broken, Unreachable
from messengers.telegram import connection as connections
from messengers.telegram import errors
from shapes.messenger_accounts import AccountState


def test_a_bug_is_no_lost_connection(monkeypatch: pytest.MonkeyPatch) -> None:
    logged = []
    monkeypatch.setattr(errors.log, "error", lambda event, exc_info: logged.append((event, exc_info)))
    bug = TypeError("it wants another argument")
    assert isinstance(errors.failure(bug), Broken)
    assert logged == [("the Telegram driver failed at a call", bug)]
    for lost in (OSError(), EOFError(), ValueError()):
        assert isinstance(errors.failure(lost), Unreachable)
    assert len(logged) == 1


async def test_a_bug_while_connecting_ends_the_account(
    live: Any, monkeypatch: pytest.MonkeyPatch, driver: Any
) -> None:
    logged = []

    async def broken(self: Any) -> None:
        raise TypeError("it wants another argument")

    monkeypatch.setattr(connections.TelegramConnection, "_run_connection", broken)
    monkeypatch.setattr(connections.log, "error", lambda event, **more: logged.append(more["exc_info"]))
    monkeypatch.setattr(driver, "pauses", (0.01, 0.01))
    own = live()
    await own.start()
    await own.sink.reach(AccountState.failed)
    assert own.sink.changes[-1].code == "driver_broken"
    assert [type(error) for error in logged] == [TypeError]
