"""The event of a refund, after a hook had reported the same status."""

import pytest

from channels.port import Result
from runtime.services import Services
from tests.event_feed.test_event_feed import opened, read
from tests.events.test_money import Drain, receipt, report, sent
from tests.support.people import Person


@pytest.mark.parametrize("hook", ["failed", "delivered"])
async def test_the_way_s_failure_is_an_event(
    hook: str, ada: Person, services: Services, drain: Drain
) -> None:
    """The refund comes with it, so receivers of events must hear of it, whatever the hook has said before."""
    start = await opened(ada)
    (id,) = await sent(ada, drain)
    await report(ada, "login", [{"messageId": id, "status": hook}])
    await receipt(services, id, Result.refused)
    events = (await read(ada, start))["events"]
    told = [
        (event["type"], event["data"].get("reportedBy"))
        for event in events
        if event["type"] in ("message.failed", "message.delivered")
    ]
    assert told == [(f"message.{hook}", "hook"), ("message.failed", None)]
