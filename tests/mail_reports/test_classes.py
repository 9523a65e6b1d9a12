"""The meaning of a failure: the status first, then a provider's type, then the text."""

import pytest

from engine.mail_reports.classes import Failure, classify
from shapes.mail_reports import MailReportClass as Class


def _class(
    reply: str, status: str | None = None, explanation: str = "", provider: str | None = None
) -> Class:
    return classify(Failure(status, reply, explanation, provider)).klass


@pytest.mark.parametrize(
    ("status", "expected"),
    [
        ("5.1.0", Class.hard),
        ("5.1.1", Class.hard),
        ("5.1.2", Class.hard),
        ("5.1.3", Class.hard),
        ("5.1.6", Class.hard),
        ("5.1.10", Class.hard),
        ("5.2.1", Class.hard),
        ("5.1.8", Class.policy),
        ("5.2.2", Class.full),
        ("4.2.2", Class.full),
        ("5.3.4", Class.content),
        ("5.2.3", Class.content),
        ("5.6.0", Class.content),
        ("5.6.7", Class.content),
        ("5.7.1", Class.policy),
        ("4.7.0", Class.policy),
        ("5.7.13", Class.unknown),
        ("4.4.7", Class.transient),
        ("5.4.7", Class.transient),
        ("4.1.1", Class.transient),
        ("5.0.0", Class.unknown),
        ("5.5.0", Class.unknown),
        ("5.1", Class.hard),
        ("5.7.1 ", Class.policy),
        ("5.1.1 (bad destination mailbox address)", Class.hard),
        ("9.9.9", Class.unknown),
        ("5.1.1.1", Class.unknown),
        ("", Class.unknown),
        (None, Class.unknown),
    ],
)
def test_the_status_decides(status: str | None, expected: Class):
    assert _class("", status) is expected


@pytest.mark.parametrize(
    ("reply", "status", "expected"),
    [
        # The server's own status is more telling than that of the server that reports.
        ("550 5.1.1 no such person", "5.0.0", Class.hard),
        ("452 4.2.2 over quota", "5.4.7", Class.full),
        ("5.1.0 - unknown address error 550-'5.7.1 access denied'", "5.1.0", Class.policy),
        # A hard status is not believed if the text says something else.
        ("550 5.1.1 message rejected as spam by our policy", "5.1.1", Class.policy),
        ("550 5.1.1 mailbox is full", "5.1.1", Class.full),
        ("553 SPF check failed 550 5.1.1 ada@example.net... User unknown", "5.1.1", Class.policy),
        ("550-5.2.1 the user is receiving mail at a rate that", "5.2.1", Class.transient),
        # An address in a reply is no status, and neither is that of a computer.
        ("554 rejected [192.0.2.5] by policy", None, Class.policy),
        ("550 refused by 5.1.1.example.net", None, Class.policy),
    ],
)
def test_a_reply_can_correct_the_status(reply: str, status: str | None, expected: Class):
    assert _class(reply, status) is expected


@pytest.mark.parametrize(
    ("reply", "expected"),
    [
        ("550 <ada@example.net>: User unknown", Class.hard),
        ("550 No such user here", Class.hard),
        ("550 mailbox ada@example.net does not exist", Class.hard),
        ("Host or domain name not found. Name service error for name=example.invalid", Class.hard),
        ("Host not found, try again", Class.transient),
        ("552 Mailbox quota exceeded", Class.full),
        ("552 Message size exceeds the maximum", Class.content),
        ("554 the message contains a virus", Class.content),
        ("554 Your IP is on a blacklist", Class.policy),
        ("550 SPF check failed", Class.policy),
        ("550 Relaying denied", Class.policy),
        ("421 too many connections", Class.transient),
        ("Connection timed out", Class.transient),
        ("451 something", Class.transient),
        ("550 something", Class.unknown),
        ("550 account is disabled", Class.unknown),
        ("", Class.unknown),
    ],
)
def test_the_text_decides_where_there_is_no_status(reply: str, expected: Class):
    assert _class(reply) is expected


@pytest.mark.parametrize(
    ("reply", "expected"),
    [
        # Whole words against a status of policy: the mailbox is not there, or is full.
        ("550 5.7.1 No such user c18si2365148hub", Class.hard),
        ("550 5.7.1 No mailbox found", Class.hard),
        ("553 sorry, badrcptto (user mail-box not found) (#5.7.1)", Class.hard),
        ("554 5.7.1 <a@example.net>: Recipient address rejected: Nonexistent user", Class.hard),
        ("550 sorry, no mailbox here by that name. (#5.7.17)", Class.hard),
        ("552 5.7.0 maildir over quota", Class.full),
        ("452 4.7.1 mailbox is full", Class.full),
        ("554 5.7.1 Message Rejected Class=size limit=15728640", Class.content),
        # Beside a word about the sender or a policy they say nothing of the mailbox.
        ("550 5.7.1 Sender address rejected: user unknown", Class.policy),
        ("550 5.7.1 Client host rejected: no such user at your host", Class.policy),
        ("550 5.7.1 User unknown, blocked using zen.example.org", Class.policy),
        ("550 5.7.1 Relaying denied: no such user", Class.policy),
        ("550 5.7.1 Your sending quota is exceeded", Class.policy),
        ("550 5.7.1 Domain not found", Class.policy),
        ("450 4.7.1 User unknown", Class.policy),
        ("550 5.7.1 User unknown (in reply to end of DATA command)", Class.policy),
        ("550 5.7.1 something", Class.policy),
        ("550 5.7.13 user unknown", Class.unknown),
    ],
)
def test_the_words_come_before_a_status_of_policy(reply: str, expected: Class):
    assert _class(reply) is expected


@pytest.mark.parametrize(
    ("reply", "expected"),
    [
        ("554 delivery error: dd This account has been disabled or discontinued [#102].", Class.hard),
        ("550 This account is disabled", Class.unknown),
        ("551 <a@example.net> is a deactivated mailbox", Class.unknown),
        ("550 Too many invalid recipients", Class.policy),
        ("550 This address no longer accepts mail", Class.hard),
        ("550 This address no longer accepts mail from you", Class.policy),
        ("550 Destinatario sconosciuto", Class.hard),
        ("550 Benutzer hat zuviele Mails auf dem Server", Class.full),
        ("550 Nie ma takiego konta", Class.hard),
        ("554 found on one or more DNSBLs", Class.policy),
        ("553 Domain of sender address a@example.net does not exist", Class.policy),
        ('550 unknown local-part "ada" in domain "example.net"', Class.hard),
        ("551 the destination mailbox <a@example.net> is full", Class.full),
    ],
)
def test_more_words_of_servers(reply: str, expected: Class):
    assert _class(reply) is expected


def test_an_unknown_user_after_the_content_is_not_believed_without_a_status():
    assert _class("550 User unknown (in reply to end of DATA command)", "5.0.0") is Class.unknown
    assert _class("550 User unknown (in reply to RCPT TO command)", "5.0.0") is Class.hard
    assert _class("550 Unknown user ada@docomo.example", "5.0.0") is Class.policy


def test_a_footer_of_the_explanation_corrects_no_status():
    assert _class("", "5.1.1", "User unknown. This mail was scanned for viruses.") is Class.hard
    assert _class("", "5.1.1", "The mailbox is full.") is Class.full


def test_a_refused_sender_is_never_the_recipients_fault():
    assert _class("553 5.1.0 does not exist (in reply to MAIL FROM command)", "5.1.0") is Class.policy
    assert _class("550 unknown user (in reply to MAIL FROM command)") is Class.policy


@pytest.mark.parametrize(
    ("provider", "expected"),
    [
        ("Suppressed", Class.hard),
        ("MailboxFull", Class.full),
        ("AttachmentRejected", Class.content),
        ("new", Class.full),
    ],
)
def test_a_providers_type_comes_before_the_text(provider: str, expected: Class):
    assert _class("552 mailbox is full", provider=provider) is expected
    assert _class("", "5.7.1", provider=provider) is Class.policy


def test_the_status_and_the_code_are_told():
    found = classify(Failure("5.0.0", "550-5.2.2 the mailbox is full"))
    assert (found.status, found.code) == ("5.2.2", 550)
    assert classify(Failure(None, "")).status is None


@pytest.mark.parametrize(
    ("reply", "expected"),
    [
        # The sender or its computer does not exist, which says nothing about the recipient.
        ("550 return MX does not exist", Class.policy),
        ("550 Reverse DNS does not exist for your IP", Class.policy),
        ("553 bad ip address", Class.policy),
        ("535 Authentication failed: invalid user", Class.policy),
        ("550 Verification failed for <a@example.net> No such user here Sender verify failed", Class.policy),
        ("501 <x>: Helo command rejected: Host not found", Class.policy),
        # A quota of mails is not the size of a mailbox.
        ("550 5.2.2 Submission quota exceeded", Class.policy),
        ("550 throttling failure: daily message quota exceeded", Class.policy),
        ("550 5.2.122 The recipient has more messages than the server takes per hour", Class.transient),
        # Words that need not mean it, where nothing plainer is said.
        ("550 extreme bad ip profile", Class.policy),
        ("550 rejected - bulk email", Class.policy),
        ("550 this message contain invalid mime headers", Class.content),
        ("550 recipient address rejected: try another", Class.unknown),
        ("550 Requested action not taken: mailbox unavailable", Class.unknown),
        ("550 account inactive, message rejected", Class.unknown),
        # More words for what is plain.
        ("550 the mailbox you are trying to reach cannot be found", Class.hard),
        ("550 address not present in directory", Class.hard),
        ("550 no existe ese usuario", Class.hard),
        ("550 用户不存在", Class.hard),
        ("554 RCPT (a@example.net) dosn't exist", Class.hard),
        ("550 user is over the quota", Class.full),
        ("550 not sufficient disk space", Class.full),
        ("552 5.3.4 the user's maildir has overdrawn his diskspace quota", Class.full),
        (
            "552 votre boîte aux lettres est pleine: la boîte aux lettres du destinataire est pleine",
            Class.full,
        ),
        # A recipient's domain that is not in the DNS (RFC 3463 x.1.2), and a name server that did not answer.
        ("550 DNS error when resolving MX server for example.com: Domain name not found", Class.hard),
        ("Host or domain name not found. Name service error: Host not found, try again", Class.transient),
    ],
)
def test_what_a_server_says_of_whom(reply: str, expected: Class):
    assert _class(reply) is expected


def test_loose_words_change_no_status_and_nothing_long():
    assert _class("550 5.1.1 recipient rejected, see our list of subscribers") is Class.hard
    assert _class("451 your message was bounced") is Class.transient
    assert _class("550 no. " + "a footer of a server. " * 40 + "your message") is Class.unknown
    assert _class("550 your message", provider="General") is Class.unknown


@pytest.mark.parametrize(
    "reply",
    [
        "550 5.0.0 Absenderadresse existiert nicht",
        "550 Adresse des Absenders unbekannt",
        "550 adresse de l'expéditeur inconnue",
        "550 5.7.1 Adresse expediteur inconnue",
        "550 indirizzo mittente sconosciuto",
        "550 Adres nadawcy nie istnieje",
        "550 Afzender adres onbekend",
        "550 Cuenta del remitente inexistente",
        "550 Ящик отправителя не существует",
        "550 5.7.1 Unknown user in From header",
        "550 5.7.1 recipient not a member of this domain; greylisted",
        "554 Mailbox no longer accepts mail, user is on vacation",
    ],
)
def test_what_is_said_of_the_sender_blocks_no_recipient(reply: str):
    assert _class(reply) is Class.policy
