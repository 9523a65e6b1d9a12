"""The cases of Exports, as tests/doors/case.py describes them."""

from tests.doors.case import RELATION, Case, Rest
from tests.support.people import Person

_CONTACT = {"phone": "+14155550100", "name": "ada's secret"}
_INTEGRATION = {"id": "{integration}"}

CASES: dict[str, Case] = {
    "exports.start": Case(
        "own",
        Rest("POST", "/export-link/start", {"source": "messages"}, 201),
        'mutation{startExport(input:{source:"messages",format:xlsx}){uuid status}}',
    ),
    "exports.handle": Case(
        "row",
        Rest("POST", "/export-link/handle", {"exportLinkUuid": "{integration}", "items": [_CONTACT]}),
        'mutation($id:UUID!){handleExport(input:{exportLinkUuid:$id,items:[{phone:"+14155550101"}]}){uuid done}}',
        _INTEGRATION,
    ),
    "exports.cancel": Case(
        "row",
        Rest("POST", "/export-link/cancel/{export}"),
        "mutation($id:ID!){cancelExport(id:$id){uuid status}}",
        {"id": "{export}"},
    ),
    "exports.get": Case(
        "row",
        Rest("GET", "/export-link/{export}"),
        "query($id:ID!){exportLink(id:$id){uuid filters url}}",
        {"id": "{export}"},
    ),
    "exports.page": Case(
        "own",
        Rest("GET", "/export-link"),
        "{exportLinks{nodes{uuid filters columns url sendingProject{uuid}}}}",
    ),
    "exports.related": Case("own", None, "{me{exportLinks{nodes{uuid filters}}}}", why=RELATION),
    "exports.variables": Case(
        "own",
        Rest("GET", "/export-link/variables/messages"),
        '{exportVariables(source:"messages"){name label example}}',
    ),
}


async def rows(ada: Person) -> dict[str, str]:
    """Ada's rows, by the names that the cases use."""
    project = await ada.rest(
        "POST", "/sending-project", json={"name": "ada's secret", "channel": "sms", "text": "ada's secret"}
    )
    assert project.status_code == 201, project.text
    request = {
        "export": {"source": "messages"},
        "integration": {
            "source": "amocrm",
            "sendingProjectUuid": project.json()["uuid"],
            "filters": {"note": "ada's secret"},
        },
    }
    made = {}
    for name, body in request.items():
        link = await ada.rest("POST", "/export-link/start", json=body)
        assert link.status_code == 201, link.text
        made[name] = link.json()["uuid"]
    return made
