"""A sink that keeps what it was told, checks the port's rules meanwhile, and can be told to lose the account."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, TypeVar

import pytest

from engine.messengers import states
from messengers.port import Account, Change, Connection, Driver, Event, Lost, Message, Progress
from shapes.messenger_accounts import AccountState
from tests.messengers.rig import Can, How, Rig
from tests.support.waits import until

S = AccountState
Kind = TypeVar("Kind")


class Recorder:
    """Records what one connection reports. `wrong` are sentences about what it must not have done."""

    def __init__(self) -> None:
        self.changes: list[Change] = []
        self.sessions: list[str | None] = []
        self.events: list[Event] = []
        self.batches: list[tuple[Sequence[Event], Mapping[str, Any] | None]] = []
        self.cursor: Mapping[str, Any] | None = None
        self.wrong: list[str] = []
        self.lost = False  # from now on every call raises Lost
        self.ended = False  # nothing may be told any more
        self.told_after_lost = 0

    @property
    def states(self) -> list[AccountState]:
        """Returns the states that it went through, each once in a row."""
        states = [change.state for change in self.changes]
        return [state for place, state in enumerate(states) if not place or states[place - 1] is not state]

    @property
    def state(self) -> AccountState:
        return self.changes[-1].state if self.changes else S.stopped

    def of(self, kind: type[Kind]) -> list[Kind]:
        return [event for event in self.events if isinstance(event, kind)]

    def came(self) -> list[Message]:
        """New messages that came in, without those told twice."""
        messages = {
            (message.thread, message.provider_id): message
            for message in self.of(Message)
            if not message.outgoing and not message.past
        }
        return list(messages.values())

    def statuses(self, provider_id: str) -> list[str]:
        """Returns the reported statuses that name that message, those with `up_to` included."""
        return [progress.status for progress in self.of(Progress) if progress.provider_id == provider_id]

    async def changed(self, change: Change) -> None:
        self._allowed(f"state {change.state}")
        before = self.state if self.changes else S.starting
        if not states.may_report(before, change.state):
            self.wrong.append(f"{before} → {change.state} is no move")
        if change.state in (S.waitQr, S.showCode) and not change.value:
            self.wrong.append(f"{change.state} without a value")
        if change.value and change.value in repr(change):
            self.wrong.append("a value stands in a repr")
        self.changes.append(change)

    def seconds_left(self) -> float:
        return 8.0

    async def restarting(self) -> None: ...

    async def session(self, session: str | None) -> None:
        self._allowed("a session")
        if session is not None and self.state is S.working and not self.sessions:
            self.wrong.append("the session came after working")
        self.sessions.append(session)

    async def apply_events(self, events: Sequence[Event], cursor: Mapping[str, Any] | None = None) -> None:
        self._allowed(f"{len(events)} events")
        json.dumps(cursor)  # it is kept as JSON
        self.events += events
        self.batches.append((list(events), cursor))
        self.cursor = self.cursor if cursor is None else dict(cursor)
        for event in events:
            if isinstance(event, Message) and "\0" in event.text:
                self.wrong.append("a text holds NUL")

    def _allowed(self, what: str) -> None:
        if self.ended:
            self.wrong.append(f"told after the end: {what}")
        if self.lost:
            self.told_after_lost += 1
            raise Lost


class Live:
    """Holds one account of a rig, its current connection, and what all its connections reported."""

    def __init__(self, rig: Rig, account: Account) -> None:
        self.rig = rig
        self.account = account
        self.told = Recorder()
        self.connection: Connection = rig.driver.connect(account, self.told)

    async def start(self) -> None:
        await self.connection.start()

    async def at(self, state: AccountState) -> Change:
        """Waits until it is there; the change that said so."""
        driver: Driver = self.rig.driver
        await until(lambda: self.told.state is state or _resting(self.told))
        assert self.told.state is state, (driver.name, self.told.states, self.told.changes[-1])
        return self.told.changes[-1]

    async def log_in(self, how: How) -> None:
        """Does all that a person does until the account works."""
        await self.start()
        if how in (How.qr, How.qr_password):
            await self.admit(S.waitQr)
        elif how is How.pairing:
            await self.admit(S.showCode)
        elif how in (How.code, How.code_password):
            await self.at(S.waitCode)
            await self.connection.code(self.rig.right_code)
        if how in (How.qr_password, How.code_password):
            await self.at(S.waitPassword)
            await self.connection.password(self.rig.right_password)
        await self.at(S.working)

    async def admit(self, state: AccountState) -> None:
        """Uses what is shown to log in. If it expires in just that moment, uses what is shown next."""
        used: set[str | None] = set()

        async def over() -> bool:
            change = self.told.changes[-1]
            if change.state is state and change.value not in used:
                used.add(change.value)
                await self.rig.admit(self.account, change.value or "")
            return self.told.state in (S.waitPassword, S.syncing, S.working)

        await self.at(state)
        await until(lambda: _resting(self.told) or over())

    async def close(self) -> None:
        """It says nothing any more."""
        await self.connection.close()
        self.told.ended = True
        assert not self.told.wrong

    async def again(self) -> "Live":
        """The account as the host kept it, and a new connection, not yet started."""
        session = self.told.sessions[-1] if self.told.sessions else self.account.session
        cursor = self.account.cursor if self.told.cursor is None else self.told.cursor
        return Live(self.rig, replace(self.account, session=session, cursor=cursor))


def _resting(recorder: Recorder) -> bool:
    return recorder.state in (S.failed, S.loggedOut, S.blocked)


def easiest(rig: Rig) -> How:
    """The shortest way to a working account."""
    order = (How.session, How.qr, How.pairing, How.code, How.code_password, How.qr_password)
    return next(how for how in order if how in rig.hows)


def needs(rig: Rig, *can: Can) -> None:
    """Skips where the counterpart can't; its rig says why."""
    if missing := set(can) - rig.can:
        pytest.skip(f"not at this messenger: {', '.join(sorted(missing))}")
