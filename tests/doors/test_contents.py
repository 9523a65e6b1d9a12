"""The doors have the specification's routes, and every operation is behind both."""

import csv
import re
from pathlib import Path
from typing import Any

import pytest
from fastapi.routing import APIRoute
from pydantic.alias_generators import to_camel

from rest import ROUTERS
from runtime.doors import operation_of
from runtime.operation import OPERATIONS
from schema.root import build
from tests.doors import one_door
from tests.doors.matrix import MATRIX
from tests.linters import rules
from tests.linters.source import sources
from tests.support.described import openapi

BUILT = {"A", "B", "C"}  # areas of tests/routes.tsv
DOCUMENT = openapi()

# The success status of each route, from the specification (§4) and the contract (§3): 200 where nothing stands here.
SUCCESS = {
    ("DELETE", "/account"): "204",
    ("POST", "/account/create"): "201",
    ("POST", "/account/create-or-get"): "200 201",
    ("POST", "/block/unblock/{phone}"): "204",
    ("POST", "/delivery-hook/{engineUserUuid}"): "202",
    ("POST", "/export-link/start"): "201",
    ("GET", "/file-uploader/payload/{fileOriginalName}"): "200 206",
    ("POST", "/recipient-import"): "202",
    ("POST", "/recipient-import/text"): "202",
    ("DELETE", "/recipient-import/{importUuid}"): "204",
    ("POST", "/repeatable-sending-project"): "201",
    ("DELETE", "/repeatable-sending-project/{rspUuid}"): "204",
    ("POST", "/sending-project"): "201",
    ("DELETE", "/sending-project/{sendingProjectUuid}"): "204",
    ("DELETE", "/user"): "204",
    ("POST", "/user/create"): "201",
    ("POST", "/webhook/user-channel"): "202",
    ("POST", "/auth/register"): "201",
    ("POST", "/auth/logout"): "204",
    ("DELETE", "/users/{id}"): "204",
    ("POST", "/accounts"): "201",
    ("POST", "/messages"): "202",
    ("DELETE", "/settings/{key}"): "204",
}
# The statuses that §4 lists beside it.
OTHERS = {
    ("GET", "/"): {"503"},
    ("GET", "/health"): {"503"},
    ("GET", "/health/v2"): {"503"},
    ("POST", "/auth/login"): {"400", "401", "403", "429"},
    ("POST", "/auth/register"): {"400", "409", "429"},
    ("POST", "/auth/refresh"): {"401"},
    ("POST", "/auth/logout"): {"401"},
    ("GET", "/auth/me"): {"401"},
    ("GET", "/users"): {"401", "403"},
    ("GET", "/users/{id}"): {"401", "404"},
    ("PATCH", "/users/{id}"): {"400", "404"},
    ("DELETE", "/users/{id}"): {"401", "404"},
    ("GET", "/accounts"): {"401"},
    ("POST", "/accounts"): {"400"},
    ("GET", "/accounts/{id}"): {"404"},
    ("GET", "/messages"): {"401"},
    ("POST", "/messages"): {"400", "402", "429"},
    ("GET", "/messages/{id}"): {"404"},
    ("GET", "/settings"): {"401"},
    ("PATCH", "/settings"): {"400"},
    ("GET", "/settings/{key}"): {"404"},
}
# Routes of the specification that need no credential (§5).
OPEN = {
    "/",
    "/health",
    "/health/v2",
    "/auth/login",
    "/auth/register",
    "/auth/refresh",
    "/auth",
    "/auth/token/refresh",
}
# Hooks have signatures and keys of their own, files signed links: a credential is one way of several.
OWN_WAYS = {
    "/delivery-hook/{engineUserUuid}",
    "/webhook/user-channel",
    "/file-uploader/payload/{fileOriginalName}",
}


def specified_of(*areas: str) -> list[tuple[str, str]]:
    table = Path(__file__).parent.parent / "routes.tsv"
    with table.open(encoding="utf-8") as lines:
        rows = [row for row in csv.DictReader(lines, delimiter="\t") if row["area"] in areas]
    return [(row["method"], row["path"]) for row in rows]


def specified() -> list[tuple[str, str]]:
    return specified_of(*BUILT)


@pytest.mark.parametrize(("method", "path"), specified())
def test_a_route_of_the_specification(method: str, path: str):
    operation = DOCUMENT["paths"][path][method.lower()]
    answers = set(operation["responses"])
    assert {status for status in answers if status < "300"} == set(SUCCESS.get((method, path), "200").split())
    assert OTHERS.get((method, path), set()) <= answers
    open_to_all = path in OPEN or path.startswith("/common/")
    # The vendor's clients send their token in the body (contract §4).
    other_ways = [{}] if path in OWN_WAYS or (method, path) in specified_of("C") else []
    assert operation.get("security", []) == ([] if open_to_all else [{"bearer": []}, *other_ways])
    assert "x-postern-extension" not in operation


def test_every_other_route_is_marked_as_an_extension():
    wanted = set(specified())
    for path, item in DOCUMENT["paths"].items():
        for method, operation in item.items():
            assert operation.get("x-postern-extension", False) == ((method.upper(), path) not in wanted), path


def test_every_operation_has_both_doors_or_a_reason():
    behind: dict[str, set[str]] = {"rest": set(), "schema": set()}
    for source in sources():
        if source.package in behind and source.path not in rules.FREE:
            for door in rules.doors(source):
                behind[source.package].update(rules.operations(source, door))
            if source.package == "schema":  # a relation may be an operation's door too, or a loader's
                behind["schema"].update(set(rules.operations(source, source.tree)) & set(OPERATIONS))
    assert behind["rest"] | behind["schema"] == set(OPERATIONS) - set(one_door.OTHER_DOORS_ALONE)
    assert {name for name, case in MATRIX.items() if case.rest} == behind["rest"]
    assert {name for name, case in MATRIX.items() if case.graphql} == behind["schema"]


def test_operations_live_in_resolvers():
    for name, operation in OPERATIONS.items():
        assert operation.work.__module__ == f"resolvers.{name.split('.')[0]}"
        assert operation.work.__name__ == name.split(".")[1]


def pairs() -> dict[str, str]:
    """GraphQL's operations, and those of REST that answer the same question."""
    names = {
        name.removesuffix(".page")
        for name, case in MATRIX.items()
        if not case.rest and name.endswith(".page")
    }
    lists = {name for name in names if f"{name}.list" in MATRIX and not MATRIX[f"{name}.list"].graphql}
    return {**one_door.PAIRS, **{f"{name}.page": f"{name}.list" for name in lists}}


def test_both_doors_have_the_same_operations_but_for_a_named_list():
    rest = {name for name, case in MATRIX.items() if case.rest}
    graphql = {name for name, case in MATRIX.items() if case.graphql}
    relations = {name for name in graphql - rest if re.search(one_door.RELATIONS, name)}
    assert graphql - rest - relations - set(pairs()) == set(one_door.GRAPHQL_ALONE)
    assert rest - graphql - set(pairs().values()) == set(one_door.REST_ALONE)
    assert set(pairs()) <= graphql - rest
    assert set(pairs().values()) <= rest - graphql


def test_who_may_ask_is_the_same_by_both_doors():
    for one, other in pairs().items():
        assert OPERATIONS[one].permission is OPERATIONS[other].permission, (one, other)


def test_the_papers_of_both_doors_name_the_permission_of_each_operation():
    """The permissions are derived from the code of the doors; the linters read the source."""
    doors = [route.endpoint for router in ROUTERS for route in router.routes if isinstance(route, APIRoute)]
    routes = {(door.__module__, door.__name__): operation_of(door) for door in doors}
    schema: Any = build(explorable=True)._schema
    fields = {
        (root.name, name): operation_of(field.extensions["strawberry-definition"].base_resolver.wrapped_func)
        for root in (schema.query_type, schema.mutation_type, schema.subscription_type)
        for name, field in root.fields.items()
    }
    for source in sources():
        for door in rules.doors(source) if source.path not in rules.FREE else []:
            (called,) = rules.operations(source, door)
            module = source.path.removesuffix(".py").replace("/", ".")
            derived = (
                [routes[module, door.name]]
                if source.package == "rest"
                else [operation for (_, name), operation in fields.items() if name == to_camel(door.name)]
            )
            assert called in [operation and operation.name for operation in derived], (module, door.name)
