import httpx
import pytest

from tests.auth.doors import Auth


@pytest.fixture
def auth(client: httpx.AsyncClient) -> Auth:
    return Auth(client)
