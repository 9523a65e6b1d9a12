"""One account under a driver that misbehaves as a test says."""

import asyncio
from datetime import UTC, datetime, timedelta

import pytest

from core.errors import Conflict, Unavailable, UpstreamFailed, UpstreamTimeout
from engine.messengers import account_runner, call_client, probes
from engine.messengers.leases import reconnect_delay
from messengers.port import Account, Change, Lost, Sink
from shapes.messenger_accounts import AccountState
from tests.messenger_hosts.scripted import Connection, Scripted, use, works
from tests.support.hosts import account, becomes, clear, row, want
from tests.support.waits import PATIENCE, until

pytestmark = pytest.mark.rotating


@pytest.fixture
def quick(monkeypatch):
    """Pauses between two tries are short."""
    monkeypatch.setattr(account_runner, "reconnect_delay", lambda failures: reconnect_delay(failures) / 50)


def telling(*states: AccountState, **more):
    async def start(connection: Connection) -> None:
        for state in states:
            await connection.sink.changed(Change(state, **(more if state is states[-1] else {})))

    return start


def test_pauses_grow_from_two_seconds_to_five_minutes():
    assert [reconnect_delay(tries) for tries in (1, 2, 3, 8, 9, 1000)] == [2, 4, 8, 256, 300, 300]


async def test_a_driver_that_crashes_is_started_again_and_the_reason_is_kept(services, ada, host, quick):
    tries = 0

    async def start(connection: Connection) -> None:
        nonlocal tries
        tries += 1
        if tries < 3:
            raise RuntimeError("secret inside")
        await works(connection)

    driver = use(host, Scripted(start))
    id = await account(services, ada.id)
    crashed = await becomes(services, id, "reconnecting", "working")
    if crashed["state"] == "reconnecting":
        assert crashed["reason_code"] == "driver_crashed"
        assert "secret" not in crashed["reason"]
    works_now = await becomes(services, id, "working")
    assert works_now["reason_code"] is None
    assert [connection.open for connection in driver.of(id)] == [False, False, True]


async def test_what_a_driver_says_has_crashed_is_mended_too(services, ada, host, quick):
    driver = use(host, Scripted())
    id = await account(services, ada.id)
    await becomes(services, id, "working")
    await driver.made[0].sink.changed(Change(AccountState.failed, code="crashed", reason="The child died."))
    await until(lambda: len(driver.made) == 2)
    await becomes(services, id, "working")
    assert (await row(services, id))["wanted"]
    with pytest.raises(Lost):  # the old one says something after all
        await driver.made[0].sink.changed(Change(AccountState.blocked))
    assert (await row(services, id))["state"] == "working"


async def test_a_start_that_hangs_can_be_stopped(services, ada, host):
    async def start(_: Connection) -> None:
        await asyncio.Event().wait()

    driver = use(host, Scripted(start))
    id = await account(services, ada.id)
    await until(lambda: driver.made)
    await want(services, id, False)
    await becomes(services, id, "stopped")
    await until(lambda: not driver.made[0].open)


async def test_a_start_that_hangs_for_too_long_is_made_anew(services, ada, host, quick, monkeypatch):
    monkeypatch.setattr(account_runner, "_START_BOUND", 0.1)
    starts = 0

    async def start(connection: Connection) -> None:
        nonlocal starts
        starts += 1
        if starts == 1:
            await asyncio.Event().wait()
        if starts == 2:
            return  # and says nothing
        await works(connection)

    class Third(Scripted):
        def connect(self, account: Account, sink: Sink) -> Connection:
            if len(self.made) == 2:  # this start is to succeed, however long it takes
                monkeypatch.setattr(account_runner, "_START_BOUND", PATIENCE)
            return super().connect(account, sink)

    driver = use(host, Third(start))
    id = await account(services, ada.id)
    await becomes(services, id, "working")
    assert [connection.open for connection in driver.made] == [False, False, True]


async def test_a_move_that_is_not_in_the_table_is_not_written(services, ada, host):
    driver = use(host, Scripted())
    id = await account(services, ada.id)
    await becomes(services, id, "working")
    sink = driver.made[0].sink
    for state in (AccountState.waitQr, AccountState.stopped, AccountState.starting, AccountState.syncing):
        await sink.changed(Change(state))
        assert (await row(services, id))["state"] == "working"
    await sink.changed(Change(AccountState.reconnecting, code="connection_lost"))
    assert (await row(services, id))["state"] == "reconnecting"


async def test_qrs_are_bounded_and_the_account_can_be_started_again(services, ada, host, monkeypatch):
    services.settings.qr_attempts = 3
    again = asyncio.Event()

    async def start(connection: Connection) -> None:
        async def show() -> None:
            for number in range(10):
                await connection.sink.changed(Change(AccountState.waitQr, value=f"qr-{number}"))

        connection.task = asyncio.create_task(show()) if not again.is_set() else None  # type: ignore[attr-defined]
        if again.is_set():
            await works(connection)

    driver = use(host, Scripted(start))
    id = await account(services, ada.id)
    failed = await becomes(services, id, "failed")
    assert failed["reason_code"] == "qr_expired"
    assert not failed["wanted"]
    await until(lambda: not driver.made[0].open)
    with pytest.raises(Lost):
        await driver.made[0].task  # type: ignore[attr-defined]
    again.set()
    await want(services, id, True)
    await becomes(services, id, "working")
    assert len(driver.made) == 2


async def test_the_qr_of_now_is_shown_and_nowhere_written(services, ada, host):
    expires = datetime.now(UTC) + timedelta(seconds=30)
    use(host, Scripted(telling(AccountState.waitQr, value="the-qr", expires_at=expires)))
    id = await account(services, ada.id)
    waits = await becomes(services, id, "waitQr")
    shown = await call_client.ask(services, id, "shown")
    assert shown["value"] == "the-qr"
    assert datetime.fromisoformat(shown["expires_at"]) == expires
    assert shown["state"] == "waitQr"
    assert "the-qr" not in str(dict(waits))


@pytest.mark.parametrize("state", ["failed", "loggedOut", "blocked"])
async def test_where_it_rests_nobody_tries_on(services, ada, host, state):
    until_when = datetime.now(UTC) + timedelta(hours=1)

    async def start(connection: Connection) -> None:
        await works(connection)
        await connection.sink.changed(
            Change(AccountState(state), code="why", reason="Because.", until=until_when)
        )

    driver = use(host, Scripted(start))
    id = await account(services, ada.id)
    rests = await becomes(services, id, state)
    assert (rests["wanted"], rests["reason_code"], rests["reason"]) == (False, "why", "Because.")
    assert rests["until"] == until_when
    assert (rests["session_encrypted"] is None) == (state == "loggedOut")
    await until(lambda: host.runner_of(id) is None)
    held = "SELECT count(*) FROM messenger_holds WHERE account_id = $1 AND expires_at > now()"

    async def given_back() -> bool:
        return await services.db.fetchval(held, id) == 0

    await until(given_back)
    assert len(driver.made) == 1
    assert not driver.made[0].open
    with pytest.raises(Conflict) as refused:
        await call_client.ask(services, id, "me")
    assert refused.value.details["state"] == state


async def test_a_session_that_is_dead_becomes_the_truth(services, ada, host, quick, monkeypatch):
    monkeypatch.setattr(probes, "PROBE_SECONDS", 0.05)
    driver = use(host, Scripted())
    id = await account(services, ada.id)
    first = await becomes(services, id, "working")

    async def probed() -> bool:
        return bool((await row(services, id))["checked_at"] > first["checked_at"])

    await until(probed)

    async def revoked(connection: Connection) -> None:
        await connection.sink.changed(Change(AccountState.loggedOut, code="session_revoked"))

    driver.alive, driver.start = False, revoked
    await becomes(services, id, "loggedOut")


async def test_clearing_logs_out_and_forgets(services, ada, host):
    driver = use(host, Scripted())
    id = await account(services, ada.id)
    await becomes(services, id, "working")
    await driver.made[0].sink.apply_events([], {"pts": 7})
    assert (await row(services, id))["cursor"] == {"pts": 7}
    await clear(services, id)

    async def cleared() -> bool:
        return not (await row(services, id))["clearing"]

    await until(cleared)
    gone = await row(services, id)
    assert (gone["state"], gone["session_encrypted"], gone["cursor"], gone["me"]) == (
        "stopped",
        None,
        {},
        None,
    )
    assert driver.made[0].did == ["forget"]
    assert len(driver.made) == 1
    assert not driver.made[0].open


async def test_a_stopped_account_is_connected_to_be_logged_out(services, ada, host):
    driver = use(host, Scripted())
    id = await account(services, ada.id)
    await becomes(services, id, "working")
    await want(services, id, False)
    await becomes(services, id, "stopped")
    await clear(services, id)

    async def cleared() -> bool:
        return not (await row(services, id))["clearing"]

    await until(cleared)
    assert driver.made[-1].did == ["forget"]
    assert driver.made[-1].account.session == "a session"
    assert (await row(services, id))["session_encrypted"] is None
    assert not any(connection.open for connection in driver.made)


async def test_an_account_that_never_ran_can_be_cleared(services, ada, host):
    driver = use(host, Scripted())
    id = await account(services, ada.id, wanted=False)
    await clear(services, id)

    async def cleared() -> bool:
        return not (await row(services, id))["clearing"]

    await until(cleared)
    assert driver.made == []


async def test_a_deleted_account_is_let_go_of(services, ada, host):
    driver = use(host, Scripted())
    id = await account(services, ada.id)
    await becomes(services, id, "working")
    await services.db.fetch("UPDATE messenger_accounts SET deleted_at = now() WHERE id = $1", id)
    await call_client.wake(services, id)
    await becomes(services, id, "stopped")
    assert not driver.made[0].open


async def test_a_broken_driver_has_an_error_of_its_own(services, ada, host):
    use(host, Scripted())
    id = await account(services, ada.id)
    await becomes(services, id, "working")
    with pytest.raises(UpstreamFailed) as failed:
        await call_client.ask(services, id, "person", {"to": "@bob"})
    assert failed.value.code == "driver_failed"
    assert "broken" not in failed.value.message


async def test_typing_is_renewed_until_it_is_over_or_something_is_sent(services, ada, host):
    driver = use(host, Scripted())
    id = await account(services, ada.id)
    await becomes(services, id, "working")
    did = driver.made[0].did
    await call_client.ask(services, id, "act", {"to": "@bob", "action": "typing", "seconds": 60})
    await until(lambda: did.count(("typing", "@bob")) > 3)
    item = "01a1f896-ea17-7000-a021-a45d36254499"
    await call_client.ask(services, id, "send", {"item": item, "to": "@bob", "text": "hello"})
    count = did.count(("typing", "@bob"))
    await call_client.ask(services, id, "act", {"to": "@eve", "action": "recording", "seconds": 2})
    await until(lambda: ("none", "@eve") in did)
    assert did.count(("recording", "@eve")) > 1
    assert did.count(("typing", "@bob")) == count
    await call_client.ask(services, id, "act", {"to": "@bob", "action": "typing", "seconds": 60})
    await call_client.ask(services, id, "act", {"to": "@bob", "action": "none"})
    assert did[-1] == ("none", "@bob")


def sends(services, id, to: str, text: str, place: int):
    item = f"01a1f896-ea17-7000-a021-a45d{place:08}"
    return asyncio.create_task(call_client.ask(services, id, "send", {"item": item, "to": to, "text": text}))


async def test_messages_to_one_recipient_go_out_in_their_order(services, ada, host):
    driver = use(host, Scripted())
    id = await account(services, ada.id)
    await becomes(services, id, "working")
    driver.gate.clear()
    tasks = [sends(services, id, "@bob", text, place) for place, text in enumerate(("wait", "two", "three"))]
    other = sends(services, id, "@eve", "hello", 9)
    await asyncio.wait_for(other, PATIENCE)
    assert ("begin", "@bob", "two") not in driver.made[0].did
    driver.gate.set()
    await asyncio.gather(*tasks)
    texts = [what[2] for what in driver.made[0].did if what[0] == "end" and what[1] == "@bob"]
    assert texts == ["wait", "two", "three"]


async def test_a_send_that_was_begun_when_the_account_is_lost_is_uncertain_and_the_next_is_not_done(
    services, ada, host
):
    driver = use(host, Scripted())
    id = await account(services, ada.id)
    await becomes(services, id, "working")
    driver.gate.clear()
    begun, waits = sends(services, id, "@bob", "wait", 1), sends(services, id, "@bob", "two", 2)
    await until(lambda: ("begin", "@bob", "wait") in driver.made[0].did)
    host.runner_of(id).abandon()
    with pytest.raises(UpstreamTimeout) as uncertain:
        await begun
    assert uncertain.value.code == "uncertain"
    with pytest.raises(Unavailable):
        await waits
    assert driver.made[0].aborted
    assert ("begin", "@bob", "two") not in driver.made[0].did


async def test_who_has_lost_the_account_writes_nothing(services, ada, host):
    driver = use(host, Scripted())
    id = await account(services, ada.id)
    await becomes(services, id, "working")
    await services.db.fetch(
        "UPDATE messenger_holds SET holder = gen_random_uuid(), fence = fence + 1 WHERE account_id = $1", id
    )
    sink = driver.made[0].sink
    for report in (
        lambda: sink.session("another"),
        lambda: sink.apply_events([], {"pts": 8}),
        lambda: sink.changed(Change(AccountState.blocked)),
    ):
        with pytest.raises(Lost):
            await report()
    stored = await row(services, id)
    assert (stored["state"], stored["cursor"]) == ("working", {})
    await until(lambda: not driver.made[0].open)


async def test_a_suspended_owner_and_a_deleted_one(services, ada, admin, host):
    driver = use(host, Scripted())
    id = await account(services, ada.id)
    await becomes(services, id, "working")
    await admin.data("mutation($id: ID!) { suspendUser(id: $id) { uuid } }", {"id": str(ada.id)})
    stopped = await becomes(services, id, "stopped")
    assert stopped["wanted"]
    assert stopped["reason_code"] == "owner_suspended"
    await until(lambda: not driver.made[0].open)
    await admin.data("mutation($id: ID!) { activateUser(id: $id) { uuid } }", {"id": str(ada.id)})
    await becomes(services, id, "working")
    assert driver.made[-1].account.session == "a session"
    assert (await admin.rest("DELETE", f"/users/{ada.id}")).status_code in (200, 204)

    async def forgotten() -> bool:
        return (await row(services, id))["session_encrypted"] is None

    await until(forgotten)
    assert driver.made[-1].did == ["forget"]
    gone = await row(services, id)
    assert (gone["wanted"], gone["state"]) == (False, "stopped")
