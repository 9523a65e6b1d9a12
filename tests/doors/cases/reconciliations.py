"""The cases of reconciliations. `{project}` is of sending_projects; it has not finished, and so has none."""

from tests.doors.case import Case, Rest

_ID = {"id": "{project}"}
_NONE = "not_reconciled"

CASES: dict[str, Case] = {
    "reconciliations.chain": Case(
        "row", Rest("GET", "/sending-project/{project}/reconciliations"),
        "query($id:ID!){sendingProjectReconciliations(id:$id){number state root}}", _ID,
    ),
    "reconciliations.get": Case(
        "row", Rest("GET", "/sending-project/{project}/reconciliation", status=404),
        "query($id:ID!){sendingProjectReconciliation(id:$id){document signature keys}}", _ID, owner=_NONE,
    ),
    "reconciliations.printed": Case(
        "public",
        Rest("GET", "/sending-project/{project}/reconciliation/page?number=1&expires=1&signature=x", status=403),
        None, owner="bad_link", why="a page; GraphQL has the signed link to it (SignedReconciliation.pageUrl)",
    ),
    "reconciliations.lines": Case(
        "row", Rest("GET", "/sending-project/{project}/reconciliation/lines", status=404), None, _ID, owner=_NONE,
        why="a stream of NDJSON; GraphQL has the proof of one line",
    ),
    "reconciliations.proof": Case(
        "row", Rest("GET", "/sending-project/{project}/reconciliation/proof?address=%2B14155550100", status=404),
        'query($id:ID!){reconciliationProof(id:$id,address:"+14155550100"){state index path}}', _ID, owner=_NONE,
    ),
    "reconciliations.keys": Case(
        "public", Rest("GET", "/.well-known/jwks.json"), None,
        why="programs that check signatures look for it at this address",
    ),
}  # fmt: skip
