"""Routes that administrators make: their DSN is secret, rules send by them, and they come and go while workers run."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from typing import Any
from urllib.parse import parse_qsl

import pytest

from channels.port import Outcome, Outgoing, Result
from engine.sending.groups import GroupStore
from engine.sms.route_rules import routing_of
from runtime.services import Services
from tests.channels import peer_post, peer_twilio
from tests.channels.peer import Scenario, patient
from tests.channels.peer_post import PASSWORD, Provider
from tests.route_rules.made import add, got
from tests.support.gateway import Gateway
from tests.support.people import Person
from tests.support.waits import PATIENCE, until

DE, FR = "+4930123456", "+33612345678"
MADE = "mutation($input:NewSystemRoute!){createSystemRoute(input:$input){name driver made enabled}}"


@pytest.fixture
async def third() -> AsyncIterator[Provider]:
    async with peer_post.peer() as provider:
        yield provider


async def make(admin: Person, name: str, provider: Provider, **more: Any) -> dict[str, Any]:
    """Makes a route to a provider."""
    new = {"name": name, "dsn": patient(provider.dsn), **more}
    answer = await admin.rest("POST", "/system/routes", json=new)
    assert answer.status_code == 201, answer.text
    body: dict[str, Any] = answer.json()
    return body


async def drop(admin: Person, name: str) -> None:
    """Deletes the rules that name a route, and the route."""
    for rule in (await admin.rest("GET", "/route-rules", params={"route": name})).json()["items"]:
        assert (await admin.rest("DELETE", f"/route-rules/{rule['id']}")).status_code == 204
    assert (await admin.rest("DELETE", f"/system/routes/{name}")).status_code == 204


async def test_a_route_is_used_only_if_a_rule_names_it(
    gateway: Gateway, ada: Person, admin: Person, drain: Any, providers: list[Provider], third: Provider
):
    made = await make(admin, "berlin", third)
    assert (made["name"], made["driver"], made["made"], made["enabled"]) == ("berlin", "post", True, True)
    await gateway.send(ada, DE)
    await drain("sms")
    assert got([*providers, third]) == [[DE], [], []]
    await add(admin, "49", "berlin")
    await routing_of(gateway.services).refresh()
    id = await gateway.send(ada, DE)
    await gateway.send(ada, FR)
    await drain("sms")
    assert got([*providers, third]) == [[FR, DE], [], [DE]]
    assert (await gateway.row(id))["provider"] == "berlin"
    await gateway.books()


async def test_no_answer_has_the_dsn_and_the_table_has_it_sealed(
    admin: Person, services: Services, third: Provider, capsys: pytest.CaptureFixture[str]
):
    made = await make(admin, "berlin", third)
    listed = (await admin.rest("GET", "/system/routes")).json()
    assert next(route for route in listed if route["name"] == "berlin") == made
    row = await services.db.fetchrow("SELECT * FROM routes WHERE name = 'berlin'")
    entries = await services.db.fetch("SELECT changes::text AS changes FROM audit_entries")
    logged = capsys.readouterr()
    for text in (
        str(listed),
        str(dict(row)),
        str([each["changes"] for each in entries]),
        logged.out,
        logged.err,
    ):
        assert "s3cret" not in text and PASSWORD not in text
    assert "s3cret%2Fpass" in services.vault.open(row["dsn_encrypted"], f"routes.dsn:{row['id']}")


@pytest.mark.parametrize(
    ("new", "says"),
    [
        ({"name": "sms-3"}, "such as sms-2"), ({"name": "twilio"}, "such as sms-2"), ({"name": "Berlin"}, "lower-case"),
        ({"dsn": "smtp://mail.example.com?from=a@b.com"}, "one of smpp, twilio, post, sandbox"),
        ({"dsn": "apprise:json://localhost"}, "one of smpp"), ({"dsn": "nonsense"}, "starts with its scheme"),
        ({"dsn": "sandbox://?name=x"}, "leave out the option name"),
        ({"dsn": "post://192.168.1.1/send"}, "not public"), ({"dsn": "smpp://me:secret@10.0.0.1:2775"}, "not public"),
        ({"dsn": "twilio://AC1:s3cret@?from=1&frm=1"}, "unknown option"),
        ({"dsn": "post://u:s3cret@a%5Bb/"}, "not valid"), ({"dsn": f"smpp://me:s3cret@{'a' * 80}.com"}, "resolved"),
    ],
)  # fmt: skip
async def test_bad_routes_are_refused(admin: Person, new: dict[str, Any], says: str):
    answer = await admin.rest("POST", "/system/routes", json={"name": "berlin", "dsn": "sandbox://", **new})
    assert (answer.status_code, answer.json()["code"]) == (400, "bad_route"), answer.text
    assert says in answer.json()["message"]
    assert "s3cret" not in answer.text
    assert await admin.code(MADE, {"input": {"name": "berlin", "dsn": "sandbox://", **new}}) == "bad_route"


async def test_names_are_used_once(admin: Person, ada: Person):
    sandbox = {"name": "berlin", "dsn": "sandbox://"}
    assert (await ada.rest("POST", "/system/routes", json=sandbox)).status_code == 403
    assert (await admin.rest("POST", "/system/routes", json=sandbox)).status_code == 201
    for name in ("berlin", "north"):  # north is configured
        taken = await admin.rest("POST", "/system/routes", json={**sandbox, "name": name})
        assert (taken.status_code, taken.json()["code"]) == (409, "route_exists")
    await add(admin, "49", "berlin")
    used = await admin.rest("DELETE", "/system/routes/berlin")
    assert (used.status_code, used.json()["code"]) == (409, "route_in_use")
    await drop(admin, "berlin")
    gone = await admin.rest("DELETE", "/system/routes/berlin")
    assert (gone.status_code, gone.json()["code"]) == (404, "route_not_found")
    taken = await admin.rest("POST", "/system/routes", json=sandbox)
    assert (taken.status_code, taken.json()["code"]) == (409, "route_exists")
    assert "berlin" not in [route["name"] for route in (await admin.rest("GET", "/system/routes")).json()]
    assert (await admin.rest("DELETE", "/system/routes/north")).status_code == 404


async def test_a_route_is_deleted_while_messages_are_in_flight(
    gateway: Gateway, ada: Person, admin: Person, drain: Any, providers: list[Provider], third: Provider
):
    """The messages that its provider has keep their state, and the rest goes by the next rule."""
    await make(admin, "berlin", third)
    await add(admin, "49", "berlin", priority=1)
    await add(admin, "49", "north", priority=2)
    routing = routing_of(gateway.services)
    await routing.refresh()
    numbers = [f"+49301234{number:03}" for number in range(200)]
    for to in numbers:
        await gateway.send(ada, to)
    draining = asyncio.create_task(drain("sms"))
    await until(lambda: len(third.received) > 20)
    await drop(admin, "berlin")
    await routing.refresh()
    await draining
    await gateway.hasten()
    await drain("sms")
    assert sorted(to for each in got([*providers, third]) for to in each) == numbers
    assert await gateway.states() == {"sent": 200}
    await gateway.books()


async def test_a_route_is_deleted_while_intents_are_recorded(
    gateway: Gateway,
    ada: Person,
    admin: Person,
    drain: Any,
    providers: list[Provider],
    third: Provider,
    monkeypatch: pytest.MonkeyPatch,
):
    """In that moment the messages are in no queue of the stream, which must not be taken for one that has none."""
    await make(admin, "berlin", third)
    await add(admin, "49", "berlin")
    routing = routing_of(gateway.services)
    await routing.refresh()
    id = await gateway.send(ada, DE)
    commit = GroupStore.commit

    async def slowly(self: GroupStore, *work: Any) -> Any:
        monkeypatch.undo()
        await drop(admin, "berlin")
        await routing.refresh()
        await asyncio.sleep(1)
        return await commit(self, *work)

    monkeypatch.setattr(GroupStore, "commit", slowly)
    async with asyncio.timeout(PATIENCE):
        await drain("sms")
    assert (await gateway.row(id))["failure_code"] == "route_off"
    await gateway.hasten()
    await drain("sms")
    assert (await gateway.state(id), got([*providers, third])) == ("sent", [[DE], [], []])


async def test_a_failover_to_a_route_that_was_deleted_meanwhile(
    gateway: Gateway, ada: Person, admin: Person, drain: Any, providers: list[Provider], third: Provider
):
    await make(admin, "berlin", third)
    await add(admin, "49", "sms-2", priority=1)
    await add(admin, "49", "berlin", priority=2)
    routing = routing_of(gateway.services)
    await routing.refresh()
    id = await gateway.send(ada, DE)
    second = gateway.services.routes.by_name("sms")["sms-2"]

    async def fail_later(batch: Sequence[Outgoing]) -> list[Outcome]:
        await drop(admin, "berlin")
        await routing.refresh()
        await asyncio.sleep(0.2)
        return [Outcome(Result.transient, code="busy") for _ in batch]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(second, "send", fail_later)
        await drain("sms")
    row = await gateway.row(id)
    assert (row["state"], row["failure_code"], got([third])) == ("queued", "route_off", [[]])
    await gateway.hasten()
    await drain("sms")
    assert (await gateway.state(id), got(providers)) == ("sent", [[], [DE]])


async def test_an_uncertain_message_is_asked_about_where_it_is_though_rules_have_changed(
    gateway: Gateway, ada: Person, admin: Person, drain: Any, providers: list[Provider], third: Provider
):
    await make(admin, "berlin", third)
    rule = await add(admin, "49", "berlin")
    routing = routing_of(gateway.services)
    await routing.refresh()
    third.script(Scenario.reset_after)
    id = await gateway.send(ada, DE)
    await drain("sms")
    third.script(Scenario.accept)
    changed = await admin.rest("PUT", f"/route-rules/{rule}", json={"prefix": "49", "route": "north"})
    assert changed.status_code == 200
    await routing.refresh()
    await gateway.hasten()
    await drain("sms")
    row = await gateway.row(id)
    assert (row["state"], row["provider"]) == ("sent", "berlin")
    assert got([*providers, third]) == [[], [], [DE]]


async def test_callbacks_of_a_route_are_taken_until_it_is_deleted(admin: Person, client: Any):
    dsn = "twilio://AC1:token@127.0.0.1:9?scheme=http&from=%2B14155550100"
    made = await admin.rest("POST", "/system/routes", json={"name": "berlin", "dsn": dsn})
    assert made.status_code == 201, made.text
    # Its signature could be checked, if the service had a public address.
    assert (await client.post("/hooks/twilio/berlin", data={"a": "b"})).json()["code"] == "public_url_missing"
    await drop(admin, "berlin")

    async def is_gone() -> bool:
        answer = await client.post("/hooks/twilio/berlin", data={"a": "b"})
        return bool(answer.json()["code"] == "channel_not_found")

    await until(is_gone)


async def test_twilio_is_told_the_callback_of_the_route(
    gateway: Gateway, ada: Person, admin: Person, drain: Any
):
    async with peer_twilio.peer() as twilio:
        dsn = patient(twilio.dsn)
        made = await admin.rest("POST", "/system/routes", json={"name": "berlin", "dsn": dsn})
        assert made.status_code == 201, made.text
        await add(admin, "49", "berlin")
        await routing_of(gateway.services).refresh()
        await gateway.send(ada, DE)
        await drain("sms")
        (seen,) = twilio.stub.seen
    assert (
        dict(parse_qsl(seen.body.decode()))["StatusCallback"]
        == "https://gate.example.com/hooks/twilio/berlin"
    )


async def test_a_server_that_moves_into_the_operators_network_gets_nothing(
    gateway: Gateway, ada: Person, admin: Person, drain: Any, third: Provider, services: Services
):
    """The address is judged for each connection, and not only when the route is made."""
    await make(admin, "berlin", third)
    await add(admin, "49", "berlin")
    services.guard._allow = ()
    await routing_of(services).refresh()
    id = await gateway.send(ada, DE)
    await drain("sms")
    row = await gateway.row(id)
    assert (row["state"], row["failure_code"], got([third])) == ("queued", "wrong_address", [[]])


async def test_a_configured_route_of_the_same_name_wins(
    gateway: Gateway,
    ada: Person,
    admin: Person,
    drain: Any,
    providers: list[Provider],
    third: Provider,
    services: Services,
):
    """An operator may add `name=` to a DSN after an administrator has made a route of that name."""
    await make(admin, "berlin", third)
    await services.db.fetchval("UPDATE routes SET name = 'north'")
    await add(admin, "49", "north")
    await routing_of(services).refresh()
    await gateway.send(ada, DE)
    await gateway.send(ada, FR)
    await drain("sms")
    assert got([*providers, third]) == [[FR, DE], [], []]


async def test_a_dsn_that_can_t_be_opened_stops_no_other(
    gateway: Gateway, ada: Person, admin: Person, drain: Any, third: Provider, services: Services
):
    await make(admin, "berlin", third)
    other = await admin.rest("POST", "/system/routes", json={"name": "broken", "dsn": "sandbox://"})
    assert other.status_code == 201
    await services.db.fetchval("UPDATE routes SET dsn_encrypted = 'x' WHERE name = 'broken'")
    await add(admin, "49", "berlin")
    await add(admin, "33", "broken")
    await routing_of(services).refresh()
    await gateway.send(ada, DE)
    id = await gateway.send(ada, FR)
    await drain("sms")
    assert (got([third]), (await gateway.row(id))["failure_code"]) == ([[DE]], "no_route")


async def test_the_breaker_of_a_route_goes_with_it(admin: Person, services: Services):
    assert (
        await admin.rest("POST", "/system/routes", json={"name": "berlin", "dsn": "sandbox://"})
    ).status_code == 201
    await services.db.fetchval(
        "INSERT INTO route_breakers (name, opened_at, pause, probe_at) VALUES ('berlin', now(), '5 s', now())"
    )
    await drop(admin, "berlin")
    await services.breakers.refresh()
    assert services.breakers.all_closed
