"""The cases of accounts, as tests/doors/case.py describes them."""

from tests.doors.case import CONNECTION, RELATION, Case, Rest

CASES: dict[str, Case] = {
    "accounts.list": Case(
        "own", Rest("GET", "/accounts"), None, why=CONNECTION
    ),
    "accounts.page": Case(
        "own", None, "{accounts{nodes{uuid ownerId owner{uuid email}}}}", why=CONNECTION
    ),
    "accounts.of_users": Case("own", None, "{me{accounts{nodes{uuid} totalCount}}}", why=RELATION),
    "accounts.by_ids": Case("own", None, "{messages{nodes{account{uuid name}}}}", why=RELATION),
    "accounts.entry": Case(
        "row", Rest("GET", "/ledger/{ledger_entry}"), "query($id:ID!){ledgerEntry(id:$id){amount "
            "account{uuid}}}", {"id": "{ledger_entry}"}
    ),
    "accounts.ledgers": Case(
        "row", None, "query($id:ID!){account(id:$id){ledger{nodes{amount}}}}", {"id": "{account}"}, why=RELATION
    ),
    "accounts.ledger_of": Case("row", Rest("GET", "/accounts/{account}/ledger"), None, why=CONNECTION),
    "accounts.entries_of_messages": Case(
        "row", None, "query($id:ID!){message(id:$id){ledgerEntries{kind amount}}}", {"id": "{message}"}, why=RELATION
    ),
    "accounts.get": Case(
        "row", Rest("GET", "/accounts/{account}"), "query($id:ID!){account(id:$id){uuid "
            "owner{email}}}", {"id": "{account}"}
    ),
    "accounts.balance": Case(
        "row", Rest("GET", "/accounts/{account}/balance"), "query($id:ID!){balance(accountId:$id){balance}}",
        {"id": "{account}"}
    ),
    "accounts.create": Case(
        "own", Rest("POST", "/accounts", {"name": "n"}, 201), 'mutation{createAccount(input:{name:"n"}){uuid}}'
    ),
    "accounts.set_low_balance": Case(
        "row",
        Rest("PUT", "/accounts/{account}/low-balance", {"below": 5}),
        "mutation($id:ID!){setLowBalance(id:$id,below:5){uuid lowBalance}}",
        {"id": "{account}"},
    ),
    "accounts.update": Case(
        "row",
        Rest("PATCH", "/accounts/{account}", {"name": "m"}),
        'mutation($id:ID!){updateAccount(id:$id,input:{name:"m"}){uuid}}', {"id": "{account}"},
    ),
    "accounts.credit": Case(
        "admin", Rest("POST", "/accounts/{account}/credit", {"amount": 5}),
        "mutation($id:UUID!){creditAccount(input:{accountId:$id,amount:5}){balance}}", {"id": "{account}"},
    ),
}  # fmt: skip
