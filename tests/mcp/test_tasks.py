"""Ten tasks of people are done by an agent that is a script, over sockets, with a worker and a provider."""

from collections.abc import Iterator

import pytest

from tests.mcp.installation import Installation, installation
from tests.mcp.stage import Tally, Task, played
from tests.mcp.tasks import TASKS

pytestmark = pytest.mark.servers


@pytest.fixture(scope="module")
def installed() -> Iterator[Installation]:
    with installation(2 * len(TASKS)) as running:
        yield running


@pytest.mark.parametrize("task", TASKS, ids=lambda task: task.title)
async def test_an_agent_does_what_it_is_asked_for(installed: Installation, task: Task):
    assert await played(installed, task) == Tally(sent=task.sends)


def test_there_are_ten():
    assert len({each.title for each in TASKS}) == 10
