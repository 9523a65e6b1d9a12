"""The context of one request, which both doors pass to the operations: who the caller is, and what was sent."""

import ipaddress
from collections.abc import Iterable
from copy import copy
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Annotated, Any, Self
from uuid import UUID

from fastapi import Depends, Query
from starlette.requests import HTTPConnection
from strawberry.fastapi import BaseContext

from core.errors import AppError, BadRequest, Forbidden, NotFound, Unauthenticated
from core.http.dress import Dress
from runtime.link_domains import LinkSite
from runtime.services import Services
from runtime.viewers import Credential, Viewer
from runtime.viewers.login_state import Address, Network
from runtime.viewers.token_use import TokenUses
from shapes.users import Role

_HAS_USER = "SELECT EXISTS (SELECT FROM users WHERE id = $1)"
_OF_TOKENS = frozenset({"token_network", "token_account", "token_spend_limit", "approval_required"})
"""The codes of errors that are about what an API token is limited to, besides its permissions."""


@dataclass(frozen=True, slots=True)
class AttemptedLogin:
    """An attempt to log in, for the audit of refused logins. `user_id` is None if no user has the email."""

    email: str = field(repr=False)
    user_id: UUID | None


class Context(BaseContext):
    """Made once a request by `get_context`; the caller is identified when an operation first needs it."""

    def __init__(self, services: Services, connection: HTTPConnection) -> None:
        super().__init__()
        self.services = services
        self.connection = connection
        self._viewer: Viewer | None = None
        self._nobody: Exception | None = None
        self.credential: Credential | None = None  # a door uses it instead of the header
        self.acting_for: str | None = None  # a door uses it instead of the header X-Postern-Owner
        self.second: str | None = None  # `Bearer …`: sent beside the first, and must belong to the same user
        self.attempted_login: AttemptedLogin | None = None
        self.points = 0  # of GraphQL, for work whose size is known only when it is done
        self.loaders: dict[str, Any] = {}  # GraphQL's batch loaders, and other state of one response

    @classmethod
    def without_request(cls, services: Services, viewer: Viewer, id: str) -> "Context":
        """Makes a context for work that no request has asked for. `id` stands in the log for the request's."""
        scope: dict[str, Any] = {
            "type": "http",
            "headers": [],
            "client": None,
            "postern": {"request_id": id, "headers": {}},
        }
        context = cls(services, HTTPConnection(scope))
        context._viewer = viewer
        return context

    @property
    def request_id(self) -> str:
        """Returns the id of the request, which its log line and its response carry."""
        return str(self.connection.scope["postern"]["request_id"])

    @property
    def idempotency_key(self) -> str | None:
        """Returns the Idempotency-Key header, or None.

        Raises BadRequest unless it has 1 to 255 printable characters (draft-ietf-httpapi-idempotency-key-header).
        """
        key = self.connection.headers.get("idempotency-key")
        if key is None:
            return None
        key = key.strip().removeprefix('"').removesuffix('"')  # a structured-field string is quoted
        if not 1 <= len(key) <= 255 or not key.isascii() or not key.isprintable():
            raise BadRequest(
                "Idempotency-Key must have 1 to 255 printable ASCII characters.", code="bad_idempotency_key"
            )
        # Members have keys of their own: none of them gets the answer to a request of another member.
        viewer = self._viewer
        return key if viewer is None or viewer.person is None else f"{viewer.actor_id}:{key}"

    @property
    def user_agent(self) -> str | None:
        """Returns the printable characters of the User-Agent header, at most 256 of them; None if there are none."""
        agent = self.connection.headers.get("user-agent")
        if (
            agent and not agent.isprintable()
        ):  # hardly any; to look at each character takes a tenth of a small request
            agent = "".join(char for char in agent if char.isprintable())
        return agent[:256] if agent else None

    @property
    def client_address(self) -> str:
        """Returns the client's address, for rate limits only: `x-real-ip` behind a trusted proxy, else the socket's
        peer.

        Of an IPv6 address only the first 64 bits count, since one customer has all addresses below them.
        """
        return self.client_networks[0]

    @property
    def client_networks(self) -> list[str]:
        """Returns the networks that this address belongs to, the narrowest first: for IPv6 its /64, /56 and /48.

        Some providers give a customer a /56 or a /48, and with it 256 or 65,536 networks of size /64.
        """
        address = self._address()
        if address is None:
            return ["-"]
        if address.version == 4:
            return [str(address)]
        return [str(ipaddress.ip_network((address, bits), strict=False)) for bits in (64, 56, 48)]

    def _address(self) -> Address | None:
        """Returns the client's address: `x-real-ip` behind a trusted proxy, else the socket's peer."""
        peer = _address(self.connection.client.host if self.connection.client else "-")
        forwarded = _address(self.connection.headers.get("x-real-ip", ""))
        proxied = forwarded is not None and peer is not None and _trusted(peer, self.services)
        return forwarded if proxied else peer

    @property
    def address_text(self) -> str | None:
        """Returns the client's whole address; None if no client has asked."""
        address = self._address()
        return None if address is None else str(address)

    @property
    def client_network(self) -> str | None:
        """Returns the widest network of this client, for work that waits fairly; None if no client has asked."""
        network = self.client_networks[-1]
        return None if network == "-" else network

    @property
    def link_maker(self) -> UUID | None:
        """Returns the login or the API token of the caller, with which signed links end that are made for it."""
        viewer = self._viewer
        return None if viewer is None else viewer.session_id or viewer.token_id

    def answer_header(self, name: str, value: str) -> None:
        """Sets a header of the response, through either door and also if the operation fails."""
        self.connection.scope["postern"]["headers"][name.lower()] = value

    def dress_errors(self, dress: Dress | None) -> None:
        """Gives the page of an error the dress of the owner whose page was asked for."""
        self.connection.scope["postern"]["dress"] = dress

    @property
    def link_site(self) -> LinkSite | None:
        """Returns the domain of an owner's that the request was sent to; None if it was sent to this service's own
        address.
        """
        site: LinkSite | None = self.connection.scope["postern"].get("link_site")
        return site

    async def viewer(self) -> Viewer:
        """Returns the caller, identified once a request. Raises Unauthenticated."""
        if self._nobody is not None:
            raise self._nobody
        if self._viewer is None:
            authorization = self.credential or self.connection.headers.get("authorization")
            try:
                self._viewer = await self._identified(authorization)
            except Exception as error:
                self._nobody = error
                raise
            self.connection.scope["postern"]["user_id"] = self._viewer.id_text
        return self._viewer

    async def of_owner(self, owner_id: UUID | None) -> Self:
        """Returns the context in which lists, counts and statistics are those of one owner alone, as that owner reads
        them. For None and the caller's own id they are what they were: those of all owners for an administrator.

        Raises Forbidden unless an administrator names another owner, and NotFound (`user_not_found`).
        """
        viewer = await self.viewer()
        if owner_id is None or (owner_id == viewer.id and not viewer.admin):
            return self
        if not viewer.admin:
            raise Forbidden("Only administrators may name another owner. Leave ownerId out.")
        if not await self.services.db.fetchval(_HAS_USER, owner_id):
            raise NotFound("There is no user with this id. Check ownerId.", code="user_not_found")
        owned = copy(self)
        owned._viewer = replace(viewer, id=owner_id, roles=frozenset({Role.user}))  # noqa: SLF001  of this class
        return owned

    async def _identified(self, authorization: Credential | None) -> Viewer:
        """Returns the caller. Raises Unauthenticated: `invalid_token` unless both credentials are of one user."""
        if self.second is None:
            return await self.identified(authorization)
        try:
            first, second = await self.identified(authorization), await self.identified(self.second)
        except Unauthenticated as error:
            raise Unauthenticated(
                "The Bearer token or the token in the body is invalid or has expired. Send only one token, a"
                " valid one.",
                code="invalid_token",
            ) from error
        if first.id != second.id:
            raise Unauthenticated(
                "The Bearer token and the token in the body belong to different users. Send only one of them.",
                code="invalid_token",
            )
        return first.within(second)

    async def identified(self, credential: Credential | None) -> Viewer:
        """Returns the caller of a credential, who acts for the owner that the request names.

        Raises Forbidden if the credential may not be used from here, or not for that owner; BadRequest `bad_owner`.
        """
        viewer = await self.services.viewers.identify(credential)
        if viewer.token_id is not None:
            self.token_used(viewer.token_id)
        try:
            self.require_network(viewer.networks)
        except Forbidden as error:
            self.token_refused(viewer, error)
            raise
        return await self.acting(viewer)

    async def acting(self, viewer: Viewer) -> Viewer:
        """Returns the caller as one who acts for the owner of the header X-Postern-Owner, if the request has one.

        Raises Forbidden, BadRequest `bad_owner`.
        """
        owner = self.acting_for
        if owner is None:
            owner = self.connection.headers.get("x-postern-owner")
        if owner is None:
            return viewer
        try:
            id = UUID(owner.strip())
        except ValueError:
            raise BadRequest(
                "X-Postern-Owner must be the uuid of an owner that you are a member of. GET /memberships lists them.",
                code="bad_owner",
            ) from None
        return await self.services.viewers.act_for(viewer, id)

    def token_refused(self, viewer: Viewer | None, error: AppError) -> None:
        """Records that the caller's API token was refused, if the error is about what the token is limited to."""
        if viewer is None or viewer.limited_by is None:
            return
        lacks = str((error.details or {}).get("permission", ""))
        if error.code in _OF_TOKENS or (lacks and viewer.scopes is not None and lacks not in viewer.scopes):
            self._uses().refused(viewer.limited_by, self._address, lacks or error.code)

    def token_used(self, token_id: UUID) -> None:
        """Records that the request was made with an API token."""
        self._uses().used(token_id, self._address)

    def hook_used(self, secret_id: UUID) -> None:
        """Records that the request was proven by a hook secret or a hook key."""
        self._uses().hook_used(secret_id)

    def _uses(self) -> TokenUses:
        db = self.services.db
        return self.services.single(TokenUses, lambda: TokenUses(db), TokenUses.close)

    def require_network(self, networks: Iterable[str | Network] | None) -> None:
        """Raises Forbidden `token_network` unless the client's address is in one of its token's networks, if any."""
        if networks is None:
            return
        address = self._address()
        if address is None or not any(address in _network(each) for each in networks):
            raise Forbidden(
                "This API token may not be used from your address. Use it from one of its networks, or let its user"
                " change them.",
                code="token_network",
            )


# A client that sends many requests has the same address and the same networks each time, and parsing costs
# microseconds.
@lru_cache(4096)
def _network(network: str | Network) -> Network:
    return ipaddress.ip_network(network)


@lru_cache(4096)
def _address(text: str) -> Address | None:
    """Parses an address. An IPv6 socket writes 192.0.2.1 as `::ffff:192.0.2.1`, which is returned as IPv4."""
    try:
        address = ipaddress.ip_address(text.strip())
    except ValueError:
        return None
    return (address.ipv4_mapped if isinstance(address, ipaddress.IPv6Address) else None) or address


def _trusted(peer: Address, services: Services) -> bool:
    return any(peer in _network(cidr) for cidr in services.settings.trusted_proxies)


async def get_context(connection: HTTPConnection) -> Context:
    """Makes the context of a request, as FastAPI's dependency."""
    return Context(connection.app.state.services, connection)


Ctx = Annotated[Context, Depends(get_context)]

_OwnerId = Annotated[
    UUID | None,
    Query(
        alias="ownerId", description="of this user alone; without it, administrators get that of all users"
    ),
]


async def get_owner_context(ctx: Ctx, owner_id: _OwnerId = None) -> Context:
    """Makes the context of a list, a count or statistics, which administrators may ask for of one owner.

    Raises as `Context.of_owner` does.
    """
    return await ctx.of_owner(owner_id)


OwnerCtx = Annotated[Context, Depends(get_owner_context)]
