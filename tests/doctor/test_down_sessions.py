"""A route of two SMPP sessions, one of which the SMSC refuses: messages go by the other, and the doctor says so."""

from typing import Any

import pytest

import channels
from channels.smpp import binding
from engine.sending.down_sessions import report_down_sessions
from runtime.workers import Reporter
from tests.channels.peer_smpp import peer
from tests.doctor.looking import KEYS, look
from tests.support.fake_channels import use
from tests.support.gateway import Gateway, gateway
from tests.support.waits import until

__all__ = ["gateway"]

pytestmark = pytest.mark.servers


async def hear(channel: Any, events: Any) -> None:
    """Takes the events of a route."""


async def test_the_doctor_names_a_session_that_is_down(
    gateway: Gateway, ada: Any, drain: Any, make_settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    services = gateway.services
    settings = make_settings(**KEYS, port=0)
    monkeypatch.setattr(binding, "TROUBLE_SECONDS", 0.0)
    async with peer() as smsc:
        smsc.most_bound = 1
        route = channels.connect("sms", smsc.options("connections=2&from=Acme"))
        use(services, route, kind="sms", label="smpp")
        await route.open(hear)
        try:
            await Reporter(services.store, services.worker).report()
            await until(lambda: len(route.sessions_down()) == 1)  # type: ignore[attr-defined]
            await report_down_sessions(services)
            (line,) = [line for line in (await look(settings)).of("routes") if line.startswith("✗")]
            assert f"sms-1 in {services.worker}: Session 2 of 2 (bind_transceiver) is down: " in line
            assert "ESME_RBINDFAIL (0x0D)" in line
            await gateway.send(ada, "+14155550100", channel="sms")
            assert await drain("sms") == 1
            assert await gateway.states() == {"sent": 1}
            smsc.most_bound = None
            smsc.drop()
            await until(lambda: len(smsc.live()) == 2)
            await until(lambda: not route.sessions_down())  # type: ignore[attr-defined]
            await report_down_sessions(services)
            assert not [line for line in (await look(settings)).of("routes") if line.startswith("✗")]
        finally:
            await route.close()
