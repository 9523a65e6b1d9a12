"""Entries of the audit: in the transaction of the change, and nothing in them that must not be."""

import asyncio
import time
from typing import Any
from uuid import UUID

import asyncpg
import pytest

from db import audit_scope
from postern import operator
from runtime import audit
from runtime.services import Services
from tests.support.people import PASSWORD, People, Person

ENTRIES = "SELECT * FROM audit_entries ORDER BY id"


async def entries(services: Services, *operations: str) -> list[Any]:
    """Returns the entries of these operations, the oldest first."""
    rows = await services.db.fetch(ENTRIES)
    return [row for row in rows if row["operation"] in operations]


async def test_a_change_has_its_entry_with_who_and_from_where(ada: Person, services: Services):
    made = (
        await ada.rest("POST", "/api-tokens", json={"name": "nightly", "scopes": ["messages:send"]})
    ).json()
    (entry,) = await entries(services, "api_tokens.create")
    assert (entry["owner_id"], entry["actor_id"], entry["actor_kind"]) == (ada.id, ada.id, "user")
    assert (entry["object_type"], entry["object_id"]) == ("apiToken", made["apiToken"]["id"])
    assert (entry["result"], entry["code"], entry["token_id"]) == ("done", None, None)
    assert entry["session_id"] is not None and entry["request_id"] and entry["ip"]
    assert entry["changes"] == {
        "name": [None, "nightly"],
        "scopes": [None, ["messages:send"]],
        "tokenHash": [None, "***"],
    }
    await ada.rest("PATCH", f"/api-tokens/{made['apiToken']['id']}", json={"name": "daily"})
    (changed,) = await entries(services, "api_tokens.update")
    assert changed["changes"] == {"name": ["nightly", "daily"]}


async def test_entries_of_one_transaction_have_ids_in_their_order(ada: Person, services: Services):
    # Four a millisecond or more: the milliseconds alone would mix them.
    ids = await services.db.fetch(
        "SELECT postern_uuid7() AS id FROM generate_series(1, 200), LATERAL (SELECT pg_sleep(0.000001)) AS pause"
    )
    assert [row["id"] for row in ids] == sorted({row["id"] for row in ids})
    assert {(row["id"].version, row["id"].variant) for row in ids} == {(7, "specified in RFC 4122")}
    before = int(time.time() * 1000)
    made = await services.db.fetchval("SELECT postern_uuid7()")
    assert before - 1 <= made.int >> 80 <= int(time.time() * 1000) + 1


async def test_what_changes_nothing_leaves_no_entry(ada: Person, services: Services):
    await ada.rest("POST", "/block/+14155550100", json={"reason": "manual"})
    assert len(await entries(services, "blocks.block")) == 1
    await ada.rest("POST", "/block/+14155550100", json={"reason": "manual"})
    await ada.rest("POST", "/block/unblock/+14155550199")
    assert len(await entries(services, "blocks.block", "blocks.unblock")) == 1
    await ada.rest("POST", "/block/unblock/+14155550100")
    (gone,) = await entries(services, "blocks.unblock")
    hashed = (await audit.hasher(services)).hash("+14155550100")
    assert gone["changes"]["phone"] == [hashed, None] and hashed.startswith("hmac:")


async def test_a_change_by_sql_and_one_outside_of_a_transaction(ada: Person, services: Services):
    project = (
        await ada.rest(
            "POST", "/sending-project", json={"name": "Spring", "channel": "sms", "text": "A secret offer"}
        )
    ).json()
    (entry,) = await entries(services, "sending_projects.create")
    assert entry["object_id"] == project["uuid"]
    assert entry["changes"]["name"] == [None, "Spring"]
    assert entry["changes"]["text"][1].startswith("hmac:")
    files = {"file": ("a.csv", b"phone\n+14155550100\n", "text/csv")}
    answer = await ada.rest("POST", "/file-uploader", files=files)
    assert answer.status_code == 201, answer.text
    (upload,) = await entries(services, "files.upload")
    assert upload["changes"]["name"][1].startswith("hmac:")


async def test_an_error_after_the_change_leaves_neither(ada: Person, services: Services):
    """The change and its entry are in one transaction, so a process that dies between them leaves neither."""
    await services.db.fetch(
        "CREATE FUNCTION fails() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN"
        " IF NEW.operation = 'blocks.block' THEN RAISE EXCEPTION 'between change and audit'; END IF; RETURN NEW;"
        " END $$"
    )
    await services.db.fetch(
        "CREATE TRIGGER fails BEFORE INSERT ON audit_entries FOR EACH ROW EXECUTE FUNCTION fails()"
    )
    assert (await ada.rest("POST", "/block/+14155550100")).status_code == 500
    assert (await ada.rest("GET", "/block/count")).json() == {"count": 0}
    await services.db.fetch("DROP TRIGGER fails ON audit_entries")
    assert await entries(services, "blocks.block") == []
    assert (await ada.rest("POST", "/block/+14155550100")).status_code == 200
    assert len(await entries(services, "blocks.block")) == 1


@pytest.mark.parametrize(
    "statement",
    (
        "UPDATE audit_entries SET code = 'x'",
        "DELETE FROM audit_entries",
        "TRUNCATE audit_entries",
        "TRUNCATE audit_entries_default",
    ),
)
async def test_entries_can_only_be_added(ada: Person, services: Services, statement: str):
    await ada.rest("POST", "/block/+14155550100")
    with pytest.raises(asyncpg.RaiseError, match="can be added only"):
        await services.db.fetch(statement)
    names = await services.db.fetch(
        "SELECT relid::regclass::text AS name FROM pg_partition_tree('audit_entries')"
    )
    assert len(names) >= 5
    for name in (row["name"] for row in names):
        with pytest.raises(asyncpg.RaiseError, match="can be added only"):
            await services.db.fetch(f"TRUNCATE {name}")


async def test_logins_and_refused_logins(people: People, services: Services):
    ada = await people.make()
    for _ in range(3):
        answer = await ada.client.post("/auth/login", json={"email": ada.email, "password": "wrong password"})
        assert answer.status_code == 401
    (refused,) = [row for row in await entries(services, "auth.login") if row["result"] == "refused"]
    assert (refused["owner_id"], refused["actor_id"], refused["code"]) == (ada.id, None, "bad_credentials")
    assert refused["object_id"] == (await audit.hasher(services)).hash(ada.email)
    await ada.client.post("/auth/login", json={"email": ada.email, "password": PASSWORD})
    done = [row for row in await entries(services, "auth.login") if row["result"] == "done"][-1]
    assert (done["owner_id"], done["actor_id"], done["object_type"]) == (ada.id, ada.id, "login")
    assert ada.email not in str(await services.db.fetch(ENTRIES))


async def test_an_unknown_email_is_hashed(people: People, services: Services):
    await people.client.post(
        "/auth/login", json={"email": "nobody@example.com", "password": "wrong password"}
    )
    (refused,) = await entries(services, "auth.login")
    assert (refused["owner_id"], refused["result"]) == (None, "refused")
    assert refused["object_id"] == (await audit.hasher(services)).hash("nobody@example.com")


async def test_a_forbidden_operation_is_told_once_a_minute(ada: Person, services: Services):
    for _ in range(3):
        assert (await ada.rest("GET", "/users")).status_code == 403
    refused = [row for row in await services.db.fetch(ENTRIES) if row["result"] == "refused"]
    assert [row["code"] for row in refused] == ["forbidden"]
    assert refused[0]["actor_id"] == ada.id
    assert refused[0]["changes"] == {"permission": [None, "users:list"]}


async def test_changes_of_workers_are_nobody_s(ada: Person, services: Services):
    before = len(await services.db.fetch(ENTRIES))
    await services.db.fetch("UPDATE users SET locale = 'fr' WHERE id = $1", ada.id)
    assert len(await services.db.fetch(ENTRIES)) == before


async def test_recipients_are_counted(ada: Person, services: Services):
    answer = await ada.rest(
        "POST", "/sending-project", json={"name": "Spring", "channel": "sms", "text": "Hi"}
    )
    uuid = answer.json()["uuid"]
    people = {"recipients": [{"phone": f"+1415555010{number}"} for number in range(5)]}
    answer = await ada.rest("POST", f"/recipient/{uuid}", json=people)
    assert answer.status_code == 200, answer.text
    (added,) = await entries(services, "recipients.add")
    assert (added["object_type"], added["object_id"]) == ("project", uuid)
    assert added["changes"] == {"recipients": [0, 5]}


async def test_the_operator_s_commands(ada: Person, services: Services):
    await operator.set_password(services, ada.email)
    await operator.create_token(services, ada.email, "cli")
    changed = await entries(services, "cli.user.password")
    assert {row["actor_kind"] for row in changed} == {"cli"}
    assert {row["owner_id"] for row in changed} == {ada.id} and changed[0]["changes"]["passwordHash"] == [
        "***",
        "***",
    ]
    (token,) = await entries(services, "cli.token.create")
    assert (token["actor_id"], token["object_type"]) == (None, "apiToken")


async def test_many_blocks_leave_one_entry(ada: Person, services: Services):
    phones = [f"+1415555{number:04}" for number in range(100, 150)]
    await ada.rest("POST", "/block/add/multiple", json={"phones": phones})
    (entry,) = await entries(services, "blocks.block_many")
    assert (entry["object_id"], entry["changes"]) == (None, {"blocks": [0, 50]})
    await ada.rest("POST", "/block/remove/multiple", json={"phones": phones[:2]})
    removed = await entries(services, "blocks.unblock_many")
    assert len(removed) == 2 and all(row["changes"]["phone"][0].startswith("hmac:") for row in removed)


async def test_a_task_that_outlives_its_operation_has_no_scope(services: Services):
    async def later() -> str | None:
        await asyncio.sleep(0)
        return audit_scope.about()

    with audit_scope.audited("{}"):
        assert audit_scope.about() == "{}"
        task = asyncio.create_task(later())
    assert await task is None


async def test_the_download_of_an_export_is_told_once_a_minute(ada: Person, services: Services):
    files = {"file": ("export.csv", b"to\n+14155550100\n", "text/csv")}
    file = (await ada.rest("POST", "/file-uploader", files=files)).json()
    link = (await ada.rest("POST", "/export-link/start", json={"source": "blocked-phones"})).json()
    (started,) = await entries(services, "exports.start")
    assert (started["object_type"], started["object_id"]) == ("export", link["uuid"])
    path = f"/file-uploader/payload/{file['originalName']}"
    assert (await ada.rest("GET", path)).status_code == 200
    assert await entries(services, "exports.download") == []  # a file of another kind
    await services.db.fetch(
        "UPDATE export_links SET file_uuid = $2, status = 'ready' WHERE id = $1",
        UUID(link["uuid"]),
        UUID(file["uuid"]),
    )
    for _ in range(2):
        assert (await ada.rest("GET", path, headers={"range": "bytes=0-1"})).status_code == 206
    (downloaded,) = await entries(services, "exports.download")
    assert (downloaded["object_id"], downloaded["actor_id"]) == (link["uuid"], ada.id)
    signed = (await ada.rest("GET", f"/export-link/{link['uuid']}")).json()["url"]
    assert (await ada.client.get(signed)).status_code == 200
    assert [row["actor_id"] for row in await entries(services, "exports.download")] == [ada.id, None]
