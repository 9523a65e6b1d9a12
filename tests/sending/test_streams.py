"""A limit for all workers together: who gets what of it."""

import asyncio
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import channels
from engine.sending.delivery import Delivery
from engine.sending.port import FaultPoints
from engine.sending.streams import Streams, share_of
from runtime.services import Services
from tests.support.fake_channels import Fake, use


@given(total=st.integers(1, 1000), workers=st.integers(1, 100))
def test_all_shares_are_the_total_and_differ_by_one_at_most(total: int, workers: int) -> None:
    shares = [share_of(total, workers, index) for index in range(workers)]
    assert sum(shares) == total
    assert max(shares) - min(shares) <= 1


async def test_workers_come_and_go(services: Services) -> None:
    services.worker = "b"
    use(services, route := Fake(batch=8))
    services.routes._totals[route] = 12
    streams = Streams(services)
    assert streams.of(route).concurrency.most == 1  # nobody knows yet who else there is
    streams.share(["b"])
    assert streams.of(route).concurrency.most == 8  # alone: its own limit
    streams.share(["a", "b", "c", "d", "e"])
    assert streams.of(route).concurrency.most == 3
    streams.share([f"a{n}" for n in range(20)])  # all of which come first
    assert streams.of(route).concurrency.most == 0
    assert streams.of(route).concurrency.limit == 0
    streams.share([])
    assert streams.of(route).concurrency.most == 8
    await streams.close()


def waiting_at_the_first_of_two(services: Services) -> tuple[Streams, Delivery, Fake]:
    """A delivery of one message, whose second route has no stream yet."""
    services.worker = "b"
    use(services, first := Fake(batch=8), second := Fake(batch=8))
    services.routes._totals[first] = 1
    streams = Streams(services)
    streams.share(["b"])
    claim: Any = SimpleNamespace(ended=False)
    delivery = Delivery(
        streams, claim, [first, second], channel="sms", group=None, points=FaultPoints("", "", "")
    )
    message: Any = SimpleNamespace(id=1, uncertain=False)
    delivery.start([message])
    return streams, delivery, second


async def test_a_share_is_taken_away_before_a_message_has_reached_its_second_route(
    services: Services,
) -> None:
    streams, delivery, _ = waiting_at_the_first_of_two(services)
    streams.share(["a", "b"])  # the total is the other worker's
    assert len(delivery.unsent) == 1
    await streams.close()


async def test_a_delivery_is_stopped_while_the_streams_close(services: Services) -> None:
    streams, delivery, _ = waiting_at_the_first_of_two(services)

    async def stop() -> None:
        delivery.stop()

    stopping = asyncio.create_task(stop())
    await streams.close()
    await stopping
    assert len(delivery.unsent) == 1


def test_the_option_is_of_every_driver_with_a_provider() -> None:
    assert channels.total_of("smtp://mail.example.com?from=a@example.com&total=40") == 40
    assert channels.total_of("smtp://mail.example.com?from=a@example.com") is None
    channels.connect("email", "smtp://mail.example.com?from=a@example.com&total=40")


@pytest.mark.parametrize("value", ["0", "-1", "100001", "many", "1.5", ""])
def test_nonsense_is_refused_with_what_is_allowed(value: str) -> None:
    with pytest.raises(channels.BadDsn, match="total"):
        channels.connect("sms", f"post://host.example.com/?total={value}")


def test_the_sandbox_has_no_total() -> None:
    with pytest.raises(channels.BadDsn, match="unknown option total"):
        channels.connect("sms", "sandbox://?total=5")
