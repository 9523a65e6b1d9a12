"""The world in which all operations are called, made once a test process, and everybody who calls them."""

from dataclasses import dataclass, field
from uuid import UUID

from core.ids import uuid7
from core.tokens import API_TOKEN_PREFIX
from engine.messengers.host import hosting
from resolvers.auth.token_rows import issue_api_token
from runtime.permissions import MEMBER_ROLES, PRESETS, ROLES, SCOPES, Permission
from runtime.services import Services
from shapes.auth import NewApiToken
from shapes.members import MemberRole
from shapes.users import Role
from tests.doors.test_matrix import make_world
from tests.events.hooks import key, secret
from tests.members.made import joined
from tests.sinks import made as sinks
from tests.support.people import People, Person
from tests.support.records import Records

_SENT = """
UPDATE messages SET state = 'sent', sent_at = now(), handed_at = now(), provider = 'sandbox', provider_message_id = 'S1'
WHERE id = $1
"""


_CHAT = """
INSERT INTO messenger_chats (id, account_id, thread, unread, last_at, closed_at)
SELECT $1, min(id::text)::uuid, $3, 1, now(), $4::timestamptz FROM messenger_accounts WHERE owner_id = $2
"""


_CLIENT = """
INSERT INTO agent_clients (client_id, name, redirect_uris, by_itself)
VALUES ($1, 'Example Agent', '{http://127.0.0.1/callback}', false)
"""


_PAUSE = """
INSERT INTO receiver_pauses (id, owner_id, domain, provider_class, until, answer)
VALUES ($1, $2, 'example.org', 'gmail', now() + interval '1 hour', '550 5.7.1 blocked')
"""
_TARIFF = """
INSERT INTO tariffs (code, name, prices, public, channels)
SELECT 'other', 'Other', prices, true, channels FROM tariffs WHERE code = 'default'
"""


@dataclass(frozen=True)
class Caller:
    """A credential, and what it stands for. Without a token the caller is nobody, or has the proof of a hook."""

    name: str
    token: str | None = None
    permissions: frozenset[Permission] = frozenset({Permission.public})
    person: UUID | None = None
    """The user who has logged in."""
    acts_for: UUID | None = None
    """The owner of whom that user is a member."""
    key: str | None = field(default=None, repr=False)
    secret: str | None = field(default=None, repr=False)

    @property
    def owner(self) -> UUID | None:
        """Returns the user whose rows the caller may change."""
        return self.acts_for or self.person

    @property
    def is_token(self) -> bool:
        """Returns whether the caller has an API token, or the proof of a hook, and no login."""
        return self.person is not None and (self.token is None or self.token.startswith(API_TOKEN_PREFIX))

    @property
    def is_admin(self) -> bool:
        """Returns whether the caller may change the rows of all users."""
        return Permission.users_admin in self.permissions


@dataclass(frozen=True)
class World:
    """Ada's rows, by the names that the cases use, and all callers."""

    rows: dict[str, str]
    callers: tuple[Caller, ...]


async def made(services: Services, people: People, admin: Person) -> World:
    """Makes the world. Messenger accounts are connected meanwhile, and not any more when the calls are made."""
    async with hosting(services):
        world = await make_world(people, admin)
    ada, bob = world.ada, world.bob
    rows = {**world.rows, **await _rows(services, ada, admin, world.rows)}
    of_user, of_admin = ROLES[Role.user], ROLES[Role.user] | ROLES[Role.admin]
    reports = frozenset({Permission.public, Permission.hooks_report})
    callers = [
        Caller("nobody"),
        Caller("the owner", ada.token, of_user, ada.id),
        Caller("another user", bob.token, of_user, bob.id),
        Caller("an administrator", admin.token, of_admin, admin.id),
        Caller("the owner's hook key", permissions=reports, key=await key(ada), person=ada.id),
        Caller("the owner's hook secret", permissions=reports, secret=await secret(ada), person=ada.id),
    ]
    for scope in sorted(SCOPES):
        person = ada if scope in of_user else admin
        callers.append(await _token(services, f"the scope {scope.value}", person, frozenset({scope})))
    for preset, scopes in PRESETS.items():
        person = ada if scopes <= of_user else admin
        callers.append(await _token(services, f"the preset {preset.value}", person, scopes))
    for role in MemberRole:
        member, _ = await joined(ada, await people.make(), role.value)
        permissions = MEMBER_ROLES[role] | {Permission.public}
        callers.append(Caller(f"a member as {role.value}", member.token, permissions, member.id, ada.id))
    return World(rows, tuple(callers))


async def _token(services: Services, name: str, person: Person, scopes: frozenset[Permission]) -> Caller:
    async with services.db.session.begin() as session:
        limits = {"scopes": sorted(scope.value for scope in scopes)}
        issued = await issue_api_token(session, person.id, NewApiToken(name="one"), limits)
    return Caller(name, issued.token, scopes | {Permission.public}, person.id)


async def _rows(services: Services, ada: Person, admin: Person, rows: dict[str, str]) -> dict[str, str]:
    """Makes rows that the cases avoid, since they change them: messages that a report can refund, chats, projects that
    run, and rows of the installation.
    """
    records = Records(services)
    message = await ada.rest(
        "POST", "/messages", json={"to": "+14155550100", "channel": "sms", "body": "sent"}
    )
    await services.db.fetch(_SENT, UUID(message.json()["id"]))
    record = await records.make(ada, number="R1", provider="sandbox", channel="email", to="r1@example.com")
    new = {"name": "ended", "channel": "sms", "text": "Hello"}
    retried = UUID((await ada.rest("POST", "/sending-project", json=new)).json()["uuid"])
    await ada.rest("POST", f"/recipient/{retried}", json={"recipients": [{"phone": "+14155550100"}]})
    running = await records.project(ada)
    await records.make(ada, "queued", project=running)
    await records.make(ada, "failed", project=retried)
    await services.db.fetch("UPDATE sending_projects SET status = 'finished' WHERE id = $1", retried)
    await ada.rest("PATCH", f"/sending-project/{rows['project_of_recipient']}", json={"text": "Hello"})
    chat, closed_chat = uuid7(), uuid7()
    await services.db.fetch(_CHAT, chat, ada.id, "+14155550100", None)
    await services.db.fetch(_CHAT, closed_chat, ada.id, "+14155550101", services.db.now())
    note = await ada.rest("POST", f"/messenger-chats/{chat}/notes", json={"text": "Calls back."})
    prices = await admin.rest("POST", "/price-lists", json={"name": "other", "currency": "USD"})
    rule = await admin.rest(
        "POST", "/route-rules", json={"prefix": "39", "route": "sms-1", "ownerId": str(ada.id)}
    )
    receiver = await admin.rest("PUT", "/receiver-rules", json={"domain": "example.org", "perMinute": 60})
    pause = uuid7()
    await services.db.fetch(_PAUSE, pause, ada.id)
    await services.db.fetch(_TARIFF)
    client = "agent_of_the_operator"
    await services.db.fetch(_CLIENT, client)
    sink = await sinks.add(services, ada.id, "nats://postern:secret@nats.example.com:4222")
    return {
        "sent_message": message.json()["id"],
        "sent_record": str(record),
        "running_project": str(running),
        "retried_project": str(retried),
        "chat": str(chat),
        "closed_chat": str(closed_chat),
        "chat_note": note.json()["id"],
        "event_sink": str(sink),
        "agent_client": client,
        "price_list": prices.json()["id"],
        "route_rule": rule.json()["id"],
        "receiver_rule": receiver.json()["uuid"],
        "receiver_pause": str(pause),
    }
