"""The cases of segments, as tests/doors/case.py describes them."""

from typing import Any

from tests.doors.case import UNKNOWN, Case, Rest
from tests.support.people import Person

_ID = {"id": "{segment}"}
_FILTER: Any = {"all": [{"any": [{"contact": {"createdWithinDays": 7}}]}]}
_INPUT = "filter:{all:[{any:[{contact:{createdWithinDays:7}}]}]}"

CASES: dict[str, Case] = {
    "segments.page": Case(
        "own", Rest("GET", "/segments"), "{segments{nodes{uuid name filter size countedAt owner{email}}}}"
    ),
    "segments.get": Case(
        "row", Rest("GET", "/segments/{segment}"), "query($id:ID!){segment(id:$id){uuid name}}", _ID
    ),
    "segments.create": Case(
        "own",
        Rest("POST", "/segments", {"name": "rest", "filter": _FILTER}, 201),
        f'mutation{{createSegment(input:{{name:"graphql",{_INPUT}}}){{uuid size}}}}',
    ),
    "segments.update": Case(
        "row",
        Rest("PATCH", "/segments/{segment}", {"name": "Changed"}),
        'mutation($id:ID!){updateSegment(id:$id,input:{name:"Again"}){uuid}}',
        _ID,
    ),
    "segments.count": Case(
        "row",
        Rest("POST", "/segments/{segment}/count"),
        "mutation($id:ID!){countSegment(id:$id){uuid size}}",
        _ID,
    ),
    "segments.preview": Case(
        "own",
        Rest("POST", "/segments/preview", {"filter": _FILTER}),
        f"{{segmentPreview(input:{{{_INPUT}}}){{size sample{{uuid name}}}}}}",
    ),
    "segments.delete": Case(
        "row",
        Rest("DELETE", f"/segments/{UNKNOWN}", status=404),
        "mutation($id:ID!){deleteSegment(id:$id)}",
        {"id": UNKNOWN},
        owner="segment_not_found",
    ),
}


async def rows(ada: Person) -> dict[str, str]:
    """Ada's rows, by the names that the cases use."""
    made = await ada.rest("POST", "/segments", json={"name": "Secret", "filter": _FILTER})
    return {"segment": made.json()["id"]}
