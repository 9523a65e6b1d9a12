"""Several sessions of one account: each has its part of the window, and a break costs no more than that."""

import asyncio
from collections import Counter
from typing import Any

import pytest

from channels import BadDsn, connect
from channels.port import Receipt, Result
from tests.channels.peer_smpp import Session, Smsc
from tests.channels.smpp.rig import Rig, receipt, rigged
from tests.support.waits import until

pytestmark = pytest.mark.servers


class Silent:
    """Takes submit_sm and answers them when it is told to."""

    def __init__(self, smsc: Smsc, monkeypatch: pytest.MonkeyPatch) -> None:
        self.taken: list[tuple[Session, Any]] = []
        monkeypatch.setattr(smsc, "submit", lambda session, pdu: self.taken.append((session, pdu)))

    def by_session(self) -> Counter[Session]:
        return Counter(session for session, _ in self.taken)

    def answer(self, session: Session) -> None:
        for number, (other, pdu) in enumerate(self.taken):
            if other is session:
                session.respond(pdu, message_id=f"m_{number}")


def sending(rig: Rig, count: int) -> list[asyncio.Task[Any]]:
    return [asyncio.create_task(rig.send(f"number {number}")) for number in range(count)]


async def test_the_window_is_divided(smsc: Smsc, monkeypatch: pytest.MonkeyPatch) -> None:
    async with rigged(smsc, "connections=4&window=10") as rig:
        silent = Silent(smsc, monkeypatch)
        sends = sending(rig, 12)
        await until(lambda: len(silent.taken) == 10)
        await asyncio.sleep(0.05)  # nothing more may come
        assert sorted(silent.by_session().values()) == [2, 2, 3, 3]
        first = silent.taken[0][0]
        silent.answer(first)
        await until(lambda: len(silent.taken) == 12)
        for session in smsc.live():
            silent.answer(session)
        assert {(await send).result for send in sends} == {Result.sent}


async def test_a_break_takes_its_part_of_the_window_along(
    smsc: Smsc, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with rigged(smsc, "connections=5&window=10") as rig:
        silent = Silent(smsc, monkeypatch)
        sends = sending(rig, 10)
        await until(lambda: len(silent.taken) == 10)
        broken, *others = smsc.live()
        broken.reset()
        for session in others:
            silent.answer(session)
        results = Counter([(await send).result for send in sends])
        assert results == {Result.unknown: 2, Result.sent: 8}


async def test_what_waited_for_a_session_that_broke_goes_to_another(
    smsc: Smsc, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with rigged(smsc, "connections=2&window=2") as rig:
        silent = Silent(smsc, monkeypatch)
        sends = sending(rig, 4)  # two of them wait, one for each session
        await until(lambda: len(silent.taken) == 2)
        broken, other = smsc.live()
        broken.reset()
        for answered in (1, 2, 3):
            await until(lambda answered=answered: len(silent.taken) == answered + 1)  # type: ignore[misc]
            session, pdu = silent.taken[answered]
            session.respond(pdu, message_id=f"m_{answered}")
        assert Counter([(await send).result for send in sends]) == {Result.unknown: 1, Result.sent: 3}
        assert {session for session, _ in silent.taken} == {broken, other}
        assert len({pdu.short_message for _, pdu in silent.taken}) == 4  # none came twice


async def test_receipts_come_on_any_session(smsc: Smsc) -> None:
    async with rigged(smsc, "connections=3") as rig:
        for number, session in enumerate(smsc.live()):
            assert await session.deliver(receipt(f"m{number}"), esm_class=4) == 0
        assert rig.events == [Receipt(f"m{number}", Result.delivered) for number in range(3)]


async def test_one_receiver_serves_all_transmitters(smsc: Smsc) -> None:
    async with rigged(smsc, "connections=3&bind=tx+rx"):
        assert Counter(bind.command for bind in smsc.binds) == {"bind_transmitter": 3, "bind_receiver": 1}


async def test_sessions_that_the_smsc_refuses_hold_up_nothing(smsc: Smsc) -> None:
    smsc.most_bound = 2
    async with rigged(smsc, "connections=4&window=4&reconnect_max=600") as rig:
        assert {(await rig.send()).result for _ in range(20)} == {Result.sent}
        assert len(smsc.live()) == 2
        smsc.bind_status = 0x08
        smsc.drop()
        outcome = await rig.sent_until(
            Result.transient
        )  # not `misconfigured`, which would pause all that use the route
        assert (outcome.result, outcome.code) in {
            (Result.transient, "provider_error"), (Result.transient, "connection_lost"),
        }  # fmt: skip
        smsc.bind_status = 0
        await rig.sent_until(Result.sent)


async def test_a_wrong_password_is_one_with_several_sessions_too(smsc: Smsc) -> None:
    dsn = smsc.options("connections=3&reconnect_max=600").replace("p4ss", "wr0ng")
    async with rigged(smsc, dsn=dsn) as rig:
        assert (await rig.send()).result is Result.misconfigured


@pytest.mark.parametrize("options", ["connections=0", "connections=51&window=100", "connections=11"])
def test_bad_numbers(options: str) -> None:
    with pytest.raises(BadDsn, match="connections"):
        connect("sms", f"smpp://a:b@127.0.0.1?{options}")
