"""A mail server (aiosmtpd) that takes a message at its final dot, whether or not anybody hears the answer."""

import asyncio
from email import message_from_bytes, policy

from aiosmtpd.smtp import SMTP, Envelope, Session

from tests.faults.providers.effects import SILENCE, Effects, Trouble


async def serve(effects: Effects) -> int:
    """Returns the port."""
    server = await asyncio.get_running_loop().create_server(
        lambda: SMTP(_Handler(effects), hostname="localhost", enable_SMTPUTF8=True),
        "127.0.0.1",
        0,
        backlog=1024,
    )
    return int(server.sockets[0].getsockname()[1])


class _Handler:
    def __init__(self, effects: Effects) -> None:
        self._effects = effects

    async def handle_RCPT(
        self, server: SMTP, session: Session, envelope: Envelope, address: str, options: list[str]
    ) -> str:
        envelope.trouble = self._effects.trouble()  # type: ignore[attr-defined]
        if envelope.trouble is Trouble.throttled:  # type: ignore[attr-defined]
            return "450 4.7.1 too many messages"
        if envelope.trouble is Trouble.unavailable:  # type: ignore[attr-defined]
            return "451 4.3.0 try again later"
        envelope.rcpt_tos.append(address)
        return "250 2.1.5 fine"

    async def handle_DATA(self, server: SMTP, session: Session, envelope: Envelope) -> str:
        effects, trouble = self._effects, envelope.trouble  # type: ignore[attr-defined]
        await asyncio.sleep(effects.latency())
        if trouble in (Trouble.doubtful, Trouble.error):
            return "451 4.3.0 not taken, try again later"
        mail = message_from_bytes(envelope.content or b"", policy=policy.default)
        id = str(mail["Message-ID"]).strip("<>").partition("@")[0]
        effects.take(
            str(mail["X-Postern-Key"] or "-").strip("<>"),
            id,
            envelope.rcpt_tos[0],
            mail.get_content().rstrip("\r\n"),
        )
        if trouble is not None:
            effects.doubt()
            if trouble is Trouble.silence:
                await asyncio.sleep(SILENCE)
            server.transport.abort()
        return "250 2.0.0 taken"
