"""The credentials that a member makes for an owner end with the membership, its rights, and the member's user."""

import asyncio
from collections.abc import Awaitable, Callable
from urllib.parse import urlsplit
from uuid import UUID

import orjson
import pytest

from runtime.services import Services
from tests.api_tokens.made import caller, exchanged, made
from tests.event_webhooks.world import World
from tests.events.hooks import post, signed
from tests.members.made import joined
from tests.members.test_acting import is_waiting
from tests.support.people import People, Person
from tests.support.waits import until
from tests.webhooks.receiver import Receiver

pytestmark = [pytest.mark.settings(outbound_allow=["127.0.0.0/8"]), pytest.mark.timeout(120)]

EVENT = orjson.dumps({"event": "delivery", "providerMessageId": "SM1", "status": "sent"})
SUSPEND = "mutation($i:ID!){suspendUser(id:$i){uuid}}"
ACTIVATE = "mutation($i:ID!){activateUser(id:$i){uuid}}"
END = (
    "mutation($i:ID!,$m:MemberRemoval){endMember(id:$i,input:$m){ended{kind credentialUuid name lastUsedAt}}}"
)
CHANGE = "mutation($i:ID!,$m:MemberPatch!){changeMember(id:$i,input:$m){role ended{kind credentialUuid}}}"
WAYS = ["removed", "left", "role", "permissions", "suspended", "deleted"]


class Made:
    """A member with each kind of credential of the owner, and calls that say which of them still work."""

    def __init__(self, services: Services, owner: Person, member: Person, admin: Person) -> None:
        self.services, self.owner, self.member, self.admin = services, owner, member, admin
        self.world = World(services, owner)
        self.id = ""

    async def make(self, receiver: Receiver, acting: Person) -> None:
        """Makes a webhook, a key, a secret, a token with a login, and a signed link."""
        self.receiver = receiver
        self.key, self.key_id = await issued(acting, "/hook-secrets/keys")
        self.secret, self.secret_id = await issued(acting, "/hook-secrets/rotate")
        self.hook = await self.world.hook(receiver, "/member", who=acting, types=["block.added"])
        self.token, self.token_id = await made(acting)
        self.login = (await exchanged(self.owner, self.token))["accessToken"]
        self.link = await link(acting)

    async def works(self) -> dict[str, bool]:
        """Returns whether each credential works, by using it."""
        return {
            "key": await by_key(self.owner, self.key),
            "secret": await by_secret(self.owner, self.secret),
            "token": (await caller(self.owner, self.token).rest("GET", "/block/list")).status_code == 200,
            "login": (await caller(self.owner, self.login).rest("GET", "/block/list")).status_code == 200,
            "link": (await self.owner.client.get(self.link)).status_code == 200,
            "webhook": await self.hears("/member"),
        }

    async def hears(self, path: str) -> bool:
        """Returns whether a new event of the feed reaches the address; the owner's own webhook gets it."""
        phone = f"+1415555{self.receiver.connections + len(self.receiver.calls):04}"
        await self.world.block(phone)

        def paths() -> set[str]:
            return {call.path for call in self.receiver.taken if call.json["data"]["phone"] == phone}

        async with self.world.delivering():
            await until(lambda: "/hook/owner" in paths())
            for _ in range(20):
                if f"/hook{path}" in paths():
                    return True
                await asyncio.sleep(0.05)
        return False


async def issued(person: Person, path: str) -> tuple[str, str]:
    """Returns a new hook secret or key, and its id."""
    answer = await person.rest("POST", path)
    assert answer.status_code == 201, answer.text
    return answer.json()["secret"], answer.json()["hookSecret"]["uuid"]


async def by_key(owner: Person, key: str) -> bool:
    return (await post(owner, EVENT, {}, f"/delivery-hook/{owner.id}?key={key}")).status_code == 202


async def by_secret(owner: Person, secret: str) -> bool:
    return (await post(owner, EVENT, signed(secret, EVENT))).status_code == 202


async def link(person: Person) -> str:
    """Uploads a file. Returns the path of a signed link to it."""
    await person.rest("POST", "/file-uploader", files={"file": ("a.txt", b"text")})
    shown = await person.data("{files(first:1){nodes{url}}}")
    parts = urlsplit(shown["files"]["nodes"][0]["url"])
    return f"{parts.path}?{parts.query}"


@pytest.fixture
async def world_of(
    services: Services, ada: Person, bob: Person, admin: Person, receiver: Receiver
) -> Callable[[], Awaitable[Made]]:
    async def make() -> Made:
        member, id = await joined(ada, bob, "manager")
        world = Made(services, ada, bob, admin)
        world.id = id
        await world.make(receiver, member)
        await world.world.hook(receiver, "/owner", types=["block.added"])
        return world

    return make


async def end(world: Made, way: str) -> None:
    """Ends or narrows the membership, without asking about what is in use."""
    nothing = {"keepTokens": False, "keepWebhooks": False, "keepHookSecrets": False}
    if way == "removed":
        answer = await world.owner.rest("DELETE", f"/members/{world.id}", params=nothing)
    elif way == "left":
        (mine,) = (await world.member.rest("GET", "/memberships")).json()
        answer = await world.member.rest("DELETE", f"/memberships/{mine['id']}")
    elif way in ("role", "permissions"):
        change = {"role": "viewer"} if way == "role" else {"permissions": ["statistics:read"]}
        answer = await world.owner.rest("PATCH", f"/members/{world.id}", json={**change, **nothing})
    elif way == "suspended":
        await world.admin.data(SUSPEND, {"i": str(world.member.id)})
        return
    else:
        answer = await world.admin.rest("DELETE", f"/users/{world.member.id}")
    assert answer.is_success, answer.text


@pytest.mark.parametrize("way", WAYS)
async def test_each_credential_works_until_its_maker_ends(world_of, way: str):
    world = await world_of()
    own_key, _ = await issued(world.owner, "/hook-secrets/keys")
    own_secret, _ = await issued(world.owner, "/hook-secrets/rotate")
    own_token, _ = await made(world.owner)
    own_link = await link(world.owner)
    assert set((await world.works()).values()) == {True}
    await end(world, way)
    assert await world.works() == dict.fromkeys(await world.works(), False)
    assert await by_key(world.owner, own_key) and await by_secret(world.owner, own_secret)
    assert (await caller(world.owner, own_token).rest("GET", "/block/list")).status_code == 200
    assert (await world.owner.client.get(own_link)).status_code == 200
    if way == "suspended":
        await world.admin.data(ACTIVATE, {"i": str(world.member.id)})
        assert set((await world.works()).values()) == {True}


async def test_what_is_in_use_is_asked_about_and_what_is_kept_is_the_owner_s(world_of, ada: Person, services):
    world = await world_of()
    assert set((await world.works()).values()) == {True}

    async def are_noted() -> bool:
        noted = "SELECT count(*) FROM hook_secrets WHERE last_used_at IS NOT NULL"
        tokens = "SELECT count(*) FROM api_tokens WHERE last_used_at IS NOT NULL"
        return [await services.db.fetchval(sql) for sql in (noted, tokens)] == [2, 1]

    await until(are_noted)
    kinds = {"webhook", "hook_secret", "hook_key"}  # a change of the role narrows the token, which goes on
    for method, options, more in (
        ("DELETE", {}, {"api_token"}),
        ("PATCH", {"json": {"role": "viewer"}}, set()),
    ):
        refused = await ada.rest(method, f"/members/{world.id}", **options)
        assert (refused.status_code, refused.json()["code"]) == (409, "credentials_in_use")
        asked = {each["kind"]: each for each in refused.json()["details"]["credentials"]}
        assert set(asked) == kinds | more
        assert asked["hook_key"]["credentialUuid"] == world.key_id and asked["hook_key"]["lastUsedAt"]
        assert asked["webhook"]["name"] == world.receiver.url + "/member"
    assert set((await world.works()).values()) == {True}  # nothing has changed
    assert (await ada.rest("GET", "/members")).json()["items"][0]["role"] == "manager"
    keep = {"keepTokens": False, "keepWebhooks": True, "keepHookSecrets": True}
    ended = (await ada.data(END, {"i": world.id, "m": keep}))["endMember"]["ended"]
    assert [(each["kind"], each["credentialUuid"], each["name"]) for each in ended] == [
        ("api_token", world.token_id, "t")
    ]
    works = await world.works()
    assert works == {
        "key": True, "secret": True, "token": False, "login": False, "link": False, "webhook": True,
    }  # fmt: skip
    assert (await ada.rest("GET", f"/hook-secrets/{world.key_id}")).json()["createdBy"] is None
    assert (await ada.rest("GET", f"/webhooks/{world.hook}")).json()["createdBy"] is None
    for type, maker in (("hookSecret", "createdBy"), ("webhook", "savedBy")):
        changes = await services.db.fetch(
            "SELECT changes FROM audit_entries WHERE operation = 'members.remove' AND object_type = $1", type
        )
        member = str(world.member.id)
        assert all(row["changes"][maker] == [member, None] for row in changes) and changes, type


async def test_the_answer_lists_what_has_ended(world_of, ada: Person):
    world = await world_of()
    (key,) = [row for row in (await ada.rest("GET", "/hook-secrets")).json()["items"] if row["kind"] == "key"]
    assert (key["createdBy"], key["lastUsedAt"]) == (str(world.member.id), None)
    changed = await ada.data(
        CHANGE, {"i": world.id, "m": {"permissions": ["hooks:write", "hooks:report"], "keepTokens": False}}
    )
    assert changed["changeMember"]["ended"] == [{"kind": "webhook", "credentialUuid": world.hook}]
    assert await by_key(ada, world.key)
    removed = await ada.rest(
        "DELETE", f"/members/{world.id}", params={"keepTokens": False, "keepHookSecrets": False}
    )
    assert removed.status_code == 200, removed.text
    ended = {each["kind"]: each["credentialUuid"] for each in removed.json()["ended"]}
    assert ended == {"api_token": world.token_id, "hook_secret": world.secret_id, "hook_key": world.key_id}
    assert (await ada.rest("GET", f"/members/{world.id}")).status_code == 404


async def test_members_see_their_own_hook_secrets_and_the_owner_sees_all(
    ada: Person, bob: Person, people: People
):
    carol = await people.make("carol@example.com")
    members = [(await joined(ada, person, "manager"))[0] for person in (bob, carol)]
    ids = [(await issued(person, "/hook-secrets/keys"))[1] for person in (ada, *members)]
    for person, id in zip(members, ids[1:], strict=True):
        shown = [row["uuid"] for row in (await person.rest("GET", "/hook-secrets")).json()["items"]]
        assert shown == [id]
        for other in set(ids) - {id}:
            assert (await person.rest("GET", f"/hook-secrets/{other}")).status_code == 404
            assert (await person.rest("DELETE", f"/hook-secrets/{other}")).status_code == 404
    assert {row["uuid"] for row in (await ada.rest("GET", "/hook-secrets")).json()["items"]} == {*ids}
    # A member's rotations do not push out the owner's secret.
    own, _ = await issued(ada, "/hook-secrets/rotate")
    for _ in range(3):
        newest, _ = await issued(members[0], "/hook-secrets/rotate")
    assert await by_secret(ada, own) and await by_secret(ada, newest)


@pytest.mark.parametrize("end_of_token", ["revoked", "narrowed", "expired"])
async def test_a_hook_key_ends_with_the_token_that_made_it(
    ada: Person, services: Services, end_of_token: str
):
    token, id = await made(ada, scopes=["hooks:write", "hooks:report", "messages:read"])
    key, key_id = await issued(caller(ada, token), "/hook-secrets/keys")
    assert await by_key(ada, key)
    if end_of_token == "narrowed":
        answer = await ada.rest("PATCH", f"/api-tokens/{id}", json={"scopes": ["messages:read"]})
    elif end_of_token == "expired":
        await services.db.fetch("UPDATE api_tokens SET expires_at = now() WHERE id = $1", UUID(id))
        answer = await ada.rest("GET", f"/api-tokens/{id}")
    else:
        answer = await ada.rest("DELETE", f"/api-tokens/{id}", params={"keepWebhooks": True})
    assert answer.is_success, answer.text
    assert not await by_key(ada, key)
    shown = (await ada.rest("GET", f"/hook-secrets/{key_id}")).json()
    assert (shown["revokedAt"] is None) is (end_of_token == "expired")


async def test_rows_without_a_maker_are_the_owner_s(ada: Person, bob: Person, services: Services):
    key, id = await issued(ada, "/hook-secrets/keys")
    row = await services.db.fetchrow(
        "SELECT created_by, api_token_id FROM hook_secrets WHERE id = $1", UUID(id)
    )
    assert (row["created_by"], row["api_token_id"]) == (None, None)
    _, member_id = await joined(ada, bob, "manager")
    await ada.rest("DELETE", f"/members/{member_id}")
    assert await by_key(ada, key)


async def test_a_key_is_not_made_beside_the_end_of_the_membership(
    ada: Person, bob: Person, services: Services
):
    member, id = await joined(ada, bob, "manager")
    async with services.db.transaction() as connection:
        await connection.execute("DELETE FROM memberships WHERE id = $1", UUID(id))
        making = [
            asyncio.create_task(member.rest("POST", f"/hook-secrets/{path}")) for path in ("keys", "rotate")
        ]
        await until(lambda: is_waiting(services))
    for answer in await asyncio.gather(*making):
        assert (answer.status_code, answer.json()["code"]) == (403, "not_a_member")
    assert (await ada.rest("GET", "/hook-secrets")).json()["items"] == []


async def test_a_key_is_not_made_beside_a_narrowing(ada: Person, bob: Person, services: Services):
    member, id = await joined(ada, bob, "manager")
    async with services.db.transaction() as connection:
        await connection.execute("UPDATE memberships SET role = 'viewer' WHERE id = $1", UUID(id))
        making = asyncio.create_task(member.rest("POST", "/hook-secrets/keys"))
        await until(lambda: is_waiting(services))
    answer = await making
    assert (answer.status_code, answer.json()["details"]) == (403, {"permission": "hooks:write"})


async def test_a_key_is_not_made_beside_the_end_of_its_token(ada: Person, services: Services):
    token, id = await made(ada, scopes=["hooks:write", "hooks:report"])
    async with services.db.transaction() as connection:
        await connection.execute("UPDATE api_tokens SET revoked_at = now() WHERE id = $1", UUID(id))
        making = asyncio.create_task(caller(ada, token).rest("POST", "/hook-secrets/keys"))
        await until(lambda: is_waiting(services))
    assert (await making).status_code == 401
    assert (await ada.rest("GET", "/hook-secrets")).json()["items"] == []


async def test_a_token_that_may_not_report_makes_no_key_that_reports(ada: Person):
    token, _ = await made(ada, scopes=["hooks:write"])
    for path in ("keys", "rotate"):
        answer = await caller(ada, token).rest("POST", f"/hook-secrets/{path}")
        assert (answer.status_code, answer.json()["details"]) == (403, {"permission": "hooks:report"})
    assert (await ada.rest("GET", "/hook-secrets")).json()["items"] == []


@pytest.mark.parametrize("left", ["hooks:write", "hooks:report"])
async def test_a_key_ends_when_its_maker_may_report_or_make_keys_no_more(ada: Person, bob: Person, left: str):
    member, id = await joined(ada, bob, "manager")
    key, _ = await issued(member, "/hook-secrets/keys")
    assert await by_key(ada, key)
    await ada.data(CHANGE, {"i": id, "m": {"permissions": [left], "keepHookSecrets": False}})
    assert not await by_key(ada, key)


async def test_two_removals_at_once(world_of, ada: Person):
    world = await world_of()
    answers = await asyncio.gather(
        *(ada.rest("DELETE", f"/members/{world.id}", params={"keepTokens": False}) for _ in range(2))
    )
    assert sorted(answer.status_code for answer in answers) == [200, 404]
    assert not await by_key(ada, world.key) and not await by_secret(ada, world.secret)


async def test_what_a_member_s_token_makes_is_the_member_s(
    ada: Person, bob: Person, receiver: Receiver, services
):
    member, id = await joined(ada, bob, "manager")
    token, _ = await made(member)
    program = caller(ada, token)
    key, key_id = await issued(program, "/hook-secrets/keys")
    hook = await World(services, ada).hook(receiver, who=program)
    assert (await ada.rest("GET", f"/hook-secrets/{key_id}")).json()["createdBy"] == str(bob.id)
    assert (await ada.rest("GET", f"/webhooks/{hook}")).json()["createdBy"] == str(bob.id)
    keep = {"keepTokens": True, "keepWebhooks": False, "keepHookSecrets": False}
    await ada.data(END, {"i": id, "m": keep})
    assert not await by_key(ada, key)
    assert not (await ada.rest("GET", f"/webhooks/{hook}")).json()["enabled"]
    assert (await program.rest("GET", "/block/list")).status_code == 200


async def test_what_stays_reads_no_more_than_the_member_may(
    services: Services, ada: Person, bob: Person, receiver: Receiver
):
    member, id = await joined(ada, bob, "manager")
    hook = await World(services, ada).hook(receiver, "/member", who=member, types=["block.added"])
    scopes = "SELECT query_scopes FROM webhooks WHERE id = $1::uuid"
    assert "contacts:read" in await services.db.fetchval(scopes, hook)
    changed = await ada.rest("PATCH", f"/members/{id}", json={"permissions": ["events:write"]})
    assert (changed.status_code, changed.json()["ended"]) == (200, []), changed.text
    assert set(await services.db.fetchval(scopes, hook)) == {"events:write", "profile:read", "profile:write"}
