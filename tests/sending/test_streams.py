"""A limit for all workers together: who gets what of it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

import channels
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
