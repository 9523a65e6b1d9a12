"""The id that a provider gave is shown as it came, also where its delivery reports write it differently."""

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import pytest

from core.settings import Settings
from tests.channels import peer_smpp
from tests.channels.peer import patient
from tests.channels.peer_smpp import Session, Smsc
from tests.support.gateway import smpp_receipt
from tests.support.waits import until

PHONES = [f"+1415555{number:04}" for number in range(20)]


@pytest.fixture
async def smsc() -> AsyncIterator[Smsc]:
    async with peer_smpp.peer() as server:
        yield server


# Of `{:X}` in decimal, the report on the tenth message (A) has the number that the sixteenth (10) has in the answer.
@pytest.fixture(params=[("asis", "00{:X}F"), ("hex2dec", "00{:X}F"), ("hex2dec", "{:X}")])
def settings(request: Any, make_settings: Any, smsc: Smsc) -> Settings:
    form, smsc.form = request.param
    made: Settings = make_settings(channel_sms=f"{patient(smsc.dsn)}&dlr_id={form}")
    return made


def reported(id: str, settings: Settings) -> bytes:
    """A delivery report with another form of the id."""
    return smpp_receipt(str(int(id, 16)) if "hex2dec" in settings.channel_sms else id.lower())


@pytest.mark.parametrize("overtakes", [False, True])
async def test_a_record_shows_it_and_its_reports_find_it(
    overtakes: bool, projects: Any, ada: Any, smsc: Smsc, settings: Settings
) -> None:
    deliveries: list[asyncio.Task[int]] = []

    def report(session: Session, id: str) -> None:
        deliveries.append(asyncio.create_task(session.deliver(reported(id, settings), esm_class=4)))

    if overtakes:
        smsc.before_answer = report
    await projects.make(ada, PHONES, channel="sms")
    await projects.work()
    ids = [smsc.form.format(number) for number in range(1, 21)]
    if not overtakes:
        for id in ids:
            report(smsc.bound(), id)
    assert await asyncio.gather(*deliveries) == [0] * 20

    async def all_delivered() -> bool:
        rows = (await ada.rest("GET", "/message/list?limit=100")).json()["items"]
        assert sorted(row["providerMessageId"] for row in rows) == sorted(ids)
        return {row["status"] for row in rows} == {"delivered"}

    await until(all_delivered)
