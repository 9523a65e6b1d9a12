"""Another's server, and TLS."""

import asyncio
import datetime as dt
import ipaddress
import socket
import ssl
from pathlib import Path

import pytest
import smpp34
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec

from channels.port import Result
from tests.channels.peer_smpp import Smsc
from tests.channels.smpp.rig import message, receipt, rigged


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
        async with rigged(Smsc(), dsn=f"smpp://a:b@127.0.0.1:{port}?timeout=2") as rig:
            outcomes = await rig.channel.send([message("Grüße"), message("я" * 100)])
            assert [one.result for one in outcomes] == [Result.sent] * 2
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


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as server:
        port: int = server.getsockname()[1]
        return port


def certificate(folder: Path) -> Path:
    """A self-signed one for 127.0.0.1, its key in the same file."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "smsc")])
    now = dt.datetime.now(dt.UTC)
    made = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(1)
        .not_valid_before(now - dt.timedelta(days=1))
        .not_valid_after(now + dt.timedelta(days=1))
        .add_extension(
            x509.SubjectAlternativeName([x509.IPAddress(ipaddress.ip_address("127.0.0.1"))]), critical=False
        )
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .sign(key, hashes.SHA256())
    )
    path = folder / "smsc.pem"
    private = key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    path.write_bytes(private + made.public_bytes(serialization.Encoding.PEM))
    return path


async def test_tls(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = certificate(tmp_path)
    server_side = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    server_side.load_cert_chain(path)
    smsc = Smsc()
    await smsc.start(server_side)
    try:
        async with rigged(smsc, "tls=1&timeout=2") as rig:
            outcome = await rig.send()
            assert (outcome.result, outcome.code) == (Result.misconfigured, "tls_certificate")
        monkeypatch.setenv("SSL_CERT_FILE", str(path))
        async with rigged(smsc, "tls=1&timeout=2") as rig:
            assert (await rig.send()).result is Result.sent
    finally:
        await smsc.stop()
