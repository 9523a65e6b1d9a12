import pytest

from tests.repeatable.schedules import Schedules


@pytest.fixture
def schedules(services) -> Schedules:
    return Schedules(services)
