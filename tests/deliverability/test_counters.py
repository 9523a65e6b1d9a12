"""The counters by provider equal a recount, whatever moves the emails and in whatever order reports come."""

import asyncio
import random
from typing import Any, cast

import pytest

from engine.mail_reports.recording import Rules, record
from engine.reports import report_writer
from runtime.retry import despite_conflicts
from runtime.services import Services
from tests.deliverability.recount import equal
from tests.mail_reports.made import COMPLAINT, STATUSES, Mails, bounce, mails
from tests.support.gateway import gateway
from tests.support.people import Person
from tests.support.records import Records, records

__all__ = ["gateway", "mails", "records"]

_MOVE = """
UPDATE messages AS m SET state = n.state, claim_id = CASE WHEN n.state = 'sending' THEN gen_random_uuid() END,
  sent_at = CASE WHEN n.state IN ('sent', 'delivered') THEN now() ELSE m.sent_at END,
  delivered_at = CASE WHEN n.state = 'delivered' THEN now() END
FROM unnest($1::uuid[], $2::text[]) AS n (id, state) WHERE m.id = n.id
"""
_MOVE_RECORDS = """
UPDATE message_records AS m SET status = n.state,
  sent_at = CASE WHEN n.state IN ('sent', 'delivered') THEN now() - interval '40 minutes' ELSE m.sent_at END,
  delivered_at = CASE WHEN n.state = 'delivered' THEN now() END
FROM unnest($1::uuid[], $2::text[]) AS n (id, state) WHERE m.id = n.id
"""
_PROVIDERS = "SELECT provider_class, sum(accepted)::int AS accepted FROM domain_counters GROUP BY 1"
DOMAINS = ("gmail.com", "Hotmail.co.uk", "yahoo.co.jp", "me.com", "ya.ru", "bk.ru", "example.net")


async def _emails(mails: Mails, luck: random.Random, count: int) -> tuple[list[Any], list[Any]]:
    direct, of_projects = [], []
    project = await mails.records.project(mails.person, "email")
    for number in range(count):
        state, to = (
            luck.choice(("queued", "sent", "delivered", "unknown")),
            f"a{number}@{luck.choice(DOMAINS)}",
        )
        direct += await mails.direct(state, to)
        of_projects.append(await mails.of_project(state, to, project=project))
    await mails.services.db.fetch(
        "UPDATE message_records SET variant = 1 WHERE id = ANY($1)", of_projects[: count // 2]
    )
    return direct, of_projects


async def test_emails_that_move(services: Services, records: Records, ada: Person) -> None:
    """In ways that no gateway moves them."""
    mails = Mails(services, cast(Any, None), records, ada)
    luck = random.Random(68)
    direct, of_projects = await _emails(mails, luck, 30)
    for _ in range(12):
        for ids, move in ((direct, _MOVE), (of_projects, _MOVE_RECORDS)):
            some = luck.sample(ids, 12)
            states = [luck.choice(("queued", "sending", "sent", "delivered", "unknown")) for _ in some]
            await mails.services.db.fetch(move, some, states)
    assert await equal(mails.services)


async def test_reports_doubled_and_in_any_order(mails: Mails) -> None:
    luck = random.Random(3)
    received = []
    for id in [id for ids in await _emails(mails, luck, 40) for id in ids]:
        for name in range(luck.randint(1, 4)):
            report = luck.choice([*map(bounce, STATUSES), COMPLAINT, bounce("transient", kind="delay")])
            received.append(await mails.received(id, report, name=f"<{name}.{id}@mx>"))
    doubled = [*received, *received]
    luck.shuffle(doubled)
    batches = [doubled[start : start + 20] for start in range(0, len(doubled), 20)]

    async def work(own: list[list[Any]]) -> None:
        for batch in own:

            async def once(batch: list[Any] = batch) -> None:
                async with mails.services.db.reading() as db:
                    recorded = await record(db, batch, Rules())
                    await report_writer.retry_early(db, recorded.waiting)

            await despite_conflicts(once, 9)

    await asyncio.gather(work(batches[::2]), work(batches[1::2]))
    counted = await equal(mails.services)
    sums = {
        name: sum(row[name] for row in counted) for name in counted[0] if name not in ("owner_id", "bucket")
    }
    assert min(sums[name] for name in ("deferred", "hard", "mailbox_full", "content", "policy", "soft")) > 0
    assert sums["complaints"] > 0
    (project,) = await mails.services.db.fetch(
        "SELECT sum(bounced)::int AS bounced, sum(complained)::int AS complained FROM sending_counters"
    )
    assert min(project) > 0


async def test_nothing_is_counted_of_what_was_undone(mails: Mails) -> None:
    class Undone(Exception):
        pass

    (id,) = await mails.direct("queued", "a@gmail.com")
    item = await mails.received(id, bounce())
    with pytest.raises(Undone):
        async with mails.services.db.transaction() as db:
            await db.execute("UPDATE messages SET state = 'sent', sent_at = now()")
            await record(db, [item], Rules())
            raise Undone
    assert await mails.gateway.count("domain_counters") == 0


async def test_other_channels_and_what_was_not_handed_over_have_no_row(mails: Mails, ada: Person) -> None:
    await mails.records.make(ada, "sent")
    await mails.records.make(ada, "queued", to="a@gmail.com", channel="email")
    await mails.direct("unknown", "a@gmail.com")
    await mails.services.db.fetch("UPDATE message_records SET updated_at = now()")
    assert await mails.gateway.count("domain_counters") == 0
    assert await mails.gateway.count("mail_domain_requests") == 0


async def test_a_statement_writes_one_row_for_each_provider(mails: Mails) -> None:
    ids = [
        id
        for to in ("a@gmail.com", "b@googlemail.com", "c@live.fr")
        for id in await mails.direct("queued", to)
    ]
    await mails.services.db.fetch(
        "UPDATE messages SET state = 'sent', sent_at = now() WHERE id = ANY($1)", ids
    )
    rows = {row["provider_class"]: row["accepted"] for row in await mails.services.db.fetch(_PROVIDERS)}
    assert rows == {"gmail": 2, "microsoft": 1}
    assert await mails.gateway.count("domain_counters") == 2


async def test_well_known_domains(services: Services) -> None:
    expected = {
        "gmail.com": "gmail",
        "googlemail.com": "gmail",
        "outlook.com": "microsoft",
        "outlook.com.br": "microsoft",
        "hotmail.co.uk": "microsoft",
        "live.nl": "microsoft",
        "msn.com": "microsoft",
        "yahoo.com": "yahoo",
        "yahoo.co.jp": "yahoo",
        "yahoo.com.ar": "yahoo",
        "ymail.com": "yahoo",
        "rocketmail.com": "yahoo",
        "aol.com": "yahoo",
        "icloud.com": "apple",
        "me.com": "apple",
        "mac.com": "apple",
        "ya.ru": "yandex",
        "yandex.com.tr": "yandex",
        "yandex.kz": "yandex",
        "mail.ru": "mailru",
        "bk.ru": "mailru",
        "list.ru": "mailru",
        "inbox.ru": "mailru",
        "internet.ru": "mailru",
        "notgmail.com": None,
        "outlook.example.com": None,
        "yahoo.com.evil.example": None,
        "mail.gmail.com": None,
        "live.company": None,
        "": None,
    }
    sql = "SELECT d, postern_known_provider(d) AS provider FROM unnest($1::text[]) AS u (d)"
    rows = await services.db.fetch(sql, [*expected])
    assert {row["d"]: row["provider"] for row in rows} == expected
