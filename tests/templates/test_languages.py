"""Projects in several languages: each recipient gets the text in the own one, and a plan says how many."""

from typing import Any

from engine.texts.choices import Choice
from runtime.services import Services
from tests.approvals.made import plan, start
from tests.sending_projects.engine.conftest import projects
from tests.support.people import Person
from tests.support.projects import Projects
from tests.templates.made import again, called, published, refused, text

__all__ = ["projects"]

NEW = {"name": "Spring", "channel": "sms", "templateKey": "welcome", "localeFrom": "locale"}
TEXTS = (
    text("en", text="Hi {{ name }} {{ code }}"),
    text("pt", text="Oi {{ name }}"),
    text("pt-BR", text="Opa {{ name }}"),
)
FILTER = {"all": [{"any": [{"contact": {"createdWithinDays": 7}}]}]}
LANGUAGES = ("pt-BR", "pt_PT", "PT", "fr", "", None, 7, "en-GB")


async def _with_recipients(person: Person, **fields: Any) -> str:
    uuid = str((await called(person, "POST", "/sending-project", {**NEW, **fields}))["uuid"])
    recipients = [
        {"phone": f"+1415555{number:04}", "name": f"P{number}", "variables": {"locale": tag} if tag else {}}
        for number, tag in enumerate(LANGUAGES)
    ]
    await called(person, "POST", f"/recipient/{uuid}", {"recipients": recipients})
    return uuid


async def test_each_recipient_gets_the_own_language(ada: Person, projects: Projects, services: Services):
    made = await published(ada, "welcome", *TEXTS)
    uuid = await _with_recipients(ada)
    shown = await called(ada, "GET", f"/sending-project/{uuid}")
    assert (shown["templateLocale"], shown["text"]) == ("en", "Hi {{ name }} {{ code }}")
    assert shown["languages"]["localeFrom"] == "locale"
    assert [each["locale"] for each in shown["languages"]["texts"]] == ["en", "pt", "pt-BR"]
    estimate = await called(ada, "POST", f"/sending-project/{uuid}/plan", {})
    assert estimate["languages"] == [
        {"locale": "en", "recipients": 5, "missingVariable": 5},
        {"locale": "pt", "recipients": 2, "missingVariable": 0},
        {"locale": "pt-BR", "recipients": 1, "missingVariable": 0},
    ]
    planned = await plan(ada, uuid)
    assert planned["document"]["languages"] == {"en": 5, "pt": 2, "pt-BR": 1}
    assert (await start(ada, uuid, planned["hash"])).status_code == 200
    await again(ada, made["templateId"], text(text="New"))
    await projects.work()
    listed = (await called(ada, "GET", f"/message/list?sendingProjectUuid={uuid}&limit=20"))["items"]
    by_phone = {each["to"]: (each["locale"], each["body"], each["variant"]) for each in listed}
    assert [by_phone[f"+1415555{number:04}"] for number in range(8)] == [
        ("pt-BR", "Opa P0", 2),
        ("pt", "Oi P1", 1),
        ("pt", "Oi P2", 1),
        *(("en", f"Hi P{number} ", 0) for number in range(3, 8)),
    ]
    one = await called(ada, "GET", f"/message/{listed[0]['uuid']}")
    assert one["locale"] == listed[0]["locale"]
    figures = await called(ada, "GET", f"/statistics/variants/{uuid}")
    assert [(each["locale"], each["counts"]["total"]) for each in figures] == [
        ("en", 5),
        ("pt", 2),
        ("pt-BR", 1),
    ]
    asked = """query($id:ID!){sendingProject(id:$id){languages{localeFrom texts{locale text}}
      variantStatistics{locale variant} messages(first:9){nodes{locale}}}}"""
    node = (await ada.data(asked, {"id": uuid}))["sendingProject"]
    assert [each["text"] for each in node["languages"]["texts"]] == [each["text"] for each in TEXTS]
    assert sorted(each["locale"] for each in node["messages"]["nodes"]) == [*["en"] * 5, "pt", "pt", "pt-BR"]


async def test_the_language_of_those_without_one(ada: Person, projects: Projects):
    await published(ada, "welcome", *TEXTS)
    uuid = await _with_recipients(ada, locale="pt-AO", onMissingVariable="skip")
    shown = await called(ada, "GET", f"/sending-project/{uuid}")
    assert [each["locale"] for each in shown["languages"]["texts"]] == ["pt", "en", "pt-BR"]
    assert (await start(ada, uuid)).status_code == 200
    await projects.work()
    listed = (await called(ada, "GET", f"/message/list?sendingProjectUuid={uuid}&limit=20"))["items"]
    skipped = [each["to"] for each in listed if each["failureCode"] == "missing_variable"]
    assert skipped == ["+14155550007"]  # `en` alone asks for the code
    assert sorted(each["locale"] for each in listed if each["locale"]) == [*["pt"] * 6, "pt-BR"]


async def test_a_contact_has_its_language(ada: Person, projects: Projects):
    await published(
        ada, "welcome", text("en", subject="Hi", text="Hi"), text("pt", subject="Oi", html="<p>Oi</p>")
    )
    for number, locale in enumerate(("pt-BR", "en", None)):
        email = f"c{number}@example.com"
        body = {
            "externalId": f"c{number}",
            "locale": locale,
            "addresses": [{"channel": "email", "address": email}],
        }
        await called(ada, "POST", "/contacts", body)
    segment = await called(ada, "POST", "/segments", {"name": "All", "filter": FILTER})
    audience = {"segmentUuids": [segment["id"]]}
    body = {**NEW, "channel": "email", "category": "transactional", "audience": audience}
    uuid = (await called(ada, "POST", "/sending-project", body))["uuid"]
    planned = await plan(ada, uuid)
    assert planned["document"]["languages"] == {"en": 2, "pt": 1}
    assert planned["document"]["content"]["audience"]["fields"] == ["locale"]
    assert (await start(ada, uuid, planned["hash"])).status_code == 200
    await projects.work()
    listed = (await called(ada, "GET", f"/message/list?sendingProjectUuid={uuid}&limit=20"))["items"]
    by_address = {each["to"]: (each["locale"], each["body"]) for each in listed}
    assert by_address == {
        "c0@example.com": ("pt", "Oi"),
        "c1@example.com": ("en", "Hi"),
        "c2@example.com": ("en", "Hi"),
    }


async def test_own_texts_end_the_languages(ada: Person):
    await published(ada, "welcome", *TEXTS)
    uuid = await _with_recipients(ada)
    path = f"/sending-project/{uuid}"
    planned = await plan(ada, uuid)
    copy = await called(ada, "POST", f"{path}/duplicate", {})
    assert copy["languages"] == (await called(ada, "GET", path))["languages"]
    single = await called(ada, "PATCH", path, {"templateKey": "welcome", "locale": "pt"})
    assert (single["text"], single["languages"]) == ("Oi {{ name }}", None)
    assert (await start(ada, uuid, planned["hash"])).json()["code"] == "plan_changed"
    several = await called(ada, "PATCH", path, {"templateKey": "welcome", "localeFrom": "lang"})
    assert several["languages"]["localeFrom"] == "lang"
    own = await called(ada, "PATCH", path, {"text": "My own"})
    assert (own["languages"], own["templateId"]) == (None, None)


async def test_every_language_needs_what_the_channel_needs(ada: Person):
    await published(ada, "welcome", text("en", subject="Hi", text="Hi"), text("pt", text="Oi"))
    body = {**NEW, "channel": "email"}
    answer = await ada.rest("POST", "/sending-project", json=body)
    assert (answer.json()["code"], answer.json()["details"]) == (
        "template_lacks_part",
        {"part": "subject", "locale": "pt"},
    )
    await called(ada, "POST", "/sending-project", {**body, "localeFrom": None})
    await published(ada, "long", *(text(tag, html="x" * 400_000, subject="s") for tag in ("en", "pt")))
    error = (400, "validation_failed")
    assert await refused(ada, "POST", "/sending-project", {**NEW, "localeFrom": "a b"}) == error
    assert await refused(ada, "POST", "/sending-project", {**NEW, "templateKey": None}) == error


def test_the_choice_of_a_language_is_bounded():
    choice = Choice({"languages": {"localeFrom": "l", "texts": [{"locale": "en"}, {"locale": "pt"}]}})
    for number in range(3000):
        assert choice.pick(None, {"l": f"x{number}"}) == 0  # type: ignore[arg-type]
    assert len(choice._index_by_locale) == 1000
    assert choice.pick(None, {"l": "-".join(["pt"] * 1000)}) == 1  # type: ignore[arg-type]
