"""Fixtures of tests about mails of the service itself: a real SMTP server, and an installation that sends by it."""

from collections.abc import AsyncIterator

import pytest

from core.settings import Settings
from tests.conftest import MakeSettings
from tests.support.smtp import Recorder, recording


@pytest.fixture
async def recorder() -> AsyncIterator[Recorder]:
    async with recording() as server:
        yield server


@pytest.fixture
def settings(make_settings: MakeSettings, recorder: Recorder) -> Settings:
    return make_settings(
        public_url="https://postern.example.com",
        channel_email=f"smtp://127.0.0.1:{recorder.port}?from=postern@example.com&timeout=5",
    )
