"""A caller who may not do something learns that before what is wrong with the request: 401 and 403 come before 400, and
400 before 404.
"""

import re

from fastapi.routing import APIRoute

import postern.app  # noqa: F401  both doors, so every operation
from runtime.doors import operation_of
from runtime.operation import OPERATIONS
from runtime.permissions import ROLES, Permission
from runtime.services import Services
from shapes.users import Role
from tests.authority.calls import is_refused
from tests.doors.matrix import MATRIX
from tests.doors.test_credential_first import SECURED, UUID
from tests.doors.test_matrix import limited
from tests.support.people import Person

_SPARE = (Permission.legacy_call, Permission.ai_write)
"""Two permissions, one of which no operation of a route needs."""


def _routes(app) -> dict[tuple[str, str], APIRoute]:
    return {
        (method, route.path): route
        for route in app.api.routes
        if isinstance(route, APIRoute)
        for method in route.methods
    }


async def test_rest_says_what_is_forbidden_before_what_is_invalid(app, services: Services, ada: Person):
    tokens = [await limited(services, ada, each) for each in _SPARE]
    routes, wrong, asked = _routes(app), [], 0
    for method, pattern in SECURED:
        route = routes.get((method, pattern))
        operation = None if route is None else operation_of(route.endpoint)
        if operation is None or operation.permission is Permission.public:
            continue
        token = tokens[operation.permission is _SPARE[0]]
        headers = {"authorization": f"Bearer {token}", "accept": "application/json"}
        path, unknown = (re.sub(r"\{[^}]+\}", value, pattern) for value in (UUID, "no%20id"))
        answers = [
            await ada.client.request(method, path, params={"nonsense": "1"}, headers=headers),
            await ada.client.request(method, unknown, headers=headers),
        ]
        if method in ("POST", "PUT", "PATCH"):
            json = {**headers, "content-type": "application/json"}
            answers += [
                await ada.client.request(method, path, content=body, headers=json)
                for body in (b"{", b"[]", b"", b'{"nonsense": 1}')
            ]
        asked += len(answers)
        wrong += [
            (method, pattern, operation.name, answer.status_code, answer.text[:80])
            for answer in answers
            if answer.status_code != 403
        ]
    assert asked > 900
    assert not wrong, "\n".join(map(str, wrong))


CASES = {
    name: case
    for name, case in MATRIX.items()
    if case.graphql and case.variables and not case.form and not case.graphql.startswith("subscription")
}
"""Cases whose document has variables, any value of which may be wrong."""


async def test_graphql_says_what_is_forbidden_before_what_is_invalid(services: Services, ada: Person):
    tokens = [await limited(services, ada, each) for each in _SPARE]
    wrong = []
    for name, case in CASES.items():
        if OPERATIONS[name].permission is Permission.public:
            continue
        token = tokens[OPERATIONS[name].permission is _SPARE[0]]
        for value in ("no id", {"nonsense": [1]}, None):
            request = {"query": case.graphql, "variables": dict.fromkeys(case.variables, value)}
            answer = await ada.client.post(
                "/graphql", json=request, headers={"authorization": f"Bearer {token}"}
            )
            if not is_refused(answer.json()):
                wrong.append((name, value, answer.text[:200]))
    assert len(CASES) > 100
    assert not wrong, "\n".join(map(str, wrong))


async def test_who_may_call_it_learns_what_is_wrong(services: Services, ada: Person):
    assert {Permission.blocks_write, *_SPARE} <= ROLES[Role.user]
    token = await limited(services, ada, Permission.contacts_write)
    headers = {"authorization": f"Bearer {token}"}
    answer = await ada.client.post("/contacts", json={"nonsense": 1}, headers=headers)
    assert (answer.status_code, answer.json()["code"]) == (400, "validation_failed")
    answer = await ada.client.patch(f"/contacts/{UUID}", json={"nonsense": 1}, headers=headers)
    assert answer.status_code == 400  # before 404
    answer = await ada.client.patch(f"/contacts/{UUID}", json={"name": "Ann"}, headers=headers)
    assert answer.status_code == 404


async def test_what_is_refused_so_is_in_the_audit(services: Services, ada: Person):
    token = await limited(services, ada, Permission.ai_write)
    answer = await ada.client.post(
        "/contacts", json={"nonsense": 1}, headers={"authorization": f"Bearer {token}"}
    )
    assert (answer.status_code, answer.json()["details"]["permission"]) == (403, "contacts:write")
    operations = await services.db.fetch("SELECT operation FROM audit_entries WHERE result = 'refused'")
    assert [row["operation"] for row in operations] == ["contacts.upsert"]
