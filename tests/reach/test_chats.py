"""Chats of messenger accounts: one person under several names counts once, and a group is refused."""

from uuid import UUID

import pytest

from core.ids import uuid7
from engine.messengers.host import hosting
from runtime.services import Services
from tests.chats.live import ADA, connect
from tests.reach.limited import counted, limited, phone, send
from tests.support.messengers import ok, wrong
from tests.support.people import Person

pytestmark = pytest.mark.settings(sandbox_moment=0.02, limit_messenger_messages="100000/60")

_CHAT = (
    "INSERT INTO messenger_chats (id, account_id, kind, thread, phone, username, last_at)"
    " VALUES ($1, $2, $3, $4, $5, $6, now())"
)


async def test_one_person_by_all_names(services: Services, ada: Person):
    async with hosting(services):
        account: UUID = await connect(services, ada, ADA)
        token, id = await limited(ada, 2)
        for to in (phone(0), phone(0).removeprefix("+"), f"{phone(0)[:2]} ({phone(0)[2:5]}) {phone(0)[5:]}"):
            await ok(token, "sendMessage", ADA, msg_to=to, msg_text="hi")
        thread = await services.db.fetchval(
            "SELECT thread FROM messenger_chats WHERE account_id = $1 AND phone = $2", account, phone(0)
        )
        await ok(token, "sendMessage", ADA, msg_to=thread, msg_text="hi")
        assert await counted(services, id) == 1
        # By SMS it is the same person.
        assert (await send(token, phone(0)))[0] == 202
        assert await counted(services, id) == 1
        await ok(token, "sendMessage", ADA, msg_to=phone(1), msg_text="hi")
        code, message = await wrong(token, "sendMessage", ADA, msg_to=phone(2), msg_text="hi")
        assert code == "approval_required" and "2 recipients in 24 hours" in message
        await ok(token, "sendMessage", ADA, msg_to=phone(1), msg_text="hi")
        assert await services.db.fetchval("SELECT count(*) FROM messenger_messages WHERE outgoing") == 6
        assert await counted(services, id) == 2
        # The key of a message that was sent gives its answer, whoever has been reached since.
        keyed = {"msg_to": phone(1), "msg_text": "hi", "idempotencyKey": "k"}
        first = await ok(token, "sendMessage", ADA, **keyed)
        again = await ok(token, "sendMessage", ADA, **keyed)
        assert first["results"] == again["results"]


@pytest.mark.parametrize("kind", ["group", "channel"])
async def test_a_group_is_a_crowd(services: Services, ada: Person, kind: str):
    async with hosting(services):
        account = await connect(services, ada, ADA)
        token, id = await limited(ada, 5)
        await services.db.fetch(_CHAT, uuid7(), account, kind, "-100123", None, "crowd")
        for to in ("-100123", "@crowd", "@stranger"):
            code, message = await wrong(token, "sendMessage", ADA, msg_to=to, msg_text="hi")
            assert code == "approval_required"
            assert ("can't be counted" if to == "-100123" else "by phone") in message
        assert not await services.db.fetchval("SELECT count(*) FROM messenger_messages")
        assert await counted(services, id) == 0
