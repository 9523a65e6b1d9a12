"""Sessions of routes that are down: /metrics adds them up over the living workers, and the log names a change once."""

import pytest
from structlog.testing import capture_logs

from engine.sending.down_sessions import report_down_sessions
from runtime.workers import Reporter
from tests.metrics.test_metrics import ask, samples
from tests.support.fake_channels import Fake, use


class Bound(Fake):
    """A route of sessions, of which some are down."""

    def __init__(self) -> None:
        super().__init__()
        self.down: list[str] = []

    def sessions_down(self) -> list[str]:
        return self.down


@pytest.fixture
def routes(services) -> tuple[Bound, Bound]:
    north, south = Bound(), Bound()
    use(services, north, south, Fake(), kind="sms")
    return north, south


async def shown(app) -> dict[str, float]:
    """Returns the number of each route that the page has."""
    name = "postern_route_sessions_down"
    return {
        line.removeprefix(f'{name}{{route="').removesuffix('"}'): value
        for line, value in samples(await ask(app)).items()
        if line.startswith(name)
    }


async def report(services, worker: str) -> Reporter:
    """Reports as a worker of this name."""
    services.worker = worker
    reporter = Reporter(services.store, worker)
    assert await reporter.report()
    await report_down_sessions(services)
    return reporter


async def test_workers_are_added_up_and_one_that_ended_leaves_nothing(app, services, routes):
    assert await shown(app) == {}  # no worker says so
    north, _ = routes
    north.down = ["Session 2 of 3 is down.", "Session 3 of 3 is down."]
    await report(services, "host:1")
    north.down = ["Session 3 of 3 is down."]
    second = await report(services, "host:2")
    assert await shown(app) == {"sms-1": 3, "sms-2": 0}  # and none of a route without sessions
    await second.close()
    assert await shown(app) == {"sms-1": 2, "sms-2": 0}
    await services.store.client.delete("worker:alive:host:1")  # as its time to live does
    assert await shown(app) == {}


async def test_each_process_says_the_same_and_a_session_that_is_back_counts_no_more(
    app, services, routes, make_settings
):
    from postern.app import make_app

    north, south = routes
    south.down = ["Session 1 of 1 is down."]
    await report(services, "host:1")
    other = make_app(make_settings())  # its settings have no such routes
    assert await shown(app) == await shown(other) == {"sms-1": 0, "sms-2": 1}
    south.down = []
    await report(services, "host:1")
    assert await shown(app) == await shown(other) == {"sms-1": 0, "sms-2": 0}
    use(services, Fake(), kind="sms")
    await report(services, "host:1")
    assert await shown(app) == await shown(other) == {}
    assert north.down == []
    await other.services.close()


async def test_a_report_that_cannot_be_read_hides_the_number_alone(app, services, routes, monkeypatch):
    await report(services, "host:1")

    async def away(*_: object) -> None:
        raise ConnectionError("away")

    monkeypatch.setattr("resolvers.metrics.down_sessions", away)
    seen = samples(await ask(app))
    assert seen["postern_workers"] == 1
    assert not [name for name in seen if name.startswith("postern_route_sessions_down")]


async def test_the_log_names_a_change_once(services, routes):
    north, _ = routes

    async def logged(*down: str) -> list[tuple[str, object]]:
        north.down = [*down]
        with capture_logs() as logs:
            await report(services, "host:1")
            await report(services, "host:1")
        assert all(line["log_level"] == "warning" and line["route"] == "sms-1" for line in logs)
        return [(line["event"], line.get("why")) for line in logs]

    assert await logged() == []
    assert await logged("Two is refused.") == [("sessions of a route are down", "Two is refused.")]
    assert await logged("One is lost.", "Two is refused.") == [
        ("sessions of a route are down", "One is lost. Two is refused.")
    ]
    assert await logged() == [("all sessions of a route are bound again", None)]
