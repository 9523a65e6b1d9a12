"""The rigs, found by their files; a test that asks for `rig` runs once for each of their variants."""

import ast
from collections.abc import AsyncIterator, Awaitable, Callable
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from tests.messengers.recorder import Live, easiest
from tests.messengers.rig import How, Rig, RigFactory
from tests.support import servers


def _names(file: Path) -> tuple[str, ...]:
    """Returns a rig's NAMES without importing it: a driver that can't be imported fails only its own tests."""
    for node in ast.parse(file.read_text()).body:
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "NAMES":
            return tuple(ast.literal_eval(node.value))
    return ()


FILES = {
    name: file.stem
    for file in sorted((Path(__file__).parent / "rigs").glob("[a-z]*.py"))
    for name in _names(file)
}
MakeLive = Callable[..., Awaitable[Live]]


@pytest.fixture(params=sorted(FILES))
async def rig(request: pytest.FixtureRequest) -> AsyncIterator[Rig]:
    factory: RigFactory = import_module(f"tests.messengers.rigs.{FILES[request.param]}").rig
    async with factory(request.param) as made:
        yield made


@pytest.fixture
async def live(rig: Rig) -> AsyncIterator[MakeLive]:
    """`await live(how)`: a new account that works. `start=False`: nothing was done yet. All are closed at the end."""
    made: list[Live] = []

    async def make(how: How | None = None, *, start: bool = True, again: Live | None = None) -> Live:
        if again is not None:
            one = await again.again()
        else:
            one = Live(rig, rig.account(how or easiest(rig)))
        made.append(one)
        if start and again is None:
            await one.log_in(how or easiest(rig))
        elif start:
            await one.start()
        return one

    yield make
    for account in made:
        await account.connection.close()
        assert not account.told.wrong


@pytest.fixture
async def simulation() -> AsyncIterator[Any]:
    """An empty simulation of the sandbox, in Redis."""
    from messengers.sandbox import Simulation
    from tests.messengers.rigs.sandbox import patient

    async with Simulation(servers.redis_url(), 0.05) as made:
        patient(made)
        await made._shared.client.flushdb()
        yield made
