"""Ways out that do what a test wants, instead of the configured ones."""

import asyncio
import sys
from collections.abc import Callable, Sequence
from typing import Any

from channels.port import Channel, HookRequest, Outcome, Outgoing, Result, Sink
from runtime.breakers import THRESHOLD
from runtime.services import Services

Answer = Callable[[Outgoing], Outcome | Result]


def taken(_: Outgoing) -> Result:
    return Result.sent


class Fake:
    """Answers by `answer`; while `gate` is closed it has the messages and says nothing."""

    name: Any = "fake"
    reports_delivery = True

    def __init__(
        self, answer: Answer = taken, *, batch: int = 10, idempotent: bool = False, hangs: bool = False
    ) -> None:
        self.answer, self.batch, self.idempotent = answer, batch, idempotent
        self.took: list[Outgoing] = []
        self.gate = asyncio.Event()
        if not hangs:
            self.gate.set()

    async def open(self, sink: Sink) -> None: ...

    async def close(self) -> None: ...

    def hook(self, request: HookRequest) -> list[Any]:
        return []

    async def send(self, batch: Sequence[Outgoing]) -> list[Outcome]:
        self.took.extend(batch)
        await self.gate.wait()
        return [self._outcome(message) for message in batch]

    def _outcome(self, message: Outgoing) -> Outcome:
        answer = self.answer(message)
        return (
            answer if isinstance(answer, Outcome) else Outcome(answer, str(message.id), code=f"{answer}_here")
        )


def failing(*codes: str | None, result: Result = Result.transient, **more: Any) -> Fake:
    """Returns a route whose answers have these codes, one after the other; None takes the message."""
    following = iter(codes)

    def answer(message: Outgoing) -> Outcome:
        code = next(following)
        if code is None:
            return Outcome(Result.sent, str(message.id))
        return Outcome(result, None, code=code, reason=f"It is {code}.")

    return Fake(answer, **more)


def use(
    services: Services,
    *fakes: Fake | Channel,
    kind: str = "email",
    label: str = "fake",
    breakers: bool = False,
) -> None:
    """These and no others; each has a label of its own. `breakers`: they open as they would in earnest."""
    services.breakers.threshold = THRESHOLD if breakers else sys.maxsize
    routes = services.routes
    routes._by_kind[kind] = list(fakes)
    for place, fake in enumerate(fakes, 1):
        routes._labels[fake] = label if place == 1 else f"{label}-{place}"
