"""Channels say whether they are the sandbox's. No provider, address or password is shown."""

import pytest

from core.ids import uuid7
from runtime.routes import Routes

SECRET = "hidden-password"


async def channels(who):
    answer = await who.rest("GET", "/sending-channels")
    assert answer.status_code == 200, answer.text
    graph = await who.data("{ sendingChannels { channel sandbox reportsDelivery setting } }")
    assert graph["sendingChannels"] == answer.json()
    assert SECRET not in answer.text
    assert "mail.example.com" not in answer.text
    return {row["channel"]: row["sandbox"] for row in answer.json()}


async def test_all_are_the_sandbox_s_until_an_operator_says_otherwise(ada):
    assert await channels(ada) == dict.fromkeys(("email", "sms", "push", "telegram", "whatsapp"), True)
    rows = (await ada.rest("GET", "/sending-channels")).json()
    assert {row["setting"] for row in rows if row["channel"] == "sms"} == {"POSTERN_CHANNEL_SMS"}


async def test_each_channel_is_told_by_its_first_route(ada, services, monkeypatch):
    changed = services.settings.model_copy(
        update={
            "channel_email": f"smtp://me:{SECRET}@mail.example.com?from=news@example.com, sandbox://",
            "channel_sms": f"sandbox://, smpp://me:{SECRET}@mail.example.com",
        }
    )
    monkeypatch.setattr(services, "routes", Routes(changed))
    seen = await channels(ada)
    assert (seen["email"], seen["sms"], seen["push"]) == (False, True, True)


async def test_an_account_of_a_real_messenger_makes_its_channel_real_for_its_owner(ada, bob, admin, services):
    add = (
        "INSERT INTO messenger_accounts (id, owner_id, source, login, name, driver, state, wanted)"
        " VALUES ($1, $2, 'telegram', '+14155550123', 'Phone', 'telegram', 'working', true)"
    )
    await services.db.fetch(add, uuid7(), ada.id)
    assert (await channels(ada))["telegram"] is False
    assert (await channels(admin))["telegram"] is False
    assert (await channels(bob))["telegram"] is True
    await services.db.fetch("UPDATE messenger_accounts SET deleted_at = now()")
    assert (await channels(ada))["telegram"] is True


@pytest.mark.settings(outbound_allow=["127.0.0.1/32"])
async def test_sms_are_real_if_a_rule_sends_some_by_a_real_route(ada, admin):
    dsn = f"post://me:{SECRET}@127.0.0.1:9/send?scheme=http"
    made = await admin.rest("POST", "/system/routes", json={"name": "berlin", "dsn": dsn})
    assert made.status_code == 201, made.text
    rule = await admin.rest("POST", "/route-rules", json={"prefix": "49", "route": "berlin"})
    assert rule.status_code == 201, rule.text
    assert (await channels(ada))["sms"] is False
