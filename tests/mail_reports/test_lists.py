"""Reports about emails through both doors: to the owner of the message, and with the mail while it is kept."""

from typing import Any

from core.ids import uuid7
from engine.mail_reports.recording import Rules
from tests.mail_reports.made import COMPLAINT, Mails, bounce, mails
from tests.support.gateway import gateway
from tests.support.people import Person
from tests.support.records import records

__all__ = ["gateway", "mails", "records"]

_LIST = "query($w:MailReportWhere){mailReports(where:$w){nodes{uuid}}}"


async def _listed(person: Person, where: dict[str, Any] | None = None, **params: str) -> list[str]:
    """Returns the messages of the reports, which both doors list alike."""
    answer = await person.rest("GET", "/mail-reports", params=params)
    assert answer.status_code == 200, answer.text
    items = answer.json()["items"]
    nodes = (await person.data(_LIST, {"w": where}))["mailReports"]["nodes"]
    assert [node["uuid"] for node in nodes] == [item["uuid"] for item in items]
    return [item["messageUuid"] for item in items]


async def test_the_owner_sees_them_newest_first(mails: Mails, ada: Person, bob: Person, admin: Person):
    (direct,), record = await mails.direct(), await mails.of_project()
    await mails.report(direct, bounce("hard", "ada@Example.net"))
    await mails.report(record, COMPLAINT)
    ids = [str(record), str(direct)]
    assert await _listed(ada) == await _listed(admin) == ids
    assert await _listed(bob) == []
    assert await _listed(ada, {"type": {"eq": "complaint"}}, type="complaint") == ids[:1]
    assert await _listed(ada, {"messageUuid": {"eq": ids[1]}}, messageUuid=ids[1]) == ids[1:]
    item = (await ada.rest("GET", "/mail-reports")).json()["items"][1]
    assert item == {
        "uuid": item["uuid"], "messageUuid": ids[1], "kind": "direct", "type": "bounce", "bounceClass": "hard",
        "source": "dsn", "address": "ada@Example.net", "status": "5.1.1", "code": 550, "diagnostic": "550 5.1.1 No.",
        "outcome": "fails", "createdAt": item["createdAt"],
    }  # fmt: skip
    assert (await ada.rest("GET", f"/mail-reports/{item['uuid']}")).json() == item
    assert (await bob.rest("GET", f"/mail-reports/{item['uuid']}")).status_code == 404


async def test_a_message_has_its_reports(mails: Mails, ada: Person):
    (direct,), record = await mails.direct(), await mails.of_project("delivered")
    for id in (direct, record):
        await mails.report(id, bounce("transient", kind="delay"))
        await mails.report(id)
    fields = "bouncedAt complainedAt mailReports{nodes{type} totalCount}"
    for query, id in (
        (f"message(id:$id){{{fields}}}", direct),
        (f"messageRecord(id:$id){{{fields}}}", record),
    ):
        (message,) = (await ada.data(f"query($id:ID!){{{query}}}", {"id": str(id)})).values()
        assert message["bouncedAt"] is not None
        assert message["complainedAt"] is None
        assert message["mailReports"] == {"nodes": [{"type": "bounce"}, {"type": "delay"}], "totalCount": 2}
    shown = (await ada.rest("GET", f"/message/{record}")).json()
    assert shown["bouncedAt"] is not None


async def test_the_mail_is_shown_while_it_is_kept(mails: Mails, ada: Person, bob: Person, admin: Person):
    first, second = await mails.direct(count=2)
    await mails.record([await mails.received(first, mail=b"Subject: \xff\x00 back\r\n")])
    await mails.record([await mails.received(second, mail=b"x")], Rules(keeps_mails=False))
    without, report = [item["uuid"] for item in (await ada.rest("GET", "/mail-reports")).json()["items"]]
    for person in (ada, admin):
        answer = await person.rest("GET", f"/mail-reports/{report}/mail")
        assert answer.json() == {"mail": "Subject: \ufffd\x00 back\r\n"}
        query = "query($id:ID!){mailReportMail(id:$id){mail}}"
        assert (await person.data(query, {"id": report}))["mailReportMail"] == answer.json()
    for person, id in ((bob, report), (ada, without), (ada, str(uuid7()))):
        assert (await person.rest("GET", f"/mail-reports/{id}/mail")).status_code == 404
