"""Does things to the cluster under load, and measures the times, the messages, and what the instruments say."""

import asyncio
import os
import re
import signal
import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, Final

from tests.patroni.cluster import ASYNCHRONOUS, SYNCHRONOUS
from tests.patroni.world import GAP, World

POSTGRES_SECONDS: Final = 15.0
NODE_SECONDS: Final = 45.0
_NAMED_SECONDS = 60.0  # within which each instrument must name the cause
_CALM = 5.0  # seconds of load between two faults

NO_PRIMARY: Final = {
    "doctor": r"✗ PostgreSQL .*no host takes writes: .*Connection refused",
    "metrics": r"postern_database_up 0",
    "log": r"no host takes writes: .*Connection refused",
}
NO_STANDBY: Final = {
    "doctor": r"✗ standby .*commits? waits? for a synchronous standby",
    "metrics": r"postern_commits_waiting [1-9]",
    "log": r"commits wait for a synchronous standby",
}
FENCED: Final = {
    "doctor": r"✗ restore .*nothing is sent",
    "metrics": r"postern_fenced 1",
    "log": r"the database was restored",
}


@dataclass
class Result:
    """The measurements of one kind of fault: seconds until a message was accepted, and delivered, for each time."""

    title: str
    most: float | None = None
    accepted: list[float] = field(default_factory=list)
    delivered: list[float] = field(default_factory=list)
    named: dict[str, float] = field(default_factory=dict)  # the longest of each instrument
    counts: dict[str, Any] = field(default_factory=dict)
    problems: list[str] = field(default_factory=list)

    def add(self, times: tuple[float, float]) -> None:
        """Adds one measurement, in which both must be back in time."""
        self.accepted.append(times[0])
        self.delivered.append(times[1])
        if self.most is not None and max(times) > self.most:
            self.problems.append(f"{self.title}: back after {max(times):.1f} s, {self.most:g} at most")


def _metric_of(pattern: str) -> str:
    return pattern.partition(" ")[0]


async def named(it: World, result: Result, patterns: Mapping[str, str], log_from: int) -> None:
    """Asks the instruments until each has named the cause. The caller cancels it when the cause is gone."""
    begun = time.monotonic()
    left = dict(patterns)
    while left and time.monotonic() < begun + _NAMED_SECONDS:
        said = {"log": "\n".join(it.logged(log_from))}
        name = _metric_of(patterns["metrics"])
        with suppress(Exception):  # whatever an API process that starts or hangs makes the client raise
            value = await it.metric(name)
            said["metrics"] = "" if value is None else f"{name} {value:.0f}"
        if "doctor" in left and "metrics" not in left:
            said["doctor"] = "\n".join(await it.doctor())
        for instrument, text in said.items():
            if instrument in left and re.search(left[instrument], text):
                seconds = time.monotonic() - begun
                result.named[instrument] = max(seconds, result.named.get(instrument, 0.0))
                del left[instrument]
        await asyncio.sleep(0.3)
    result.problems += [f"{result.title}: {instrument} does not name the cause" for instrument in left]


async def _crash(it: World) -> None:
    (await it.cluster.leader()).kill_postgres()


async def _node(it: World) -> None:
    await (await it.cluster.leader()).kill()


async def repeat(
    it: World, result: Result, fault: Callable[[World], Awaitable[None]], times: int, *, asks: bool = False
) -> None:
    """Makes a fault so often under load, and measures each time until messages are accepted and delivered again.

    `asks`: the instruments must name the cause meanwhile, each time.
    """
    it.load()
    for number in range(times):
        await it.cluster.settled()
        await asyncio.sleep(_CALM)
        before = [node for node in it.cluster.nodes if node.process and node.process.returncode is None]
        log_from = it.log.stat().st_size
        since = time.monotonic()
        await fault(it)
        asking = asyncio.create_task(named(it, result, NO_PRIMARY, log_from)) if asks else None
        back = await it.back(since)
        result.add(back)
        if asking is not None:
            await _settle(asking, result)
        for node in before:
            if node.process and node.process.returncode is not None:
                await node.start()
        print(
            f"  {result.title} {number + 1}: accepted {back[0]:.1f} s, delivered {back[1]:.1f} s", flush=True
        )
    await it.cluster.settled()
    await it.end_load()


async def _settle(asking: "asyncio.Task[None]", result: Result) -> None:
    """Ends the questions: what was not named by the time at which all was well again, is not named."""
    try:
        await asyncio.wait_for(asking, 10)  # a doctor that has begun says what it saw
    except TimeoutError:
        result.problems.append(f"{result.title}: not all instruments named the cause in time")


async def switch_over(it: World, result: Result, times: int) -> None:
    """Changes the primary in order so often, and measures the longest time without an accepted or delivered message."""
    it.load()
    for _ in range(times):
        await it.cluster.settled()
        await asyncio.sleep(_CALM)
        since = time.monotonic()
        await it.cluster.switch_over()
        await it.back(time.monotonic())
        result.add(it.longest_gaps(since))
    await it.cluster.settled()
    await it.end_load()


async def frozen(it: World, result: Result) -> None:
    """Freezes all processes of the primary's node, as a hypervisor does with a machine: its connections stay open. The
    node goes on when another one is the primary.

    Without a watchdog, a Patroni that overwrites the key of the new primary (3.0.2 with etcd's version 3 can) takes
    the old data back. Then what was accepted meanwhile is lost, and Postern has to notice.
    """
    leader, before = await it.cluster.settled(), len(it.people)
    it.load()
    await asyncio.sleep(GAP + _CALM)
    since = time.monotonic()
    leader.signal(signal.SIGSTOP)
    try:
        result.add(await it.back(since))
        await asyncio.sleep(2 * GAP)  # beats of the new primary
    finally:
        log_from = it.log.stat().st_size
        leader.signal(signal.SIGCONT)
    await asyncio.sleep(GAP)
    went_back = await it.cluster.settled() is leader
    if went_back:
        await named(it, result, FENCED, log_from)
        it.command("resume")
    await it.end_load()
    result.counts = {**await it.verdict(it.people[before:]), "went back": went_back}
    _note(result, _TWICE if went_back else _WRONG)


async def no_standby(it: World, result: Result) -> None:
    """Kills both standbys: nothing may be accepted, and each instrument says why. Then they come back."""
    it.load()
    leader = await it.cluster.settled()
    await asyncio.sleep(_CALM)
    standbys = [node for node in it.cluster.nodes if node is not leader]
    log_from = it.log.stat().st_size
    for node in standbys:
        await node.kill()
    gone = time.monotonic()
    await named(it, result, NO_STANDBY, log_from)
    late = [number for number, each in it.accepted.items() if each.begun > gone]
    if late:
        result.problems.append(f"{result.title}: {len(late)} messages were accepted that no standby has")
    since = time.monotonic()
    for node in standbys:
        await node.start()
    result.add(await it.back(since))
    await it.cluster.settled()
    await it.end_load()


_TWICE: Final = ("twice_answered", "twice_unanswered", "sent_but_not", "failed_but_sent")
_WRONG: Final = (*_TWICE, "lost", "silent", "waiting", "gave_up", "not_accepted")


def _note(result: Result, wrong: Sequence[str]) -> None:
    """Notes the counts that must be zero and are not."""
    counts = result.counts
    result.problems += [f"{result.title}: {name} {counts[name]}" for name in wrong if counts[name]]


async def count(it: World, result: Result) -> None:
    """Counts by person, and looks whether the failovers were taken for a restore."""
    result.counts = counts = await it.verdict()
    _note(result, _WRONG)
    if counts["money"] != "right":
        result.problems.append(f"{result.title}: the money is {counts['money']}")
    row = await it.row()
    if row["fenced_at"] is not None or row["failed_over_at"] is not None:
        result.problems.append(
            f"{result.title}: a failover that lost nothing counts as one that did: {dict(row)}"
        )


async def lost_nothing(it: World, result: Result) -> None:
    """An asynchronous failover that lost nothing: it is no restore, and the doctor has nothing to say of it."""
    await it.cluster.configure(ASYNCHRONOUS)
    await it.cluster.settled(synchronous=False)
    it.load()
    await asyncio.sleep(GAP + 3)  # a beat of the installation at least
    await it.end_load()
    await it.verdict()
    leader = await it.cluster.settled(synchronous=False)
    await _caught_up(it)
    it.load()
    since = time.monotonic()
    await leader.kill()
    result.add(await it.back(since))
    await leader.start()
    await it.cluster.settled(synchronous=False)
    await it.end_load()
    await count(it, result)
    doctor = [line for line in await it.doctor() if line[2:].startswith("restore")]
    result.problems += [f"{result.title}: the doctor says {line}" for line in doctor if line[0] != "✓"]


async def _caught_up(it: World) -> None:
    """Waits until the standbys have all of the WAL."""
    db = await it.cluster.connect("postgres")
    try:
        async with asyncio.timeout(60):
            while not await db.fetchval(
                "SELECT bool_and(flush_lsn >= pg_current_wal_lsn()) FROM pg_stat_replication"
            ):
                await asyncio.sleep(0.05)
    finally:
        await db.close()


async def lost_a_tail(it: World, result: Result) -> None:
    """An asynchronous failover that lost more than the gap: nothing is sent until a person resumes, and nobody gets
    a message twice.
    """
    leader = await it.cluster.settled(synchronous=False)
    it.load()
    await asyncio.sleep(GAP + 3)
    senders = await it.cluster.senders()
    for pid in senders:
        os.kill(pid, signal.SIGSTOP)  # from now on no standby gets any WAL
    tail = time.monotonic()
    await asyncio.sleep(2 * GAP + 15)
    log_from = it.log.stat().st_size
    killed = time.monotonic()
    await leader.kill()
    await it.cluster.leader()
    in_tail = {n for n, each in it.accepted.items() if each.begun < killed and each.answered > tail - 1}
    await named(it, result, FENCED, log_from)
    sent = len(it.recorder.attempts)
    accepted = await _accepted_after(it, killed)
    await asyncio.sleep(5)
    if len(it.recorder.attempts) != sent:
        result.problems.append(f"{result.title}: something was sent before `postern resume`")
    result.accepted.append(accepted - killed)
    print("  " + it.command("resume").strip().replace("\n", "\n  "), flush=True)
    await leader.start()
    await it.cluster.settled(synchronous=False)
    await it.end_load()
    result.counts = counts = await it.verdict(
        [person for person in it.people if person.number not in in_tail]
    )
    for name in ("twice_answered", "twice_unanswered", "sent_but_not", "failed_but_sent", "waiting", "lost"):
        if counts[name]:
            result.problems.append(f"{result.title}: {name} {counts[name]}")
    twice = [number for number, each in it.recorder.deliveries().items() if len(each) > 1]
    if twice:
        result.problems.append(f"{result.title}: {len(twice)} got a message twice")
    row = await it.row()
    if row["fence_reason"] is not None or row["resumed_as"] != "unknown":
        result.problems.append(f"{result.title}: {dict(row)}")


async def _accepted_after(it: World, since: float) -> float:
    """Returns when the first message was accepted whose request began after this moment."""
    async with asyncio.timeout(120):
        while True:
            later = [each.answered for each in it.accepted.values() if each.begun > since]
            if later:
                return min(later)
            await asyncio.sleep(0.05)


async def run(it: World, *, postgres: int, nodes: int, switches: int, only: str) -> list[Result]:
    """Does all of it, one after the other on one cluster, and returns the measurements."""
    results = []

    def begin(title: str, most: float | None = None) -> Result:
        results.append(Result(title, most))
        print(results[-1].title, flush=True)
        return results[-1]

    if only in ("", "sync"):
        await repeat(it, begin("postgres killed", POSTGRES_SECONDS), _crash, postgres)
        await repeat(it, begin("node killed", NODE_SECONDS), _node, nodes, asks=True)
        await switch_over(it, begin("switchover", POSTGRES_SECONDS), switches)
        await no_standby(it, begin("both standbys killed"))
        await count(it, begin("all synchronous ones"))
    if only in ("", "async"):
        await lost_nothing(it, begin("asynchronous, lost nothing", NODE_SECONDS))
        await lost_a_tail(it, begin("asynchronous, lost a tail"))
    if only in ("", "frozen"):
        await it.cluster.configure(SYNCHRONOUS)
        await frozen(it, begin("node frozen", NODE_SECONDS))
    return results
