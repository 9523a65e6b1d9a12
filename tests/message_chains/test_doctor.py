"""`postern doctor` reports chains that no worker takes on."""

from typing import Any

import pytest

from runtime.services import Services
from tests.doctor.conftest import own
from tests.doctor.looking import look
from tests.message_chains.made import MAIL, SMS, Chains
from tests.support.people import Person

__all__ = ["own"]


@pytest.mark.parametrize("postponed", [False, True])
async def test_chains_that_are_overdue(
    own: Any, services: Services, ada: Person, drain: Any, postponed: bool
):
    chains = Chains(services, ada)
    await chains.send(SMS, MAIL)
    await drain("sms")
    await chains.step()
    assert (await look(own())).of("chains") == []
    await chains.pass_time(190)
    if postponed:
        await services.db.fetch("UPDATE message_chains SET due_at = now() + interval '40 s'")
    line = (await look(own())).one("chains")
    assert line.startswith("✗") and "1 are overdue" in line and "the oldest for 2 min" in line
    await chains.pass_time(60)
    await chains.step()
    assert (await look(own())).of("chains") == []
