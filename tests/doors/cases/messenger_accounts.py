"""The cases of messenger_accounts, as tests/doors/case.py describes them."""

from tests.doors.case import CONNECTION, RELATION, Case, Rest
from tests.support.messengers import UNUSED
from tests.support.people import Person

_CALL = {"source": "telegram", "login": UNUSED}
_ID = {"id": "{messenger}"}
_PAGES = "the vendor has no pages: getInfoByToken answers all accounts and their summary at once"

CASES: dict[str, Case] = {
    "messenger_accounts.page": Case(
        "own",
        None,
        "{messengerAccounts(orderBy:{field:name}){nodes{uuid login state step{value message}} totalCount}}",
        why=_PAGES,
    ),
    "messenger_relations.of_users": Case(
        "own", None, "{me{messengerAccounts{nodes{uuid login state} totalCount}}}", why=RELATION
    ),
    "messenger_relations.by_ids": Case(
        "own", None, "{messengerAccounts{nodes{webhooks{nodes{account{uuid login state}}}}}}", why=RELATION
    ),
    "messenger_relations.state_changes": Case(
        "own", None, "{messengerAccounts{nodes{stateChanges{state reason createdAt}}}}", why=RELATION
    ),
    "messenger_relations.state_changes_of": Case(
        "row", Rest("GET", "/messenger-accounts/{messenger}/state-changes"), None, why=CONNECTION
    ),
    "messenger_accounts.drivers": Case(
        "own", Rest("GET", "/messenger-accounts/drivers"), "{messengerDrivers{source driver label about}}"
    ),
    "messenger_accounts.summary": Case(
        "own",
        Rest("GET", "/messenger-accounts/summary"),
        "{messengerAccountsSummary{total working stopped waiting failed}}",
    ),
    "messenger_accounts.everything": Case(
        "own",
        Rest("POST", "/getInfoByToken", {}),
        None,
        why="GraphQL pages: messengerAccounts and messengerAccountsSummary",
    ),
    "messenger_accounts.get": Case(
        "row",
        Rest("POST", "/getInfo", _CALL),
        "query($id:ID!){messengerAccount(id:$id,probe:true){uuid login state next owner{email}}}",
        _ID,
    ),
    "messenger_accounts.add": Case(
        "own",
        Rest("POST", "/addAccount", {"source": "whatsapp", "login": "new"}),
        'mutation{addMessengerAccount(input:{source:whatsapp,login:"newer"}){uuid driver}}',
    ),
    "messenger_accounts.update": Case(
        "row",
        Rest("POST", "/updateAccount", {**_CALL, "name": "Support"}),
        'mutation($id:ID!){updateMessengerAccount(id:$id,input:{name:"Sales"}){uuid name}}',
        _ID,
    ),
    "messenger_accounts.set_state": Case(
        "row",
        Rest("POST", "/setState", {**_CALL, "setState": False}),
        "mutation($id:ID!){startMessengerAccount(id:$id){uuid state reason}}",
        _ID,
    ),
    "messenger_accounts.stop": Case(
        "row",
        Rest("POST", "/forceStop", _CALL),
        "mutation($id:ID!){stopMessengerAccount(id:$id){uuid state}}",
        _ID,
    ),
    "messenger_accounts.clear": Case(
        "row",
        Rest("POST", "/clearSession", _CALL),
        "mutation($id:ID!){clearMessengerSession(id:$id){uuid state}}",
        _ID,
    ),
    "messenger_accounts.me": Case(
        "row",
        Rest("POST", "/getMe", _CALL, status=409),
        "query($id:ID!){messengerAccountMe(id:$id){messengerId phone}}",
        _ID,
        owner="wrong_state",
    ),
    "messenger_accounts.renew_proxy": Case(
        "row",
        Rest("POST", "/getNewProxy", _CALL, status=503),
        "mutation($id:ID!){renewMessengerProxy(id:$id){uuid proxy}}",
        _ID,
        owner="proxies_not_configured",
    ),
    "messenger_accounts.changes": Case(
        "row",
        None,
        "subscription($id:ID!){messengerAccountChanged(id:$id){account{uuid login state}}}",
        _ID,
        why="the vendor has no such thing: its clients ask again and again, or take webhooks",
    ),
    "messenger_accounts.delete": Case(
        "row",
        Rest("POST", "/deleteAccount", _CALL),
        "mutation($id:ID!){deleteMessengerAccount(id:$id)}",
        {"id": "{messenger_2}"},
    ),
    "messenger_accounts.lift_restriction": Case(
        "row",
        Rest("POST", "/messenger-accounts/{messenger}/lift-restriction"),
        "mutation($id:ID!){liftMessengerRestriction(id:$id){uuid restriction}}",
        {"id": "{messenger}"},
    ),
}


async def rows(ada: Person) -> dict[str, str]:
    """Ada's rows, by the names that the cases use."""
    rows = {}
    for name, login in (("messenger", UNUSED), ("messenger_2", "ada's secret")):
        made = await ada.rest("POST", "/addAccount", json={"source": "telegram", "login": login})
        rows[name] = made.json()["account"]["accountUuid"]
    return rows
