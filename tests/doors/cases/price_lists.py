"""The cases of price lists, as tests/doors/case.py describes them."""

from tests.doors.case import CONNECTION, RELATION, UNKNOWN, Case, Rest

_ID = {"id": UNKNOWN}
_NONE = "price_list_not_found"
_PRICES = {"prices": [{"prefix": "49", "price": 0.07}]}

CASES: dict[str, Case] = {
    "price_lists.page": Case(
        "own",
        Rest("GET", "/price-lists"),
        "{priceLists{nodes{uuid name currency strict current{number validFrom size createdBy createdAt}"
        " versions{nodes{versionId number}}}}}",
    ),
    "price_lists.get": Case(
        "row",
        Rest("GET", f"/price-lists/{UNKNOWN}", status=404),
        "query($id:ID!){priceList(id:$id){uuid name}}",
        _ID,
        owner=_NONE,
    ),
    "price_lists.versions": Case("own", None, "{priceLists{nodes{versions{nodes{number}}}}}", why=CONNECTION),
    "price_lists.current": Case("own", None, "{priceLists{nodes{current{number}}}}", why=RELATION),
    "price_lists.versions_of": Case(
        "row", Rest("GET", f"/price-lists/{UNKNOWN}/versions", status=404), None, why=CONNECTION, owner=_NONE
    ),
    "price_lists.prices": Case(
        "row",
        Rest("GET", f"/price-lists/{UNKNOWN}/prices", status=404),
        "query($id:ID!){prices(listId:$id){nodes{channel prefix country price cost}}}",
        _ID,
        owner=_NONE,
    ),
    "price_lists.create": Case(
        "admin",
        Rest("POST", "/price-lists", {"name": "rest@example.com", "currency": "USD"}, 201),
        'mutation{createPriceList(input:{name:"graphql@example.com",currency:"EUR",strict:true}){uuid}}',
    ),
    "price_lists.update": Case(
        "admin",
        Rest("PATCH", f"/price-lists/{UNKNOWN}", {"name": "Changed"}, 404),
        'mutation($id:ID!){updatePriceList(id:$id,input:{name:"Again"}){uuid}}',
        _ID,
        owner=_NONE,
    ),
    "price_lists.add_version": Case(
        "admin",
        Rest("POST", f"/price-lists/{UNKNOWN}/versions", _PRICES, 404),
        'mutation($id:ID!){addPriceListVersion(id:$id,input:{prices:[{prefix:"49",price:0.07}]}){number}}',
        _ID,
        owner=_NONE,
    ),
    "price_lists.delete_version": Case(
        "admin",
        Rest("DELETE", f"/price-lists/{UNKNOWN}/versions/1", status=404),
        "mutation($id:ID!){deletePriceListVersion(id:$id,number:1)}",
        _ID,
        owner=_NONE,
    ),
    "price_lists.delete": Case(
        "admin",
        Rest("DELETE", f"/price-lists/{UNKNOWN}", status=404),
        "mutation($id:ID!){deletePriceList(id:$id)}",
        _ID,
        owner=_NONE,
    ),
}
