"""The audit through both doors: its list, its filters, and who sees what."""

import json
from urllib.parse import urlsplit
from uuid import UUID, uuid4

from engine.exports import export_links
from engine.upkeep import partitions
from runtime.services import Services
from tests.api_tokens.made import caller, made
from tests.members.made import joined
from tests.support.people import People, Person


async def test_both_doors_tell_the_same(ada: Person):
    uuid = (await ada.rest("POST", "/block/+14155550100")).json()["uuid"]
    (rest,) = (await ada.rest("GET", f"/audit?objectId={uuid}")).json()["items"]
    query = "query($o:String!){auditEntries(where:{objectId:{eq:$o}}){nodes{uuid operation actorKind result changes}}}"
    (node,) = (await ada.data(query, {"o": uuid}))["auditEntries"]["nodes"]
    assert node == {
        "uuid": rest["id"],
        "operation": "blocks.block",
        "actorKind": "user",
        "result": "done",
        "changes": rest["changes"],
    }
    assert (await ada.rest("GET", f"/audit/{rest['id']}")).json() == rest


async def test_filters(ada: Person):
    await ada.rest("POST", "/block/+14155550100")
    await ada.rest("GET", "/users")  # is forbidden

    async def found(query: str) -> set[str]:
        answer = await ada.rest("GET", f"/audit?{query}")
        assert answer.status_code == 200, answer.text
        return {item["operation"] for item in answer.json()["items"]}

    assert await found("result=refused") == {"users.list"}
    assert await found("operation=blocks.block") == {"blocks.block"}
    assert await found("objectType=block") == {"blocks.block"}
    assert {"blocks.block", "users.list"} <= await found(f"actorId={ada.id}")
    assert await found(f"actorId={uuid4()}") == set()
    assert await found(f"tokenId={uuid4()}") == set()
    assert await found("dateFrom=2020-01-01T00:00:00Z&dateTo=2020-02-01T00:00:00Z") == set()
    assert "blocks.block" in await found("dateFrom=2020-01-01T00:00:00Z")


async def test_an_owner_sees_what_is_about_own_data_and_an_administrator_all(people: People, admin: Person):
    ada, bob = await people.make(), await people.make()
    await ada.rest("POST", "/block/+14155550100")
    await admin.data("mutation($i:ID!){suspendUser(id:$i){id}}", {"i": str(bob.id)})
    for person in (ada, admin):
        items = (await person.rest("GET", "/audit?operation=blocks.block")).json()["items"]
        assert [item["ownerId"] for item in items] == [str(ada.id)]
    assert (await ada.rest("GET", f"/audit?ownerId={bob.id}")).json()["items"] == []
    told = (await admin.rest("GET", "/audit?operation=users.suspend")).json()["items"]
    (suspended,) = [item for item in told if "status" in item["changes"]]
    assert (suspended["ownerId"], suspended["actorId"]) == (str(bob.id), str(admin.id))
    assert suspended["changes"]["status"] == ["active", "suspended"]


async def test_it_names_members_also_when_they_are_gone(people: People, admin: Person, services: Services):
    ada, bob, carol = await people.make(), await people.make(), await people.make()
    for each in (bob, carol):
        member, id = await joined(ada, each, "editor")
        await member.rest("POST", "/block/+14155550100")
    rename = "mutation($i:ID!,$p:UserPatch!){updateUser(id:$i,input:$p){id}}"
    await admin.data(rename, {"i": str(ada.id), "p": {"displayName": "Ada"}})
    assert (await ada.rest("DELETE", f"/members/{id}")).status_code == 200
    await carol.data(rename, {"i": str(carol.id), "p": {"email": f"new-{carol.email}"}})

    items = (await ada.rest("GET", "/audit?limit=100")).json()["items"]
    named = {item["actorId"]: item["actorEmail"] for item in items}
    assert named == {
        str(ada.id): None,
        str(bob.id): bob.email,
        str(carol.id): carol.email,
        str(admin.id): None,
    }
    query = "{auditEntries(first:100){nodes{actorId actorEmail}}}"
    nodes = (await ada.data(query))["auditEntries"]["nodes"]
    assert [(node["actorId"], node["actorEmail"]) for node in nodes] == [
        (item["actorId"], item["actorEmail"]) for item in items
    ]

    await services.db.fetch("UPDATE former_members SET ended_at = now() - interval '500 days'")
    await partitions.keep_audit(services)
    entries = (await ada.rest("GET", f"/audit?actorId={carol.id}")).json()["items"]
    assert {entry["actorEmail"] for entry in entries} == {None}


async def test_pages_follow_each_other(ada: Person):
    for number in range(5):
        await ada.rest("POST", f"/block/+1415555010{number}")
    seen, after = [], None
    while True:
        path = "/audit?limit=2&operation=blocks.block" + (f"&after={after}" if after else "")
        page = (await ada.rest("GET", path)).json()
        seen += [item["id"] for item in page["items"]]
        if not (after := page["next"]):
            break
    assert len(set(seen)) == 5 and seen == sorted(seen, reverse=True)


async def test_an_export_has_the_same_entries(ada: Person, bob: Person, services: Services):
    for number in range(3):
        await ada.rest("POST", f"/block/+1415555010{number}")
    await bob.rest("POST", "/block/+14155550109")
    begun = {"source": "audit", "format": "ndjson", "filters": {"operation": "blocks.block"}}
    link = (await ada.rest("POST", "/export-link/start", json=begun)).json()
    await export_links.write(services, UUID(link["uuid"]))
    url = urlsplit((await ada.rest("GET", f"/export-link/{link['uuid']}")).json()["url"])
    lines = (await ada.client.get(f"{url.path}?{url.query}")).content.splitlines()
    listed = (await ada.rest("GET", "/audit?operation=blocks.block")).json()["items"]
    assert [json.loads(line) for line in lines] == listed[::-1]
    assert len(lines) == 3


async def test_an_export_needs_the_permission_to_see_the_audit(ada: Person):
    token, _ = await made(ada, scopes=["exports:write", "exports:read"])
    refused = await caller(ada, token).rest("POST", "/export-link/start", json={"source": "audit"})
    assert (refused.status_code, refused.json()["details"]) == (403, {"permission": "audit:read"})
