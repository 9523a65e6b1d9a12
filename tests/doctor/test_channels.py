"""`postern doctor` examines channels, the legacy system and the port of the service."""

import asyncio
import os
import ssl
from pathlib import Path

import pytest
import uvicorn

from postern.app import make_app
from postern.process import Server
from tests.doctor.looking import look
from tests.support.ports import free_port
from tests.support.tcp import hang_up, serving
from tests.support.tls import self_signed, server_side


async def test_channels_that_answer_and_that_do_not(own):
    async with serving(hang_up) as port:
        seen = await look(
            own(
                channel_email=f"smtp://me:hunter%402@127.0.0.1:{port}?from=a@example.com,"
                f"smtp://127.0.0.1:{free_port()}?from=a@example.com",
                channel_sms=f"smpp://me:hunter2@127.0.0.1:{port},"
                f"twilio://AC1:hunter2@127.0.0.1:{port}?from=%2B14155550100&scheme=http,"
                f"post://me:hunter2@127.0.0.1:{port}/send?scheme=http",
                channel_push="apprise:json://127.0.0.1/{to}",
            )
        )
    good, bad = seen.of("email")
    assert good == f"✓ email       smtp: 127.0.0.1:{port} answers"
    assert "Connection refused" in bad
    assert [line[0] for line in seen.of("sms")] == ["✓", "✓", "✓"]
    assert seen.of("sms")[2].endswith(f"post: 127.0.0.1:{port} answers")
    assert seen.one("push").startswith("✓ push        apprise: understood")
    assert seen.problems == 1


@pytest.mark.parametrize(
    ("kind", "dsn", "message"),
    [
        ("email", "smtp//hunter2", "does not start with a scheme"),
        ("email", "smtp://me:hunter2@mail.example.com", "option from is missing"),
        ("sms", "smtp://me:hunter2@mail.example.com?from=a@example.com", "cannot carry sms"),
        ("sms", "smpp://me:hunter2@smsc.example.com:99999", "port"),
        ("push", "fcm://?credentials=/nowhere/hunter2.json", "cannot be read"),
    ],
)
async def test_channels_that_cannot_be_meant(own, kind, dsn, message):
    line = (await look(own(**{f"channel_{kind}": dsn}))).one(kind)
    assert line.startswith("✗")
    assert message in line
    assert f"POSTERN_CHANNEL_{kind.upper()}" in line


@pytest.fixture(scope="module")
def certificate(tmp_path_factory) -> tuple[Path, ssl.SSLContext]:
    """Returns the file that makes a server at 127.0.0.1 trusted, and the server's context."""
    path = self_signed(tmp_path_factory.mktemp("tls"))
    return path, server_side(path)


async def test_tls_from_the_first_byte(own, certificate):
    pem, context = certificate
    async with serving(hang_up, ssl=context) as port, serving(hang_up) as plain:
        mail = f"smtps://127.0.0.1:{port}?from=a@example.com"
        seen = await look(
            own(
                channel_email=f"{mail},{mail}&ca={pem},{mail}&insecure=1,"
                f"smtps://127.0.0.1:{plain}?from=a@example.com",
                channel_sms=f"smpp://me:hunter2@127.0.0.1:{port}?tls=1,"
                f"twilio://AC1:hunter2@127.0.0.1:{port}?from=%2B14155550100",
            )
        )
    assert [line[0] for line in seen.of("email")] == ["✗", "✓", "✓", "✗"]
    assert "certificate is not accepted" in seen.of("email")[0]
    assert seen.of("email")[1].endswith("answers with TLS")
    assert [line[0] for line in seen.of("sms")] == ["✗", "✗"]


async def test_behind_a_proxy_nothing_is_said_of_what_lies_behind(own, monkeypatch):
    monkeypatch.setenv("https_proxy", "http://me:hunter2@127.0.0.1:9")
    seen = await look(own(channel_sms="twilio://AC1:hunter2@?from=%2B14155550100"))
    assert seen.one("sms").startswith("! sms         twilio: api.twilio.com:443 is reached through a proxy")


async def test_the_legacy_system(own):
    async with serving(hang_up) as port:
        seen = await look(own(legacy_url=f"http://127.0.0.1:{port}/old", legacy_token="Bearer hunter2"))
        assert seen.one("legacy") == f"✓ legacy      bridge: 127.0.0.1:{port} answers"
    seen = await look(own(legacy_url=f"http://127.0.0.1:{port}/old"))
    assert seen.one("legacy").startswith("✗")
    assert (await look(own(legacy_url="ftp://127.0.0.1/"))).one("legacy").startswith("✗")


async def test_the_port(own, settings):
    free = free_port()
    assert (await look(own(port=free))).one("port") == f"✓ port        127.0.0.1:{free} is free"
    async with serving(hang_up) as taken:
        assert f"(process {os.getpid()})" in (await look(own(port=taken))).one("port")
    assert (await look(own(port=free, host="192.0.2.1"))).one("port").startswith("✗")
    server = Server(uvicorn.Config(make_app(settings), host="127.0.0.1", port=free, log_config=None))
    running = asyncio.create_task(server.serve())
    while not server.started:
        await asyncio.sleep(0.01)
    try:
        assert "Postern runs there" in (await look(own(port=free))).one("port")
        assert "Postern runs there" in (await look(own(port=free, host="0.0.0.0"))).one("port")
    finally:
        server.should_exit = True
        await running
