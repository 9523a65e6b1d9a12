"""Asks a messenger every minute whether the session of an account is alive."""

import asyncio
import random
from typing import Final, Protocol
from uuid import UUID

import structlog

from engine.messengers.account_writer import AccountWriter
from messengers.port import Lost
from shapes.messenger_accounts import AccountState

log = structlog.get_logger("postern.messengers")

PROBE_SECONDS: Final = 60.0


class Runner(Protocol):
    """The part of the account's runner that is used here."""

    writer: AccountWriter

    @property
    def account_id(self) -> UUID: ...

    async def probe(self) -> bool: ...

    def request_reconnect(self, code: str, reason: str) -> None: ...

    def wake(self) -> None: ...


async def probe_forever(runner: Runner) -> None:
    """Asks the messenger every minute whether the session is alive, and reconnects if it is not."""
    unanswered = 0
    while True:
        await asyncio.sleep(PROBE_SECONDS * random.uniform(0.9, 1.1))
        if runner.writer.state is not AccountState.working:
            continue
        try:
            alive = await runner.probe()
        except Lost:
            runner.wake()
            return
        except Exception as error:
            log.info("a probe failed", account=str(runner.account_id), error=f"{type(error).__name__}"[:200])
            alive = None
        unanswered = unanswered + 1 if alive is None else 0
        if alive is False or unanswered > 1:
            runner.request_reconnect(
                "probe_failed",
                "The messenger did not answer on this connection. The account is connecting again.",
            )
            return
