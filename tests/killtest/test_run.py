"""A whole run with a product that is a small program here: its processes die, and the count says so."""

import asyncio
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest

from killtest.adapters.port import Adapter, Person, Service, Statement, Submitted, Supervisor
from killtest.adapters.postfix import said, submit_mail
from killtest.run import Options, Run
from tests.support.waits import until

SLEEPER = [sys.executable, "-c", "import time; time.sleep(600)"]


class Forgetful(Adapter):
    """Passes mails straight on, loses those of the people with an even number, and says `sent` of all but one."""

    name = title = "forgetful"
    targets: Sequence[str] = ("sleeper",)
    senders: Sequence[str] = ("sleeper",)

    def version(self) -> str:
        return "1"

    async def start(self, supervisor: Supervisor) -> None:
        await supervisor.start([Service("sleeper", SLEEPER)])

    async def submit(self, person: Person) -> Submitted:
        if person.number % 2:
            await asyncio.to_thread(submit_mail, self.place.provider_port, person)
        return Submitted.accepted

    async def statements(self, everyone: Sequence[Person]) -> Mapping[int, Statement]:
        return {person.number: Statement.sent for person in everyone if person.number != 2}


@pytest.mark.servers
async def test_a_run_counts_by_person(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("killtest.run._CALM", 0.0)
    monkeypatch.setattr("killtest.provider.recorder.SHARES", {})
    run = Run(Forgetful, Options(seed=1, number=4, span=0.1, quiet=30, faults=False))
    monkeypatch.setattr(run.recorder, "latency", (0.0, 0.0))
    monkeypatch.setattr(run.recorder, "shares", {})
    result = await run.run()
    counts = {name: number for name, number in result["counts"].items() if number}
    assert counts == {"people": 4, "right": 2, "lost": 1, "sent_but_not": 1}
    assert result["quiet_after"] is not None
    assert not run.folder.exists()


@pytest.mark.servers
async def test_a_killed_process_is_started_again(tmp_path: Path):
    supervisor = Supervisor("killtest-here", tmp_path, seed=1)
    try:
        await supervisor.start([Service("sleeper", SLEEPER)])
        (first,) = supervisor.pids("sleeper")
        assert supervisor.kill("sleeper") == 1
        (second,) = await until(lambda: [pid for pid in supervisor.pids("sleeper") if pid != first])
        assert second != first
    finally:
        await supervisor.stop()
    assert await until(lambda: not supervisor.pids("sleeper"))


def test_a_mail_log_is_read():
    log = (
        "Nov 30 postfix/smtp[1]: 4jd: to=<person00001@example.com>, relay=x, status=deferred (timed out)\n"
        "Nov 30 postfix/smtp[1]: 4jd: to=<person00001@example.com>, relay=x, status=sent (250 Ok)\n"
        "Nov 30 postfix/smtp[1]: 4je: to=<person00002@example.com>, relay=x, status=bounced (550 No)\n"
        "Nov 30 postfix/smtp[1]: 4jf: to=<person00003@example.com>, relay=x, status=deferred (451 Later)\n"
    )
    assert said(log) == {1: Statement.sent, 2: Statement.failed, 3: Statement.none}
