"""An SMSC, that of the driver's own tests: a message is taken when its submit_sm is read."""

import asyncio
from typing import Any

from tests.channels import peer_smpp
from tests.channels.peer_smpp import Session, Smsc
from tests.faults.providers.effects import Effects, Trouble

WINDOW = 10  # what the tests' DSN says: a reset concerns all that are in flight
_RESETS = 0.05  # of the troubles that would be one: each concerns a whole window

_STATUS = {
    Trouble.throttled: 0x58,
    Trouble.unavailable: 0x08,
    Trouble.doubtful: 0x08,
    Trouble.error: 0x08,
}


async def serve(effects: Effects) -> int:
    """Returns the port."""
    smsc = _Smsc(effects)
    await smsc.start()
    return smsc.port


class _Smsc(Smsc):
    def __init__(self, effects: Effects) -> None:
        super().__init__()
        self._effects = effects

    def submit(self, session: Session, pdu: Any) -> None:
        effects = self._effects
        trouble = effects.trouble() if session.role else Trouble.unavailable
        if trouble is Trouble.reset and effects.random.random() >= _RESETS:
            trouble = None
        loop = asyncio.get_running_loop()
        if trouble in _STATUS:
            loop.call_later(effects.latency(), session.respond, pdu, _STATUS[trouble])
            return
        data = pdu.message_payload or pdu.short_message or b""
        to = f"+{pdu.destination_addr.decode()}"
        id = effects.take("-", "-", to, peer_smpp.text(data, pdu.data_coding))
        if trouble is Trouble.reset:
            effects.doubt(WINDOW)
            session.reset()
        elif trouble is Trouble.silence:
            effects.doubt()
        else:
            loop.call_later(effects.latency(), lambda: session.respond(pdu, message_id=id))
