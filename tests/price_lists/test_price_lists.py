"""Price lists through both doors."""

from datetime import UTC, datetime, timedelta
from uuid import uuid4

from tests.price_lists.support import add_version, make_list, price_by, quoted

LIST = """
query($id: ID!, $begins: String!) {
  priceList(id: $id) { name currency strict current { number size validFrom } versions { nodes { number size } } }
  prices(listId: $id, begins: $begins) { nodes { channel prefix country price cost } }
}
"""


async def test_a_list_is_made_changed_shown_and_deleted(admin, ada):
    id = await make_list(admin, strict=True)
    assert (await admin.rest("POST", "/price-lists", json={"name": "Wholesale", "currency": "EUR"})).json()[
        "code"
    ] == "price_list_exists"
    first = await add_version(admin, id, {"49": 0.075, "4917": 0.08, "1": 0.0079})
    assert (first["number"], first["size"], first["createdBy"]) == (1, 3, str(admin.id))
    shown = await admin.data(LIST, {"id": id, "begins": "49"})
    assert shown["priceList"] == {
        "name": "Wholesale",
        "currency": "USD",
        "strict": True,
        "current": {"number": 1, "size": 3, "validFrom": first["validFrom"]},
        "versions": {"nodes": [{"number": 1, "size": 3}]},
    }
    assert shown["prices"]["nodes"] == [
        {"channel": "sms", "prefix": "49", "country": "DE", "price": 0.075, "cost": None},
        {"channel": "sms", "prefix": "4917", "country": "DE", "price": 0.08, "cost": None},
    ]
    page = (await admin.rest("GET", f"/price-lists/{id}/prices?limit=2")).json()
    assert [(row["prefix"], row["country"]) for row in page["items"]] == [("1", None), ("49", "DE")]
    rest = (await admin.rest("GET", f"/price-lists/{id}/prices?limit=2&after={page['next']}")).json()
    assert [row["prefix"] for row in rest["items"]] == ["4917"]
    changed = await admin.rest("PATCH", f"/price-lists/{id}", json={"name": "Retail", "strict": False})
    assert (changed.json()["name"], changed.json()["strict"]) == ("Retail", False)
    # Those who have no tariff with it don't see it, and can't change it.
    assert (await ada.rest("GET", f"/price-lists/{id}")).json()["code"] == "price_list_not_found"
    assert (await ada.rest("GET", "/price-lists")).json()["items"] == []
    for method, path, body in (
        ("POST", "/price-lists", {"name": "x", "currency": "USD"}),
        ("PATCH", f"/price-lists/{id}", {"name": "x"}),
        ("DELETE", f"/price-lists/{id}", None),
        ("POST", f"/price-lists/{id}/versions", {"prices": [{"prefix": "1", "price": 0}]}),
        ("DELETE", f"/price-lists/{id}/versions/1", None),
    ):
        assert (await ada.rest(method, path, json=body)).status_code == 403
    assert (await admin.rest("DELETE", f"/price-lists/{id}")).status_code == 204
    assert (await admin.rest("GET", f"/price-lists/{id}")).status_code == 404


async def test_its_users_see_the_prices_of_their_tariff_without_costs(admin, ada):
    id = await make_list(admin)
    rows = [{"prefix": "+49", "price": 0.075, "cost": 0.05}]
    await admin.rest("POST", f"/price-lists/{id}/versions", json={"prices": rows})
    await price_by(admin, ada, id)
    assert [row["id"] for row in (await ada.rest("GET", "/price-lists")).json()["items"]] == [id]
    (row,) = (await ada.rest("GET", f"/price-lists/{id}/prices")).json()["items"]
    assert (row["prefix"], row["price"], row["cost"]) == ("49", 0.075, None)
    (row,) = (await admin.rest("GET", f"/price-lists/{id}/prices")).json()["items"]
    assert row["cost"] == 0.05


async def test_the_version_that_holds_is_the_newest_that_has_begun(admin, ada):
    id = await make_list(admin)
    await price_by(admin, ada, id)
    assert (await quoted(ada, "+4930123456"))["price"] == 0.01  # no version holds yet: the tariff's own price
    await add_version(admin, id, {"49": 0.07})
    later = datetime.now(UTC) + timedelta(hours=1)
    await add_version(admin, id, {"49": 0.09}, validFrom=later.isoformat())
    assert (await quoted(ada, "+4930123456"))["price"] == 0.07
    # A moment that is past counts as now, so that what was added last holds.
    past = datetime.now(UTC) - timedelta(days=30)
    await add_version(admin, id, {"49": 0.08}, validFrom=past.isoformat())
    quote = await quoted(ada, "+4930123456")
    assert (quote["price"], quote["pricePrefix"]) == (0.08, "49")
    versions = (await ada.rest("GET", f"/price-lists/{id}/versions")).json()["items"]
    assert [version["number"] for version in versions] == [3, 2, 1]
    assert quote["priceVersionId"] == versions[0]["versionId"]


async def test_a_version_that_holds_or_is_named_stays(admin, ada):
    id = await make_list(admin)
    await add_version(admin, id, {"49": 0.07})
    await add_version(admin, id, {"49": 0.08})
    await price_by(admin, ada, id)
    refused = await admin.rest("DELETE", f"/price-lists/{id}/versions/2")
    assert refused.json()["code"] == "price_version_in_use"
    assert (await admin.rest("DELETE", f"/price-lists/{id}/versions/1")).status_code == 204
    assert (await admin.rest("DELETE", f"/price-lists/{id}/versions/1")).json()[
        "code"
    ] == "price_version_not_found"
    assert (await admin.rest("DELETE", f"/price-lists/{id}")).json()["code"] == "price_list_in_use"
    await price_by(admin, ada, None)
    assert (await admin.rest("DELETE", f"/price-lists/{id}")).status_code == 204


async def test_what_is_wrong_is_refused_and_nothing_is_stored(admin, ada):
    id = await make_list(admin)

    async def refused(prices, code="validation_failed"):
        answer = await admin.rest("POST", f"/price-lists/{id}/versions", json={"prices": prices})
        assert (answer.status_code, answer.json()["code"]) == (400, code), answer.text
        return answer.json()

    await refused([{"prefix": "49", "price": -0.01}])
    await refused([{"prefix": "49", "price": 0.1234567}])
    await refused([{"prefix": "4x", "price": 0.1}])
    await refused([{"prefix": "", "price": 0.1}])
    await refused([{"prefix": "0049", "price": 0.1}])
    await refused([{"prefix": "49", "price": 0.1, "channel": "email"}])
    await refused([])
    twice = [{"prefix": prefix, "price": 0.1} for prefix in ("49", "33", "+49")]
    assert (await refused(twice, "bad_price_list"))["details"]["rows"] == [
        "rows 1 and 3 both have a price for 49 (sms)"
    ]
    both = await admin.rest(
        "POST",
        f"/price-lists/{id}/versions",
        json={"prices": [{"prefix": "49", "price": 1}], "fileUuid": str(uuid4())},
    )
    assert both.status_code == 400
    missing = await admin.rest("POST", f"/price-lists/{id}/versions", json={"fileUuid": str(uuid4())})
    assert missing.json()["code"] == "file_not_found"
    assert (await admin.rest("GET", f"/price-lists/{id}/versions")).json()["items"] == []
    tariff = {"code": "x", "prices": {}, "priceListId": str(uuid4())}
    assert (await admin.rest("POST", "/user/tariff", json=tariff)).json()["code"] == "price_list_not_found"
    assert (await admin.rest("GET", f"/price-lists/{id}/prices")).json()["code"] == "price_version_not_found"
    assert await admin.code(
        'query($id: ID!) { prices(listId: $id, begins: "4x") { nodes { prefix } } }', {"id": id}
    ) == ("validation_failed")


async def _upload(person, name, content):
    sent = await person.rest("POST", "/file-uploader", files={"file": (name, content, "text/csv")})
    assert sent.is_success, sent.text
    return sent.json()["uuid"]


async def test_a_file_becomes_a_version_in_one_piece(admin):
    id = await make_list(admin)
    rows = "".join(f"{prefix};0,0{prefix % 90 + 10};0.01;Somewhere\r\n" for prefix in range(10_000, 70_000))
    file = await _upload(admin, "prices.csv", f"Prefix;Price;Cost;Country\r\n{rows}".encode())
    made = await admin.rest("POST", f"/price-lists/{id}/versions", json={"fileUuid": file})
    assert (made.status_code, made.json()["size"]) == (201, 60_000), made.text
    (row,) = (await admin.rest("GET", f"/price-lists/{id}/prices?begins=12345")).json()["items"]
    assert (row["price"], row["cost"]) == (0.025, 0.01)


async def test_each_bad_line_of_a_file_is_named(admin):
    id = await make_list(admin)
    file = await _upload(
        admin, "p.csv", b"code,rate,channel\n49,0.07,\n33,-1,\nx,1,\n49,0.08,sms\n1,0.1234567,\n2,1,fax\n"
    )
    answer = await admin.rest("POST", f"/price-lists/{id}/versions", json={"fileUuid": file})
    assert answer.json()["code"] == "bad_price_list"
    assert answer.json()["details"] == {
        "count": 5,
        "rows": [
            "line 3: price '-1' is below zero",
            "line 4: prefix 'x' is not 1 to 10 digits, the first of which is not 0",
            "line 5: lines 2 and 5 both have a price for 49 (sms)",
            "line 6: price '0.1234567' is not a number with at most 6 decimals",
            "line 7: channel 'fax' is not sms or whatsapp",
        ],
    }
    nameless = await _upload(admin, "p.csv", b"49,0.07\n33,0.08\n")
    answer = await admin.rest("POST", f"/price-lists/{id}/versions", json={"fileUuid": nameless})
    assert (answer.status_code, answer.json()["code"]) == (422, "unreadable_list")
    assert (await admin.rest("GET", f"/price-lists/{id}/versions")).json()["items"] == []


async def test_lists_are_found_by_a_part_of_their_name(admin, ada):
    for name in ("Wholesale", "Retail 50 %"):
        await make_list(admin, name=name)
    for part, expected in (("HOLE", ["Wholesale"]), ("50 %", ["Retail 50 %"]), ("_", [])):
        answer = await admin.rest("GET", "/price-lists", params={"name": part})
        assert [row["name"] for row in answer.json()["items"]] == expected
        found = await admin.data(
            "query($w:PriceListWhere){priceLists(where:$w){nodes{name}}}", {"w": {"name": {"contains": part}}}
        )
        assert [row["name"] for row in found["priceLists"]["nodes"]] == expected
