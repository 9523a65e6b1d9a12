"""Mail programs submit their mails: who may, what becomes of them, and what is refused."""

import asyncio
import smtplib
from collections.abc import Callable
from email import message_from_bytes, policy
from typing import Any

import pytest

from runtime.services import Services
from tests.api_tokens.made import made
from tests.channels.peer_smtp import peer
from tests.channels.smtp.rig import opened
from tests.submissions.door import DOMAIN, Client, exchange, mail
from tests.support.fake_channels import use
from tests.support.people import People, Person

Clients = Callable[..., Client]
TABLES = ("messages", "ledger_entries WHERE kind = 'charge'", "submitted_mails", "idempotency_keys")


async def counts(services: Services) -> list[int]:
    return [await services.db.fetchval(f"SELECT count(*) FROM {table}") for table in TABLES]


@pytest.mark.parametrize("implicit", [False, True])
async def test_a_mail_becomes_a_message_for_each_recipient(
    shop: Clients, services: Services, ada: Person, implicit: bool
):
    replies = await shop(implicit=implicit).send(
        mail(), "anna@example.com", "ben@example.com", "anna@EXAMPLE.com"
    )
    assert [code for code, _ in replies] == [250] * 4, replies
    rows = await services.db.fetch('SELECT * FROM messages ORDER BY "to"')
    assert [row["to"] for row in rows] == ["anna@example.com", "ben@example.com"]
    assert {(row["owner_id"], row["from_address"], row["body"]) for row in rows} == {
        (ada.id, f"orders@{DOMAIN}", "Thank you for your order.")
    }
    assert rows[0]["metadata"]["subject"] == "Order 4711"
    assert await counts(services) == [2, 2, 1, 2]


async def test_the_same_mail_is_one(shop: Clients, services: Services):
    content = mail(Message_ID="<1@shop.example>")
    for _ in range(3):
        assert await shop().code(content, "anna@example.com", "ben@example.com") == 250
    assert await counts(services) == [2, 2, 1, 2]
    assert await shop().code(content, "anna@example.com") == 250
    # A recipient that is new gets it, and no other again.
    assert await shop().code(content, "anna@example.com", "cleo@example.com") == 250
    assert (await counts(services))[0] == 3
    days = await services.db.fetchval(
        "SELECT min(extract(epoch FROM expires_at - now())) / 86400 FROM idempotency_keys"
    )
    assert 4.9 < days <= 5


async def test_another_mail_is_another(shop: Clients, services: Services, ada: Person):
    for content in (mail(), mail("Another text"), mail(Idempotency_Key="1"), mail(Idempotency_Key="2")):
        for _ in range(2):
            assert await shop().code(content) == 250
    assert (await counts(services))[0] == 4
    # The same id with another text is a mistake, and no second submission.
    await shop().code(mail("One", Message_ID="<2@shop.example>"))
    code, text = (await shop().send(mail("Two", Message_ID="<2@shop.example>")))[-1]
    assert (code, "idempotency_key_reused" in text) == (550, True)


async def test_it_goes_out_as_it_came(shop: Clients, services: Services, drain: Any):
    sent = mail(
        Message_ID="<own@shop.example>", List_Unsubscribe="<mailto:out@shop.example>", Reply_To="a@b.example"
    )
    sent.add_alternative('<p>Thanks</p><img src="cid:logo">', subtype="html")
    sent.get_payload()[1].add_related(b"\x89PNG", "image", "png", cid="<logo>")
    sent.add_attachment(b"BEGIN:VCALENDAR", "text", "calendar", filename="invite.ics")
    sent["Received"], sent["Bcc"] = "from laptop", "secret@example.com"
    sent["X-Postern-Category"], sent["Return-Path"] = "transactional", "<x@y.example>"
    sent["DKIM-Signature"] = "v=1; d=elsewhere.example; h=from; b=abc"
    async with peer() as server, opened(server.dsn) as channel:
        use(services, channel)
        assert await shop().code(sent, "anna@example.com") == 250
        await drain("email")
        (raw,), (envelope,) = server.raw, server.envelopes
    assert (envelope.mail_from, envelope.rcpt_tos) == ("news@example.com", ["anna@example.com"])
    out = message_from_bytes(raw, policy=policy.SMTP)
    for name in (
        "Message-ID",
        "List-Unsubscribe",
        "Reply-To",
        "Subject",
        "From",
        "To",
        "Date",
        "DKIM-Signature",
    ):
        assert out[name] == sent[name] or name == "Date"
    for name in ("Received", "Bcc", "X-Postern-Category", "Return-Path"):
        assert out[name] is None
    assert out["X-Postern-Key"]
    whole = sent.as_bytes(policy=policy.SMTP).partition(b"\r\n\r\n")[2]
    assert raw.partition(b"\r\n\r\n")[2].rstrip() == whole.rstrip()
    assert await services.db.fetchval("SELECT provider_message_id FROM messages") == "<own@shop.example>"


async def test_date_and_id_are_added(shop: Clients, services: Services, drain: Any):
    async with peer() as server, opened(server.dsn) as channel:
        use(services, channel)
        assert await shop().code(b"From: orders@shop.example\r\nSubject: Hi\r\n\r\n.\r\n..two\r\n") == 250
        await drain("email")
        (raw,) = server.raw
    out = message_from_bytes(raw)
    assert out["Date"]
    assert str(out["Message-ID"]).endswith("@shop.example>")
    assert raw.partition(b"\r\n\r\n")[2] in (b".\r\n..two\r\n", b".\r\n..two")


@pytest.mark.parametrize(
    "sender",
    [
        "orders@elsewhere.example",
        "Shop <orders@shop.example>, eve@elsewhere.example",
        "eve@elsewhere.example, <orders@shop.example>",
        '"a" <orders@elsewhere.example>',
        "eve@elsewhere.example <orders@shop.example>",
        "Shop: orders@shop.example;",
        "orders@shop.example (eve@elsewhere.example)",
        "(x <eve@elsewhere.example>) orders@shop.example",
        "orders@shop.example.elsewhere.example",
        "orders@shop.example\r\nFrom: eve@elsewhere.example",
        "",
        "Shop",
        "=?utf-8?q?eve=40elsewhere.example?= <orders@elsewhere.example>",
    ],
)
async def test_a_forged_sender_is_refused(shop: Clients, services: Services, sender: str):
    content = b"From: %b\r\nTo: anna@example.com\r\nSubject: Hi\r\n\r\nHi\r\n" % sender.encode()
    code, text = (await shop().send(content))[-1]
    assert code == 550, text
    assert await counts(services) == [0, 0, 0, 0]


async def test_the_sender_that_acts_is_looked_at_too(shop: Clients, services: Services):
    assert await shop().code(mail(Sender="eve@elsewhere.example")) == 550
    assert await shop().code(mail(Sender="robot@shop.example")) == 250


@pytest.mark.parametrize(
    "content",
    [
        b"From orders@shop.example Mon\r\nFrom: orders@shop.example\r\n\r\nHi\r\n",
        b"From : orders@shop.example\r\n\r\nHi\r\n",
        b"From: orders@shop.example\r\n \r\nFrom: eve@elsewhere.example\r\n\r\nHi\r\n",
        b"From: orders@shop.example\r\n\r\n" + b"x" * 1500 + b"\r\n",
        b"From: orders@shop.example\r\n\r\na\0b\r\n",
        b"From: orders@shop.example\r\nMessage-ID: <1@a>\r\nMessage-ID: <2@a>\r\n\r\nHi\r\n",
        b"From: orders@shop.example\r\nX-Postern-Colour: red\r\n\r\nHi\r\n",
        b"From: orders@shop.example\r\nX-Postern-Category: fun\r\n\r\nHi\r\n",
        b"\r\nHi\r\n",
        b"",
    ],
)
async def test_what_two_readers_could_read_differently_is_refused(
    shop: Clients, services: Services, content: bytes
):
    code, text = (await shop().send(content))[-1]
    assert code == 550, text
    assert (await counts(services))[0] == 0


async def test_blocked_and_invalid_recipients_are_refused_one_by_one(
    shop: Clients, services: Services, ada: Person
):
    await ada.rest("POST", "/block/ben@example.com")
    replies = await shop().send(mail(), "anna@example.com", "ben@example.com", "nobody", "cleo@example.com")
    assert [code for code, _ in replies] == [250, 550, 550, 250, 250], replies
    assert "recipient_blocked" in replies[1][1]
    assert (await counts(services))[0] == 2


async def test_a_block_of_advertising_counts_for_it(shop: Clients, services: Services, ada: Person):
    await ada.rest("POST", "/block/ben@example.com", json={"scope": "promotional"})
    advertising = mail(X_Postern_Category="promotional")
    assert await shop().code(advertising, "ben@example.com") == 550
    assert (await counts(services))[0] == 0
    assert await shop().code(mail(), "ben@example.com") == 250
    assert await shop().code(advertising, "anna@example.com") == 250
    assert await services.db.fetchval("SELECT count(*) FROM messages WHERE category = 'promotional'") == 1


async def test_without_money_nothing_is_stored(shop: Clients, services: Services, ada: Person):
    await services.db.fetch("UPDATE accounts SET balance = 0.001 WHERE owner_id = $1 RETURNING id", ada.id)
    code, text = (await shop().send(mail(), "anna@example.com", "ben@example.com"))[-1]
    assert (code, "insufficient_balance" in text) == (452, True), text
    assert await counts(services) == [0, 0, 0, 0]


async def test_limits_of_the_token_hold(services: Services, ada: Person, shop: Clients):
    for name in ("approvalAbove", "messagesPerDay"):
        token, _ = await made(ada, scopes=["messages:send"], **{name: 1})
        program = Client(services.settings, token)
        content = mail(Message_ID=f"<{name}@a.example>")
        assert await program.code(content, "anna@example.com", "ben@example.com") == 452
        assert (await counts(services))[0] == 0


@pytest.mark.settings(limit_messages="2/60")
async def test_the_rate_of_messages_holds(shop: Clients, services: Services):
    assert await shop().code(mail(), "a@example.com", "b@example.com", "c@example.com") == 451
    assert await counts(services) == [0, 0, 0, 0]
    assert await shop().code(mail(), "a@example.com", "b@example.com") == 250


async def test_a_mail_has_a_hundred_recipients(shop: Clients, services: Services):
    replies = await shop().send(mail(), *(f"user{number}@example.com" for number in range(101)))
    assert [code for code, _ in replies] == [250] * 100 + [452, 250]
    assert await counts(services) == [100, 100, 1, 100]


async def test_who_may_not_send(services: Services, ada: Person, people: People, shop: Clients):
    reading, _ = await made(ada, scopes=["messages:read"])
    revoked, id = await made(ada, scopes=["messages:send"])
    await ada.rest("DELETE", f"/api-tokens/{id}")
    elsewhere, _ = await made(ada, scopes=["messages:send"], networks=["192.0.2.0/24"])
    for password in (reading, revoked, elsewhere, "pst_wrong", ada.token, "x" * 600, ""):
        with pytest.raises(smtplib.SMTPAuthenticationError) as refused:
            await asyncio.to_thread(Client(services.settings, password).open)
        assert refused.value.smtp_code == 535, refused.value
    other = await people.make("eve@example.com", credit="10")
    hers, _ = await made(other, scopes=["messages:send"])
    assert await Client(services.settings, hers).code(mail()) == 550  # the domain is Ada's
    assert (await counts(services))[0] == 0


async def test_nothing_is_taken_without_a_login(shop: Clients, services: Services):
    def tried(implicit: bool) -> list[int]:
        with shop(logs_in=False, implicit=implicit).open() as open:
            open.ehlo()
            codes = [open.mail("a@shop.example")[0], open.rcpt("anna@example.com")[0]]
            return [*codes, open.docmd("DATA")[0], open.docmd("VRFY", "anna@example.com")[0]]

    for implicit in (False, True):
        assert await asyncio.to_thread(tried, implicit) == [530, 530, 530, 530]


async def test_no_password_in_clear(shop: Clients, services: Services, token: str):
    def tried() -> tuple[bool, int]:
        port = int(services.settings.smtp_listen[0].rpartition(":")[2])
        with smtplib.SMTP("127.0.0.1", port, timeout=30) as open:
            open.ehlo()
            return open.has_extn("auth"), open.docmd("AUTH", "PLAIN AGEAYg==")[0]

    assert await asyncio.to_thread(tried) == (False, 538)


@pytest.mark.settings(smtp_plain=True)
async def test_in_clear_from_this_machine_if_a_setting_says_so(shop: Clients, services: Services, token: str):
    def tried() -> int:
        port = int(services.settings.smtp_listen[0].rpartition(":")[2])
        with smtplib.SMTP("127.0.0.1", port, timeout=30) as open:
            open.login("shop", token)
            return exchange(open, mail().as_bytes(policy=policy.SMTP), ["anna@example.com"])[-1][0]

    assert await asyncio.to_thread(tried) == 250


@pytest.mark.settings(limit_login="6/300")
async def test_wrong_tokens_are_bounded_and_right_ones_are_not_locked_out(
    services: Services, shop: Clients, token: str
):
    assert await shop().code(mail()) == 250
    codes = []  # the client tries each by two mechanisms
    for number in range(6):
        with pytest.raises(smtplib.SMTPAuthenticationError) as refused:
            await asyncio.to_thread(Client(services.settings, f"pst_wrong{number}").open)
        codes.append(refused.value.smtp_code)
    assert codes == [535, 535, 535, 454, 454, 454]
    assert await shop().code(mail("Another")) == 250


async def test_a_token_that_is_revoked_meanwhile(services: Services, ada: Person, shop: Clients):
    token, id = await made(ada, scopes=["messages:send"])
    open = await asyncio.to_thread(Client(services.settings, token).open)
    content = mail().as_bytes(policy=policy.SMTP)
    assert (await asyncio.to_thread(exchange, open, content, ["anna@example.com"]))[-1][0] == 250
    await ada.rest("DELETE", f"/api-tokens/{id}")
    assert (await asyncio.to_thread(exchange, open, content, ["ben@example.com"]))[-1][0] == 421
    open.close()
    assert (await counts(services))[0] == 1


async def test_a_row_of_another_mail_is_not_sent(shop: Clients, services: Services, ada: Person, drain: Any):
    """Metadata that name a mail send nothing of it: a message has to be one of the mail's."""
    assert await shop().code(mail("The secret")) == 250
    await drain("email")
    id = await services.db.fetchval("SELECT id FROM submitted_mails")
    body = {
        "to": "eve@example.com",
        "channel": "email",
        "body": "x",
        "metadata": {"submittedMailId": str(id)},
    }
    stolen = (await ada.rest("POST", "/messages", json=body)).json()["id"]
    await drain("email")
    assert (await services.db.fetchval("SELECT state FROM messages WHERE id = $1", stolen)) == "failed"
