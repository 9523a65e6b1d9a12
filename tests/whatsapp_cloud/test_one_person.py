"""A person whom Meta names by a phone, an id and a user name is one person: for blocks, plans and erasures."""

import pytest

from runtime.services import Services
from tests.persons.test_erasing import finished
from tests.sending_projects.conftest import Projects
from tests.support.people import Person
from tests.whatsapp_cloud.hook import SHEENA, Hook
from tests.whatsapp_cloud.meta import came, report

PHONE = f"+{SHEENA}"
USER = "US.13491208655302741918"
NAME = "@Sheena"


def named(hook: Hook, text: str, *, phone: bool = True, user: bool = True) -> dict[str, object]:
    """A text whose hook names the person by several ids, as since the user names of 2026."""
    message = came(hook.number, SHEENA, "text", {"body": text})
    if user:
        message["messages"][0]["from_user_id"] = USER
        message["contacts"][0]["user_id"] = USER
        message["contacts"][0]["profile"]["username"] = NAME[1:]
    if not phone:
        del message["messages"][0]["from"]
        del message["contacts"][0]["wa_id"]
    return message


async def blocked(person: Person) -> dict[str, str]:
    answer = await person.rest("GET", "/block/list")
    assert answer.status_code == 200, answer.text
    return {row["phone"]: row["scope"] for row in answer.json()["items"]}


async def test_a_stop_stops_every_id_that_its_hook_names(hook: Hook, ada: Person) -> None:
    await hook.tell(named(hook, "STOP"))
    assert await blocked(ada) == {PHONE: "all", USER: "all", NAME: "all"}
    await hook.tell(named(hook, "START"))
    assert await blocked(ada) == {}


async def test_a_stop_without_a_phone_stops_the_phone_of_an_earlier_hook(hook: Hook, ada: Person) -> None:
    await hook.tell(named(hook, "hello"))
    await hook.tell(named(hook, "STOP", phone=False))
    assert await blocked(ada) == {PHONE: "all", USER: "all", NAME: "all"}
    await hook.tell(named(hook, "START", phone=False))
    assert await blocked(ada) == {}


async def test_a_report_joins_the_ids_too(hook: Hook, ada: Person) -> None:
    """We wrote to the phone; who answers has hidden it."""
    item = str(await hook.waiting())
    ids = {"recipient_user_id": USER, "biz_opaque_callback_data": item}
    await hook.tell(report(hook.number, SHEENA, "wamid.OURS", "delivered", **ids))
    await hook.tell(named(hook, "STOP", phone=False))
    assert (await blocked(ada)).keys() >= {PHONE, USER}


@pytest.mark.parametrize("first", [PHONE, NAME])
async def test_a_block_from_before_covers_the_ids_that_are_named_with_it_later(
    hook: Hook, ada: Person, first: str
) -> None:
    answer = await ada.rest("POST", f"/block/{first}", json={"scope": "promotional"})
    assert answer.status_code < 300, answer.text
    await hook.tell(named(hook, "hello"))
    assert await blocked(ada) == {
        PHONE: "promotional",
        USER: "promotional",
        NAME if first == PHONE else first: "promotional",
    }
    # What stood before a stop word stands again after it.
    await hook.tell(named(hook, "STOP", phone=False))
    assert set((await blocked(ada)).values()) == {"all"}
    await hook.tell(named(hook, "START"))
    assert await blocked(ada) == {PHONE: "promotional", USER: "promotional", NAME: "promotional"}


async def test_a_block_by_hand_covers_the_other_ids(hook: Hook, ada: Person) -> None:
    await hook.tell(named(hook, "hello"))
    answer = await ada.rest("POST", f"/block/{PHONE}", json={})
    assert answer.status_code < 300, answer.text
    assert await blocked(ada) == {PHONE: "all", USER: "all", NAME: "all"}


async def test_a_recycled_number_leaves_the_old_person(hook: Hook, ada: Person, services: Services) -> None:
    await hook.tell(named(hook, "hello"))
    other = named(hook, "a new owner of the number")
    other["messages"][0]["from_user_id"] = other["contacts"][0]["user_id"] = "US.2"  # type: ignore[index]
    del other["contacts"][0]["profile"]["username"]  # type: ignore[index]
    await hook.tell(other)
    await hook.tell(named(hook, "STOP", phone=False))
    assert await blocked(ada) == {USER: "all", NAME: "all"}


async def test_a_plan_counts_who_stopped_by_another_id(hook: Hook, ada: Person, services: Services) -> None:
    await hook.tell(named(hook, "hello"))
    await hook.tell(named(hook, "STOP", phone=False))
    projects = Projects(services)
    project = await projects.make(ada, channel="whatsapp")
    for address in (PHONE, "+14155550100"):
        await projects.recipient(project, address)
    plan = (await ada.rest("POST", f"/sending-project/{project}/plan")).json()
    assert {each["code"]: each["count"] for each in plan["skipped"]} == {"blocked": 1}, plan


async def test_an_erasure_by_one_id_finds_the_others(hook: Hook, ada: Person) -> None:
    await hook.tell(named(hook, "hello"))
    await hook.tell(named(hook, "hello again", phone=False))
    assert len(await hook.rows()) == 2
    answer = await ada.rest("POST", "/persons/erase", json={"channel": "whatsapp", "address": PHONE})
    assert answer.status_code == 202, answer.text

    assert (await finished(hook.services, ada, answer.json()["id"]))["state"] == "done"
    assert await hook.rows() == []
    chats = await hook.services.db.fetch("SELECT thread FROM messenger_chats WHERE account_id = $1", hook.id)
    assert chats == []
