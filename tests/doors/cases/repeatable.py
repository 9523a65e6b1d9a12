"""The cases of repeatable projects, as tests/doors/case.py describes them."""

from typing import Any

from tests.doors.case import CONNECTION, RELATION, Case, Rest
from tests.support.people import Person

PATH = "/repeatable-sending-project"
SOURCE = {"sendingProjectUuid": "{repeatable_source}"}
NEW: dict[str, Any] = {
    "name": "n",
    "template": {"channel": "sms", "text": "hi"},
    "schedule": {"cron": "0 9 * * *"},
    "source": SOURCE,
}
CREATE = "mutation($i:NewRepeatableProject!){createRepeatableSendingProject(input:$i){uuid owner{email}}}"

CASES: dict[str, Case] = {
    "repeatable.list": Case(
        "own",
        Rest("GET", f"{PATH}/list"),
        None,
        why=CONNECTION,
    ),
    "repeatable.page": Case(
        "own",
        None,
        "{repeatableSendingProjects{nodes{uuid name nextRuns sendingProjects{nodes{uuid}}} totalCount}}",
        why=CONNECTION,
    ),
    "repeatable.of_users": Case(
        "own", None, "{me{repeatableSendingProjects{nodes{uuid name}}}}", why=RELATION
    ),
    "repeatable.by_ids": Case("own", None, "{sendingProjects{nodes{repeatable{uuid name}}}}", why=RELATION),
    "repeatable.count": Case("own", Rest("GET", f"{PATH}/count"), "{repeatableSendingProjectCount}"),
    "repeatable.count_concurrent": Case(
        "own", Rest("GET", f"{PATH}/count/concurrent"), "{concurrentRepeatableSendingProjectCount}"
    ),
    "repeatable.get": Case(
        "row",
        Rest("GET", PATH + "/{repeatable}"),
        "query($id:ID!){repeatableSendingProject(id:$id){uuid name}}",
        {"id": "{repeatable}"},
    ),
    "repeatable.next_runs": Case(
        "row",
        None,
        "query($id:ID!){repeatableSendingProject(id:$id){nextRuns(count:2)}}",
        {"id": "{repeatable}"},
        why=RELATION,
    ),
    "repeatable.next_runs_of": Case(
        "row", Rest("GET", PATH + "/{repeatable}/next-runs?count=2"), None, why=CONNECTION
    ),
    "repeatable.create": Case("row", Rest("POST", PATH, NEW, 201), CREATE, {"i": NEW}),
    "repeatable.update": Case(
        "row",
        Rest("PATCH", PATH + "/{repeatable}", {"name": "m"}),
        'mutation($id:ID!){updateRepeatableSendingProject(id:$id,input:{name:"m"}){uuid}}',
        {"id": "{repeatable}"},
    ),
    "repeatable.delete": Case(
        "row",
        Rest("DELETE", PATH + "/{repeatable}", status=204),
        "mutation($id:ID!){deleteRepeatableSendingProject(id:$id)}",
        {"id": "{repeatable_other}"},
    ),
    "repeatable.start": Case(
        "row",
        Rest("POST", PATH + "/{repeatable}/start"),
        "mutation($id:ID!){startRepeatableSendingProject(id:$id){status}}",
        {"id": "{repeatable_other}"},
    ),
    "repeatable.stop": Case(
        "row",
        Rest("POST", PATH + "/{repeatable_active}/stop"),
        "mutation($id:ID!){stopRepeatableSendingProject(id:$id){status}}",
        {"id": "{repeatable_active_other}"},
    ),
}


async def rows(ada: Person) -> dict[str, str]:
    """Ada's rows, by the names that the cases use."""
    made = await ada.rest("POST", "/sending-project", json={"name": "audience", "channel": "sms"})
    source = made.json()["uuid"]
    new = {**NEW, "name": "ada's secret", "source": {"sendingProjectUuid": source}}
    names = ("repeatable", "repeatable_other", "repeatable_active", "repeatable_active_other")
    rows = {"repeatable_source": source}
    for name in names:
        rows[name] = (await ada.rest("POST", PATH, json=new)).json()["uuid"]
    for name in names[2:]:
        await ada.rest("POST", f"{PATH}/{rows[name]}/start")
    return rows
