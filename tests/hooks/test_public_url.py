"""Twilio's signature covers the address that it called, which nobody but the operator knows."""

from typing import Any

import httpx
import pytest

from core.settings import Settings


@pytest.fixture
def settings(make_settings: Any) -> Settings:
    made: Settings = make_settings(channel_sms="twilio://AC1:token@127.0.0.1?from=%2B14155550100")
    assert made.public_url is None
    return made


async def test_without_a_public_url_it_says_which_setting_is_missing(client: httpx.AsyncClient) -> None:
    """Behind a proxy every signature would be wrong, and nothing would say why."""
    for headers in ({}, {"x-twilio-signature": "x"}):
        answer = await client.post("/hooks/twilio/sms", data={"MessageSid": "SM1"}, headers=headers)
        assert (answer.status_code, answer.json()["code"]) == (503, "public_url_missing"), answer.text
        assert "POSTERN_PUBLIC_URL" in answer.json()["message"]
    assert (await client.post("/hooks/twilio/email")).status_code == 404
