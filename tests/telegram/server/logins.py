"""auth.*, account.*, users.*, help.*."""

import base64
import hashlib
import os
import time
from datetime import UTC, datetime, timedelta
from typing import Any

from telethon.tl import types
from telethon.tl.functions import account, auth, help, users

from tests.telegram.server.link import Link, Rpc
from tests.telegram.server.methods import answers
from tests.telegram.server.world import Auth, Person, now

API_HASH = "0123456789abcdef0123456789abcdef"


def token(url: str) -> bytes:
    """Returns the token that a QR holds."""
    value = url.removeprefix("tg://login?token=")
    return base64.urlsafe_b64decode(value + "=" * (-len(value) % 4))


def who(server: Any, link: Link) -> Person:
    """Raises Rpc 401."""
    person: Person | None = server.world.auths.setdefault(link.key_id, Auth()).person
    if person is None:
        raise Rpc(401, "AUTH_KEY_UNREGISTERED")
    if person.banned:
        raise Rpc(401, "USER_DEACTIVATED_BAN")
    return person


def _entered(server: Any, link: Link, person: Person) -> types.auth.Authorization:
    auth = server.world.auths[link.key_id] = Auth(person)
    assert auth.person is not None
    return types.auth.Authorization(person.shown(person))


@answers(help.GetConfigRequest)
async def config(server: Any, link: Link, request: Any) -> Any:
    return types.Config(
        date=now(), expires=now() + timedelta(hours=1), test_mode=True, this_dc=link.dc,
        dc_options=[types.DcOption(number, "127.0.0.1", port) for number, port in server.ports.items()],
        dc_txt_domain_name="dc.test", chat_size_max=200, megagroup_size_max=200_000, forwarded_count_max=100,
        online_update_period_ms=120_000, offline_blur_timeout_ms=5000, offline_idle_timeout_ms=30_000,
        online_cloud_timeout_ms=300_000, notify_cloud_delay_ms=30_000, notify_default_delay_ms=1500,
        push_chat_period_ms=60_000, push_chat_limit=2, edit_time_limit=172_800, revoke_time_limit=2**31 - 1,
        revoke_pm_time_limit=2**31 - 1, rating_e_decay=2_419_200, stickers_recent_limit=200,
        channels_read_media_period=604_800, call_receive_timeout_ms=20_000, call_ring_timeout_ms=90_000,
        call_connect_timeout_ms=30_000, call_packet_timeout_ms=10_000, me_url_prefix="https://t.me/",
        caption_length_max=1024, message_length_max=4096, webfile_dc_id=2,
    )  # fmt: skip


def _credentials(request: Any) -> None:
    if request.api_hash != API_HASH:
        raise Rpc(400, "API_ID_INVALID")


@answers(auth.SendCodeRequest)
async def send_code(server: Any, link: Link, request: Any) -> Any:
    _credentials(request)
    phone = request.phone_number.lstrip("+")
    if not phone.isdigit() or len(phone) < 7:
        raise Rpc(400, "PHONE_NUMBER_INVALID")
    person = server.world.by_phone(phone)
    if person is not None and person.banned:
        raise Rpc(400, "PHONE_NUMBER_BANNED")
    home = server.homes.get(phone) if hasattr(server, "homes") else None
    if home is not None and home != link.dc:
        raise Rpc(303, f"PHONE_MIGRATE_{home}")
    made = server.world.code(phone)
    return types.auth.SentCode(types.auth.SentCodeTypeApp(len(made.code)), made.hash, timeout=60)


@answers(auth.SignInRequest)
async def sign_in(server: Any, link: Link, request: Any) -> Any:
    made = server.world.codes.get(request.phone_number.lstrip("+"))
    if made is None or made.hash != request.phone_code_hash or made.expired:
        raise Rpc(400, "PHONE_CODE_EXPIRED")
    if made.code != request.phone_code:
        raise Rpc(400, "PHONE_CODE_INVALID")
    person = server.world.by_phone(made.phone)
    if person is None:
        return types.auth.AuthorizationSignUpRequired()
    if person.password is not None:
        server.world.auths.setdefault(link.key_id, Auth()).waiting = person
        raise Rpc(401, "SESSION_PASSWORD_NEEDED")
    return _entered(server, link, person)


@answers(auth.ExportLoginTokenRequest)
async def export_token(server: Any, link: Link, request: Any) -> Any:
    _credentials(request)
    state = server.world.auths.setdefault(link.key_id, Auth())
    if state.accepted is not None:
        if state.migrate is not None and state.migrate != link.dc:
            return types.auth.LoginTokenMigrateTo(state.migrate, state.token)
        return _by_token(server, link, state.accepted)
    if state.token is None or state.expires <= time.time():
        state.token, state.before = os.urandom(16), state.token
        state.expires = int(time.time()) + server.qr_seconds
    return types.auth.LoginToken(datetime.fromtimestamp(state.expires, UTC), state.token)


def _by_token(server: Any, link: Link, person: Person) -> Any:
    if person.password is not None:
        server.world.auths.setdefault(link.key_id, Auth()).waiting = person
        raise Rpc(401, "SESSION_PASSWORD_NEEDED")
    return types.auth.LoginTokenSuccess(_entered(server, link, person))


@answers(auth.ImportLoginTokenRequest)
async def import_token(server: Any, link: Link, request: Any) -> Any:
    state = next((each for each in server.world.auths.values() if each.token == request.token), None)
    if state is None or state.accepted is None:
        raise Rpc(400, "AUTH_TOKEN_INVALID")
    return _by_token(server, link, state.accepted)


@answers(auth.AcceptLoginTokenRequest)
async def accept_token(server: Any, link: Link, request: Any) -> Any:
    person = who(server, link)
    try:
        server.world.scan(request.token, person)
    except StopIteration:
        raise Rpc(400, "AUTH_TOKEN_INVALID") from None
    return types.Authorization(
        hash=1, device_model="PC", platform="", system_version="1", api_id=request.CONSTRUCTOR_ID & 0xFFFF,
        app_name="test", app_version="1", date_created=now(), date_active=now(), ip="127.0.0.1", country="", region="",
    )  # fmt: skip


@answers(account.GetPasswordRequest)
async def get_password(server: Any, link: Link, request: Any) -> Any:
    auth = server.world.auths.setdefault(link.key_id, Auth())
    person = auth.person or auth.waiting
    if person is None:
        raise Rpc(401, "AUTH_KEY_UNREGISTERED")
    if person.password is None:
        raise Rpc(400, "PASSWORD_EMPTY")
    return person.password.ask()


@answers(auth.CheckPasswordRequest)
async def check_password(server: Any, link: Link, request: Any) -> Any:
    person = server.world.auths.setdefault(link.key_id, Auth()).waiting
    if person is None:
        raise Rpc(401, "AUTH_KEY_UNREGISTERED")
    if not person.password.right(request.password):
        raise Rpc(400, "PASSWORD_HASH_INVALID")
    return _entered(server, link, person)


@answers(auth.LogOutRequest)
async def log_out(server: Any, link: Link, request: Any) -> Any:
    who(server, link)
    server.world.auths[link.key_id] = Auth()
    return types.auth.LoggedOut()


@answers(account.UpdateStatusRequest)
async def update_status(server: Any, link: Link, request: Any) -> Any:
    who(server, link)
    return True


def find(server: Any, me: Person, wanted: Any) -> Person:
    """Returns the person of an InputUser or InputPeer. Raises Rpc."""
    if isinstance(wanted, types.InputUserSelf | types.InputPeerSelf):
        return me
    if isinstance(wanted, types.InputUser | types.InputPeerUser):
        person = server.world.people.get(wanted.user_id)
        if person is not None and (person is me or wanted.access_hash == person.access_hash(me)):
            return person
    raise Rpc(400, "PEER_ID_INVALID")


@answers(users.GetUsersRequest)
async def get_users(server: Any, link: Link, request: Any) -> Any:
    me = who(server, link)
    return [find(server, me, each).shown(me) for each in request.id]


@answers(users.GetFullUserRequest)
async def get_full_user(server: Any, link: Link, request: Any) -> Any:
    me = who(server, link)
    person = find(server, me, request.id)
    full = types.UserFull(person.id, types.PeerSettings(), types.PeerNotifySettings(), 0, about="about")
    return types.users.UserFull(full, [], [person.shown(me)])


def file_hash(data: bytes) -> str:
    return hashlib.md5(data, usedforsecurity=False).hexdigest()
