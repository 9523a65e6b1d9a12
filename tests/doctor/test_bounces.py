"""`postern doctor` names owners whose accepted emails come back, and are refunded, more often than one in five."""

from typing import Any

import pytest

from tests.doctor.looking import look
from tests.mail_reports.made import Mails, mails
from tests.support.gateway import gateway
from tests.support.records import records

__all__ = ["gateway", "mails", "records"]


@pytest.mark.parametrize(
    ("accepted", "bounced", "named"), [(99, 20, True), (100, 20, False), (60, 19, False)]
)
async def test_an_owner_with_many_refunded_bounces(
    accepted: int, bounced: int, named: bool, own: Any, mails: Mails
) -> None:
    ids = await mails.direct(count=accepted)
    await mails.record([await mails.received(id) for id in ids[:bounced]])
    await mails.record(
        [await mails.received(id) for id in ids[:bounced]]
    )  # again, by another mail: no refund
    lines = (await look(own())).of("bounces")
    assert bool(lines) is named
    if named:
        assert lines[0].startswith("!") and mails.person.email in lines[0]
        assert "20 of 99 emails" in lines[0]


async def test_bounces_that_a_hook_reports_or_that_refund_nothing_do_not_count(
    own: Any, mails: Mails
) -> None:
    delivered = await mails.direct("delivered", count=30)
    await mails.record([await mails.received(id) for id in delivered])
    sent = await mails.direct(count=30)
    events = [{"messageId": str(id), "status": "failed", "class": "hard"} for id in sent]
    answer = await mails.person.rest("POST", f"/delivery-hook/{mails.person.id}", json={"events": events})
    assert answer.json()["accepted"] == 30
    assert not (await look(own())).of("bounces")


async def test_a_post_route_without_a_secret_for_receipts(own: Any) -> None:
    secret = "whsec_QUJDREVGR0hJSktMTU5PUFFSU1RVVldYWVo%3D"
    sms = f"post://127.0.0.1:1/a?scheme=http,post://127.0.0.1:1/b?scheme=http&receipts={secret}"
    seen = await look(own(channel_sms=sms))
    (line,) = [line for line in seen.of("routes") if "not refunded" in line]
    assert line.startswith("!") and "sms-1" in line and "sms-2" not in line
    assert secret not in "\n".join(seen.lines) and "QUJDREVG" not in "\n".join(seen.lines)
    seen = await look(own(channel_sms="post://127.0.0.1:1/a?scheme=http&receipts=whsec_QUJD"))
    assert "receipts must be" in seen.one("sms") and "QUJD" not in "\n".join(seen.lines)
