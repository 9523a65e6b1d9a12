"""Templates in chats, by sendMessage and by GraphQL; and what can't be sent as it was asked for is refused by name."""

from typing import Any

import pytest

from core.settings import Settings
from engine.messengers.host import Host
from tests.support.messengers import call, ok
from tests.support.people import Person
from tests.whatsapp_cloud.meta import Meta, Number

TO = "16505551234"
SHOP = {"login": "shop", "source": "whatsapp"}
MUTATION = """mutation($id:ID!,$t:NewMessengerTemplate!){
  sendMessengerMessage(accountId:$id,input:{to:"16505551234",template:$t}){text details status}}"""


@pytest.fixture
def settings(make_settings: Any, meta: Meta) -> Settings:
    made: Settings = make_settings(whatsapp_driver=["whatsapp-cloud", "sandbox"], whatsapp_cloud_url=meta.url)
    return made


@pytest.fixture
async def shop(host: Host, ada: Person, number: Number) -> str:
    added = await ok(ada, "addAccount", **SHOP, driver="whatsapp-cloud", credentials=number.credentials)
    await ok(ada, "setState", **SHOP, setState=True)
    return str(added["account"]["accountUuid"])


async def test_a_template_is_sent_in_a_chat_by_every_form(shop: str, ada: Person, number: Number) -> None:
    template = {"name": "order_shipped", "language": "de", "params": ["Anna", 7]}
    flat = await ok(ada, "sendMessage", **SHOP, msg_to=TO, template=template)
    await ok(ada, "sendMessage", **SHOP, msg={"to": TO, "template": {"name": "hello_world"}})
    named = {"name": "order_shipped", "params": {"first_name": "Anna"}}
    data = (await ada.data(MUTATION, {"id": shop, "t": named}))["sendMessengerMessage"]
    assert data["details"]["template"]["params"] == {"first_name": "Anna"}
    bodies = [taken["template"] for taken in number.taken]
    assert [(body["name"], body["language"]["code"]) for body in bodies] == [
        ("order_shipped", "de"), ("hello_world", "en_US"), ("order_shipped", "en_US"),
    ]  # fmt: skip
    texts = [parameter["text"] for parameter in bodies[0]["components"][0]["parameters"]]
    assert texts == ["Anna", "7"]
    item = flat["results"][0]["result"]["item"]
    message = (await ok(ada, "getChatMessageByItem", **SHOP, item=item))["message"]
    assert (message["text"], message["details"]) == ("", {"template": template})


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"msg_text": "hello", "template": {"name": "hello_world"}}, "template"),
        ({"msg": {"text": "hello", "template": {"name": "hello_world"}}}, "template"),
        ({"msg_text": "hello", "buttons": [{"id": "1", "title": "Yes"}]}, "buttons"),
        ({"msg": {"text": "hello", "footer": "from us", "buttons": []}}, "msg.footer"),
        (
            {
                "msg": {
                    "text": "x",
                    "content": [{"type": "image", "src": "https://e.example/a", "caption": "c"}],
                }
            },
            "caption",
        ),
        ({"template": {"name": "Not A Name"}}, "name"),
    ],
    ids=range(6),
)
async def test_what_would_say_something_else_is_refused_by_name(
    shop: str, ada: Person, number: Number, fields: dict[str, Any], said: str
) -> None:
    answer = await call(ada, "sendMessage", **SHOP, msg_to=TO, **fields)
    assert answer["status"] == "error", answer
    assert answer["error"]["code"] == "validation_failed"
    assert said in answer["error"]["message"] + str(answer["error"].get("details"))
    assert number.taken == []


def _deep(levels: int) -> Any:
    value: Any = "x"
    for _ in range(levels):
        value = [value]
    return value


async def test_parameters_that_are_too_deep_are_refused_by_every_door(
    shop: str, ada: Person, number: Number
) -> None:
    template = {"name": "hello_world", "params": _deep(300)}
    answer = await call(ada, "sendMessage", **SHOP, msg_to=TO, template=template)
    assert (answer["error"]["code"], "nested" in str(answer["error"])) == ("validation_failed", True), answer
    result = await ada.graphql(MUTATION, {"id": shop, "t": template})
    assert result["errors"][0]["extensions"]["code"] == "validation_failed", result
    assert "nested" in str(result["errors"][0])
    assert number.taken == []


async def test_a_number_that_is_too_long_is_refused(shop: str, ada: Person, number: Number) -> None:
    """As a literal of GraphQL; in a JSON body it is a number with a fraction already."""
    template = '{name:"hello_world",params:[1234567890123456789012345]}'
    result = await ada.graphql(
        MUTATION.replace(",$t:NewMessengerTemplate!", "").replace("$t", template), {"id": shop}
    )
    assert result["errors"][0]["extensions"]["code"] == "validation_failed", result
    assert "64 bits" in str(result["errors"][0])
    assert number.taken == []


async def test_the_vendor_s_other_fields_are_ignored(shop: str, ada: Person, number: Number) -> None:
    other = {"priority": 5, "metadata": {"a": 1}, "buttons": [], "footer": "", "linkPreview": False}
    await ok(ada, "sendMessage", **SHOP, msg={"to": TO, "text": "hello", **other}, **other)
    assert [taken["text"]["body"] for taken in number.taken] == ["hello"]


@pytest.mark.parametrize("source", ["telegram", "whatsapp"])
async def test_another_driver_sends_no_template(host: Host, ada: Person, source: str) -> None:
    account = {"login": "15005551000", "source": source}
    await ok(ada, "addAccount", **account, driver="sandbox")
    template = {"name": "hello_world"}
    answer = await call(ada, "sendMessage", **account, msg_to=TO, template=template)
    assert (answer["error"]["code"], "WhatsApp Cloud" in answer["error"]["message"]) == ("unsupported", True)
