"""Calls of Resend's client for Python. The address and the key come from the environment, as its users set them."""

import json
import sys
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from http.server import BaseHTTPRequestHandler, HTTPServer
from queue import Queue
from threading import Thread
from typing import Any

import resend  # type: ignore[import-not-found]  # fetched when this runs
from resend.exceptions import ResendError  # type: ignore[import-not-found]  # likewise

FROM = "Ada <news@ada.example>"
EMAIL = {"from": FROM, "to": ["anna@example.com"], "subject": "Hello", "text": "Hi"}


def later(hours: int) -> str:
    return (datetime.now(UTC) + timedelta(hours=hours)).isoformat()


def say(call: str, work: Callable[[], Any]) -> None:
    try:
        outcome = {"ok": True, "says": str(work() or "")}
    except Exception as error:
        outcome = {"ok": False, "says": f"{type(error).__name__}: {error}"}
    sys.stdout.write(json.dumps({"call": call, **outcome}) + "\n")
    sys.stdout.flush()


def refused(work: Callable[[], Any], status: int, name: str) -> str:
    try:
        work()
    except ResendError as error:
        assert (int(error.code), error.error_type) == (status, name), (
            error.code,
            error.error_type,
            str(error),
        )
        return f"{type(error).__name__} {status} {name}: {error}"
    raise AssertionError("it was not refused")


def sent(**changes: Any) -> Any:
    return resend.Emails.send({**EMAIL, **changes})


def repeated() -> str:
    options = {"idempotency_key": "python/one"}
    first = resend.Emails.send(EMAIL, options)["id"]
    assert resend.Emails.send(EMAIL, options)["id"] == first
    other = {**EMAIL, "subject": "Bye"}
    return refused(lambda: resend.Emails.send(other, options), 409, "invalid_idempotent_request")


def shown() -> str:
    id = sent(html="<p>Hi</p>", tags=[{"name": "a", "value": "b"}], reply_to=FROM)["id"]
    email = resend.Emails.get(id)
    assert (email["object"], email["to"], email["tags"]) == (
        "email",
        ["anna@example.com"],
        [{"name": "a", "value": "b"}],
    )
    return str(email["last_event"])


def listed() -> str:
    page = resend.Emails.list({"limit": 2})
    more = resend.Emails.list({"limit": 2, "after": page["data"][1]["id"]})
    assert more["data"][0]["id"] < page["data"][1]["id"]
    return f"{len(page['data'])}, has_more {page['has_more']}"


def moved() -> str:
    id = sent(scheduled_at=later(1))["id"]
    resend.Emails.update({"id": id, "scheduled_at": later(24)})
    assert resend.Emails.get(id)["scheduled_at"] > later(23)[:19]
    resend.Emails.cancel(id)
    return str(resend.Emails.get(id)["last_event"])


def batches() -> str:
    other = {**EMAIL, "to": ["b@example.com"]}
    assert len(resend.Batch.send([EMAIL, other])["data"]) == 2
    bad = {**EMAIL, "to": ["nobody"]}
    says = refused(lambda: resend.Batch.send([EMAIL, bad]), 422, "validation_error")
    some = resend.Batch.send([EMAIL, bad], {"batch_validation": "permissive"})
    assert (len(some["data"]), some["errors"][0]["index"]) == (1, 1), some
    return says


def contacts() -> str:
    first = resend.Contacts.list()["data"][0]
    assert resend.Contacts.get(email=first["email"])["id"] == first["id"]
    return str(first["email"])


class _Receiver(BaseHTTPRequestHandler):
    """Answers webhooks, and puts them into a queue."""

    calls: Queue[tuple[dict[str, str], str]] = Queue()

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["content-length"])).decode()
        self.calls.put(({name.lower(): value for name, value in self.headers.items()}, body))
        self.send_response(200)
        self.end_headers()

    def log_message(self, *_: Any) -> None: ...


def webhooks() -> str:
    server = HTTPServer(("127.0.0.1", 0), _Receiver)
    Thread(target=server.serve_forever, daemon=True).start()
    endpoint = f"http://127.0.0.1:{server.server_port}/hook"
    hook = resend.Webhooks.create({"endpoint": endpoint, "events": ["email.sent"]})
    try:
        sent()
        headers, body = _Receiver.calls.get(timeout=30)
        names = {name: headers[f"svix-{name}"] for name in ("id", "timestamp", "signature")}
        secret = hook["signing_secret"]
        resend.Webhooks.verify({"payload": body, "headers": names, "webhook_secret": secret})
        assert json.loads(body)["type"] == "email.sent"
        assert resend.Webhooks.get(hook["id"])["events"] == ["email.sent"]
        assert [each["id"] for each in resend.Webhooks.list()["data"]] == [hook["id"]]
        resend.Webhooks.update({"webhook_id": hook["id"], "status": "disabled"})
        return str(resend.Webhooks.get(hook["id"])["status"])
    finally:
        resend.Webhooks.remove(hook["id"])
        server.shutdown()


def main() -> None:
    say("Emails.send", lambda: sent()["id"])
    say(
        "Emails.send with bytes as an attachment",
        lambda: sent(attachments=[{"filename": "a", "content": [1, 2]}])["id"],
    )
    say("Emails.send to several", lambda: sent(to=["a@example.com", "b@example.com"])["id"])
    say("Emails.send twice with one idempotency key", repeated)
    say("Emails.get", shown)
    say("Emails.list", listed)
    say("Emails.send scheduled, update, cancel", moved)
    say("Batch.send: whole, strict, permissive", batches)
    say("Contacts.list and Contacts.get", contacts)
    say("Webhooks: create, verify, get, list, update, remove", webhooks)
    say("refused: cc", lambda: refused(lambda: sent(cc=["b@example.com"]), 422, "validation_error"))
    say("refused: no text", lambda: refused(lambda: sent(text=None), 422, "missing_required_field"))
    say(
        "refused: a domain of others",
        lambda: refused(lambda: sent(**{"from": "a@b.example"}), 403, "validation_error"),
    )
    say("refused: Domains.list", lambda: refused(resend.Domains.list, 404, "not_found"))
    say("refused: Emails.metrics", lambda: refused(resend.Emails.metrics, 404, "not_found"))
    resend.api_key = "re_123"
    say("refused: a wrong key", lambda: refused(sent, 403, "invalid_api_key"))


main()
