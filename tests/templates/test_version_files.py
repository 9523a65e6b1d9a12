"""Versions of templates say who made them, and carry files to the messages and projects by them."""

from typing import Any
from uuid import UUID

from runtime.services import Services
from tests.support.people import Person
from tests.templates.made import called, draft, published, refused, template, text

EMAIL = text(subject="Hi", text="Hi {{ name }}")
MESSAGE = {"channel": "email", "to": "a@example.com", "templateKey": "welcome", "variables": {"name": "Ann"}}


async def upload(person: Person, name: str = "a.txt", size: int = 10) -> str:
    answer = await person.rest("POST", "/file-uploader", files={"file": (name, b"x" * size, "text/plain")})
    assert answer.status_code == 201, answer.text
    return str(answer.json()["uuid"])


async def test_a_version_says_who_made_it(ada: Person, services: Services):
    id = await template(ada, "welcome")
    body = {"texts": [EMAIL], "name": "The name comes first"}
    saved = await called(ada, "POST", f"/templates/{id}/versions", body)
    me = str(ada.id)
    names = ("name", "madeBy", "savedBy", "publishedBy")
    assert [saved[name] for name in names] == ["The name comes first", me, me, None]
    await services.db.fetch("UPDATE template_versions SET made_by = NULL, saved_by = NULL")
    path = f"/template-versions/{saved['id']}"
    again = await called(ada, "PUT", path, {"texts": [EMAIL]})
    assert [again[name] for name in names] == [None, None, me, None]
    made = await called(ada, "POST", f"{path}/publish")
    assert [made[name] for name in names] == [None, None, me, me]
    asked = "query($id:ID!){templateVersion(id:$id){name madeBy savedBy publishedBy attachmentUuids}}"
    node = (await ada.data(asked, {"id": saved["id"]}))["templateVersion"]
    assert node == {name: made[name] for name in (*names, "attachmentUuids")}


async def test_messages_carry_the_files(ada: Person, services: Services):
    first, second = await upload(ada), await upload(ada, "b.txt")
    made = await published(ada, "welcome", EMAIL, attachmentUuids=[first, first])
    assert made["attachmentUuids"] == [first]
    for fields, files in (
        ({}, [first]),
        ({"attachments": [second]}, [first, second]),
        ({"metadata": {"attachmentUuids": [second]}}, [first, second]),
    ):
        sent = await called(ada, "POST", "/messages", {**MESSAGE, **fields})
        assert (await _metadata(services, sent))["attachmentUuids"] == files
    sms = await called(ada, "POST", "/messages", {**MESSAGE, "channel": "sms", "to": "+14155550100"})
    assert "attachmentUuids" not in (await _metadata(services, sms))
    too_many = {**MESSAGE, "attachments": [await upload(ada, f"{number}") for number in range(10)]}
    assert await refused(ada, "POST", "/messages", too_many) == (400, "bad_attachments")
    await services.db.fetch("DELETE FROM files WHERE id = $1", UUID(first))
    assert await refused(ada, "POST", "/messages", MESSAGE) == (404, "file_not_found")


async def _metadata(services: Services, message: Any) -> Any:
    return (
        await services.db.fetchval("SELECT metadata FROM messages WHERE id = $1", UUID(message["id"])) or {}
    )


async def test_projects_carry_the_files(ada: Person):
    first, second = await upload(ada), await upload(ada, "b.txt")
    await published(ada, "welcome", EMAIL, attachmentUuids=[first])
    body: dict[str, Any] = {"name": "Spring", "channel": "email", "templateKey": "welcome"}
    made = await called(ada, "POST", "/sending-project", {**body, "attachmentUuids": [second]})
    assert made["attachmentUuids"] == [first, second]
    sms = await called(ada, "POST", "/sending-project", {**body, "channel": "sms"})
    assert sms["attachmentUuids"] == []
    await published(ada, "plain", EMAIL)
    kept = await called(ada, "PATCH", f"/sending-project/{made['uuid']}", {"templateKey": "plain"})
    assert kept["attachmentUuids"] == [first, second]


async def test_files_that_a_version_can_not_have(ada: Person, bob: Person):
    id, foreign = await template(ada, "welcome"), await upload(bob)
    version = await draft(ada, id, EMAIL, attachmentUuids=[foreign])
    assert await refused(ada, "POST", f"/template-versions/{version}/publish") == (404, "file_not_found")
    large = [await upload(ada, f"{number}", 6 * 2**20) for number in range(2)]
    version = await draft(ada, id, EMAIL, attachmentUuids=large)
    assert await refused(ada, "POST", f"/template-versions/{version}/publish") == (400, "bad_attachments")
    body = {"texts": [EMAIL], "attachmentUuids": [foreign] * 11}
    assert await refused(ada, "POST", f"/templates/{id}/versions", body) == (400, "validation_failed")
    assert await refused(ada, "DELETE", f"/file-uploader/{large[0]}") == (409, "file_in_use")
    await called(ada, "POST", f"/templates/{id}/archive")
    await called(ada, "DELETE", f"/file-uploader/{large[0]}")
