"""The logins of the sandbox: what a simulated person does with a QR, a pairing code, a code or a password."""

import asyncio
import base64
import itertools
import json
import secrets
from collections.abc import Callable
from dataclasses import asdict, dataclass, replace
from datetime import UTC, datetime, timedelta
from typing import Protocol, Self

from messengers.port import Account, Change, CodeInvalid, PasswordInvalid
from messengers.sandbox.simulator.scenarios import RIGHT_CODE, RIGHT_PASSWORD, Login
from messengers.sandbox.simulator.simulation import Simulation
from shapes.messenger_accounts import AccountState as State
from shapes.messenger_accounts import MessengerSource

QR_MOMENTS = 5
SCAN_MOMENTS = 2  # until the simulated person uses the QR or code
CODE_MOMENTS = 120
TRIES = 3
FLOOD_SECONDS = 60


class Ended(Exception):
    """The login failed for good: the change is reported, and the account does not connect again by itself."""

    def __init__(self, change: Change, *, forget: bool = False) -> None:
        super().__init__(change.reason)
        self.change = change
        self.forget = forget  # the session is of no more use


@dataclass(frozen=True, slots=True)
class Session:
    """The session that `Sink.session` stores, as text."""

    source: str
    address: str
    epoch: str  # sessions of an earlier epoch are revoked
    id: str

    def __str__(self) -> str:
        return base64.urlsafe_b64encode(json.dumps(asdict(self)).encode()).decode("ascii")

    @classmethod
    def read(cls, text: str) -> Self | None:
        """Parses a stored session. Returns None if the text is none."""
        try:
            return cls(**json.loads(base64.urlsafe_b64decode(text)))
        except (ValueError, TypeError):
            return None


@dataclass(slots=True)
class Ask:
    """A code or a password that was submitted, and the future of the call that waits for its result."""

    text: str
    answer: "asyncio.Future[None]"

    def accept(self) -> None:
        """Answers that the code or password was right."""
        if not self.answer.done():
            self.answer.set_result(None)

    def refuse(self, error: Exception) -> None:
        """Answers with an error."""
        if not self.answer.done():
            self.answer.set_exception(error)


class Steps(Protocol):
    """Provides the methods that a login needs of its connection. Each method may raise an error that ends the
    connection.
    """

    async def report(self, change: Change) -> None: ...

    async def admitted(self, value: str, seconds: float) -> bool:
        """Returns whether `Simulation.admit` was called with that value within the time."""

    async def asked(self, seconds: float) -> Ask | None:
        """Returns the code or password submitted within the time, or None."""


async def login(steps: Steps, simulation: Simulation, account: Account, scenario: Login) -> None:
    """Runs the login until it succeeds. Raises Ended, and as `steps` does."""
    if scenario is Login.banned:
        raise Ended(Change(State.blocked, "banned", "The sandbox has banned this account."))
    if scenario is Login.flood:
        until = datetime.now(UTC) + timedelta(seconds=FLOOD_SECONDS)
        raise Ended(Change(State.failed, "flood_wait", "Too many logins; try again later.", until))
    if account.phone is None and scenario is Login.phone:
        await steps.report(Change(State.waitPhone, reason="The sandbox wants a phone for this account."))
        await asyncio.Event().wait()
    if account.phone is None:
        prefix = f"sandbox://{account.source}/{account.login}/"
        await _show_until_used(
            steps, simulation, scenario, State.waitQr, lambda: prefix + secrets.token_urlsafe(12)
        )
    elif account.source is MessengerSource.whatsapp:
        await _show_until_used(steps, simulation, scenario, State.showCode, _pairing_code)
    else:
        await _ask_until_right(steps, simulation, scenario, State.waitCode)
    if scenario is Login.password:
        await _ask_until_right(steps, simulation, scenario, State.waitPassword)


def _pairing_code() -> str:
    letters = "".join(secrets.choice("ABCDEFGHJKLMNPQRSTUVWXYZ123456789") for _ in range(8))
    return f"{letters[:4]}-{letters[4:]}"


async def _show_until_used(
    steps: Steps, simulation: Simulation, scenario: Login, state: State, make: Callable[[], str]
) -> None:
    """Shows a QR or a pairing code, and a new one whenever it expires, until it is used."""
    code = None
    for attempt in itertools.count():
        value, lifetime = make(), QR_MOMENTS * simulation.moment
        expires = datetime.now(UTC) + timedelta(seconds=lifetime)
        await steps.report(Change(state, code, value=value, expires_at=expires))
        waits = scenario is Login.unused or (scenario is Login.second and not attempt)
        if await steps.admitted(value, lifetime if waits else SCAN_MOMENTS * simulation.moment) or not waits:
            return
        code = "qr_expired" if state is State.waitQr else "code_expired"


async def _ask_until_right(steps: Steps, simulation: Simulation, scenario: Login, state: State) -> None:
    """Asks for a code or a password until it is right. The third wrong one ends the login."""
    right, kind = (RIGHT_CODE, CodeInvalid) if state is State.waitCode else (RIGHT_PASSWORD, PasswordInvalid)
    lifetime = (
        QR_MOMENTS if scenario is Login.unused and state is State.waitCode else CODE_MOMENTS
    ) * simulation.moment
    left = TRIES
    change = Change(state, attempts_left=left)
    while True:
        expires = datetime.now(UTC) + timedelta(seconds=lifetime)
        await steps.report(replace(change, expires_at=expires if state is State.waitCode else None))
        if (ask := await steps.asked(lifetime)) is None:
            change = Change(
                state,
                "code_expired",
                "The code or password was not sent in time. Send it now.",
                attempts_left=left,
            )
            continue
        if secrets.compare_digest(ask.text.strip().encode(), right.encode()):
            ask.accept()
            return
        left -= 1
        error = kind(f"That is wrong; {left} more tries.", attempts_left=left)
        change = Change(state, kind.code, error.reason, attempts_left=left)
        if not left:
            ask.refuse(error)
            raise Ended(Change(State.failed, kind.code, "Wrong too often. Start the account again."))
        ask.refuse(error)
