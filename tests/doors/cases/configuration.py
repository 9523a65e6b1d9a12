"""The cases of configuration, as tests/doors/case.py describes them."""

from tests.doors.case import CONNECTION, RELATION, Case, Rest
from tests.support.messengers import added, ok
from tests.support.people import Person

_LOGIN = "configured"
_CALL = {"source": "telegram", "login": _LOGIN}
_ID = {"id": "{configured}"}

CASES: dict[str, Case] = {
    "configuration.list": Case("own", Rest("POST", "/getConfigList", {}), None, why=CONNECTION),
    "configuration.page": Case(
        "own", None, "{messengerConfigs{nodes{source login name config account{uuid}}}}", why=CONNECTION
    ),
    "configuration.of_accounts": Case(
        "own", None, "{messengerAccounts{nodes{configs{nodes{name config}}}}}", why=RELATION
    ),
    "configuration.get": Case(
        "row",
        Rest("POST", "/getConfig", {**_CALL, "name": "crm"}),
        'query($id:ID!){messengerConfig(id:$id,name:"crm"){name config}}',
        _ID,
    ),
    "configuration.set": Case(
        "row",
        Rest("POST", "/setConfig", {**_CALL, "config": {"autoRead": True}}),
        "mutation($id:ID!){setMessengerConfig(id:$id,input:{config:{takeover:true}}){login config}}",
        _ID,
    ),
}


async def rows(ada: Person) -> dict[str, str]:
    """Ada's rows, by the names that the cases use."""
    id = await added(ada, _LOGIN)
    await ok(ada, "setConfig", _LOGIN, name="crm", config={"secret": "ada's secret"})
    return {"configured": id}
