"""The cases of timelines of contacts, as tests/doors/case.py describes them."""

from tests.doors.case import Case, Rest

CASES: dict[str, Case] = {
    "contact_timeline.page": Case(
        "row",
        Rest("GET", "/contacts/{contact}/timeline"),
        "query($id:ID!){contactTimeline(contactId:$id){nodes{objectUuid kind text}}}",
        {"id": "{contact}"},
    ),
}
