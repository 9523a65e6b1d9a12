"""Source accounts through both doors: contract §3."""

import asyncio

import pytest

from core import logs
from core.vault import Sealed
from resolvers import source_accounts

TOKEN = "a-long-token-of-ada-7f3c"
NEW = {"source": "telegram", "login": "+14155550100", "token": TOKEN}
FIELDS = "uuid source login name status tokenHint messengerAccountUuid createdAt"
BOTH = ("rest", "graphql")
_FIELD = {"create": "createSourceAccount", "create-or-get": "createOrGetSourceAccount"}


async def _add(person, input=NEW, how="create-or-get", door="rest", **headers):
    """The account, or the code of what went wrong."""
    if door == "rest":
        answer = await person.rest("POST", f"/account/{how}", json=input, headers=headers)
        return answer.json() if answer.is_success else answer.json()["code"]
    query = f"mutation($input: NewSourceAccount!) {{ answer: {_FIELD[how]}(input: $input) {{ {FIELDS} }} }}"
    body = await person.graphql(query, {"input": input}, **headers)
    return body["errors"][0]["extensions"]["code"] if "errors" in body else body["data"]["answer"]


async def _list(person, **filters):
    rest = (await person.rest("GET", "/account", params=filters)).json()
    where = {name: {"eq": value.lower() if name == "source" else value} for name, value in filters.items()}
    query = (
        f"query($w: SourceAccountWhere) {{ sourceAccounts(where: $w) {{ nodes {{ {FIELDS} }} totalCount }} }}"
    )
    graphql = (await person.data(query, {"w": where}))["sourceAccounts"]
    assert rest["items"] == graphql["nodes"]
    assert rest["meta"]["total"] == graphql["totalCount"]
    return rest["items"]


async def _delete(person, uuid, door="rest"):
    if door == "rest":
        answer = await person.rest("DELETE", f"/account?uuid={uuid}")
        return None if answer.status_code == 204 else answer.json()["code"]
    body = await person.graphql("mutation($id: ID!) { deleteSourceAccount(id: $id) }", {"id": uuid})
    return body["errors"][0]["extensions"]["code"] if "errors" in body else None


@pytest.mark.parametrize("door", BOTH)
async def test_an_account_that_is_added(ada, bob, services, door):
    made = await _add(ada, {**NEW, "source": "Telegram", "name": "Sales"}, "create", door)
    assert made["tokenHint"] == "…7f3c"
    assert {name: made[name] for name in ("source", "login", "name", "status", "messengerAccountUuid")} == {
        "source": "telegram",
        "login": "+14155550100",
        "name": "Sales",
        "status": "connected",
        "messengerAccountUuid": None,
    }
    assert await _list(ada) == [made]
    assert await _list(bob) == []
    assert await _add(ada, NEW, "create", door) == "source_account_exists"
    assert await _list(ada) == [made]
    row = await services.db.fetchrow("SELECT * FROM source_accounts")
    assert services.vault.open(row.token_encrypted, f"source_accounts.token:{made['uuid']}") == TOKEN
    with pytest.raises(Sealed):  # elsewhere it is worth nothing
        services.vault.open(row.token_encrypted, f"source_accounts.token:{ada.id}")
    assert TOKEN.encode() not in row.token_encrypted + row.token_hash


async def test_the_conflict_names_the_one_that_there_is(ada):
    made = await _add(ada)
    refused = await ada.rest("POST", "/account/create", json=NEW)
    assert refused.status_code == 409
    assert refused.json()["details"] == {"uuid": made["uuid"]}


async def test_the_status_tells_whether_it_was_made(ada, bob):
    first = await ada.rest("POST", "/account/create-or-get", json=NEW)
    again = await ada.rest("POST", "/account/create-or-get", json={**NEW, "name": "another name"})
    assert (first.status_code, again.status_code) == (201, 200)
    assert again.json() == first.json()
    assert again.json()["name"] == NEW["login"]
    assert first.headers["content-type"] == "application/json"
    assert (await bob.rest("POST", "/account/create-or-get", json=NEW)).status_code == 201
    for other in ({"source": "whatsapp"}, {"login": "x"}, {"token": "x"}):
        assert (await ada.rest("POST", "/account/create-or-get", json={**NEW, **other})).status_code == 201
    assert len(await _list(ada)) == 4


async def test_fifty_at_once_get_one_row(ada, bob, services):
    calls = [ada.rest("POST", "/account/create-or-get", json=NEW) for _ in range(50)]
    answers = await asyncio.gather(*calls, *(_add(bob, door="graphql") for _ in range(5)))
    assert sorted(answer.status_code for answer in answers[:50]) == [200] * 49 + [201]
    assert len({answer.json()["uuid"] for answer in answers[:50]}) == 1
    assert len({answer["uuid"] for answer in answers[50:]}) == 1
    assert await services.db.fetchval("SELECT count(*) FROM source_accounts") == 2


async def test_of_many_creations_at_once_one_succeeds(ada):
    done = await asyncio.gather(*(_add(ada, how="create") for _ in range(20)))
    assert done.count("source_account_exists") == 19


@pytest.mark.parametrize("door", BOTH)
async def test_a_deleted_one_is_hidden_and_has_no_token(ada, bob, admin, services, door):
    made = await _add(ada)
    assert await _delete(bob, made["uuid"], door) == "source_account_not_found"
    assert await _list(ada) == [made]
    assert await _delete(ada, made["uuid"], door) is None
    assert await _delete(ada, made["uuid"], door) == "source_account_not_found"
    assert await _list(ada) == []
    assert await _list(admin) == []
    row = await services.db.fetchrow("SELECT status, token_encrypted FROM source_accounts")
    assert (row.status, row.token_encrypted) == ("deleted", b"")

    # Added again it is the same identity, with the messages that it once sent.
    back = await ada.rest("POST", "/account/create", json={**NEW, "name": "Back"})
    assert back.status_code == 201
    assert (back.json()["uuid"], back.json()["name"]) == (made["uuid"], "Back")
    assert back.json()["status"] == "connected"
    row = await services.db.fetchrow("SELECT * FROM source_accounts")
    assert services.vault.open(row.token_encrypted, f"source_accounts.token:{made['uuid']}") == TOKEN
    assert await _delete(admin, made["uuid"], door) is None


async def test_a_deleted_one_comes_back_once(ada):
    made = await _add(ada)
    await _delete(ada, made["uuid"])
    answers = await asyncio.gather(*(ada.rest("POST", "/account/create-or-get", json=NEW) for _ in range(20)))
    assert sorted(answer.status_code for answer in answers) == [200] * 19 + [201]
    assert {answer.json()["uuid"] for answer in answers} == {made["uuid"]}


async def test_lists_are_filtered_and_paged(ada, bob, admin):
    for source, login in (("telegram", "a"), ("telegram", "b"), ("whatsapp", "a")):
        await _add(ada, {"source": source, "login": login, "token": "t"})
    await _add(bob)
    assert [(account["source"], account["login"]) for account in await _list(ada)] == [
        ("whatsapp", "a"), ("telegram", "b"), ("telegram", "a"),
    ]  # fmt: skip
    assert [account["login"] for account in await _list(ada, source="Telegram")] == ["b", "a"]
    assert [account["source"] for account in await _list(ada, login="a")] == ["whatsapp", "telegram"]
    assert len(await _list(ada, login="a", source="whatsapp")) == 1
    assert await _list(ada, source="sms") == []
    assert len(await _list(admin)) == 4
    page = (await ada.rest("GET", "/account?page=2&limit=2")).json()
    assert [item["login"] for item in page["items"]] == ["a"]
    assert page["meta"] == {"page": 2, "limit": 2, "total": 3, "totalPages": 2}
    for wrong in ("source=", "source=a%20b", "login=", "limit=0", "uuid=x", f"login={'x' * 257}"):
        assert (await ada.rest("GET", f"/account?{wrong}")).status_code == 400


@pytest.mark.parametrize("door", BOTH)
@pytest.mark.parametrize("how", _FIELD)
@pytest.mark.parametrize(
    "wrong",
    [
        {"source": ""},
        {"source": "a b"},
        {"source": "x" * 65},
        {"login": ""},
        {"login": "x" * 257},
        {"login": "a\nb"},
        {"token": ""},
        {"token": "x" * 8193},
        {"token": "a\x00"},
        {"name": "x" * 129},
    ],
)
async def test_an_account_that_is_none(ada, door, how, wrong):
    assert await _add(ada, {**NEW, **wrong}, how, door) == "validation_failed"
    assert await _list(ada) == []


async def test_a_deletion_needs_its_uuid(ada):
    assert (await ada.rest("DELETE", "/account")).status_code == 400
    assert (await ada.rest("DELETE", "/account?uuid=x")).status_code == 400
    for wrong in ({"source": "telegram"}, {**NEW, "status": "blocked"}, {**NEW, "ownerId": "x"}):
        assert (await ada.rest("POST", "/account/create", json=wrong)).status_code == 400


@pytest.mark.parametrize("door", BOTH)
async def test_a_creation_is_replayed_by_its_key(ada, services, door):
    key = {"Idempotency-Key": "k"}
    made = await _add(ada, NEW, "create", door, **key)
    assert await _add(ada, NEW, "create", door, **key) == made
    assert await _add(ada, {**NEW, "token": "other"}, "create", door, **key) == "idempotency_key_reused"
    answer = await services.db.fetchval("SELECT answer::text FROM idempotency_keys")
    assert '"token_encrypted": null' in answer
    assert '"token_hash": null' in answer
    assert TOKEN not in answer


async def test_no_more_than_one_may_have(ada, bob, monkeypatch):
    monkeypatch.setattr(source_accounts, "MOST", 3)
    done = await asyncio.gather(*(_add(ada, {**NEW, "login": str(n)}) for n in range(8)))
    assert done.count("too_many_source_accounts") == 5
    mine = await _list(ada)
    assert len(mine) == 3
    assert (await _add(ada, {**NEW, "login": mine[0]["login"]}))["uuid"] == mine[0]["uuid"]
    assert "uuid" in await _add(bob)
    await _delete(ada, mine[0]["uuid"])
    assert "uuid" in await _add(ada, {**NEW, "login": "again"})


async def test_the_token_is_told_nowhere(ada, admin, capsys):
    logs.configure("debug", "json")
    try:
        for door in BOTH:
            for how in _FIELD:
                assert TOKEN not in str(await _add(ada, NEW, how, door))
        assert TOKEN not in str([await _list(ada), await _list(admin)])
        assert TOKEN not in "".join(capsys.readouterr())
    finally:
        logs.configure("info", "json")


async def test_a_short_token_shows_nothing_of_itself(ada):
    assert (await _add(ada, {**NEW, "token": "fifteen-letters"}))["tokenHint"] == "…"
