"""The cases of source_accounts, as tests/doors/case.py describes them."""

from tests.doors.case import CONNECTION, RELATION, Case, Rest
from tests.support.people import Person

_NEW = {"source": "telegram", "login": "new", "token": "t"}

NEEDS_ALL = True  # some of its cases meet rows of other features that they do not name

CASES: dict[str, Case] = {
    "source_accounts.list": Case("own", Rest("GET", "/account"), None, why=CONNECTION),
    "source_accounts.page": Case(
        "own", None, "{sourceAccounts(orderBy:{field:name}){nodes{uuid login name}}}", why=CONNECTION
    ),
    "source_accounts.related": Case("own", None, "{me{sourceAccounts{nodes{uuid login}}}}", why=RELATION),
    "source_accounts.by_ids": Case(
        "own", None, "{sendingProjects{nodes{sourceAccounts{uuid login}}}}", why=RELATION
    ),
    "source_accounts.get": Case(
        "row",
        Rest("GET", "/account/{source_account_2}"),
        "query($id:ID!){sourceAccount(id:$id){uuid login}}",
        {"id": "{source_account}"},
    ),
    "source_accounts.create": Case(
        "own",
        Rest("POST", "/account/create", _NEW, 201),
        'mutation{createSourceAccount(input:{source:"telegram",login:"other",token:"t"}){uuid tokenHint}}',
    ),
    "source_accounts.create_or_get": Case(
        "own",
        Rest("POST", "/account/create-or-get", _NEW, 201),
        'mutation{createOrGetSourceAccount(input:{source:"telegram",login:"new",token:"t"}){uuid status}}',
    ),
    "source_accounts.delete": Case(
        "row",
        Rest("DELETE", "/account?uuid={source_account}", status=204),
        "mutation($id:ID!){deleteSourceAccount(id:$id)}",
        {"id": "{source_account_2}"},
    ),
}


async def rows(ada: Person) -> dict[str, str]:
    """Ada's rows, by the names that the cases use."""
    rows = {}
    for name in ("source_account", "source_account_2"):
        new = {"source": "telegram", "login": name, "token": "ada's secret"}
        rows[name] = (await ada.rest("POST", "/account/create", json=new)).json()["uuid"]
    return rows
