"""Keeps a connection to an SMSC bound: binds again when it ends, with pauses."""

import asyncio
import random
import ssl
from contextlib import suppress
from dataclasses import replace
from typing import Final

import structlog

from channels.port import Outcome, Result
from channels.smpp import status
from channels.smpp.codec import Command
from channels.smpp.link import BindRefused, Deliver, Link, Login, NotSent, later
from core.outbound import UrlRefused

log = structlog.get_logger("channels.smpp")

TROUBLE_SECONDS: Final = 5.0  # a session that is bound again before that is none


class Binding:
    """Keeps one link of a role bound while it is open: at once, then with exponential backoff and jitter."""

    def __init__(self, login: Login, role: Command, deliver: Deliver) -> None:
        self._login = login
        self._role = role
        self._deliver = deliver
        self._link: Link | None = None
        self._failure: Outcome | None = None  # why the last attempt failed, or the last link ended
        self._next_attempt = 0.0
        self._unbound_since = asyncio.get_running_loop().time()
        self._attempted = (
            asyncio.Event()
        )  # wakes waiting senders when an attempt ends; `close` sets it for good
        self._task = asyncio.create_task(self._run())

    async def link(self) -> Link:
        """Returns the bound link. Waits for an attempt that runs or is due within the timeout. Raises NotSent."""
        if (link := self.bound) or (link := await self._after_attempt()):
            return link
        failure = self._failure or later("connection_lost", "The connection to the SMSC was lost.")
        if failure.result is Result.transient and (wait := self._until_attempt()) > 0:
            failure = replace(failure, retry_after=round(wait, 3))
        raise NotSent(failure)

    @property
    def role(self) -> str:
        """Returns the name of the bind."""
        return self._role.name

    @property
    def bound(self) -> Link | None:
        """Returns the link if it can be used now."""
        return self._link if self._link is not None and self._link.usable else None

    @property
    def trouble(self) -> str | None:
        """Returns a sentence on why it is not bound, if that has lasted for TROUBLE_SECONDS."""
        lasts = asyncio.get_running_loop().time() - self._unbound_since
        if self.bound is not None or self._failure is None or lasts < TROUBLE_SECONDS:
            return None
        return self._failure.reason

    def _until_attempt(self) -> float:
        return self._next_attempt - asyncio.get_running_loop().time()

    async def _after_attempt(self) -> Link | None:
        hopeless = self._failure is not None and self._failure.result is Result.misconfigured
        if hopeless or self._task.done() or self._until_attempt() > self._login.timeout:
            return None
        with suppress(TimeoutError):
            async with asyncio.timeout(2 * self._login.timeout):  # for the pause and the attempt
                await self._attempted.wait()
        return self.bound

    async def close(self) -> None:
        self._task.cancel()
        await asyncio.gather(self._task, return_exceptions=True)
        link, self._link = self._link, None
        self._failure = later("closed", "The channel was closed.")
        self._attempted.set()
        if link is not None:
            await link.close()

    async def _run(self) -> None:
        loop = asyncio.get_running_loop()
        delay = self._login.reconnect_min
        while True:
            lived = await self._attempt()
            if lived is not None and lived >= delay:
                delay = self._login.reconnect_min
            hopeless = self._failure is not None and self._failure.result is Result.misconfigured
            # SMSCs lock accounts after logins with a wrong password, so these are tried rarely.
            pause = self._login.reconnect_max if hopeless else delay * random.uniform(0.5, 1.0)
            self._next_attempt = loop.time() + pause
            if lived is None:
                self._wake()
            await asyncio.sleep(pause)
            delay = min(delay * 2, self._login.reconnect_max)

    async def _attempt(self) -> float | None:
        """Binds once and waits for the end of the link. Returns its seconds, or None if the bind failed."""
        loop = asyncio.get_running_loop()
        try:
            link = await Link.bind(self._login, self._role, self._deliver)
        except BindRefused as refusal:
            self._failure = status.bind_outcome(refusal.command_status)
        except TimeoutError:
            seconds = f"{self._login.timeout:g} s"
            self._failure = later("bind_timeout", f"The SMSC did not accept a bind within {seconds}.")
        except ssl.SSLCertVerificationError as error:
            reason = f"The SMSC's certificate is not valid here ({error.verify_message}); check host and tls."
            self._failure = Outcome(Result.misconfigured, code="tls_certificate", reason=reason)
        except UrlRefused:
            reason = "The SMSC's address is not public, and POSTERN_OUTBOUND_ALLOW does not permit it."
            self._failure = Outcome(Result.misconfigured, code="wrong_address", reason=reason)
        except OSError as error:
            self._failure = later("unreachable", f"The SMSC cannot be reached ({type(error).__name__}).")
        except Exception as error:  # no error may end the loop that binds again
            log.exception("smpp_bind_failed_unexpectedly", host=self._login.host)
            self._failure = later("unreachable", f"The bind failed ({type(error).__name__}).")
        else:
            bound_at = loop.time()
            self._link, self._failure = link, None
            self._wake()
            log.info("smpp_bound", host=self._login.host, role=self._role.name)
            await link.ended.wait()
            self._link, self._unbound_since = None, loop.time()
            await link.let_go()
            self._failure = later("connection_lost", "The connection to the SMSC was lost.")
            return loop.time() - bound_at
        log.info("smpp_not_bound", host=self._login.host, role=self._role.name, code=self._failure.code)
        return None

    def _wake(self) -> None:
        self._attempted.set()
        self._attempted.clear()
