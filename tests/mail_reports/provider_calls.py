"""Callbacks of mail providers as they make them, written from their documentation by hand; and a server of SNS."""

import asyncio
import base64
import hmac
import json
import socket
import ssl
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, ClassVar, Protocol
from uuid import UUID, uuid4

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec, rsa
from cryptography.hazmat.primitives.asymmetric.padding import PKCS1v15

from core.outbound import Client, Guard
from engine.mail_reports.providers import ProviderServers
from runtime.services import Services
from tests.support.tls import self_signed, server_side

ADDRESS = "ada@example.net"
REPLY = "550 5.1.1 <ada@example.net>: user unknown"
Headers = dict[str, str]


@dataclass
class Call:
    """One request of a provider."""

    content: bytes
    headers: Headers


class Caller(Protocol):
    """One provider."""

    source: ClassVar[str]
    options: str  # of the DSN

    def bounce(self, token: str, id: UUID) -> Any:
        """Returns the event of a hard bounce."""

    def complaint(self, token: str, id: UUID) -> Any:
        """Returns the event of a complaint."""

    def call(self, event: Any, *, at: float | None = None, other_key: bool = False) -> Call:
        """Signs an event, at another time than now, or by somebody else."""


def iso(at: float) -> str:
    return datetime.fromtimestamp(at, UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


# Amazon SES

REGION = "eu-west-1"
TOPIC = f"arn:aws:sns:{REGION}:123456789012:mail"
HOST = f"sns.{REGION}.amazonaws.com"
PEM = "/SimpleNotificationService-0123456789abcdef0123456789abcdef.pem"


def certified(days: int = 30) -> tuple[rsa.RSAPrivateKey, bytes]:
    """Makes a key, and its certificate, which ends in so many days."""
    key = rsa.generate_private_key(65537, 2048)
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "sns.amazonaws.com")])
    now = datetime.now(UTC)
    made = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - timedelta(days=60))
        .not_valid_after(now + timedelta(days=days))
        .sign(key, hashes.SHA256())
    )
    return key, made.public_bytes(serialization.Encoding.PEM)


@dataclass
class Sns:
    """The HTTPS server of SNS in one region; `asked` has the paths that were asked for."""

    files: dict[str, bytes]
    asked: list[str] = field(default_factory=list)
    status: int = 200

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = (await reader.readuntil(b"\r\n\r\n")).decode()
        path = head.split(" ")[1]
        self.asked.append(path)
        body = self.files.get(path, b"<ConfirmSubscriptionResponse/>")
        writer.write(
            b"HTTP/1.1 %d X\r\nContent-Length: %d\r\nConnection: close\r\n\r\n" % (self.status, len(body))
        )
        writer.write(body)
        await writer.drain()
        writer.close()


@asynccontextmanager
async def sns_server(services: Services, folder: Path, files: dict[str, bytes]) -> AsyncIterator[Sns]:
    """Lets these services find SNS here: its name leads to this server, whose certificate they trust for that name."""
    served, pem = Sns(files), self_signed(folder, HOST)
    server = await asyncio.start_server(served.serve, "127.0.0.1", 0, ssl=server_side(pem))
    port = server.sockets[0].getsockname()[1]

    async def dial(host: str, asked_port: int) -> socket.socket:
        assert (host, asked_port) == (HOST, 443)
        made = socket.socket()
        made.setblocking(False)
        await asyncio.get_running_loop().sock_connect(made, ("127.0.0.1", port))
        return made

    client = Client(Guard(tls=ssl.create_default_context(cafile=str(pem))), dial=dial)
    services.single(ProviderServers, lambda: ProviderServers(client), ProviderServers.close)
    try:
        yield served
    finally:
        server.close()


class Ses:
    source = "ses"
    options = f"reports=ses&topic={TOPIC}"

    def __init__(self, version: str = "2", event_publishing: bool = False) -> None:
        self.version, self.kind = version, "eventType" if event_publishing else "notificationType"
        self.key, pem = certified()
        self.stranger, strange = certified()
        self.files = {PEM: pem, PEM.replace("0", "1"): strange}

    def event(self, kind: str, token: str, **details: Any) -> dict[str, Any]:
        headers = [{"name": "From", "value": "news@example.com"}, {"name": "X-Postern-Ref", "value": token}]
        mail = {
            "messageId": "0000014a",
            "destination": [ADDRESS],
            "headersTruncated": False,
            "headers": headers,
        }
        return {self.kind: kind, "mail": mail, **details}

    def bounce(
        self, token: str, id: UUID, type: str = "Permanent", subtype: str = "General", **recipient: Any
    ) -> Any:
        recipients = [
            {
                "emailAddress": ADDRESS,
                "action": "failed",
                "status": "5.1.1",
                "diagnosticCode": f"smtp; {REPLY}",
            }
            | recipient
        ]
        bounce = {"bounceType": type, "bounceSubType": subtype, "bouncedRecipients": recipients,
                  "timestamp": iso(time.time()), "feedbackId": "0000014b"}  # fmt: skip
        return self.event("Bounce", token, bounce=bounce)

    def complaint(self, token: str, id: UUID, feedback: str = "abuse") -> Any:
        complaint = {"complainedRecipients": [{"emailAddress": ADDRESS}], "complaintFeedbackType": feedback}
        return self.event("Complaint", token, complaint=complaint)

    def call(self, event: Any, *, at: float | None = None, other_key: bool = False) -> Call:
        return self.sign(self.notification(event, at), other_key=other_key)

    def notification(self, event: Any, at: float | None = None, **more: Any) -> dict[str, Any]:
        text = event if isinstance(event, str) else json.dumps(event)
        return {
            "Type": "Notification", "MessageId": str(uuid4()), "TopicArn": TOPIC, "Message": text,
            "Timestamp": iso(at or time.time()), "SignatureVersion": self.version,
            "SigningCertURL": f"https://{HOST}{PEM}",
            "UnsubscribeURL": f"https://{HOST}/?Action=Unsubscribe&SubscriptionArn={TOPIC}:1", **more,
        }  # fmt: skip

    def confirmation(self, url: str = "", kind: str = "SubscriptionConfirmation") -> dict[str, Any]:
        url = url or f"https://{HOST}/?Action=ConfirmSubscription&TopicArn={TOPIC}&Token=abc"
        made = self.notification("You have chosen to subscribe.", Type=kind, Token="abc", SubscribeURL=url)
        del made["UnsubscribeURL"]
        return made

    def sign(self, envelope: dict[str, Any], *, other_key: bool = False) -> Call:
        names = ["Message", "MessageId", "Timestamp", "TopicArn", "Type"]
        names += ["Subject"] if "Subject" in envelope else []
        names += ["SubscribeURL", "Token"] if "SubscribeURL" in envelope else []
        text = "".join(f"{name}\n{envelope[name]}\n" for name in sorted(names))
        key = self.stranger if other_key else self.key
        hash = hashes.SHA1() if envelope["SignatureVersion"] == "1" else hashes.SHA256()
        made = key.sign(text.encode(), PKCS1v15(), hash)
        envelope = {**envelope, "Signature": base64.b64encode(made).decode()}
        return Call(json.dumps(envelope).encode(), {"content-type": "text/plain; charset=UTF-8"})


# SendGrid


class SendGrid:
    source = "sendgrid"

    def __init__(self) -> None:
        self.key, self.stranger = (ec.generate_private_key(ec.SECP256R1()) for _ in range(2))
        public = self.key.public_key().public_bytes(
            serialization.Encoding.DER, serialization.PublicFormat.SubjectPublicKeyInfo
        )
        self.options = f"reports=sendgrid&secret={base64.b64encode(public).decode()}"

    def event(self, kind: str, token: str, **more: Any) -> list[dict[str, Any]]:
        made = {
            "event": kind, "email": ADDRESS, "timestamp": int(time.time()), "smtp-id": "<x@example.com>",
            "sg_event_id": uuid4().hex, "sg_message_id": "filter0001", "postern-ref": token, **more,
        }  # fmt: skip
        return [made]

    def bounce(self, token: str, id: UUID) -> Any:
        return self.event("bounce", token, type="bounce", status="5.1.1", reason=REPLY)

    def complaint(self, token: str, id: UUID) -> Any:
        return self.event("spamreport", token)

    def call(self, event: Any, *, at: float | None = None, other_key: bool = False) -> Call:
        body, stamp = json.dumps(event).encode() + b"\r\n", str(int(at or time.time()))
        key = self.stranger if other_key else self.key
        made = key.sign(stamp.encode() + body, ec.ECDSA(hashes.SHA256()))
        return Call(body, {
            "content-type": "application/json",
            "x-twilio-email-event-webhook-signature": base64.b64encode(made).decode(),
            "x-twilio-email-event-webhook-timestamp": stamp,
        })  # fmt: skip


# The other four


class Mailgun:
    source = "mailgun"
    options = "reports=mailgun&secret=key-of-mailgun"

    def event(self, kind: str, token: str, **more: Any) -> dict[str, Any]:
        made = {
            "event": kind, "id": uuid4().hex, "timestamp": time.time(), "recipient": ADDRESS, "log-level": "error",
            "user-variables": {"postern-ref": token}, **more,
        }  # fmt: skip
        return {"event-data": made}

    def bounce(self, token: str, id: UUID) -> Any:
        status = {"code": 550, "message": REPLY, "description": "", "attempt-no": 1}
        return self.event(
            "failed", token, severity="permanent", reason="bounce", **{"delivery-status": status}
        )

    def complaint(self, token: str, id: UUID) -> Any:
        return self.event("complained", token)

    def call(self, event: Any, *, at: float | None = None, other_key: bool = False) -> Call:
        stamp, nonce = str(int(at or time.time())), uuid4().hex + "0123456789abcdef01"
        mac = hmac.digest(
            b"another" if other_key else b"key-of-mailgun", f"{stamp}{nonce}".encode(), "sha256"
        )
        signature = {"timestamp": stamp, "token": nonce, "signature": mac.hex()}
        body = {"signature": signature, **event} if isinstance(event, dict) else event
        return Call(json.dumps(body).encode(), {"content-type": "application/json"})


class _Plain:
    """A provider that signs nothing."""

    authorization: ClassVar[str]

    def call(self, event: Any, *, at: float | None = None, other_key: bool = False) -> Call:
        authorization = self.authorization[:-2] + "x=" if other_key else self.authorization
        return Call(
            json.dumps(event).encode(), {"content-type": "application/json", "authorization": authorization}
        )


class Postmark(_Plain):
    source = "postmark"
    options = "reports=postmark&secret=hooks:of%20postmark"
    authorization = "Basic " + base64.b64encode(b"hooks:of postmark").decode()

    def event(self, record: str, token: str, **more: Any) -> dict[str, Any]:
        return {
            "RecordType": record, "ID": uuid4().int >> 80, "ServerID": 23, "MessageID": str(uuid4()), "Email": ADDRESS,
            "BouncedAt": iso(time.time()), "Metadata": {"postern-ref": token}, **more,
        }  # fmt: skip

    def bounce(self, token: str, id: UUID, type: str = "HardBounce", details: str = f"smtp;{REPLY}") -> Any:
        return self.event("Bounce", token, Type=type, TypeCode=1, Details=details)

    def complaint(self, token: str, id: UUID) -> Any:
        return self.event("SpamComplaint", token, Type="SpamComplaint", TypeCode=512)


class Brevo(_Plain):
    source = "brevo"
    options = "reports=brevo&secret=token-of-brevo="
    authorization = "Bearer token-of-brevo="

    def event(self, kind: str, token: str, **more: Any) -> dict[str, Any]:
        now = time.time()
        return {
            "event": kind, "email": ADDRESS, "id": 26224, "date": "2026-11-26 12:00:00", "ts": int(now),
            "ts_epoch": int(now * 1000), "message-id": f"<{uuid4()}@example.com>",
            "X-Mailin-custom": f"postern-ref:{token}", **more,
        }  # fmt: skip

    def bounce(self, token: str, id: UUID) -> Any:
        return self.event("hard_bounce", token, reason=REPLY)

    def complaint(self, token: str, id: UUID) -> Any:
        return self.event("spam", token)


class Resend:
    source = "resend"
    secret = "whsec_" + base64.b64encode(b"r" * 32).decode()
    options = f"reports=resend&secret={secret}"

    def event(self, kind: str, token: str, id: UUID, **more: Any) -> dict[str, Any]:
        headers = [{"name": "X-Postern-Ref", "value": token}] if token else []
        data = {
            "email_id": str(uuid4()), "created_at": iso(time.time()), "from": "news@example.com", "to": [ADDRESS],
            "message_id": f"<{id}@example.com>", "headers": headers, **more,
        }  # fmt: skip
        return {"type": kind, "created_at": iso(time.time()), "data": data}

    def bounce(
        self, token: str, id: UUID, type: str = "Permanent", subtype: str = "General", words: str = REPLY
    ) -> Any:
        bounce = {
            "type": type,
            "subType": subtype,
            "message": "It was refused.",
            "diagnosticCode": [f"smtp; {words}"],
        }
        return self.event("email.bounced", token, id, bounce=bounce)

    def complaint(self, token: str, id: UUID) -> Any:
        return self.event("email.complained", token, id)

    def call(self, event: Any, *, at: float | None = None, other_key: bool = False, name: str = "") -> Call:
        body, id, stamp = (
            json.dumps(event).encode(),
            name or f"msg_{uuid4().hex}",
            str(int(at or time.time())),
        )
        key = b"s" * 32 if other_key else b"r" * 32
        mac = base64.b64encode(hmac.digest(key, f"{id}.{stamp}.".encode() + body, "sha256")).decode()
        old = base64.b64encode(bytes(32)).decode()
        return Call(body, {
            "content-type": "application/json", "svix-id": id, "svix-timestamp": stamp,
            "svix-signature": f"v1,{old} v1,{mac} v2,x",
        })  # fmt: skip
