"""Every operation through both doors, as nobody, as a suspended user, as another user, and as its owner."""

import re
from collections.abc import Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from typing import Any
from uuid import UUID

import httpx
import pytest

import postern.app  # noqa: F401  both doors, so every operation
from engine.messengers.host import hosting
from engine.persons import rights
from resolvers.auth.token_rows import issue_api_token
from runtime.operation import OPERATIONS
from runtime.permissions import SCOPES, Permission
from runtime.services import Services
from shapes.auth import NewApiToken
from tests.doors.audited import check_audited
from tests.doors.case import SMS, UNKNOWN, Case
from tests.doors.cases import FEATURES
from tests.doors.matrix import MATRIX, OTHER_WAYS
from tests.doors.one_door import OTHER_DOORS_ALONE
from tests.support.people import PASSWORD, People, Person
from tests.support.sockets import Closed, live
from tests.uploads.form import FILE, GUARD, operations, parts

# Calls that end the login with which the other door would be asked.
ENDING = {
    ("POST", "/auth/logout"), ("POST", "/auth/logout-everywhere"), ("POST", "/auth/password"),
    ("DELETE", "/users/{user}"),
}  # fmt: skip
# What differs from request to request: the last one is the request's id in Area C.
DIFFERS = ("timestamp", "path", "uuid")
# Features whose operations wait for a process that connects messenger accounts.
HOSTED = {"messenger_accounts", "logins", "chats", "presence"}
ACCEPT = {"accept": "application/json"}


def test_every_operation_is_in_the_matrix():
    assert set(MATRIX) == set(OPERATIONS) - set(OTHER_DOORS_ALONE)


@pytest.mark.parametrize("name", MATRIX)
def test_the_matrix_agrees_with_the_permission(name: str):
    case, operation = MATRIX[name], OPERATIONS[name]
    assert (case.kind == "public") == (operation.permission is Permission.public)
    assert case.why or (case.rest and case.graphql), "a missing door needs its reason"
    assert case.rest or case.graphql


@dataclass
class World:
    """Ada with rows of every kind, by the names that the matrix uses, and bob."""

    ada: Person
    bob: Person
    rows: dict[str, str]


_MADE: dict[Any, frozenset[str]] = {}
"""The names of the rows that each file of cases makes, of those that this process has called."""


def makers_of(cases: Sequence[Case]) -> list[Any]:
    """Returns the files of cases whose rows these cases need: their own, and those whose rows they name.

    To make the rows of all files takes more time than all calls of a case. Without cases, it is all files.
    """
    makers = [feature for feature in FEATURES if hasattr(feature, "rows")]
    own = [feature for feature in FEATURES if any(case in feature.CASES.values() for case in cases)]
    if (
        not cases
        or any(maker not in _MADE for maker in makers)
        or any(hasattr(each, "NEEDS_ALL") for each in own)
    ):
        return makers
    parts = [part for case in cases for part in (case.rest, case.graphql, case.variables)]
    names = {*re.findall(r"\{(\w+)\}", str(parts))}
    return [maker for maker in makers if maker in own or names & _MADE[maker]]


async def make_world(people: People, admin: Person, *cases: Case, makers: list[Any] | None = None) -> World:
    """Makes ada with the rows that these cases need, all there are without cases, and bob.

    `makers`: the files whose rows are made, for a second world with the rows of a first one.
    """
    ada, bob = await people.make(credit="100"), await people.make(credit="100")
    login = (await ada.client.post("/auth/login", json={"email": ada.email, "password": PASSWORD})).json()
    await ada.rest("PUT", "/settings/secret.key", json={"value": "ada's secret"})
    await ada.rest("PUT", "/storage/secret", json={"value": "ada's secret"})
    message = (await ada.rest("POST", "/messages", json={**SMS, "body": "ada's secret"})).json()
    token = await ada.data('mutation{createApiToken(input:{name:"ada\'s secret"}){token apiToken{uuid}}}')
    invited = [
        (await admin.rest("POST", "/auth/invitations", json={"email": f"{name}-{ada.id}@example.com"})).json()
        for name in ("invited", "another")
    ]
    entries = await ada.data("{accounts{nodes{ledger{nodes{uuid}}}}}")
    rows = {
        "ledger_entry": entries["accounts"]["nodes"][0]["ledger"]["nodes"][0]["uuid"],
        "user": str(ada.id),
        "ada_email": ada.email,
        "account": str(ada.account_id),
        "message": message["id"],
        "api_token": token["createApiToken"]["apiToken"]["uuid"],
        "pst_token": token["createApiToken"]["token"],
        "invitation": invited[0]["token"],
        "other_invitation": invited[1]["token"],
        "password": PASSWORD,
        "refresh": login["refreshToken"],
    }
    for maker in makers_of(cases) if makers is None else makers:
        made = await maker.rows(ada)
        _MADE[maker] = frozenset(made)
        rows |= made
    return World(ada, bob, rows)


def filled(value: Any, world: dict[str, str]) -> Any:
    if isinstance(value, str):
        for name, row in world.items():
            value = value.replace("{" + name + "}", row)
        return value
    if isinstance(value, dict):
        return {name: filled(item, world) for name, item in value.items()}
    if isinstance(value, list):
        return [filled(item, world) for item in value]
    return value


class Doors:
    """One case as somebody calls it."""

    def __init__(
        self,
        client: httpx.AsyncClient,
        case: Case,
        world: dict[str, str],
        token: str | None,
        owner: UUID | None = None,
    ) -> None:
        """`owner`: whom the caller acts for, as a member."""
        self.client, self.case, self.world = client, case, world
        self.owner = {"x-postern-owner": str(owner)} if owner else {}
        self.headers = {**ACCEPT, **({"authorization": f"Bearer {token}"} if token else {}), **self.owner}

    async def rest(self) -> httpx.Response | None:
        call = self.case.rest
        if call is None:
            return None
        path, body = filled(call.path, self.world), filled(call.body, self.world)
        sent = {"files": {"file": self.case.file or FILE}} if self.case.form else {"json": body}
        headers = {**self.headers, **call.headers}
        self.client.cookies.clear()  # the caller is who the headers say
        return await self.client.request(call.method, path, headers=headers, **sent)

    async def graphql(self) -> Any:
        if self.case.graphql is None:
            return None
        request = {
            "query": filled(self.case.graphql, self.world),
            "variables": filled(self.case.variables, self.world),
        }
        if request["query"].startswith("subscription"):
            return await self._subscribe(**request)
        if self.case.form:
            form = parts(
                operations(request["query"]), '{"0": ["variables.file"]}', ("0", self.case.file or FILE)
            )
            headers = {**self.headers, **GUARD}
            answer = await self.client.post("/graphql", files=form, headers=headers)
        else:
            answer = await self.client.post("/graphql", json=request, headers=self.headers)
        assert answer.status_code == 200
        return answer.json()

    async def _subscribe(self, query: str, variables: Any) -> Any:
        """The first thing that a subscription tells, or why the connection was refused."""
        app = self.client._transport.app
        try:
            async with live(app, self.headers.get("authorization"), headers=self.owner) as socket:
                await socket.subscribe(query, variables)
                return await socket.next()
        except Closed as closed:
            return {"data": None, "errors": [{"extensions": {"code": closed.reason}}]}

    async def codes(self) -> set[str]:
        """The error code of each door that there is."""
        codes = set()
        if (answer := await self.rest()) is not None:
            codes.add(code_of(answer))
        if (body := await self.graphql()) is not None:
            assert "data" in body, body
            assert all(value is None for value in (body["data"] or {}).values())
            codes.add(body["errors"][0]["extensions"]["code"])
        return codes


def code_of(answer: httpx.Response) -> str:
    """Returns the code of an error, in the form of Areas A and B, or of Area C."""
    body = answer.json()
    return str(body["error"]["code"] if "status" in body else body["code"])


@pytest.mark.rotating
@pytest.mark.settings(sandbox_moment=0.05, qr_attempts=1000)
@pytest.mark.parametrize("feature", sorted({name.split(".")[0] for name in MATRIX}))
async def test_who_may_call_it(feature: str, services, people: People, admin: Person, subtests):
    """No user, a suspended user and another user try it first; then the owner's call succeeds, so nothing was
    changed.
    """
    async with hosting(services) if feature in HOSTED else nullcontext():
        await who_may_call_it(feature, services, people, admin, subtests)


async def who_may_call_it(feature: str, services: Services, people: People, admin: Person, subtests):
    client = people.client
    gone = await people.make("gone@example.com")
    await admin.data("mutation($i:ID!){suspendUser(id:$i){id}}", {"i": str(gone.id)})
    world: World | None = None
    cases = {name: case for name, case in MATRIX.items() if name.split(".")[0] == feature}
    for name, case in cases.items():
        with subtests.test(name):
            here, world = world or await make_world(people, admin, *cases.values()), None
            await others(client, case, here, gone)
            caller = admin if case.kind == "admin" else here.ada
            token = None if case.kind == "public" else caller.token
            narrow = token
            if case.kind != "public":
                await refused_without_its_scope(services, name, here, caller)
            if case.kind != "public" and name not in NOT_BY_TOKENS:
                also = [each for each in (OPERATIONS[name].or_permission,) if each]
                scopes = {OPERATIONS[name].permission, *also, *ALSO.get(name, ())}
                narrow = await limited(services, caller, *scopes)
            await succeeds(Doors(client, case, here.rows, narrow), case, people, token)
            await check_audited(services, name)
            if OPERATIONS[name].mode == "read":
                world = here  # it has changed nothing, and a world takes more time than all calls


NOT_BY_TOKENS = frozenset(
    {"agents.allow",
     "api_tokens.create", "api_tokens.update", "api_tokens.revoke", "auth.change_password", "auth.logout",
     "auth.logout_everywhere", "second_factors.begin_totp", "second_factors.confirm_totp", "second_factors.remove",
     "second_factors.verify", "second_factors.new_recovery_codes", "members.invite", "members.change",
     "approvals.decide", "approvals.set_rule",
     "members.remove", "members.accept", "members.leave", "users.activate", "users.delete", "users.suspend"}
)  # fmt: skip
"""Operations that a token with scopes may not run, whatever they are."""
ALSO = {
    "reconciliations.lines": (Permission.recipients_read,),
    "reconciliations.proof": (Permission.recipients_read,),
    "exports.start": (Permission.messages_read,),
    "messages.cancel": (Permission.messages_read,),
    "messages.reschedule": (Permission.messages_read,),
    "exports.handle": (Permission.recipients_write,),
    "events.rotate_hook_secret": (Permission.hooks_report,),
    "events.create_hook_key": (Permission.hooks_report,),
    "persons.export": (Permission.contacts_read,),
    "persons.erase": tuple(write for _, write in rights.OF.values()),
}
"""Operations that ask for further permissions: those of what is exported, added, erased or answered."""


async def limited(services: Services, caller: Person, *scopes: Permission) -> str:
    """Returns an API token of the caller with these scopes."""
    async with services.db.session.begin() as session:
        new = NewApiToken(name="limited")
        issued = await issue_api_token(session, caller.id, new, {"scopes": [each.value for each in scopes]})
    return issued.token


async def refused_without_its_scope(services: Services, name: str, world: World, caller: Person) -> None:
    """Both doors refuse a token that has all scopes but the operation's."""
    case, needed = MATRIX[name], OPERATIONS[name].permission
    scopes = SCOPES - {needed, OPERATIONS[name].or_permission}
    doors = Doors(caller.client, case, world.rows, await limited(services, caller, *scopes))
    if (rest := await doors.rest()) is not None:
        assert code_of(rest) == "forbidden"
    if (graphql := await doors.graphql()) is not None:
        errors = [error["extensions"] for error in graphql["errors"]]
        assert {(error["code"], error["details"]["permission"]) for error in errors} == {
            ("forbidden", needed.value)
        }


async def others(client: httpx.AsyncClient, case: Case, world: World, gone: Person) -> None:
    def by(token: str | None, rows: dict[str, str] = world.rows) -> Doors:
        return Doors(client, case, rows, token)

    bob = world.bob.token
    if case.kind != "public":
        assert await by(None).codes() == {"unauthenticated"}
        assert await by("x.y.z").codes() == {"invalid_token"}
        assert await by(gone.token).codes() == {"session_ended"}
    if case.kind == "admin":
        assert await by(bob).codes() == {"forbidden"}
        assert await by(world.ada.token).codes() == {"forbidden"}
    if case.kind == "row":
        # Another's row and no row at all are told in the same words.
        ids = ("user", "account", "message", "api_token")
        nothing = {key: UNKNOWN if key in ids else value for key, value in world.rows.items()}
        assert await answers_of(by(bob)) == await answers_of(by(bob, nothing))
        (code,) = await by(bob).codes()
        assert code.endswith("not_found")
    if case.kind == "own":
        answers = str([await answers_of(by(bob)), await answers_of(by(bob))])
        for row in ("user", "ada_email", "account", "message"):
            assert world.rows[row] not in answers
        assert "ada's secret" not in answers


async def answers_of(doors: Doors) -> list[Any]:
    """Returns what both doors say, without what differs from request to request."""
    rest, graphql = await doors.rest(), await doors.graphql()
    answers: list[Any] = [None if rest is None else rest.status_code]
    if rest is not None and rest.content and isinstance(body := rest.json(), dict):
        answers.append({key: value for key, value in body.items() if key not in DIFFERS})
    return [*answers, graphql and {key: value for key, value in graphql.items() if key != "extensions"}]


async def succeeds(doors: Doors, case: Case, people: People, token: str | None) -> None:
    """Both doors do what they should: REST for the caller of `doors`, and GraphQL for this token.

    A document of GraphQL asks for more than one operation.
    """
    rest = await doors.rest()
    if rest is not None and case.rest is not None:
        assert rest.status_code == case.rest.status, rest.text
        assert case.owner is None or code_of(rest) == case.owner
    if rest is not None and case.graphql and case.rest and (case.rest.method, case.rest.path) in ENDING:
        again = await people.make(credit="1")
        doors, token = Doors(doors.client, case, {**doors.world, "user": str(again.id)}, None), again.token
    body = await Doors(doors.client, case, doors.world, token).graphql()
    if body is not None:
        codes = [error["extensions"]["code"] for error in body.get("errors", [])]
        assert codes == ([case.owner] if case.owner else []), body
        assert case.owner or all(value is not None for value in body["data"].values())


async def test_another_s_rows_by_other_ways(people: People, admin: Person, subtests):
    world = await make_world(people, admin)
    for name, (method, path, body, status) in OTHER_WAYS.items():
        with subtests.test(name):
            for rows in (world.rows, {"account": UNKNOWN}):
                answer = await world.bob.rest(method, filled(path, rows), json=body)
                assert answer.status_code == status
                assert status == 404 or answer.json()["items"] == []


async def test_relations_lead_to_no_one_else_s_rows(people: People, admin: Person):
    """An account that was given to somebody else keeps its old messages, and shows its new owner to nobody."""
    world = await make_world(people, admin)
    ada, bob, rows = world.ada, world.bob, world.rows
    await admin.rest("PATCH", f"/accounts/{rows['account']}", json={"ownerId": str(bob.id)})
    seen = (await ada.data("{messages{nodes{uuid account{name balance owner{email}}}}}"))["messages"]["nodes"]
    assert {"uuid": rows["message"], "account": None} in seen
    assert {str(node["account"]) for node in seen} == {"None"}
    mine = await bob.data("{accounts{nodes{uuid owner{email}}} messages{nodes{uuid}}}")
    assert {"uuid": rows["account"], "owner": {"email": bob.email}} in mine["accounts"]["nodes"]
    everything = (await admin.data("{messages{nodes{uuid account{owner{email}}}}}"))["messages"]["nodes"]
    assert {"uuid": rows["message"], "account": {"owner": {"email": bob.email}}} in everything
    assert ada.email not in str(everything)


async def test_answers_hold_no_secrets(people: People, admin: Person):
    """API3: nothing of a row that is not shown on purpose."""
    ada = (await make_world(people, admin)).ada
    texts = [
        (await ada.rest("GET", path)).text for path in ("/auth/me", "/accounts", "/messages", "/settings")
    ]
    texts.append((await admin.rest("GET", "/users")).text)
    for text in texts:
        for word in ("password", "hash", "tokenVersion", "token_version", "argon2"):
            assert word not in text
