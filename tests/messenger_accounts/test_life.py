"""The whole life of an account over HTTP, in the vendor's shapes only, on the sandbox, as an operator starts it."""

import queue
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from uuid import UUID, uuid4

import httpx
import orjson
import pytest
from standardwebhooks.webhooks import Webhook

from tests.logins.test_logins import is_qr_of
from tests.support.live import Live, serving
from tests.support.messengers import RIGHT_CODE, RIGHT_PASSWORD
from tests.support.waits import PATIENCE, eventually

ADA_PHONE = "15005551039"  # of the sandbox: it asks for the cloud password
SECRET = "whsec_" + "c2VjcmV0" * 4


class Receiver:
    """Takes webhooks on a loopback port, and checks each signature with the reference implementation."""

    def __init__(self, server: ThreadingHTTPServer) -> None:
        self.url = f"http://127.0.0.1:{server.server_port}/hook"
        self.secret = SECRET
        self._came: queue.Queue[tuple[dict[str, str], bytes]] = queue.Queue()
        self._seen: list[dict[str, Any]] = []

    def put(self, headers: dict[str, str], body: bytes) -> None:
        self._came.put((headers, body))

    def event(self, **wanted: Any) -> dict[str, Any]:
        """The first event with these values; all that came before it stays to be asked for."""

        def look() -> dict[str, Any] | None:
            while not self._came.empty():
                headers, body = self._came.get()
                event = Webhook(self.secret).verify(body, headers)
                assert event == orjson.loads(body)
                assert event["id"] == headers["webhook-id"]
                self._seen.append(event)
            return next((event for event in self._seen if wanted.items() <= event.items()), None)

        return eventually(look, f"a webhook with {wanted}")


@pytest.fixture(scope="module")
def live() -> Iterator[Live]:
    more = {
        "POSTERN_OUTBOUND_ALLOW": "127.0.0.1/32",
        "POSTERN_QR_ATTEMPTS": "1000",
        "POSTERN_SANDBOX_MOMENT": "0.5",
    }
    with serving(workers=1, **more) as running:
        yield running


@contextmanager
def receiving() -> Iterator[Receiver]:
    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["content-length"]))
            receiver.put({name.lower(): value for name, value in self.headers.items()}, body)
            self.send_response(204)
            self.end_headers()

        def log_message(self, *_: Any) -> None: ...

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        receiver = Receiver(server)
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        yield receiver
        server.shutdown()
        thread.join()


class Client:
    """Calls as a client that was written for the vendor: everything is in the body, and the answer is always HTTP
    200.
    """

    def __init__(self, live: Live, person: Any, login: str) -> None:
        self._http = live.client
        request = {"query": 'mutation{createApiToken(input:{name:"vendor"}){token}}'}
        answer = live.client.post("/graphql", json=request, headers=person.headers).json()
        self.token = answer["data"]["createApiToken"]["token"]
        self.account = {"source": "telegram", "login": login, "token": self.token}

    def call(self, method: str, **fields: Any) -> dict[str, Any]:
        answer = self._http.post(f"/api/{method}", json={**self.account, **fields}, timeout=90)
        assert answer.status_code == 200, answer.text
        body: dict[str, Any] = answer.json()
        assert UUID(body["uuid"])
        return body

    def ok(self, method: str, **fields: Any) -> dict[str, Any]:
        body = self.call(method, **fields)
        assert body["status"] == "ok", body
        return body

    def wrong(self, method: str, **fields: Any) -> str:
        body = self.call(method, **fields)
        assert body["status"] == "error", body
        return str(body["error"]["message"])

    def screenshot(self) -> httpx.Response:
        return self._http.get("/api/screenshot", params=self.account)


def connect(client: Client, phone: str) -> None:
    """Connects the account with the code that the messenger sends."""
    client.ok("enablePhoneAuth", phone=phone)
    assert client.wrong("setState", setState=True) == "Challenge required"
    client.ok("solveChallenge", code=f"{{{{ {RIGHT_CODE} }}}}")


def test_the_life_of_an_account(live: Live):
    unique = uuid4().hex[:12]
    bob_phone = f"1917{int(unique, 16) % 10**7:07}"
    ada = Client(live, live.ada, f"sandbox-unused-{unique}")
    bob = Client(live, live.bob, f"bob-{unique}")
    mark = live.mark()
    with receiving() as hook:
        # added, and told of in the vendor's manner if it is there
        account = ada.ok("addAccount")["account"]
        assert account["accountState"] == "stopped"
        assert ada.wrong("addAccount").startswith("Account already exists")
        ada.ok("addWebhook", webhookUrl=hook.url, secret=SECRET)
        assert ada.ok("getInfo")["webhookUrls"] == [hook.url]

        # a login by QR: shown as text, as a picture, and to the webhook
        assert ada.wrong("getQr") == "False step"
        assert ada.wrong("setState", setState=True) == "QR received"
        assert ada.ok("getInfo")["step"] == {"value": 2.2, "message": "QR received"}
        assert hook.event(hook_type="state", accountState="waitQr")["login"] == ada.account["login"]
        before = ada.ok("getQr")["value"]
        picture = ada.screenshot()
        after = ada.ok("getQr")["value"]
        assert picture.headers["content-type"] == "image/png"
        assert before != after or is_qr_of(picture.content, before)
        ada.ok("forceStop")
        assert ada.screenshot().json()["error"]["message"] == "False step"

        # a login by code and cloud password
        ada.ok("enablePhoneAuth", phone=ADA_PHONE)
        assert ada.wrong("setState", setState=True) == "Challenge required"
        assert ada.call("solveChallenge", code="00000")["error"]["code"] == "code_invalid"
        ada.ok("solveChallenge", code=RIGHT_CODE)
        assert ada.wrong("setState", setState=True) == "Two factor auth required"
        assert ada.call("twoFactorAuth", code="wrong")["error"]["code"] == "password_invalid"
        ada.ok("twoFactorAuth", code=RIGHT_PASSWORD)
        ada.ok("setState", setState=True)
        info = ada.ok("getInfo")
        assert (info["accountState"], info["step"]["value"], info["state"]) == ("working", 5, True)
        assert info["connectedPhone"] == f"+{ADA_PHONE}"
        assert ada.ok("getMe")["me"]["phone"] == f"+{ADA_PHONE}"
        hook.event(hook_type="state", accountState="working")

        # somebody to talk to
        bob.ok("addAccount")
        connect(bob, bob_phone)
        bob.ok("setState", setState=True)
        user = ada.ok("getUserInfo", to=f"+{bob_phone}")["user"]
        assert user["exists"] is True

        # messages both ways, in both shapes
        flat = ada.ok("sendMessage", msg_to=f"+{bob_phone}", msg_text="Hello Bob")["results"][0]["result"]
        assert flat.keys() >= {"item", "thread", "timestamp"}

        def heard() -> Any:
            answer = bob.call("getChatMessages", to=f"+{ADA_PHONE}")
            return answer["status"] == "ok" and answer["messages"] and answer["messages"][-1]

        first = eventually(heard, "bob has the message")
        assert (first["text"], first["outgoing"]) == ("Hello Bob", False)
        nested = {"to": f"+{ADA_PHONE}", "text": "Hello Ada", "replyTo": first["item"]}
        bob.ok("sendMessage", msg=nested)
        event = hook.event(hook_type="message", text="Hello Ada", outgoing=False)
        assert event["login"] == ada.account["login"]
        assert event["source"] == "telegram"
        assert event["from"].lstrip("+") == bob_phone
        assert event["replyTo"] == flat["item"]
        assert abs(event["time"] - flat["timestamp"]) < 3600  # both in seconds
        hook.event(hook_type="message_status", item=flat["item"])

        # history
        messages = ada.ok("getChatMessages", to=f"+{bob_phone}")["messages"]
        assert [(message["text"], message["outgoing"]) for message in messages] == [
            ("Hello Bob", True),
            ("Hello Ada", False),
        ]
        stored = ada.ok("getChatMessageByItem", item=event["item"])["message"]
        assert (stored["item"], stored["text"], stored["thread"]) == (
            event["item"],
            "Hello Ada",
            flat["thread"],
        )

        # presence
        ada.ok("sendTyping", to=f"+{bob_phone}", seconds=2)
        ada.ok("sendRecording", to=f"+{bob_phone}")
        ada.ok("resetTyping", to=f"+{bob_phone}")

        # its end
        ada.ok("forceStop")
        assert ada.ok("getInfo")["accountState"] == "stopped"
        assert ada.call("sendMessage", msg_to=f"+{bob_phone}", msg_text="x")["error"]["code"] == "wrong_state"
        hook.event(hook_type="state", accountState="stopped")
        ada.ok("setState", setState=True)  # the session was kept
        ada.ok("clearSession")
        assert ada.ok("getInfo")["activated"] is False
        ada.ok("deleteWebhook", webhookUrl=hook.url)
        ada.ok("deleteAccount")
        assert ada.call("getInfo")["error"]["code"] == "account_not_found"
        assert ada.ok("getInfoByToken")["clients"] == []
        ada.ok("addAccount")  # its name is free at once
        ada.ok("deleteAccount")
        bob.ok("deleteAccount")
    logged = live.logged(mark)
    assert "Traceback" not in logged
    for secret in (ada.token, bob.token, before, after, RIGHT_PASSWORD, SECRET):
        assert f'"{secret}' not in logged
        assert f"={secret}" not in logged


def test_a_subscription_on_a_real_socket(live: Live):
    """Beside the bounds that core/http/limits.py puts on slow requests: the upgrade ends them."""
    from websockets.sync.client import connect as dial

    with dial(
        f"ws://127.0.0.1:{live.port}/graphql", subprotocols=["graphql-transport-ws"], open_timeout=PATIENCE
    ) as socket:

        def say(**message: Any) -> None:
            socket.send(orjson.dumps(message).decode())

        def hear() -> Any:
            return orjson.loads(socket.recv(timeout=PATIENCE))

        say(type="connection_init", payload={"Authorization": f"Bearer {live.bob.token}"})
        assert hear() == {"type": "connection_ack"}
        query = "subscription { messengerAccountChanged { account { login state } } }"
        login = f"sandbox-unused-{uuid4().hex[:12]}"  # nobody scans its QR before we have heard of it
        client = Client(live, live.bob, login)
        client.ok("addAccount")
        say(type="subscribe", id="1", payload={"query": query})
        account = hear()["payload"]["data"]["messengerAccountChanged"]["account"]
        assert account == {"login": login, "state": "stopped"}
        client.call("setState", setState=True)
        while hear()["payload"]["data"]["messengerAccountChanged"]["account"]["state"] != "waitQr":
            pass
        client.ok("deleteAccount")
        say(type="complete", id="1")
