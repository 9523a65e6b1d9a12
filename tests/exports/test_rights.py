"""Permissions of an export: those of its token, member and owner hold while it is written, too."""

import pytest

from engine.exports import message_source
from tests.api_tokens.made import caller, made
from tests.exports.cells import table
from tests.members.made import joined
from tests.message_records.rows import many, project
from tests.support.people import Person

REVOKE = "mutation($id:ID!){revokeApiToken(id:$id){uuid}}"
NARROW = "mutation($id:ID!,$i:ApiTokenPatch!){updateApiToken(id:$id,input:$i){uuid}}"
SCOPES = ["exports:write", "exports:read", "messages:read", "projects:read"]


async def _why(written, who, link):
    seen = await written.get(who, link)
    assert (seen["status"], seen["fileUuid"]) == ("failed", None), seen
    return seen["statusReason"]


async def test_a_scoped_token_of_an_administrator_exports_its_user_s_rows(ada, admin, services, written):
    await many(services, ada, await project(services, ada), 3, "sent")
    token, _ = await made(admin, scopes=SCOPES)
    assert len(table(await written.complete(caller(admin, token), "messages"))) == 1
    token, _ = await made(admin, scopes=[*SCOPES, "users:admin"])
    assert len(table(await written.complete(caller(admin, token), "messages"))) == 4


@pytest.mark.parametrize(
    ("change", "reason"),
    [(REVOKE, "ended"), (NARROW, "messages:read")],
)
async def test_an_export_fails_when_its_token_ends_or_is_narrowed(
    ada, services, written, monkeypatch, change, reason
):
    """The second page is not read: the first one is written before the change."""
    monkeypatch.setattr(message_source, "PAGE", 2)
    await many(services, ada, await project(services, ada), 6, "sent")
    token, id = await made(ada, scopes=SCOPES)
    link = await written.start(caller(ada, token), "messages")
    real, read = message_source._with_bodies, list[int]()

    async def first_page(db, asked, rows):
        page = await real(db, asked, rows)
        read.append(len(page))
        if len(read) == 1:
            limits = {"i": {"scopes": ["exports:write", "projects:read"]}} if change == NARROW else {}
            await ada.data(change, {"id": id, **limits})
        return page

    monkeypatch.setattr(message_source, "_with_bodies", first_page)
    await written.write(link)
    assert reason in await _why(written, ada, link)
    assert read == [2]
    assert await services.db.fetchval("SELECT count(*) FROM files") == 0


@pytest.mark.parametrize("end", ["remove", "change", "suspend"])
async def test_an_export_fails_when_its_member_leaves_or_may_no_more(
    ada: Person, bob: Person, admin: Person, services, written, end
):
    await many(services, ada, await project(services, ada), 3, "sent")
    member, id = await joined(ada, bob, "manager")
    assert len(table(await written.complete(member, "messages"))) == 4
    link = await written.start(member, "messages")
    if end == "remove":
        assert (await ada.rest("DELETE", f"/members/{id}")).status_code == 200
    elif end == "change":
        changed = await ada.rest("PATCH", f"/members/{id}", json={"role": "viewer"})
        assert changed.status_code == 200, changed.text
    else:
        await admin.data("mutation($i:ID!){suspendUser(id:$i){uuid}}", {"i": str(bob.id)})
    await written.write(link)
    reason = {"remove": "removed", "change": "may not make it", "suspend": "left"}[end]
    assert reason in await _why(written, ada, link)
