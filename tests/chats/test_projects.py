"""Messages of projects that went through an account: their statuses, and what people answer."""

import pytest

from core.ids import uuid7
from engine.messengers import project_links
from tests.chats.conftest import ANNA, T0, came, step, went
from tests.support.records import Records


@pytest.fixture
def records(services):
    return Records(services)


async def sent(services, records, ada, account, *, to=ANNA, status="sent", id="7", channel="telegram"):
    """A record, and its message in the chat."""
    record = await records.make(ada, status, to=to, channel=channel, provider="messenger")
    await services.db.fetch(
        "UPDATE message_records SET handed_at = $2 WHERE handed_at IS NOT NULL AND id = $1", record, T0
    )
    await services.db.fetch(
        "INSERT INTO messenger_messages (id, account_id, outgoing, recipient, record_id, text, at)"
        " VALUES ($1, $2, true, $3, $4, 'x', now())",
        item := uuid7(),
        account,
        to,
        record,
    )
    return record, item


async def row(services, record):
    return await services.db.fetchrow("SELECT * FROM message_records WHERE id = $1", record)


async def test_a_record_follows_its_message(services, ada, account, apply, outbox, records):
    record, item = await sent(services, records, ada, account, status="unknown")
    await apply(went("7", item=item))
    assert (await row(services, record)).status == "sent"
    await apply(step("7", "delivered"))
    assert (await row(services, record)).status == "delivered"
    await apply(step("7", "has_seen"), step("7", "delivered"))
    assert (await row(services, record)).status == "read"


async def test_a_failure_is_refunded(services, ada, account, apply, outbox, records):
    before = await services.db.fetchval("SELECT balance FROM accounts WHERE id = $1", ada.account_id)
    record, item = await sent(services, records, ada, account)
    await apply(went("7", item=item), step("7", "errored", code="blocked_by_recipient", reason="No."))
    record_row = await row(services, record)
    assert (record_row.status, record_row.failure_code, record_row.price) == (
        "failed",
        "blocked_by_recipient",
        0,
    )
    assert await services.db.fetchval("SELECT balance FROM accounts WHERE id = $1", ada.account_id) == before


async def test_what_is_told_of_a_queued_record_waits_for_it(services, ada, account, apply, outbox, records):
    record, item = await sent(services, records, ada, account, status="queued")
    await apply(went("7", item=item), step("7", "has_seen"))
    assert (await row(services, record)).status == "queued"
    assert (
        await services.db.fetchval("SELECT count(*) FROM pgqueuer WHERE entrypoint = 'messengers.early'") > 0
    )
    await services.db.fetch(
        "UPDATE message_records SET status = 'sending', handed_at = now() WHERE id = $1", record
    )
    await project_links.apply_early(services, record)
    assert (await row(services, record)).status == "read"


async def test_an_answer_is_a_reply(services, ada, account, apply, outbox, records):
    record, item = await sent(services, records, ada, account)
    await apply(went("7", item=item), came("8", "thanks"))
    assert (await row(services, record)).replied_at is not None
    inbound = await services.db.fetchrow("SELECT * FROM message_records WHERE direction = 'inbound'")
    assert (inbound.body, inbound.to, inbound.channel, inbound.owner_id) == (
        "thanks",
        ANNA,
        "telegram",
        ada.id,
    )
    await apply(came("8", "thanks"))
    assert await services.db.fetchval("SELECT count(*) FROM message_records WHERE direction = 'inbound'") == 1


async def test_who_was_written_to_by_phone_answers_under_a_user_name(
    services, ada, account, apply, outbox, records
):
    record, item = await sent(services, records, ada, account)
    await apply(went("7", item=item), came("8", "hi", sender="anna_k"))
    assert (await row(services, record)).replied_at is not None


async def test_a_messengers_id_is_no_phone(services, ada, account, apply, outbox, records):
    record, _ = await sent(services, records, ada, account, to="+5821341234")
    await apply(came("8", "hi", thread="other", sender="5821341234"))
    assert (await row(services, record)).replied_at is None


async def test_groups_the_past_and_other_owners_answer_nothing(
    services, ada, bob, account, apply, outbox, records
):
    record, _ = await sent(services, records, ada, account)
    theirs = await records.make(bob, "sent", to=ANNA, channel="telegram")
    await apply(came("8", "hi", thread="g", chat_kind="group"), came("9", "hi", past=True))
    assert (await row(services, record)).replied_at is None
    await apply(came("10", "hi"))
    assert (await row(services, record)).replied_at is not None
    assert (await row(services, theirs)).replied_at is None


async def test_a_stop_word_is_obeyed(services, ada, account, apply, outbox, records):
    await sent(services, records, ada, account)
    waiting = await records.make(ada, "queued", to=ANNA, channel="telegram")
    await apply(came("8", " Stop! "))
    assert (await row(services, waiting)).status == "skipped"
    assert (
        await services.db.fetchval("SELECT reason FROM blocked_phones WHERE owner_id = $1", ada.id)
        == "optOut"
    )
