"""Callers get no more than they have paid for: every list of objects has a length that is known before."""

import asyncio
from typing import Any

import pytest
from graphql import get_nullable_type, is_leaf_type, is_list_type, is_non_null_type, is_object_type, parse
from hypothesis import HealthCheck, Phase, given, seed, settings

from engine.file_parsers.common import COLUMNS
from engine.messengers import drivers
from resolvers import common, exports, processing, statistics
from resolvers.chats import chat_shapes
from resolvers.statistics import intervals
from runtime.permissions import Permission
from runtime.services import Services
from schema.frame import cost
from schema.frame.list_limits import SPAN, cost_of
from schema.root import build
from shapes.event_feed import CATALOGUE
from shapes.sending_projects import Attachments, Variants
from tests.connections.conftest import Rows
from tests.doors.test_matrix import make_world
from tests.plans.documents import Document, documents
from tests.plans.test_same import Both, _pool
from tests.support.examples import examples
from tests.support.people import People, Person

SCHEMA = build(explorable=True)
CORE = SCHEMA._schema
COSTS = {
    f"{kind.name}.{name}": cost_of(field)
    for kind in CORE.type_map.values()
    if is_object_type(kind)
    for name, field in kind.fields.items()
}
LISTS = {name: cost.most for name, cost in COSTS.items() if cost.most}
COUNTS = {name for name, cost in COSTS.items() if cost.counted}


def _lists() -> dict[str, tuple[Any, Any]]:
    """Every list of objects, and the type that it stands in, by `Type.field`."""
    lists = {}
    for kind in CORE.type_map.values():
        if not hasattr(kind, "fields") or kind.name.startswith("__") or not is_object_type(kind):
            continue
        for name, field in kind.fields.items():
            of = field.type.of_type if is_non_null_type(field.type) else field.type
            while is_non_null_type(of):
                of = of.of_type
            inner = of
            while is_list_type(inner) or is_non_null_type(inner):
                inner = inner.of_type
            if is_list_type(of) and not is_leaf_type(inner):
                lists[f"{kind.name}.{name}"] = (kind, field)
    return lists


def test_every_list_of_objects_has_a_bound():
    lists = _lists()
    assert len(lists) > 50
    undeclared = set()
    for name, (kind, field) in lists.items():
        connection = "pageInfo" in kind.fields and name.endswith((".nodes", ".edges"))
        connection |= name == "EventPage.events"  # as long as `first` of its page
        spans = field.args.keys() >= SPAN or name == "GeneralStatistics.items"
        if not (connection or spans or {"ids", "inputs"} & field.args.keys()):
            undeclared.add(name)
    assert undeclared == set(LISTS)


def test_intervals_stand_only_below_what_says_how_many():
    led = [
        field
        for kind in CORE.type_map.values()
        if is_object_type(kind)
        for field in kind.fields.values()
        if "GeneralStatistics" in str(field.type)
    ]
    assert led
    assert all(field.args.keys() >= SPAN for field in led)


def _is_count(name: str) -> bool:
    kind, field = name.split(".")
    return field.lower().endswith("count") and is_leaf_type(
        get_nullable_type(CORE.type_map[kind].fields[field].type)
    )


def test_every_number_of_rows_is_declared():
    worked_out = {"RepeatableSendingProject.nextRuns"}
    fields = {name: field for name, field in CORE.query_type.fields.items() if name.endswith("Count")}
    counted = {f"Query.{name}" for name, field in fields.items() if is_leaf_type(field.type)}
    counted |= {f"{field.type.name}.count" for field in fields.values() if is_object_type(field.type)}
    missing = counted - COUNTS
    assert not missing, f"{missing} count rows: their annotations need Cost(counted=True)"
    without_effect = {name for name in COUNTS - worked_out if not _is_count(name)}
    assert not without_effect, (
        f"Cost(counted=True) is for a number that is called count or …Count, and not for {without_effect}. A field of"
        " Query whose objects take far more work than they cost says so by graphql.query(…, cost=Cost(work=10))"
    )


def _most(annotated: Any) -> int:
    return next(
        constraint.max_length
        for constraint in annotated.__metadata__[0].metadata
        if hasattr(constraint, "max_length")
    )


async def test_the_bounds_are_those_of_the_code():
    assert len(CATALOGUE) <= LISTS["Query.eventTypes"]
    assert len(Permission) <= LISTS["Query.permissions"]
    assert len(common._countries("en")) <= LISTS["Query.countries"]
    assert len(common._currencies("en")) <= LISTS["Query.currencies"]
    assert max(len(source.columns) for source in exports.SOURCES.values()) <= LISTS["Query.exportVariables"]
    assert len(exports._ITEM_FIELDS) <= LISTS["Query.exportVariables"]
    assert _most(Variants) == LISTS["SendingProject.variants"] == LISTS["ProjectTemplate.variants"]
    assert _most(Attachments) == LISTS["SendingProject.attachments"]
    assert LISTS["SendingProject.failureReasons"] == statistics.REASONS
    assert sum(map(len, drivers.SOURCES.values())) <= LISTS["Query.messengerDrivers"]
    assert LISTS["MessengerMessage.reactions"] == chat_shapes.REACTIONS
    assert LISTS["ImportPreview.columns"] == COLUMNS
    assert processing.PROJECTS == LISTS["QueueStatistics.projects"] == LISTS["ProcessingHealth.projects"]
    assert LISTS["QueueStatistics.workers"] == processing.WORKERS


SPANS = [
    ("statisticsGeneral { items { sent } }", {}, 2 + 35),
    ("statisticsGeneral(interval: hour) { items { sent } }", {}, 2 + 29),
    (
        'statisticsGeneral(dateFrom: "2026-01-01T00:00:00Z", dateTo: "2026-02-01T00:00:00Z") { items { sent } }',
        {},
        1 + 37,
    ),
    (
        'statisticsGeneral(interval: $i, dateFrom: $a, dateTo: "2026-01-02T00:00:00Z") { items { sent } }',
        {"i": "hour", "a": "2026-01-01T00:00:00Z"},
        1 + 30,
    ),
    ("statisticsGeneral(interval: $i, dateFrom: $a) { items { sent } }", {"i": "day", "a": "nonsense"}, 1 + 1),
    (
        'sendingProjects(first: 5) { nodes { statistics(dateFrom: $a, dateTo: "2026-01-11T00:00:00Z") { sent } } }',
        {"a": "2026-01-01T00:00:00Z"},
        1 + 5 * (1 + 16),
    ),
    ("sendingProjects(first: 5) { nodes { sourceAccounts { uuid } } }", {}, 1 + 5 * 101),
    ("countries { code }", {}, 300),
    ("messageRecordCount", {}, 10),
    ("messageRecords(first: 7) { totalCount nodes { uuid } }", {}, 1 + 10 + 7),
]  # fmt: skip


@pytest.mark.parametrize(
    ("selection", "values", "points"), SPANS, ids=[str(place) for place in range(len(SPANS))]
)
def test_what_it_may_cost(selection: str, values: dict[str, Any], points: int):
    head = (
        "query($i: Interval!, $a: DateTime)"
        if "$i" in selection
        else "query($a: DateTime)"
        if "$a" in selection
        else "query"
    )
    document = parse(f"{head} {{ {selection} }}")
    price = cost.price(CORE, document, document.definitions[0])
    assert price.requested(values) == pytest.approx(points, abs=1)
    if "$a" in selection:
        assert price.requested(None) > intervals.MOST


async def test_a_lot_of_statistics_is_too_much(ada: Person):
    span = 'interval: hour, dateFrom: "2026-01-01T00:00:00Z", dateTo: "2026-03-20T00:00:00Z"'
    two = " ".join(f"a{n}: statistics({span}) {{ sent }}" for n in range(2))
    for query in (
        " ".join(f"a{n}: statisticsGeneral({span}) {{ items {{ sent }} }}" for n in range(6)),
        f"sendingProjects(first: 5) {{ nodes {{ {two} }} }}",
    ):
        assert await ada.code(f"{{ {query} }}") == "query_too_complex"
    whole = await ada.graphql(f"{{ statisticsGeneral({span}) {{ items {{ sent }} }} }}")
    cost = whole["extensions"]["cost"]
    assert 1872 < cost["actual"] <= cost["requested"] < 1890


async def test_counts_are_paid_for(ada: Person, services: Services):
    rows = Rows(services)
    for number in range(3):
        await rows.messenger(ada, f"m{number}")
    query = "{ messengerAccounts(first: 10) { totalCount nodes { chats(first: 0) { totalCount } } } }"
    answer_cost = (await ada.graphql(query))["extensions"]["cost"]
    assert (answer_cost["requested"], answer_cost["actual"]) == (
        1 + 10 + 10 * (1 + 1 + 10 + 0),
        1 + 10 + 3 * (1 + 1 + 10),
    )


@pytest.mark.parametrize("number", [1, 2])
async def test_nobody_gets_more_than_he_asked_for(
    services: Services, people: People, admin: Person, number: int
) -> None:
    world = await make_world(people, admin)
    pool = await _pool(Both(services, world.ada.token), world.rows)
    loop = asyncio.get_running_loop()
    seen = 0

    async def cheap(document: Document) -> None:
        nonlocal seen
        body = {
            "query": document.text,
            "variables": document.variables,
            "operationName": document.operation_name,
        }
        answer = (await world.ada.client.post("/graphql", json=body, headers=world.ada.headers)).json()
        answer_cost = answer.get("extensions", {}).get("cost")
        if answer_cost is not None and "data" in answer:
            seen += 1
            assert answer_cost["actual"] <= answer_cost["requested"], document

    @settings(
        max_examples=examples(15),
        database=None,
        deadline=None,
        phases=[Phase.generate],
        suppress_health_check=[*HealthCheck],
    )
    @seed(number)
    @given(documents(CORE, pool, introspection=False))
    def check(document: Document) -> None:
        asyncio.run_coroutine_threadsafe(cheap(document), loop).result(60)

    await asyncio.to_thread(check)
    assert seen > examples(5)
