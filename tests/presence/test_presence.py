"""sendTyping, sendRecording, resetTyping: shown, renewed, and ended."""

import pytest

from messengers.sandbox import SandboxConnection
from tests.chats.conftest import make_account
from tests.chats.live import ADA, BOB, connect
from tests.support.messengers import ok, wrong
from tests.support.waits import until

pytestmark = pytest.mark.settings(sandbox_moment=0.02)


@pytest.fixture
def shown(monkeypatch):
    """Collects what the driver is asked to show."""
    seen, real = [], SandboxConnection.act

    async def act(self, to, action):
        seen.append((to.lstrip("+"), action))
        await real(self, to, action)

    monkeypatch.setattr(SandboxConnection, "act", act)
    return seen


async def test_shown_until_it_is_reset(services, ada, host, shown):
    id = await connect(services, ada, ADA)
    await ok(ada, "sendTyping", ADA, to=BOB, seconds=60)
    assert shown == [(BOB, "typing")]
    await ok(ada, "sendRecording", ADA, to=f"+{BOB}")
    assert shown[-1] == (BOB, "recording")
    await ok(ada, "resetTyping", ADA, to=BOB)
    await ok(ada, "resetTyping", ADA, to=BOB)
    assert shown[-1] == (BOB, "none")
    done = await ada.data(
        """mutation($id: ID!, $to: String!) {
          a: sendMessengerTyping(accountId: $id, input: {to: $to})
          b: sendMessengerRecording(accountId: $id, input: {to: $to, seconds: 2})
          c: resetMessengerTyping(accountId: $id, to: $to)
        }""",
        {"id": str(id), "to": BOB},
    )
    assert done == {"a": True, "b": True, "c": True}
    assert [action for _, action in shown[-3:]] == ["typing", "recording", "none"]


async def test_it_ends_by_itself(services, ada, host, shown):
    await connect(services, ada, ADA)
    await ok(ada, "sendTyping", ADA, to=BOB, seconds=1)
    await until(lambda: shown[-1] == (BOB, "none"))
    assert shown[0] == (BOB, "typing")


async def test_bad_questions(services, ada, bob):
    await make_account(services, ada, ADA, "stopped")
    for fields in ({}, {"to": BOB, "seconds": 0}, {"to": BOB, "seconds": 61}, {"to": BOB, "seconds": "long"}):
        assert (await wrong(ada, "sendTyping", ADA, **fields))[0] == "validation_failed"
    assert (await wrong(ada, "sendTyping", ADA, to="anna"))[0] == "invalid_recipient"
    for method in ("sendTyping", "sendRecording", "resetTyping"):
        code, message = await wrong(ada, method, ADA, to=BOB)
        assert code == "wrong_state" and "setState(true)" in message
        assert (await wrong(bob, method, ADA, to=BOB))[0] == "account_not_found"
    query = (
        'mutation($id: ID!) { sendMessengerTyping(accountId: $id, input: {to: "+14155550101", seconds: 61}) }'
    )
    row = await services.db.fetchval("SELECT id FROM messenger_accounts")
    assert await ada.code(query, {"id": str(row)}) in ("validation_failed", "bad_request")
