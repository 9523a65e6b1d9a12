"""Projects from templates: the texts are copied, so that plans cover them and a running project keeps them."""

from tests.approvals.made import add, plan, start
from tests.support.people import Person
from tests.templates.made import again, called, published, refused, text

NEW = {"name": "Spring", "channel": "sms", "templateKey": "welcome"}
TEXTS = ("subject", "html", "text", "templateId", "templateVersion", "templateLocale")


async def test_a_project_has_the_texts_of_the_version(ada: Person):
    made = await published(
        ada,
        "welcome",
        text(subject="Hi", text="Hi {{ name }}", html="<p>Hi {{ name }}</p>"),
        text("de", text="Hallo {{ name }}"),
    )
    id = made["templateId"]
    project = await called(ada, "POST", "/sending-project", {**NEW, "locale": "de-CH"})
    assert [project[name] for name in TEXTS] == [None, None, "Hallo {{ name }}", id, 1, "de"]
    mail = await called(ada, "POST", "/sending-project", {**NEW, "channel": "email"})
    assert [mail[name] for name in TEXTS] == ["Hi", "<p>Hi {{ name }}</p>", "Hi {{ name }}", id, 1, "en"]
    await again(ada, id, text(text="New {{ name }}"))
    path = f"/sending-project/{project['uuid']}"
    assert (await called(ada, "GET", path))["text"] == "Hallo {{ name }}"
    patched = await called(ada, "PATCH", path, {"templateKey": "welcome"})
    assert [patched[name] for name in TEXTS] == [None, None, "New {{ name }}", id, 2, "en"]
    uses = await called(ada, "GET", f"/templates/{id}/used-by")
    assert [(use["projectUuid"], use["usedVersion"]) for use in uses["projects"]] == [
        (mail["uuid"], 1),
        (project["uuid"], 2),
    ]
    copy = await called(ada, "POST", f"{path}/duplicate", {})
    assert [copy[name] for name in TEXTS] == [patched[name] for name in TEXTS]
    own = await called(ada, "PATCH", path, {"text": "My own"})
    assert [own[name] for name in TEXTS] == [None, None, "My own", None, None, None]
    loose = await called(ada, "PATCH", f"/sending-project/{mail['uuid']}", {"templateKey": None})
    assert (loose["subject"], loose["templateId"]) == ("Hi", None)


async def test_a_plan_covers_the_texts_and_a_start_keeps_them(ada: Person):
    made = await published(ada, "welcome", text(text="Hi {{ name }}"))
    project = str((await called(ada, "POST", "/sending-project", NEW))["uuid"])
    await add(ada, project, range(3))
    planned = await plan(ada, project)
    await again(ada, made["templateId"], text(text="Other {{ name }}"))
    assert (await plan(ada, project))["hash"] == planned["hash"]
    await called(ada, "PATCH", f"/sending-project/{project}", {"templateKey": "welcome"})
    answer = await start(ada, project, planned["hash"])
    assert (answer.status_code, answer.json()["code"]) == (409, "plan_changed")
    await called(
        ada, "PATCH", f"/sending-project/{project}", {"templateKey": "welcome", "templateVersion": 1}
    )
    started = await start(ada, project, planned["hash"])
    assert started.status_code == 200, started.text
    body = {"templateKey": "welcome"}
    assert await refused(ada, "PATCH", f"/sending-project/{project}", body) == (409, "not_editable")
    shown = await called(ada, "GET", f"/sending-project/{project}")
    assert (shown["text"], shown["templateVersion"]) == ("Hi {{ name }}", 1)


async def test_what_a_project_can_not_name(ada: Person, bob: Person):
    await published(ada, "welcome", text(text="Hi"))
    for person, fields, error in (
        (bob, {}, (404, "template_not_found")),
        (ada, {"channel": "email"}, (400, "template_lacks_part")),
        (ada, {"templateVersion": 9}, (404, "template_version_not_found")),
        (ada, {"text": "Hi"}, (400, "validation_failed")),
        (ada, {"variants": [{"text": "a"}, {"text": "b"}]}, (400, "validation_failed")),
        (ada, {"templateKey": None, "locale": "de"}, (400, "validation_failed")),
    ):
        assert await refused(person, "POST", "/sending-project", {**NEW, **fields}) == error
