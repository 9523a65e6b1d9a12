"""Batches of Resend's clients: all or none, or those that are valid."""

from typing import Any

import pytest

from runtime.services import Services
from tests.resend.client import EMAIL, call, done, refused
from tests.support.people import Person

pytestmark = pytest.mark.settings(resend=True, limit_messages="1000/60")
PERMISSIVE = {"x-batch-validation": "permissive"}


async def stored(services: Services) -> tuple[int, int]:
    """Messages and charges."""
    sent = await services.db.fetchval("SELECT count(*) FROM messages")
    return sent, await services.db.fetchval("SELECT count(*) FROM ledger_entries WHERE kind = 'charge'")


def emails(count: int, **more: Any) -> list[dict[str, Any]]:
    return [{**EMAIL, "to": f"a{number}@example.com", **more} for number in range(count)]


async def test_a_batch_is_sent_whole(sender: Person, services: Services):
    sent = await done(sender, "POST", "/emails/batch", emails(100, tags=[{"name": "a", "value": "b"}]))
    ids = [each["id"] for each in sent["data"]]
    assert len({*ids}) == 100
    assert sent.keys() == {"data"}
    assert await stored(services) == (100, 100)
    assert (await done(sender, "GET", f"/emails/{ids[7]}"))["to"] == ["a7@example.com"]


async def test_several_recipients_count_as_one_email(sender: Person, services: Services):
    two = [{**EMAIL, "to": ["a@example.com", "b@example.com"]}, {**EMAIL, "to": "c@example.com"}]
    sent = (await done(sender, "POST", "/emails/batch", two))["data"]
    shown = [(await done(sender, "GET", f"/emails/{each['id']}"))["to"] for each in sent]
    assert shown == [["a@example.com"], ["c@example.com"]]
    assert await stored(services) == (3, 3)
    await sender.rest("POST", "/block/c@example.com")
    status, _, sentence = await refused(sender, "POST", "/emails/batch", two)
    assert (status, sentence.partition(": ")[0]) == (422, "emails.1")
    assert await stored(services) == (3, 3)


async def test_one_that_fails_leaves_nothing_behind(sender: Person, services: Services):
    await sender.rest("POST", "/block/a7@example.com")
    before = await services.db.fetchval("SELECT balance FROM accounts WHERE owner_id = $1", sender.id)
    key = {"Idempotency-Key": "batch"}
    status, name, sentence = await refused(sender, "POST", "/emails/batch", emails(9), **key)
    assert (status, name, sentence.partition(": ")[0]) == (422, "validation_error", "emails.7")
    assert await stored(services) == (0, 0)
    assert await services.db.fetchval("SELECT balance FROM accounts WHERE owner_id = $1", sender.id) == before
    await sender.rest("POST", "/block/unblock/a7@example.com")
    assert len((await done(sender, "POST", "/emails/batch", emails(9), **key))["data"]) == 9


@pytest.mark.settings(resend=True, limit_messages="5/60")
async def test_one_beyond_the_limit_leaves_the_limit_as_it_was(sender: Person, services: Services):
    assert (await refused(sender, "POST", "/emails/batch", emails(6)))[:2] == (429, "rate_limit_exceeded")
    assert await stored(services) == (0, 0)
    answer = await call(sender, "POST", "/emails/batch", emails(5))
    assert (answer.status_code, answer.headers["ratelimit-remaining"]) == (200, "0")


async def test_a_balance_that_pays_for_some_pays_for_none(sender: Person, services: Services):
    await services.db.fetch("UPDATE accounts SET balance = 0.003 WHERE owner_id = $1", sender.id)
    assert (await refused(sender, "POST", "/emails/batch", emails(50)))[:2] == (429, "monthly_quota_exceeded")
    assert await stored(services) == (0, 0)


async def test_those_that_are_valid_are_sent_on_wish(sender: Person, services: Services):
    await sender.rest("POST", "/block/a2@example.com")
    batch = emails(5)
    batch[1] = {"to": "a1@example.com"}
    batch[4]["to"] = ["a@example.com", "b@example.com"]
    sent = await done(sender, "POST", "/emails/batch", batch, **PERMISSIVE)
    assert len(sent["data"]) == 2
    assert [each["index"] for each in sent["errors"]] == [1, 2, 4]
    assert "Missing `from` field." in sent["errors"][0]["message"]
    assert await stored(services) == (2, 2)
    whole = await done(sender, "POST", "/emails/batch", emails(1), **PERMISSIVE)
    assert (len(whole["data"]), whole["errors"]) == (1, [])


async def test_a_batch_is_repeated_by_its_key(sender: Person, services: Services):
    key = {"Idempotency-Key": "batch"}
    first = await done(sender, "POST", "/emails/batch", emails(3), **key)
    assert await done(sender, "POST", "/emails/batch", emails(3), **key) == first
    other = await refused(sender, "POST", "/emails/batch", emails(2), **key)
    assert other[:2] == (409, "invalid_idempotent_request")
    assert await stored(services) == (3, 3)


@pytest.mark.parametrize("body", [[], {}, [EMAIL] * 101, [1], [None], [[]]])
async def test_what_is_no_batch(sender: Person, services: Services, body: Any):
    assert (await refused(sender, "POST", "/emails/batch", body))[:2] == (422, "validation_error")
    assert (await refused(sender, "POST", "/emails/batch", [EMAIL], **{"x-batch-validation": "some"}))[
        0
    ] == 422
    assert await stored(services) == (0, 0)
