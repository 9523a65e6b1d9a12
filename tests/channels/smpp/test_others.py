"""Another's server, and TLS."""

import asyncio
from pathlib import Path

import pytest
import smpp34

from channels.port import Result
from tests.channels.peer_smpp import Smsc
from tests.channels.smpp.rig import message, receipt, rigged
from tests.support.ports import free_port
from tests.support.tls import self_signed, server_side


async def test_talks_to_another_server() -> None:
    """smpp34's own SMSC: not our peer's reading of the specification, nor its framing."""
    server = smpp34.Server("127.0.0.1", port := free_port(), system_id="other")
    await server.start()
    esme: list[smpp34.Esme] = []
    taken: list[bytes] = []

    async def serve() -> None:
        while True:
            event = await server.next()
            if isinstance(event, smpp34.Esme):
                esme.append(event)
            elif isinstance(event, smpp34.SubmitSmEvent):
                taken.append(event.short_message)
                event.accept(f"id{len(taken)}")

    serving = asyncio.create_task(serve())
    try:
        async with rigged(Smsc(), dsn=f"smpp://a:b@127.0.0.1:{port}?timeout=30") as rig:
            outcomes = await rig.channel.send([message("Grüße"), message("я" * 100)])
            assert [outcome.result for outcome in outcomes] == [Result.sent] * 2
            assert sorted(map(len, taken)) == [5, 6 + 2 * 33, 140]
            answer = await esme[0].deliver_sm(
                "2", receipt(str(outcomes[0].provider_message_id)), source_addr="1", esm_class=4
            )
            assert answer.is_success
            assert len(rig.events) == 1
    finally:
        serving.cancel()
        await asyncio.gather(serving, return_exceptions=True)
        await server.stop()


async def test_tls(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = self_signed(tmp_path)
    smsc = Smsc()
    await smsc.start(server_side(path))
    try:
        async with rigged(smsc, "tls=1") as rig:
            outcome = await rig.send()
            assert (outcome.result, outcome.code) == (Result.misconfigured, "tls_certificate")
        monkeypatch.setenv("SSL_CERT_FILE", str(path))
        async with rigged(smsc, "tls=1") as rig:
            assert (await rig.send()).result is Result.sent
    finally:
        await smsc.stop()
