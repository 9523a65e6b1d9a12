"""More than fifty hostile tasks: nothing is sent twice, nothing is let in, and no crowd is reached without an approval.

`python -m tests.mcp` plays the same tasks, and prints what is counted after each.
"""

from collections.abc import Iterator

import pytest

from tests.mcp.hostile import HOSTILE
from tests.mcp.installation import Installation, installation
from tests.mcp.stage import Tally, Task, played

pytestmark = pytest.mark.servers


@pytest.fixture(scope="module")
def installed() -> Iterator[Installation]:
    with installation(2 * len(HOSTILE)) as running:
        yield running


@pytest.mark.parametrize("task", HOSTILE, ids=lambda task: task.title)
async def test_an_agent_that_obeys_does_no_harm(installed: Installation, task: Task):
    assert await played(installed, task) == Tally(sent=task.sends)


def test_there_are_fifty():
    assert len({each.title for each in HOSTILE}) == len(HOSTILE) >= 50
