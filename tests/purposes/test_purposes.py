"""A purpose switches modules on; the operations of a module that is off say so, at both doors and in every process."""

import asyncio
from itertools import combinations

import pytest

import engine.worker  # noqa: F401  registers the rounds
from core.errors import Unavailable
from core.modules import MODULES, switched_on
from engine.jobs import ROUNDS
from postern.app import make_app
from rest import ROUTES
from rest.frame.routing import is_extension
from runtime.doors import operation_of
from runtime.operation import OPERATIONS
from shapes.purposes import Module, Purpose

SET = "mutation($input:PurposesPatch!){setPurposes(input:$input){purposes billing modules{name on goingOn}}}"
_BY_A_SETTING = {"listen", "read_mailbox"}  # they end at once unless their setting is there
_WAITS = {"deliver"}  # for the first webhook, without a statement


async def _choose(admin, *purposes: str, **more: str) -> dict:
    answer = await admin.rest("PATCH", "/installation/purposes", json={"purposes": list(purposes), **more})
    assert answer.status_code == 200, answer.text
    return answer.json()


async def test_without_a_choice_all_modules_are_on_and_messages_cost(admin, ada):
    seen = (await ada.rest("GET", "/installation")).json()
    assert seen == {"modules": sorted(Module), "billing": "prepaid", "purposes": [], "writesTexts": False}
    assert (await admin.data("{purposes{purposes billing changedAt}}"))["purposes"] == {
        "purposes": [],
        "billing": "prepaid",
        "changedAt": None,
    }


async def test_an_operation_of_a_module_that_is_off_says_so_at_both_doors(admin, ada):
    await _choose(admin, "answers")
    refused = await ada.rest("GET", "/contacts")
    assert (refused.status_code, refused.json()["code"]) == (404, "module_off"), refused.text
    assert refused.json()["details"] == {"module": "people"}
    assert await ada.code("{segments(first:1){nodes{uuid}}}") == "module_off"
    body = await ada.graphql("{me{uuid} topics(first:1){nodes{uuid}}}")
    assert body["data"]["topics"] is None
    assert body["data"]["me"]["uuid"] == str(ada.id)  # the rest of the answer is there
    await _choose(admin, "campaigns")
    assert (await ada.rest("GET", "/contacts")).status_code == 200


async def test_401_and_403_come_first(admin, people):
    await _choose(admin, "answers")
    assert (await admin.client.get("/contacts")).status_code == 401
    scoped = await people.make("scoped@example.com")
    made = await scoped.rest("POST", "/api-tokens", json={"name": "t", "scopes": ["messages:send"]})
    bearer = {"Authorization": f"Bearer {made.json()['token']}"}
    assert (await admin.client.get("/contacts", headers=bearer)).status_code == 403


async def test_nothing_is_lost_while_a_module_is_off(admin, ada, services):
    made = await ada.rest(
        "POST",
        "/contacts",
        json={"name": "Ann", "addresses": [{"channel": "email", "address": "ann@example.com"}]},
    )
    assert made.status_code in (200, 201), made.text
    await _choose(admin, "answers")
    assert (await ada.rest("GET", "/contacts")).status_code == 404
    await _choose(admin)
    assert await services.db.fetchval("SELECT count(*) FROM contacts") == 1


async def test_the_page_says_what_goes_on(admin, services, ada):
    made = await ada.rest(
        "POST", "/event-webhooks", json={"url": "https://example.com/h", "events": ["message.*"]}
    )
    count = await services.db.fetchval("SELECT count(*) FROM webhooks WHERE enabled")
    shown = await _choose(admin, "answers")
    events = next(use for use in shown["modules"] if use["name"] == "events")
    assert (events["on"], events["goingOn"]) == (False, ["1 webhook"] if count else []), made.text


@pytest.mark.parametrize("sent", [{"purposes": ["spam"]}, {"purposes": None}, {}, {"billing": "free"}])
async def test_bad_input_is_refused(admin, sent):
    refused = await admin.rest("PATCH", "/installation/purposes", json=sent)
    assert refused.status_code == 400
    if sent.get("purposes"):
        assert all(purpose in refused.text for purpose in Purpose), refused.text
    assert (await admin.graphql(SET, {"input": sent}))["errors"]


async def test_only_administrators_choose(ada):
    assert (await ada.rest("PATCH", "/installation/purposes", json={"purposes": []})).status_code == 403
    assert await ada.code(SET, {"input": {"purposes": ["api"]}}) == "forbidden"


async def test_the_first_choice_without_resale_switches_billing_off(admin):
    assert (await _choose(admin, "campaigns"))["billing"] == "off"
    assert (await _choose(admin, "campaigns", billing="prepaid"))["billing"] == "prepaid"
    assert (await _choose(admin, "api"))["billing"] == "prepaid"  # it is not the first choice


async def test_resale_keeps_prices(admin):
    assert (await _choose(admin, "resale", "api"))["billing"] == "prepaid"


async def test_a_choice_is_audited(admin, services):
    await _choose(admin, "campaigns")
    row = await services.db.fetchrow("SELECT * FROM audit_entries WHERE operation = 'purposes.set_purposes'")
    assert row["object_type"] == "installation"
    assert '"off"' in row["changes"] or row["changes"]["billing"] == ["prepaid", "off"]


@pytest.mark.settings(purpose=["answers"], billing="off")
async def test_a_setting_wins(admin, ada):
    seen = (await ada.rest("GET", "/installation")).json()
    assert seen == {
        "modules": ["messengers"],
        "billing": "off",
        "purposes": ["answers"],
        "writesTexts": False,
    }
    refused = await admin.rest("PATCH", "/installation/purposes", json={"purposes": ["api"]})
    assert (refused.status_code, refused.json()["code"]) == (409, "set_by_setting")
    refused = await admin.rest("PATCH", "/installation/purposes", json={"billing": "prepaid"})
    assert refused.json()["code"] == "set_by_setting"


async def test_another_process_follows_within_two_seconds(admin, settings):
    other = make_app(settings).services
    try:
        assert Module.people in (await other.choices.now()).modules
        await _choose(admin, "answers")
        async with asyncio.timeout(2):
            while Module.people in (await other.choices.now()).modules:
                await asyncio.sleep(0.05)
    finally:
        await other.close()


async def test_while_the_database_is_away_the_last_choice_counts(admin, services, monkeypatch):
    await _choose(admin, "answers")
    await services.choices.now()

    async def away(*_):
        raise OSError("away")

    monkeypatch.setattr(services.db, "fetchrow", away)
    services.choices.forget()
    assert (await services.choices.now()).modules == {Module.messengers}
    fresh = type(services.choices)(services.db, services.settings)
    with pytest.raises(Unavailable):  # what a message costs is not guessed
        await fresh.now()
    assert await fresh.visible() == set(Module)  # documents are shown all the same


def test_the_operations_of_the_specification_are_never_off():
    of_the_specification = [
        operation_of(route.endpoint)
        for route in ROUTES
        if hasattr(route, "endpoint") and hasattr(route, "tags") and not is_extension(route)
    ]
    assert len(of_the_specification) > 100
    assert [each.name for each in of_the_specification if each is not None and each.switch is not None] == []


def test_each_module_has_operations_that_it_switches():
    for module in Module:
        assert [name for name, each in OPERATIONS.items() if each.switch is module], module


def test_no_round_of_a_module_works_before_the_first_row():
    packages = tuple(f"engine.{package}." for parts in MODULES.values() for package in parts.packages)
    idle = {
        each.work.__name__
        for each in ROUNDS
        if each.due is None and each.work.__module__.startswith(packages)
    }
    assert idle == _BY_A_SETTING | _WAITS


def test_the_modules_of_purposes_are_joined():
    for pair in combinations(Purpose, 2):
        assert switched_on(frozenset(pair)) == switched_on(frozenset(pair[:1])) | switched_on(
            frozenset(pair[1:])
        )
    assert switched_on(frozenset()) == set(Module) == set(MODULES)


async def test_introspection_and_openapi_have_no_more_than_is_on(admin, ada):
    await _choose(admin, "answers")
    types = {each["name"] for each in (await ada.data("{__schema{types{name}}}"))["__schema"]["types"]}
    assert {"Message", "MessengerAccount", "Webhook"} <= types
    assert not types & {"Segment", "EventSink", "PriceList"}
    fields = (await ada.data('{__type(name:"Query"){fields{name}}}'))["__type"]["fields"]
    assert "contacts" not in {each["name"] for each in fields}
    document = (await ada.rest("GET", "/openapi.json")).json()
    assert "/contacts" not in document["paths"]
    assert "/messages" in document["paths"]
    assert "Segment" not in document["components"]["schemas"]
    await _choose(admin)
    assert "/contacts" in (await ada.rest("GET", "/openapi.json")).json()["paths"]
    assert (await ada.data('{__type(name:"Segment"){name}}'))["__type"]


def test_the_printed_documents_follow_the_setting(monkeypatch):
    from typer.testing import CliRunner

    from postern.cli import app

    monkeypatch.setenv("POSTERN_PURPOSE", "answers")
    for command, name in (("schema", "eventSinks"), ("openapi", "event-sinks")):
        part, whole = CliRunner().invoke(app, [command]), CliRunner().invoke(app, [command, "--all"])
        assert (part.exit_code, whole.exit_code) == (0, 0), part.output
        assert name not in part.output, command
        assert name in whole.output, command


async def test_a_read_that_began_before_a_change_does_not_count(services, monkeypatch):
    """The cache is read while the row changes: the old answer comes after the change."""
    choices = services.choices
    await choices.now()
    choices.forget()
    old, may_answer = services.db.fetchrow, asyncio.Event()

    async def late(*arguments):
        row = await old(*arguments)
        await may_answer.wait()
        return row

    monkeypatch.setattr(services.db, "fetchrow", late)
    reading = asyncio.create_task(choices.now())
    await asyncio.sleep(0.05)
    await services.db.fetch("INSERT INTO installation_choice (purposes) VALUES ('{answers}')")
    monkeypatch.undo()
    choices.forget()
    may_answer.set()
    await reading
    assert (await choices.now()).purposes == {Purpose.answers}


@pytest.mark.settings(purpose=["resale"])
async def test_the_first_administrator_does_not_overrule_a_setting(client, services):
    from resolvers import first_user

    sent = {
        "token": await first_user.new_link(services),
        "email": "first@example.com",
        "password": "correct horse battery",
        "purposes": ["campaigns"],
    }
    assert (await client.post("/auth/first-user", json=sent)).status_code == 200
    choice = await services.choices.now()
    assert (choice.purposes, choice.billing) == ({Purpose.resale}, "prepaid")
