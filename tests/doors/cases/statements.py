"""The cases of statements. `{account}` has none: no month of it is over."""

from tests.doors.case import Case, Rest

_ID = {"id": "{account}"}
_NONE = "no_statement"

CASES: dict[str, Case] = {
    "statements.of_account": Case(
        "row", Rest("GET", "/accounts/{account}/statements"),
        "query($id:ID!){accountStatements(id:$id){month state openingBalance closingBalance}}", _ID,
    ),
    "statements.get": Case(
        "row", Rest("GET", "/accounts/{account}/statements/2026-01", status=404),
        'query($id:ID!){accountStatement(id:$id,month:"2026-01"){document signature keys}}', _ID, owner=_NONE,
    ),
    "statements.printed": Case(
        "public",
        Rest("GET", "/accounts/{account}/statements/2026-01/page?expires=1&signature=x", status=403),
        None, owner="bad_link", why="a page; GraphQL has the signed link to it (SignedStatement.pageUrl)",
    ),
}  # fmt: skip
