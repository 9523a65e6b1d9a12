"""Contacts through both doors: adding, changing, merging, and finding them."""

import asyncio
from typing import Any

from engine.contacts import upsert
from runtime.services import Services
from tests.support.people import Person

NAMES = "query($w:ContactWhere,$o:ContactOrder){contacts(where:$w,orderBy:$o,first:50){nodes{name}}}"


async def put(person: Person, expected: int = 200, **values: Any) -> Any:
    """Adds or changes a contact, and returns the answer."""
    answer = await person.rest("POST", "/contacts", json=values)
    assert answer.status_code == expected, answer.text
    return answer.json()


async def put_many(person: Person, *contacts: dict[str, Any], create: bool = False) -> Any:
    answer = await person.rest("POST", "/contacts/bulk", json={"contacts": contacts, "createFields": create})
    assert answer.status_code == 200, answer.text
    return answer.json()


async def names(person: Person, where: dict[str, Any], order: dict[str, str] | None = None) -> list[str]:
    answer = await person.data(NAMES, {"w": where, "o": order})
    return [node["name"] for node in answer["contacts"]["nodes"]]


def email(address: str, **more: Any) -> dict[str, Any]:
    return {"channel": "email", "address": address, **more}


def sms(address: str, **more: Any) -> dict[str, Any]:
    return {"channel": "sms", "address": address, **more}


async def test_a_contact_is_found_by_its_external_id_or_by_an_address(ada: Person):
    first = await put(ada, externalId="c1", name="Anna", addresses=[email("Anna@Example.com")])
    assert first["addresses"] == [
        {"channel": "email", "address": "Anna@example.com", "primary": True, "verifiedAt": None}
    ]
    second = await put(ada, addresses=[email("anna@example.com"), sms("+1 415 555 0100")], locale="de")
    assert (second["id"], second["name"], second["locale"]) == (first["id"], "Anna", "de")
    assert [each["address"] for each in second["addresses"]] == ["Anna@example.com", "+14155550100"]
    third = await put(ada, externalId="c1", addresses=[email("new@example.com", primary=True)])
    assert [each["primary"] for each in third["addresses"]] == [False, True, True]
    assert (await ada.rest("GET", f"/contacts/{first['id']}")).json() == third


async def test_an_address_belongs_to_one_contact(ada: Person, bob: Person):
    anna = await put(ada, externalId="c1", addresses=[sms("+14155550100")])
    answer = await put(ada, 409, externalId="c2", addresses=[sms("+14155550100")])
    assert (answer["code"], answer["details"]) == ("address_taken", {"contactUuid": anna["id"]})
    other = await put(ada, externalId="c2", addresses=[sms("+14155550101")])
    answer = await put(ada, 409, addresses=[sms("+14155550100"), sms("+14155550101")])
    assert answer["details"] == {"contactUuid": other["id"]}
    patch = {"addresses": [sms("+14155550101")]}
    answer = await ada.rest("PATCH", f"/contacts/{anna['id']}", json=patch)
    assert (answer.status_code, answer.json()["code"]) == (409, "address_taken")
    answer = await ada.rest("PATCH", f"/contacts/{anna['id']}", json={"externalId": "c2"})
    assert (answer.status_code, answer.json()["code"]) == (409, "external_id_taken")
    # Another channel is another address, and another owner has contacts of their own.
    await put(ada, externalId="c2", addresses=[{"channel": "whatsapp", "address": "+14155550100"}])
    theirs = await put(bob, externalId="c1", addresses=[sms("+14155550100")])
    assert theirs["id"] != anna["id"]
    for method, path in (("GET", ""), ("PATCH", ""), ("DELETE", ""), ("POST", "/merge")):
        body = {} if method == "PATCH" else {"otherUuid": theirs["id"]} if method == "POST" else None
        answer = await bob.rest(method, f"/contacts/{anna['id']}{path}", json=body)
        assert (answer.status_code, answer.json()["code"]) == (404, "contact_not_found")


async def test_fields_have_types(ada: Person):
    assert (await put(ada, 400, externalId="1", fields={"city": "Berlin"}))["code"] == "unknown_field"
    made = await put(
        ada, externalId="1", createFields=True,
        fields={"city": "Berlin", "points": 7.0, "born": "1990-02-28", "vip": True, "likes": ["tea"]},
    )  # fmt: skip
    assert made["fields"] == {
        "city": "Berlin", "points": 7, "born": "1990-02-28", "vip": True, "likes": ["tea"]
    }  # fmt: skip
    query = "{contactFields{nodes{uuid key type}}}"
    fields = {each["key"]: each for each in (await ada.data(query))["contactFields"]["nodes"]}
    assert {key: each["type"] for key, each in fields.items()} == {
        "city": "text", "points": "number", "born": "date", "vip": "bool", "likes": "list"
    }  # fmt: skip
    for key, value in (
        ("city", 1), ("points", "7"), ("points", True), ("born", "1990-02-30"), ("vip", 1), ("likes", "tea"),
        ("likes", [1]), ("city", "x" * 1001),
    ):  # fmt: skip
        assert (await put(ada, 400, externalId="1", fields={key: value}))["code"] == "bad_field", (key, value)
    changed = await put(ada, externalId="1", fields={"city": None, "points": 8.5})
    assert changed["fields"] == {"points": 8.5, "born": "1990-02-28", "vip": True, "likes": ["tea"]}
    path = f"/contact-fields/{fields['points']['uuid']}"
    answer = await ada.rest("DELETE", path)
    assert (answer.status_code, answer.json()["code"]) == (409, "field_in_use")
    await put(ada, externalId="1", fields={"points": None})
    assert (await ada.rest("DELETE", path)).status_code == 204
    big = {"likes": ["x" * 200] * 50}
    assert (await put(ada, 400, externalId="1", fields=big))["code"] in (
        "validation_failed",
        "fields_too_large",
    )


async def test_a_pattern_holds_for_texts(ada: Person):
    new = {"key": "plan", "type": "text", "pattern": "^[A-Z]{2}$", "label": "Plan"}
    field = (await ada.rest("POST", "/contact-fields", json=new)).json()
    assert (await ada.rest("POST", "/contact-fields", json=new)).json()["code"] == "field_exists"
    assert (await put(ada, 400, externalId="1", fields={"plan": "pro"}))["code"] == "bad_field"
    await put(ada, externalId="1", fields={"plan": "PR"})
    path = f"/contact-fields/{field['id']}"
    assert (await ada.rest("PATCH", path, json={"pattern": "(?=a)"})).json()["code"] == "bad_pattern"
    assert (await ada.rest("PATCH", path, json={"pattern": None})).json()["label"] == "Plan"
    await put(ada, externalId="1", fields={"plan": "pro"})


async def test_many_at_once(ada: Person):
    await put(ada, externalId="old", name="Old", addresses=[sms("+14155550100")])
    await put(ada, externalId="same", name="Same")
    answer = await put_many(
        ada,
        {"externalId": "new", "name": "New", "fields": {"city": "Rome"}},
        {"externalId": "new", "addresses": [sms("+14155550111")]},  # the same contact again
        {"addresses": [sms("+14155550100")], "name": "Changed"},
        {"externalId": "same", "name": "Same"},
        {"externalId": "other", "addresses": [sms("+14155550100")]},
        {"externalId": "bad", "addresses": [sms("hello")]},
        {"name": "nobody"},
        {"externalId": "typo", "fields": {"city": 1}},
        create=True,
    )
    assert (answer["created"], answer["changed"], answer["unchanged"]) == (1, 1, 2)
    assert [(each["place"], each["code"]) for each in answer["invalid"]] == [
        (5, "address_taken"), (6, "invalid_recipient"), (7, "missing_address"), (8, "bad_field")
    ]  # fmt: skip
    uuids = answer["uuids"]
    assert uuids[0] == uuids[1] and len(uuids) == 4
    assert answer["invalid"][0]["contactUuid"] == uuids[2]
    assert sorted(await names(ada, {})) == ["Changed", "New", "Same"]


async def test_a_thousand_take_no_more_statements_than_one(ada: Person, services: Services, monkeypatch):
    calls = []

    class Counting:
        def __init__(self, connection: Any) -> None:
            self.connection = connection

        def __getattr__(self, name: str) -> Any:
            calls.append(name)
            return getattr(self.connection, name)

    original = upsert.upsert

    async def counted(connection: Any, *args: Any, **options: Any) -> Any:
        return await original(Counting(connection), *args, **options)

    monkeypatch.setattr(upsert, "upsert", counted)
    for number in (1, 1000):
        calls.clear()
        rows = [
            {"externalId": f"{number}-{n}", "addresses": [email(f"{number}.{n}@example.com")]}
            for n in range(number)
        ]
        assert (await put_many(ada, *rows))["created"] == number
        assert len(calls) <= 7


async def test_concurrent_requests_about_the_same_people(ada: Person, services: Services):
    """Forty requests, each about the same sixty people in an order of its own: nobody twice, and no deadlock."""
    before = await services.db.fetchval(
        "SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()"
    )

    def rows(request: int) -> list[dict[str, Any]]:
        order = sorted(range(60), key=lambda n: (n * 7 + request * 13) % 61)
        return [
            {
                **({"externalId": f"p{n}"} if (n + request) % 2 else {}),
                "addresses": [email(f"p{n}@example.com"), sms(f"+1415555{1000 + n}")],
                "fields": {f"from{request % 5}": request},
            }
            for n in order
        ]

    answers = await asyncio.gather(*(put_many(ada, *rows(request), create=True) for request in range(40)))
    assert sum(answer["created"] for answer in answers) == 60
    assert not any(answer["invalid"] for answer in answers)
    counts = await services.db.fetchrow(
        "SELECT (SELECT count(*) FROM contacts WHERE owner_id = $1) AS contacts, count(*) AS addresses,"
        " count(*) FILTER (WHERE a.primary) AS firsts FROM contact_addresses AS a WHERE owner_id = $1",
        ada.id,
    )
    assert tuple(counts) == (60, 120, 120)
    # No request has overwritten what another one had written of the same contact.
    for row in await services.db.fetch(
        "SELECT external_id, fields FROM contacts WHERE owner_id = $1", ada.id
    ):
        assert {*row["fields"]} == {f"from{n}" for n in range(5)} and row["external_id"]
    after = await services.db.fetchval(
        "SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()"
    )
    assert after == before


async def test_concurrent_merges_and_changes(ada: Person, services: Services):
    """Changes of people who are merged meanwhile are not lost, and leave no address behind."""
    ids = [(await put(ada, addresses=[email(f"m{n}@example.com")]))["id"] for n in range(12)]

    async def merge(other: str) -> None:
        answer = await ada.rest("POST", f"/contacts/{ids[0]}/merge", json={"otherUuid": other})
        assert answer.status_code == 200, answer.text

    async def change(n: int) -> None:
        await put_many(ada, {"addresses": [email(f"m{n}@example.com")], "fields": {f"f{n}": n}}, create=True)

    await asyncio.gather(*(task for n in range(1, 12) for task in (merge(ids[n]), change(n))))
    assert len(await names(ada, {})) == 1
    kept = (await ada.rest("GET", f"/contacts/{ids[0]}")).json()
    assert len(kept["addresses"]) == 12 and len(kept["fields"]) == 11


async def test_merging_keeps_what_is_there(ada: Person):
    fields = {"city": "Berlin", "points": 1}
    kept = await put(ada, name="Anna", addresses=[email("a@example.com")], fields=fields, createFields=True)
    other = await put(
        ada, externalId="c2", name="Anne", locale="de", fields={"city": "Rome", "vip": True},
        addresses=[email("b@example.com"), sms("+14155550100")], createFields=True,
    )  # fmt: skip
    merge = "mutation($i:ID!,$o:UUID!){mergeContacts(id:$i,input:{otherUuid:$o}){uuid}}"
    for _ in range(2):
        assert await ada.data(merge, {"i": kept["id"], "o": other["id"]}) == {
            "mergeContacts": {"uuid": kept["id"]}
        }
    merged = (await ada.rest("GET", f"/contacts/{kept['id']}")).json()
    assert (merged["name"], merged["externalId"], merged["locale"]) == ("Anna", "c2", "de")
    assert merged["fields"] == {"city": "Berlin", "points": 1, "vip": True}
    assert {each["address"]: each["primary"] for each in merged["addresses"]} == {
        "a@example.com": True, "b@example.com": False, "+14155550100": True
    }  # fmt: skip
    assert (await ada.rest("GET", f"/contacts/{other['id']}")).status_code == 404
    answer = await ada.rest("POST", f"/contacts/{kept['id']}/merge", json={"otherUuid": kept["id"]})
    assert answer.status_code == 400


async def test_changing_and_deleting(ada: Person):
    made = await put(ada, externalId="c1", name="Anna", timezone="Europe/Berlin",
                     addresses=[email("a@example.com"), email("b@example.com")])  # fmt: skip
    path = f"/contacts/{made['id']}"
    patch = {
        "externalId": None,
        "timezone": None,
        "addresses": [email("b@example.com"), email("c@example.com")],
    }
    changed = (await ada.rest("PATCH", path, json=patch)).json()
    assert (changed["externalId"], changed["timezone"], changed["name"]) == (None, None, "Anna")
    assert [(each["address"], each["primary"]) for each in changed["addresses"]] == [
        ("b@example.com", True), ("c@example.com", False)
    ]  # fmt: skip
    assert (await ada.rest("PATCH", path, json={"addresses": []})).json()["addresses"] == []
    assert (await ada.rest("DELETE", path)).status_code == 204
    assert (await ada.rest("DELETE", path)).status_code == 404
    await put(ada, addresses=[email("a@example.com")])


async def test_lists_by_columns_and_addresses(ada: Person, bob: Person, admin: Person):
    await put_many(
        ada,
        {"externalId": "1", "name": "Anna Berg", "locale": "de", "addresses": [email("Anna@example.com")]},
        {"externalId": "2", "name": "Bert O'Hara", "addresses": [sms("+14155550100")]},
        {"externalId": "3", "name": "Ännchen Bergmann"},
    )
    await put(bob, name="Anna of bob", addresses=[email("anna@example.com")])
    for where, expected in (
        ({"name": {"contains": "berg"}}, ["Ännchen Bergmann", "Anna Berg"]),
        ({"name": {"contains": "berg an"}}, ["Anna Berg"]),
        ({"name": {"contains": "o'hara"}}, ["Bert O'Hara"]),
        ({"name": {"contains": "  "}}, []),
        ({"name": {"contains": "erg"}}, []),
        ({"locale": {"in": ["fr", "de"]}}, ["Anna Berg"]),
        ({"address": {"eq": "ANNA@example.com"}}, ["Anna Berg"]),
        ({"address": {"in": ["(415) 555-0100", "anna@example.com"]}}, ["Bert O'Hara", "Anna Berg"]),
        ({"channel": {"eq": "sms"}}, ["Bert O'Hara"]),
        ({"channel": {"notIn": ["sms", "email"]}}, ["Ännchen Bergmann"]),
        ({"externalId": {"in": ["3", "1"]}}, ["Ännchen Bergmann", "Anna Berg"]),
        ({"locale": {"eq": "de"}}, ["Anna Berg"]),
        ({"createdAt": {"lt": "2020-01-01T00:00:00Z"}}, []),
    ):
        assert await names(ada, where) == expected, where
    by_name = {"field": "name", "direction": "asc"}
    assert await names(ada, {}, by_name) == ["Anna Berg", "Bert O'Hara", "Ännchen Bergmann"]
    assert await names(ada, {}, {"field": "updatedAt", "direction": "asc"})
    assert await names(admin, {"ownerId": {"eq": str(ada.id)}, "name": {"contains": "Bert"}}) == [
        "Bert O'Hara"
    ]
    assert await names(admin, {}) == []
    assert await ada.code(NAMES, {"w": {"ownerId": {"eq": str(bob.id)}}}) == "forbidden"
    listed = (await ada.rest("GET", "/contacts", params={"address": "anna@example.com"})).json()
    assert [each["name"] for each in listed["items"]] == ["Anna Berg"]


async def test_lists_by_fields(ada: Person, bob: Person):
    people = [
        {"city": "Berlin", "points": 5, "vip": True, "likes": ["tea", "jazz"], "since": "2020-01-31"},
        {"city": "Berlin", "points": -1.5, "vip": False, "likes": ["tea"], "since": "2021-06-01"},
        {"city": "Rome", "points": 100, "since": "2022-01-01"},
    ]
    rows = [{"externalId": str(n), "name": str(n), "fields": fields} for n, fields in enumerate(people)]
    await put_many(ada, *rows, create=True)
    await put_many(bob, {"externalId": "9", "name": "9", "fields": people[0]}, create=True)
    for conditions, expected in (
        ([{"key": "city", "eq": "Berlin"}], ["1", "0"]),
        ([{"key": "city", "in": ["Rome", "Oslo"]}], ["2"]),
        ([{"key": "city", "notIn": ["Rome"]}], ["1", "0"]),
        ([{"key": "city", "eq": "Berlin"}, {"key": "points", "gt": 0}], ["0"]),
        ([{"key": "points", "eq": 5.0}], ["0"]),
        ([{"key": "points", "gte": -1.5, "lt": 100}], ["1", "0"]),
        ([{"key": "vip", "eq": False}], ["1"]),
        ([{"key": "likes", "eq": "jazz"}], ["0"]),
        ([{"key": "likes", "isSet": False}], ["2"]),
        ([{"key": "likes", "isSet": True}], ["1", "0"]),
        ([{"key": "since", "gte": "2021-06-01", "lte": "2021-12-31"}], ["1"]),
        ([{"key": "since", "eq": "2022-01-01"}], ["2"]),
    ):
        assert await names(ada, {"fields": conditions}) == expected, conditions
    for condition, code in (
        ({"key": "town", "eq": "x"}, "unknown_field"),
        ({"key": "points", "eq": "x"}, "bad_field"),
        ({"key": "city", "gt": "x"}, "bad_field"),
        ({"key": "city", "inDays": 1}, "bad_field"),
        ({"key": "city", "daysAgo": 1}, "bad_field"),
    ):
        assert await ada.code(NAMES, {"w": {"fields": [condition]}}) == code
    params = {"fields": '[{"key":"city","eq":"Berlin"},{"key":"vip","eq":true}]'}
    listed = (await ada.rest("GET", "/contacts", params=params)).json()
    assert [each["name"] for each in listed["items"]] == ["0"]
    for text in ("x", "{}", '[{"key":"city","is":1}]', "[" + ",".join(['{"key":"city"}'] * 11) + "]"):
        assert (await ada.rest("GET", "/contacts", params={"fields": text})).status_code == 400


async def test_pages_go_on_in_each_order(ada: Person):
    rows = [{"externalId": str(n), "name": f"n{n % 3}", "fields": {"x": n % 2}} for n in range(25)]
    await put_many(ada, *rows, create=True)
    query = (
        "query($a:String,$o:ContactOrder,$w:ContactWhere){contacts(first:4,after:$a,orderBy:$o,where:$w)"
        "{nodes{externalId} pageInfo{hasNextPage endCursor} totalCount}}"
    )
    for field in ("createdAt", "updatedAt", "name"):
        for where, count in ((None, 25), ({"fields": [{"key": "x", "eq": 1}]}, 12)):
            seen: list[str] = []
            after = None
            while True:
                order = {"field": field, "direction": "desc"}
                page = (await ada.data(query, {"a": after, "o": order, "w": where}))["contacts"]
                seen += [node["externalId"] for node in page["nodes"]]
                assert page["totalCount"] == count
                if not page["pageInfo"]["hasNextPage"]:
                    break
                after = page["pageInfo"]["endCursor"]
            assert len(seen) == len({*seen}) == count
