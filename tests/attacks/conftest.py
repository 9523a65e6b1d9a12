from collections.abc import Iterator

import pytest

from tests.support.live import Live, serving


@pytest.fixture(scope="package")
def live() -> Iterator[Live]:
    """One service for all attacks: it must survive every one of them."""
    with serving() as running:
        yield running
