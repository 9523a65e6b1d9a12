"""The cases of imports of contacts, as tests/doors/case.py describes them."""

from tests.doors.case import Case, Rest

_ROWS = [{"email": "anna@example.com", "name": "Anna"}]

CASES: dict[str, Case] = {
    "contact_imports.create": Case(
        "own",
        Rest("POST", "/contacts/imports", {"rows": _ROWS}, 202),
        "mutation($rows:[JSON!]){importContacts(input:{rows:$rows}){uuid status contacts{created}}}",
        {"rows": _ROWS},
    ),
    "contact_imports.subscribe_segment": Case(
        "row",
        Rest(
            "POST",
            "/contacts/imports/segment",
            {"topicUuids": ["{topic}"], "channel": "email", "evidence": "form 1"},
            202,
        ),
        'mutation($t:UUID!){subscribeSegment(input:{topicUuids:[$t],channel:email,evidence:"form 1"})'
        "{uuid contacts{subscribed subscribedBefore withdrawnBefore withoutAddress}}}",
        {"t": "{topic}"},
    ),
    "contact_imports.preview": Case(
        "own",
        Rest("POST", "/contacts/imports/preview", {"rows": _ROWS}),
        "query($rows:[JSON!]){previewContactImport(input:{rows:$rows}){header columns{name} mapping fields{key type}}}",
        {"rows": _ROWS},
    ),
}
