"""Connections over db/lists: pages that survive inserts, both ways, with filters and counts."""

from typing import Any

import pytest

PAGE = """query($first:Int,$after:String,$last:Int,$before:String,$where:AccountWhere){
  accounts(first:$first,after:$after,last:$last,before:$before,where:$where){
    nodes{id uuid name} edges{cursor node{name}}
    pageInfo{hasNextPage hasPreviousPage startCursor endCursor} totalCount}}"""


async def _accounts(ada: Any, count: int) -> list[str]:
    for number in range(count):
        await ada.rest("POST", "/accounts", json={"name": f"n{number}"})
    data = await ada.data("{accounts(first:100){nodes{name}}}")
    return [node["name"] for node in data["accounts"]["nodes"]]


async def _page(ada: Any, **variables: Any) -> dict[str, Any]:
    accounts: dict[str, Any] = (await ada.data(PAGE, variables))["accounts"]
    assert [edge["node"]["name"] for edge in accounts["edges"]] == [
        node["name"] for node in accounts["nodes"]
    ]
    return accounts


async def test_forwards_and_backwards_meet_every_row_once(ada: Any) -> None:
    everything = await _accounts(ada, 7)
    for size in (1, 3, 100):
        forwards, after, pages = [], None, 0
        while True:
            page = await _page(ada, first=size, after=after)
            forwards += [node["name"] for node in page["nodes"]]
            assert page["totalCount"] == len(everything)
            assert page["pageInfo"]["hasPreviousPage"] is (pages > 0)
            pages += 1
            if not page["pageInfo"]["hasNextPage"]:
                break
            after = page["pageInfo"]["endCursor"]
        assert forwards == everything
        backwards, before = [], None
        while True:
            page = await _page(ada, last=size, before=before)
            backwards = [node["name"] for node in page["nodes"]] + backwards
            if not page["pageInfo"]["hasPreviousPage"]:
                break
            before = page["pageInfo"]["startCursor"]
        assert backwards == everything


async def test_rows_that_come_in_meanwhile_move_nothing(ada: Any) -> None:
    everything = await _accounts(ada, 4)
    first = await _page(ada, first=2)
    await ada.rest("POST", "/accounts", json={"name": "newest"})
    second = await _page(ada, first=10, after=first["pageInfo"]["endCursor"])
    assert [node["name"] for node in (*first["nodes"], *second["nodes"])] == everything


async def test_filters_hold_together(ada: Any) -> None:
    await _accounts(ada, 3)
    await ada.rest("POST", "/accounts", json={"name": "euros", "currency": "EUR", "plan": "pro"})
    page = await _page(ada, where={"currency": {"eq": "EUR"}, "plan": {"in": ["pro", "free"]}})
    assert [node["name"] for node in page["nodes"]] == ["euros"]
    assert page["totalCount"] == 1
    first = page["nodes"][0]
    for spelling in (first["id"], first["uuid"]):
        assert (await _page(ada, where={"id": {"in": [spelling]}}))["totalCount"] == 1
    assert (await _page(ada, where={"plan": {"notIn": ["free", "pro"]}}))["nodes"] == []
    assert (await _page(ada, where={"createdAt": {"lt": "2020-01-01T00:00:00Z"}}))["nodes"] == []
    assert (await _page(ada, where={"currency": {}}))["totalCount"] > 1


@pytest.mark.parametrize(
    ("variables", "code"),
    [
        ({"first": 101}, "validation_failed"),
        ({"first": -1}, "validation_failed"),
        ({"first": 1, "last": 1}, "validation_failed"),
        ({"after": "x"}, "bad_cursor"),
        ({"after": "WyJhY2NvdW50cyIsIngiXQ"}, "bad_cursor"),
        ({"before": "WyJ4Il0"}, "bad_cursor"),
        ({"where": {"id": {"eq": "x"}}}, "bad_id"),
    ],
    ids=["101", "negative", "both", "no-base64", "no-id", "short", "id"],
)
async def test_what_is_wrong_is_said(ada: Any, variables: dict[str, Any], code: str) -> None:
    answer = await ada.graphql(PAGE, variables)
    assert answer["errors"][0]["extensions"]["code"] == code, answer


async def test_a_relation_gives_each_row_its_own_part(ada: Any) -> None:
    data = await ada.data(
        "{accounts{nodes{uuid ledger(first:1){nodes{amount} totalCount} owner{email accounts(first:1){nodes{uuid}}}"
        " messages{nodes{uuid}}}}}"
    )
    for node in data["accounts"]["nodes"]:
        assert len(node["ledger"]["nodes"]) == min(1, node["ledger"]["totalCount"])
        assert node["owner"]["email"]
        assert len(node["owner"]["accounts"]["nodes"]) == 1


async def test_anything_by_its_id(ada: Any, bob: Any) -> None:
    mine = (await ada.data("{accounts{nodes{id name}}}"))["accounts"]["nodes"][0]
    ask = "query($id:ID!){node(id:$id){__typename id ... on Account{name}} nodes(ids:[$id,$id]){id}}"
    data = await ada.data(ask, {"id": mine["id"]})
    assert data["node"] == {"__typename": "Account", **mine}
    assert [node["id"] for node in data["nodes"]] == [mine["id"]] * 2
    assert (await bob.data(ask, {"id": mine["id"]}))["node"] is None
    assert (await ada.graphql(ask, {"id": "nonsense"}))["errors"][0]["extensions"]["code"] == "bad_id"
