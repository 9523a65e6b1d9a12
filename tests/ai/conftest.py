from collections.abc import AsyncIterator

import pytest

from runtime.services import Services
from tests.ai.model import KEY
from tests.legacy.upstream import Upstream, upstream


@pytest.fixture
async def model(services: Services) -> AsyncIterator[Upstream]:
    """A server that speaks `/v1/chat/completions`, and our settings that lead to it."""
    from pydantic import SecretStr

    async with upstream() as server:
        services.settings.ai_url = f"{server.url}/v1"
        services.settings.ai_key = SecretStr(KEY)
        services.settings.ai_model = "a-model"
        yield server
