"""Projects, direct messages and the queue, as they change: what is announced, and what is told of it."""

import asyncio
from itertools import pairwise

import asyncpg
import pytest

from channels.port import Receipt, Result
from core import change_events, pubsub
from core.pubsub import publish
from engine import jobs
from engine.projects import scheduler
from engine.worker import receive_events
from resolvers import changes
from tests.live.watch import all_apart, bearer, cut_off, watch
from tests.support.events import streaming
from tests.support.gateway import MAGIC
from tests.support.people import Person
from tests.support.projects import Projects
from tests.support.sockets import live
from tests.support.waits import PATIENCE, until

PROJECT = """
subscription($id: ID) { sendingProjectProgress(id: $id) {
  uuid status statusReason counts { total queued sending sent delivered failed replied }
} }
"""
MESSAGES = """
subscription($id: ID, $account: ID) { messageStatusChanged(id: $id, accountId: $account) {
  uuid status deliveryState failureCode
} }
"""
QUEUE = (
    "subscription { queueStatisticsChanged { queued sending oldestQueuedSeconds projects { uuid queued } } }"
)


@pytest.fixture
async def projects(services):
    async def sink(channel, events):
        await receive_events(services, channel, events)

    await services.routes.open(sink)
    yield Projects(services)
    await services.routes.close()


@pytest.fixture(autouse=True)
def soon(monkeypatch):
    """Nothing here is proved by the look that comes by itself, unless a test says so."""
    monkeypatch.setattr(changes, "LOOK_SECONDS", 10 * PATIENCE)
    monkeypatch.setattr(changes, "QUEUE_SECONDS", 10 * PATIENCE)
    monkeypatch.setattr(changes, "QUEUE_STEP", 0.01)


# projects


async def test_a_project_from_its_start_to_its_end(app, ada: Person, projects: Projects):
    project = await projects.make(ada, [f"u{n}@example.com" for n in range(700)])
    async with live(app, bearer(ada)) as socket:
        progress = await watch(socket, PROJECT, id=str(project))
        first = await progress.next()
        assert (first["uuid"], first["status"], first["counts"]["total"]) == (str(project), "running", 0)
        await projects.work()
        seen = [first, *await progress.until(lambda progress: progress["status"] == "finished")]
        assert seen[-1]["counts"]["sent"] == 700
        assert all(a != b for a, b in pairwise(seen))
        # Forward only, and a handful: not one a message.
        sent = [state["counts"]["sent"] for state in seen]
        assert sent == sorted(sent)
        assert len(seen) < 20


async def test_the_id_may_be_the_global_one_and_another_s_is_not_found(app, ada, bob, projects):
    project = await projects.make(ada, ["a@example.com"])
    (global_id,) = (await ada.data("query($i:ID!){sendingProject(id:$i){id}}", {"i": str(project)}))[
        "sendingProject"
    ].values()
    async with live(app, bearer(ada)) as socket:
        assert (await (await watch(socket, PROJECT, id=global_id)).next())["uuid"] == str(project)
    for id in (global_id, str(project)):
        async with live(app, bearer(bob)) as socket:
            await socket.subscribe(PROJECT, {"id": id})
            (error,) = (await socket.next())["errors"]
            assert error["extensions"]["code"] == "sending_project_not_found"


async def test_an_administrator_may_watch_anybody_s(app, ada, admin, projects):
    project = await projects.make(ada, ["a@example.com"])
    async with live(app, bearer(admin)) as socket:
        progress = await watch(socket, PROJECT, id=str(project))
        await progress.next()
        await projects.work()
        await progress.until(lambda state: state["status"] == "finished")


async def test_what_callers_do_is_told(app, ada, projects):
    made = await ada.rest(
        "POST", "/sending-project", json={"name": "n", "channel": "email", "subject": "s", "text": "t"}
    )
    id = made.json()["uuid"]
    await ada.rest("POST", f"/recipient/{id}", json={"recipients": [{"address": "a@example.com"}]})
    async with live(app, bearer(ada)) as socket:
        progress = await watch(socket, PROJECT, id=id)
        assert (await progress.next())["status"] == "draft"
        for call, status in (("start", "running"), ("stop", "stopped"), ("start", "running")):
            answer = await ada.rest("POST", f"/sending-project/{call}/{id}")
            assert answer.is_success, answer.text
            assert (await progress.until(lambda state, s=status: state["status"] == s))[-1]
        await projects.work()
        await progress.until(lambda state: state["status"] == "finished")
        assert (await ada.rest("DELETE", f"/sending-project/{id}")).is_success
        assert await socket.receive() == {"id": "1", "type": "complete"}


async def test_a_suspended_owner_s_projects_pause_and_an_administrator_sees_it(app, ada, admin, projects):
    project = await projects.make(ada, ["a@example.com"])
    async with live(app, bearer(admin)) as socket:
        progress = await watch(socket, PROJECT, id=str(project))
        await progress.next()
        await admin.data("mutation($i:ID!){suspendUser(id:$i){id}}", {"i": str(ada.id)})
        (*_, last) = await progress.until(lambda state: state["status"] == "paused")
        assert last["statusReason"] == "owner_suspended"
        await admin.data("mutation($i:ID!){activateUser(id:$i){id}}", {"i": str(ada.id)})
        await projects.hurry()
        (resumes,) = [job for job in jobs.ROUNDS if job.work.__name__ == scheduler.resume_paused.__name__]
        await resumes.work(projects.services)
        await progress.until(lambda state: state["status"] == "running")


async def test_a_pause_and_reports_are_told(app, ada, projects, services):
    delivered = MAGIC["email"]["delivered"]
    project = await projects.make(ada, [delivered, "b@example.com"])
    async with live(app, bearer(ada)) as socket:
        progress = await watch(socket, PROJECT, id=str(project))
        await progress.next()
        await projects.work()
        await progress.until(lambda state: state["status"] == "finished")
        (record,) = [row for row in await projects.records(project) if row["to"] == "b@example.com"]
        # After its end, by the way that channels and hooks take.
        channel = services.routes.of("email")[0]
        number = record["provider_message_id"] or str(record["id"])
        assert await receive_events(services, channel, [Receipt(number, Result.delivered)]) == 1
        await progress.until(lambda state: state["counts"]["delivered"] >= 1 and state["counts"]["sent"] == 0)


async def test_all_of_the_caller_s(app, ada, bob, projects):
    first = await projects.make(ada, ["a@example.com"])
    await projects.make(bob, ["b@example.com"])
    draft = await ada.rest(
        "POST", "/sending-project", json={"name": "n", "channel": "email", "subject": "s", "text": "t"}
    )
    async with streaming(app, bearer(ada), {"query": PROJECT}) as events:
        told_state = (await events.data())["sendingProjectProgress"]
        assert told_state["uuid"] == str(first)  # neither bob's, nor the draft
        second = await projects.make(ada, ["c@example.com"])
        await projects.work()
        ends = {}
        while len(ends) < 2:
            told_state = (await events.data())["sendingProjectProgress"]
            assert told_state["uuid"] in (str(first), str(second))
            if told_state["status"] == "finished":
                assert ends.setdefault(told_state["uuid"], told_state["counts"]["sent"]) == 1
    assert draft.json()["uuid"] not in ends


async def test_a_burst_becomes_its_last_state(app, ada, projects, services, monkeypatch):
    """However often it is announced, it is read four times a second; and the last is never left out."""
    looks = []
    real = changes._PROJECTS.all

    async def all(db, **options):
        looks.append(asyncio.get_running_loop().time())
        return await real(db, **options)

    project = await projects.make(ada, ["a@example.com"])
    monkeypatch.setattr(changes._PROJECTS, "all", all, raising=False)
    async with live(app, bearer(ada)) as socket:
        progress = await watch(socket, PROJECT, id=str(project))
        await progress.next()
        for number in range(300):
            await publish(services.store, change_events.projects_of(ada.id), {"projects": [str(project)]})
            if number == 150:
                await projects.work()
        (*_, last) = await progress.until(lambda state: state["status"] == "finished")
        assert last["counts"]["sent"] == 1
    assert len(looks) >= 2
    assert all_apart(looks, changes.STEP)


async def test_what_was_announced_to_nobody_is_found_by_a_look(app, ada, projects, services, monkeypatch):
    """A process may die between the commit and the announcement."""
    monkeypatch.setattr(changes, "LOOK_SECONDS", 0.05)
    project = await projects.make(ada, ["a@example.com"])
    async with live(app, bearer(ada)) as single, live(app, bearer(ada)) as all:
        watches = [await watch(single, PROJECT, id=str(project)), await watch(all, PROJECT)]
        for progress in watches:
            await progress.next()
        await services.db.fetchval("UPDATE sending_projects SET status = 'stopped' WHERE id = $1", project)
        for progress in watches:
            assert (await progress.next())["status"] == "stopped"


async def test_a_gap_is_a_look(app, ada, projects, services):
    project = await projects.make(ada, ["a@example.com"])
    async with live(app, bearer(ada)) as socket:
        progress = await watch(socket, PROJECT)
        await progress.next()
        await services.db.fetchval("UPDATE sending_projects SET status = 'stopped' WHERE id = $1", project)
        await cut_off(services)
        assert (await progress.next())["status"] == "stopped"


async def test_what_is_no_announcement_of_ours_is_a_look(app, ada, projects, services):
    project = await projects.make(ada, ["a@example.com"])
    async with live(app, bearer(ada)) as socket:
        progress = await watch(socket, PROJECT, id=str(project))
        await progress.next()
        topic = change_events.projects_of(ada.id)
        for what in ({}, {"projects": 7}, {"projects": ["x"]}, {"projects": [None]}, {"projects": {}}):
            await publish(services.store, topic, what)
        await services.db.fetchval("UPDATE sending_projects SET status = 'stopped' WHERE id = $1", project)
        await publish(services.store, topic, {"projects": ["x"]})
        assert (await progress.next())["status"] == "stopped"
        await progress.silent()


@pytest.mark.parametrize("away", [TimeoutError(), asyncpg.InterfaceError("x")], ids=["slow", "gone"])
async def test_a_database_that_is_away_is_waited_for(app, ada, projects, services, monkeypatch, away):
    project = await projects.make(ada, ["a@example.com"])
    real, tries = services.db.fetch, []

    async def fetch(*arguments):
        tries.append(1)
        if len(tries) <= 3:
            raise away
        return await real(*arguments)

    async with live(app, bearer(ada)) as socket:
        progress = await watch(socket, PROJECT, id=str(project))
        await progress.next()
        await services.db.fetchval("UPDATE sending_projects SET status = 'stopped' WHERE id = $1", project)
        monkeypatch.setattr(services.db, "fetch", fetch)
        await publish(services.store, change_events.projects_of(ada.id), {"projects": [str(project)]})
        assert (await progress.next())["status"] == "stopped"
    assert len(tries) > 3


# direct messages


async def send(person, to="a@example.com", **more):
    answer = await person.rest("POST", "/messages", json={"to": to, "channel": "email", "body": "x", **more})
    assert answer.status_code == 202, answer.text
    return answer.json()["id"]


async def test_a_message_until_nothing_can_follow(app, ada, drain):
    id = await send(ada, MAGIC["email"]["failed"])
    async with live(app, bearer(ada)) as socket:
        status = await watch(socket, MESSAGES, id=id)
        first = await status.next()
        assert (first["uuid"], first["status"], first["deliveryState"]) == (id, "queued", "queued")
        await drain("email")
        (*_, last) = await status.until(lambda state: state["status"] == "failed")
        assert last["failureCode"]
        assert await socket.receive() == {"id": "1", "type": "complete"}


async def test_a_report_that_comes_later(app, ada, drain, services):
    id = await send(ada)
    async with live(app, bearer(ada)) as socket:
        status = await watch(socket, MESSAGES, id=id)
        await status.next()
        await drain("email")
        await status.until(lambda state: state["status"] == "sent")
        row = await services.db.fetchrow("SELECT provider_message_id AS id FROM messages WHERE id = $1", id)
        await receive_events(services, services.routes.of("email")[0], [Receipt(row["id"], Result.delivered)])
        assert (await status.next())["deliveryState"] == "delivered"
        assert await socket.receive() == {"id": "1", "type": "complete"}
    async with live(app, bearer(ada)) as socket:  # nothing more can come
        assert (await (await watch(socket, MESSAGES, id=id)).next())["status"] == "delivered"
        assert await socket.receive() == {"id": "1", "type": "complete"}


async def test_all_of_his_from_now_on_and_by_account(app, ada, bob, admin, drain, services):
    before = await send(ada)
    await drain("email")
    other = (await ada.rest("POST", "/accounts", json={"name": "n"})).json()["id"]
    await admin.data(
        "mutation($id:UUID!){creditAccount(input:{accountId:$id,amount:5}){balance}}", {"id": other}
    )
    async with (
        live(app, bearer(ada)) as every,
        live(app, bearer(ada)) as single,
        live(app, bearer(bob)) as his,
        live(app, bearer(admin)) as hers,
    ):
        watches = [await watch(every, MESSAGES), await watch(single, MESSAGES, account=other)]
        seen = await watch(hers, MESSAGES, account=other)
        nothing = await watch(his, MESSAGES)
        await listens(services, ada, 3)
        await listens(services, bob)
        ids = [await send(ada), await send(ada, accountId=other)]
        await drain("email")
        assert {(await watches[0].next())["uuid"] for _ in ids} == set(ids)
        assert (await watches[1].next())["uuid"] == ids[1]
        assert (await seen.next())["uuid"] == ids[1]
        for silent in (*watches, seen, nothing):
            await silent.silent()
    assert before not in ids


async def listens(services, person, count=1):
    """Waits until `count` subscriptions listen for changes of the person's messages."""
    topic = f"announced:{change_events.messages_of(person.id)}".encode()

    def waiting():
        hub = pubsub._HUBS.get(services.store)
        listeners = hub._listeners.get(topic, ()) if hub else ()
        return len(listeners) == count and all(listener._something._waiters for listener in listeners)

    await until(waiting)


async def test_another_s_message_and_account(app, ada, bob):
    id = await send(ada)
    for variables, code in (
        ({"id": id}, "message_not_found"),
        ({"account": str(ada.account_id)}, "account_not_found"),
        ({"account": "01890000-0000-7000-8000-000000000000"}, "account_not_found"),
    ):
        async with live(app, bearer(bob)) as socket:
            await socket.subscribe(MESSAGES, variables)
            (error,) = (await socket.next())["errors"]
            assert error["extensions"]["code"] == code
    async with live(app, bearer(ada)) as socket:  # hers, but of another account
        await socket.subscribe(MESSAGES, {"id": id, "account": str(bob.account_id)})
        assert (await socket.next())["errors"][0]["extensions"]["code"] == "message_not_found"


async def test_after_a_gap_those_that_changed_meanwhile(app, ada, drain, services):
    old, new = await send(ada), await send(ada)
    async with live(app, bearer(ada)) as socket:
        status = await watch(socket, MESSAGES)
        await listens(services, ada)
        await services.db.fetchval(
            "UPDATE messages SET state = 'sent', updated_at = now() WHERE id = $1", new
        )
        await publish(services.store, change_events.messages_of(ada.id), {"gap": True})
        assert (await status.next())["uuid"] == new
        await publish(services.store, change_events.messages_of(ada.id), {"gap": True})
        await services.db.fetchval("UPDATE messages SET state = 'sent' WHERE id = $1", old)
        await publish(services.store, change_events.messages_of(ada.id), {"messages": {old: "sent"}})
        assert (await status.next())["uuid"] == old  # and the other one not again


# the queue


async def test_the_queue_as_it_changes(app, ada, bob, projects, services):
    async with live(app, bearer(ada)) as socket, live(app, bearer(bob)) as his:
        queue, other = await watch(socket, QUEUE), await watch(his, QUEUE)
        assert await queue.next() == {"queued": 0, "sending": 0, "oldestQueuedSeconds": 0.0, "projects": []}
        await other.next()
        project = await projects.make(ada, [f"u{n}@example.com" for n in range(20)])
        await projects.step()  # its audience is frozen
        (*_, full) = await queue.until(lambda state: state["queued"] == 20)
        assert full["projects"] == [{"uuid": str(project), "queued": 20}]
        await projects.work()
        await queue.until(lambda state: state["projects"] == [])
        for _ in range(5):  # nothing has changed: nothing is told
            await publish(services.store, change_events.projects_of(ada.id), {"projects": [str(project)]})
        await queue.silent()
        await other.silent()


async def test_an_administrator_s_queue_is_everybody_s(app, ada, admin, projects):
    async with live(app, bearer(admin)) as socket:
        queue = await watch(socket, QUEUE)
        await queue.next()
        await projects.make(ada, ["a@example.com"])
        await projects.step()
        await queue.until(lambda state: state["queued"] == 1)


async def test_the_queue_is_looked_at_by_itself_too(app, ada, services, projects, monkeypatch):
    monkeypatch.setattr(changes, "QUEUE_SECONDS", 0.05)
    project = await projects.make(ada, ["a@example.com"])
    async with live(app, bearer(ada)) as socket:
        queue = await watch(socket, QUEUE)
        await queue.next()
        await services.db.fetchval("UPDATE sending_projects SET status = 'stopped' WHERE id = $1", project)
        await queue.until(lambda state: state["projects"] == [])
