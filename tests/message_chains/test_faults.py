"""Workers that are killed while chains go on, and many random chains against a scripted provider."""

from pathlib import Path
from typing import Any

import pytest

from engine.faultpoints import CHAIN_POINTS
from runtime.services import Services
from tests.faults import message_chains as fire
from tests.faults.world import shared_world
from tests.message_chains.made import MAIL, SMS, Chains
from tests.support import prefork
from tests.support.people import Person
from tests.support.waits import until

pytestmark = pytest.mark.rotating


async def test_random_chains_keep_the_rules_while_workers_are_killed(database: str, tmp_path: Path):
    async with shared_world(tmp_path, database) as it:
        verdict = await fire.run(it, chains=60, kills=3, workers=2, seed=3)
    assert verdict.good, str(verdict)
    assert verdict.chains == 60


@pytest.mark.parametrize("point", CHAIN_POINTS)
async def test_a_worker_dies_between_two_steps(
    point: str, database: str, tmp_path: Path, ada: Person, services: Services, drain: Any
):
    chains = Chains(services, ada)
    id = await chains.send({**SMS, "to": "+15005550010"}, MAIL)
    await drain("sms")
    async with shared_world(tmp_path, database) as it:
        dying = await it.start_worker("postern", "worker", FAULT_AT=point, POSTERN_LEASE_SECONDS="2")
        assert isinstance(dying, prefork.Awaited)
        assert await dying.wait() == -9
        await it.start_worker("postern", "worker", POSTERN_LEASE_SECONDS="2")

        async def is_sent() -> bool:
            return (await chains.states(id))[1] in ("sent", "delivered")

        await until(is_sent)
    await chains.step()
    states = await chains.states(id)
    assert states[0] == "failed"
    assert len([step for step in (await chains.read(id))["steps"] if step["messageId"]]) == 2
    await chains.money()
