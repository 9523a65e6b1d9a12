"""A provider that says "too fast" gets a pause, and the same sender is asked again about what may have gone out."""

import asyncio
from collections import Counter
from collections.abc import Sequence
from typing import Any
from uuid import UUID

import pytest

from channels.port import Outcome, Outgoing, Result
from engine.messengers.channel import MessengerChannel
from engine.projects import project_moves, scheduler
from engine.sending.limits import MESSAGES_PER_ACCOUNT
from tests.sending_projects.engine.stuck import accounted, assert_finished, forget, rounds, run_cycle
from tests.sending_projects.engine.test_claims import started
from tests.sending_projects.engine.test_pauses import sender
from tests.support import hosts
from tests.support.fake_channels import Fake, use
from tests.support.people import Person
from tests.support.projects import Projects
from tests.support.waits import until

PHONES = [f"+1415555{n:04}" for n in range(30)]


def too_fast(_: Outgoing) -> Outcome:
    return Outcome(Result.throttled, code="throttled", retry_after=600)


async def test_after_too_fast_nothing_more_is_handed_over(projects: Projects, ada: Person):
    use(projects.services, fake := Fake(too_fast))
    project = await started(projects, ada, 100)
    await run_cycle(projects, project)
    assert len(fake.took) == fake.batch
    await run_cycle(projects, project)  # before that time: the provider isn't asked, and no unit is claimed
    assert len(fake.took) == fake.batch
    assert await projects.states(project) == {"queued": 100}
    await accounted(projects, project)
    fake.answer = lambda message: Result.sent
    forget(projects)
    await rounds(projects)
    assert await projects.states(project) == {"sent": 100}
    assert {row["attempts"] for row in await projects.records(project)} == {0}
    await assert_finished(projects, project)


async def test_the_next_route_takes_what_the_first_is_spared(projects: Projects, ada: Person):
    use(projects.services, first := Fake(too_fast), second := Fake())
    project = await started(projects, ada, 100)
    await run_cycle(projects, project)
    assert (len(first.took), len(second.took)) == (first.batch, 100)
    assert await projects.states(project) == {"sent": 100}
    await assert_finished(projects, project)


async def test_one_sender_that_is_too_fast_holds_up_no_other(projects: Projects, ada: Person):
    slow, quick = [await sender(projects, ada) for _ in range(2)]
    requests: Counter[str] = Counter()

    def answer(message: Outgoing) -> Any:
        requests[message.metadata["sender"]] += 1
        return too_fast(message) if message.metadata["sender"] == str(slow) else Result.sent

    use(projects.services, Fake(answer), kind="telegram")
    await projects.db.fetchval("DELETE FROM pgqueuer")
    project = await projects.make(ada, PHONES, channel="telegram", account_uuids=[slow, quick])
    await rounds(projects)
    assert requests[str(slow)] <= 10
    assert requests[str(quick)] == 30
    assert await projects.states(project) == {"sent": 30}
    assert {row["account_uuid"] for row in await projects.records(project)} == {quick}
    await assert_finished(projects, project)


async def uncertain(projects: Projects, ada: Person, senders: list[UUID]) -> tuple[UUID, dict[UUID, str]]:
    """A project whose messages may or may not have gone out, and through whom."""
    through: dict[UUID, str] = {}

    def answer(message: Outgoing) -> Result:
        through[message.id] = message.metadata["sender"]
        return Result.unknown

    use(projects.services, Fake(answer), kind="telegram")
    await projects.db.fetchval("DELETE FROM pgqueuer")
    project = await projects.make(ada, PHONES[:10], channel="telegram", account_uuids=senders)
    await rounds(projects)
    assert await projects.states(project) == {"unknown": 10}
    return project, through


async def retry(projects: Projects, project: UUID, fake: Fake) -> None:
    use(projects.services, fake, kind="telegram")
    async with projects.db.reading() as db, db.transaction():
        assert await project_moves.retry(db, project, True)
    await rounds(projects)


async def test_what_may_have_gone_out_is_asked_of_the_same_sender(projects: Projects, ada: Person):
    senders = [await sender(projects, ada) for _ in range(3)]
    project, through = await uncertain(projects, ada, senders)
    assert len(set(through.values())) == 3
    await retry(projects, project, fake := Fake())
    assert {message.id: message.metadata["sender"] for message in fake.took} == through
    assert await projects.states(project) == {"sent": 10}
    await assert_finished(projects, project)


async def test_whose_sender_is_gone_stays_unknown(projects: Projects, ada: Person):
    senders = [await sender(projects, ada) for _ in range(2)]
    project, through = await uncertain(projects, ada, senders)
    await projects.db.fetchval("UPDATE source_accounts SET status = 'deleted' WHERE id = $1", senders[0])
    await retry(projects, project, fake := Fake())
    mine = [id for id, who in through.items() if who == str(senders[1])]
    assert sorted(message.id for message in fake.took) == sorted(mine)
    records = await projects.records(project)
    gone = {row["failure_code"] for row in records if row["id"] not in mine}
    assert gone == {"sender_gone"}
    assert await projects.states(project) == {"sent": len(mine), "unknown": 10 - len(mine)}
    await scheduler.recover_batches(projects.services)
    await assert_finished(projects, project)


async def test_a_sender_told_to_wait_an_hour_puts_nobody_else_s_messages_to_sleep(
    projects: Projects, ada: Person
):
    slow, quick = [await sender(projects, ada) for _ in range(2)]

    def answer(message: Outgoing) -> Any:
        return too_fast(message) if message.metadata["sender"] == str(slow) else Result.sent

    use(projects.services, Fake(answer), kind="telegram")
    await projects.db.fetchval("DELETE FROM pgqueuer")
    project = await projects.make(ada, PHONES, channel="telegram", account_uuids=[slow, quick])
    await projects.work()
    await asyncio.sleep(2.1)  # what was refused waits a second for another sender
    await projects.work()
    assert await projects.states(project) == {"sent": 30}
    await assert_finished(projects, project)


async def test_what_went_out_another_way_is_asked_for_nowhere_else(projects: Projects, ada: Person):
    one = await sender(projects, ada)
    project, _ = await uncertain(projects, ada, [one])
    account = await hosts.account(projects.services, ada.id, wanted=False)
    # Behind it is a messenger account now; by the way that it took nobody is asked any more.
    await projects.db.fetchval(
        "UPDATE source_accounts SET messenger_account_uuid = $2 WHERE id = $1", one, account
    )
    await retry(projects, project, fake := Fake())
    assert not fake.took
    records = await projects.records(project)
    assert {(row["status"], row["failure_code"]) for row in records} == {("unknown", "route_gone")}
    await assert_finished(projects, project)


async def test_an_account_that_hangs_leaves_hands_to_the_others(
    projects: Projects, ada: Person, monkeypatch: pytest.MonkeyPatch
):
    (stuck, well), accounts = [await sender(projects, ada) for _ in range(2)], []
    for account in (stuck, well):
        accounts.append(await hosts.account(projects.services, ada.id, str(account), wanted=False))
        await projects.db.fetchval(
            "UPDATE source_accounts SET messenger_account_uuid = $2 WHERE id = $1", account, accounts[-1]
        )
    gate, taken = asyncio.Event(), Counter[str]()

    async def send(_: Any, batch: Sequence[Outgoing]) -> list[Outcome]:
        for message in batch:
            taken[message.metadata["messenger_account"]] += 1
            if message.metadata["messenger_account"] == str(accounts[0]):
                await gate.wait()
        return [Outcome(Result.sent) for _ in batch]

    monkeypatch.setattr(MessengerChannel, "send", send)
    await projects.db.fetchval("DELETE FROM pgqueuer")
    hung = await projects.make(ada, PHONES, channel="telegram", account_uuids=[stuck])
    fine = await projects.make(ada, PHONES, channel="telegram", account_uuids=[well])
    await projects.step()
    await projects.step()
    hanging = asyncio.create_task(run_cycle(projects, hung))
    await until(lambda: taken[str(accounts[0])] == MESSAGES_PER_ACCOUNT)
    await run_cycle(projects, fine)
    assert await projects.states(fine) == {"sent": 30}
    assert taken[str(accounts[0])] == MESSAGES_PER_ACCOUNT
    gate.set()
    await hanging
    await rounds(projects)
    assert await projects.states(hung) == {"sent": 30}
