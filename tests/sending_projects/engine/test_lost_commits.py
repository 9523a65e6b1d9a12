"""Every commit of a group is made, and its answer is lost: the group is stored once more."""

from typing import Any

import pytest

from channels.port import Outcome, Result
from engine.sending import groups
from runtime.retry import until_stored
from tests.sending_projects.engine.stuck import assert_finished, has_nothing_in_flight, run_cycle
from tests.sending_projects.engine.test_claims import started
from tests.support.fake_channels import Fake, use
from tests.support.gateway import Gateway
from tests.support.people import Person
from tests.support.projects import Projects

pytestmark = pytest.mark.rotating


@pytest.fixture(autouse=True)
def lost(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """The answers that were lost."""
    answers: list[Any] = []

    async def twice(db: Any, work: Any) -> Any:
        answers.append(await until_stored(db, work))
        return await until_stored(db, work)

    monkeypatch.setattr(groups, "until_stored", twice)
    return answers


@pytest.mark.parametrize("batch", [1, 2, 10, 40])
@pytest.mark.parametrize("price", ["0", "0.001"])
@pytest.mark.parametrize("own_ids", [True, False])
async def test_a_project_sends_each_once_and_pays_once(
    projects: Projects, ada: Person, lost: list[Any], batch: int, price: str, own_ids: bool
) -> None:
    await projects.db.fetchval(f"""UPDATE tariffs SET prices = '{{"USD": {{"email": {price}}}}}'""")

    def answer(message: Any) -> Outcome:
        return Outcome(Result.sent, str(message.id) if own_ids else f"p-{message.id}")

    use(projects.services, fake := Fake(answer, batch=batch))
    project = await started(projects, ada, 30)
    await run_cycle(projects, project)
    assert len(lost) >= 2
    assert await projects.states(project) == {"sent": 30}
    assert len({message.id for message in fake.took}) == len(fake.took) == 30
    assert has_nothing_in_flight(projects, fake)
    await assert_finished(projects, project)
    await projects.sound(project)


async def test_direct_messages_are_sent_once(services: Any, ada: Person, drain: Any, lost: list[Any]) -> None:
    gateway = Gateway(services)
    use(services, fake := Fake(batch=2), kind="sms")
    await gateway.queue(ada, 20)
    assert await drain("sms") == 20
    assert len(lost) >= 2
    assert await gateway.states() == {"sent": 20}
    assert len({message.id for message in fake.took}) == len(fake.took) == 20
