"""An account of WhatsApp Cloud from addAccount to its end, over the vendor's wire, with a host and Meta on loopback."""

from typing import Any
from urllib.parse import urlsplit

import httpx
import pytest

from core.settings import Settings
from engine.messengers.host import Host
from tests.channels.http_stub import Wire
from tests.support.messengers import call
from tests.support.people import Person
from tests.support.waits import until
from tests.whatsapp_cloud.meta import Meta, Number, callback, came, report, signature

SHEENA = "16505551234"
LOGIN = "shop"


@pytest.fixture
def settings(make_settings: Any, meta: Meta) -> Settings:
    made: Settings = make_settings(whatsapp_driver=["whatsapp-cloud", "sandbox"], whatsapp_cloud_url=meta.url)
    return made


async def ask(person: Person, method: str, **fields: Any) -> dict[str, Any]:
    return await call(person, method, LOGIN, **{"source": "whatsapp", **fields})


async def ok(person: Person, method: str, **fields: Any) -> dict[str, Any]:
    answer = await ask(person, method, **fields)
    assert answer["status"] == "ok", answer
    return answer


async def hook(client: httpx.AsyncClient, id: str, *values: dict[str, Any]) -> None:
    body = callback(*(("messages", value) for value in values))
    answer = await client.post(
        f"/hooks/whatsapp-cloud/{id}", content=body, headers=signature(body, "an-app-secret")
    )
    assert answer.status_code == 200, answer.text


async def test_the_whole_life_of_an_account(
    host: Host, ada: Person, client: httpx.AsyncClient, meta: Meta, number: Number
) -> None:
    response = await ask(ada, "addAccount", driver="whatsapp-cloud")
    assert response["error"]["code"] == "bad_credentials_for_driver"
    response = await ok(ada, "addAccount", driver="whatsapp-cloud", credentials=number.credentials)
    id = response["account"]["accountUuid"]
    assert number.token not in str(response)
    await ok(ada, "setState", setState=True)
    info = await ok(ada, "getInfo")
    assert (info["accountState"], info["state"], info["connectedPhone"]) == (
        "working",
        True,
        f"+{number.phone}",
    )

    # It writes, and hears how far that got.
    sent = (await ok(ada, "sendMessage", msg_to=f"+{SHEENA}", msg_text="hello"))["results"][0]["result"]
    [taken] = number.taken
    assert (taken["text"]["body"], taken["biz_opaque_callback_data"]) == ("hello", sent["item"])
    await hook(
        client,
        id,
        *(report(number, SHEENA, taken["wamid"], status) for status in ("sent", "delivered", "read")),
    )
    message = (await ok(ada, "getChatMessageByItem", item=sent["item"]))["message"]
    assert (message["status"], message["thread"]) == ("has_seen", SHEENA)

    # An answer with a file, which can be fetched though nobody but Meta has it.
    file = meta.keep(number, b"%PDF-1.7 an order", "application/pdf")
    inside = {"id": file, "mime_type": "application/pdf", "filename": "order.pdf", "caption": "my order"}
    await hook(client, id, came(number, SHEENA, "document", inside, context={"id": taken["wamid"]}))
    answer = (await ok(ada, "getChatMessages", thread=SHEENA, limit=1))["messages"][0]
    assert (answer["text"], answer["outgoing"], answer["replyTo"]) == ("my order", False, sent["item"])
    [content] = answer["content"]
    assert (content["type"], content["filename"]) == ("file", "order.pdf")
    link = urlsplit(content["src"])
    got = await client.get(f"{link.path}?{link.query}")
    assert (got.status_code, got.content) == (200, b"%PDF-1.7 an order")

    # It is answered as such.
    await ok(ada, "sendMessage", msg={"to": SHEENA, "text": "thanks", "replyTo": answer["item"]})
    assert number.taken[-1]["context"]["message_id"].startswith("wamid.IN")
    assert "#" not in number.taken[-1]["context"]["message_id"]

    # What nobody answered is uncertain, until Meta reports it.
    meta.after[SHEENA] = Wire.reset
    response = await ask(ada, "sendMessage", msg_to=SHEENA, msg_text="did it come?")
    assert response["error"]["code"] == "uncertain"
    taken = number.taken[-1]
    back = taken["biz_opaque_callback_data"]
    await hook(client, id, report(number, SHEENA, taken["wamid"], "delivered", biz_opaque_callback_data=back))
    message = (await ok(ada, "getChatMessageByItem", item=back))["message"]
    assert (message["status"], message["text"]) == ("delivered", "did it come?")
    del meta.after[SHEENA]

    # Meta refuses the token from now on: the account says so, and is stopped.
    number.refused = (401, 190)
    response = await ask(ada, "sendMessage", msg_to=SHEENA, msg_text="too late")
    assert (response["error"]["code"], response["error"]["details"]["state"]) == ("wrong_state", "failed"), (
        response
    )
    assert "access token" in response["error"]["message"]

    async def failed() -> Any:
        info = await ok(ada, "getInfo")
        return info if info["accountState"] == "failed" else None

    info = await until(failed)
    assert "access token" in info["reason"]
    assert number.token not in str(info)
    # What comes in is still kept: Meta would not tell it again.
    await hook(client, id, came(number, SHEENA, "text", {"body": "are you there?"}))
    assert (await ok(ada, "getChatMessages", thread=SHEENA, limit=1))["messages"][0][
        "text"
    ] == "are you there?"
    number.refused = None
    await ok(ada, "setState", setState=True)
    await ok(ada, "forceStop")
    await ok(ada, "deleteAccount")
    body = callback(("messages", came(number, SHEENA, "text", {"body": "hi"})))
    gone = await client.post(
        f"/hooks/whatsapp-cloud/{id}", content=body, headers=signature(body, "an-app-secret")
    )
    assert gone.status_code == 404
