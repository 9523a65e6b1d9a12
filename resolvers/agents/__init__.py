"""Agents: programs that act for a person by MCP. The person consents in the console, and what the agent gets is an API
token, with its scopes and limits; so it ends, is limited and is audited as every token is (contract §9.3).

    /oauth/authorize ──► console: review ──► allow: API token + code ──► client ──► exchange: a login by that token
"""

import base64
import hashlib
import hmac
import re
from collections.abc import Mapping
from datetime import timedelta
from typing import Final
from urllib.parse import urlencode, urlsplit

from sqlalchemy import func, or_, select

from core.errors import BadRequest, Conflict, NotFound, Unauthenticated
from core.rate_limits import Limit
from core.tokens import digest, new_secret
from db import models
from engine.credentials import Keep
from resolvers.agents.clients import AgentClient, client_of, host_of, is_local, is_redirect
from resolvers.api_tokens import make_token
from resolvers.auth.login_limits import limit_address
from resolvers.auth.sessions import open_session
from resolvers.auth.token_rows import mine, require_own_login, revoke_token, user_of
from runtime import links
from runtime.operation import Op, operation
from runtime.permissions import Permission, allowed
from shapes.agents import (
    AgentCode,
    AgentRequest,
    AgentReview,
    AllowAgent,
    AllowedAgent,
    ConnectedAgent,
    ConnectedAgents,
    RegisterClient,
)
from shapes.auth import AuthTokens, NewApiToken

CODE_SECONDS: Final = 60
LONGEST_TOKEN_NAME: Final = 64
MOST_LISTED: Final = 100
MOST_CLIENTS: Final = 10_000
_CHALLENGE: Final = re.compile(r"[A-Za-z0-9_-]{43}")
_VERIFIER: Final = re.compile(r"[A-Za-z0-9._~-]{43,128}")
OFFERED: Final = (
    Permission.profile_read,
    Permission.accounts_read,
    Permission.messages_read,
    Permission.messages_send,
    Permission.projects_read,
    Permission.projects_write,
    Permission.projects_send,
    Permission.recipients_write,
    Permission.contacts_read,
)
"""The permissions that the tools of agents need. An agent can have no others, whatever it asks for."""
_USUAL: Final = ("accounts:read", "messages:read", "messages:send", "projects:read", "profile:read")
"""The permissions that are proposed for an agent that asks for none."""
_REVIEWS: Final = Limit("agent-reviews", 30, 60.0)
_REGISTRATIONS: Final = Limit.parse("agent-clients", "20/3600")
_REMEMBERED: Final = timedelta(days=1)
_FULL: Final = select(select(models.AgentClient).offset(MOST_CLIENTS - 1).exists())
_REFRESHES: Final = """
SELECT g.client_id FROM refresh_tokens AS r JOIN sessions AS s ON s.id = r.session_id
JOIN agent_grants AS g ON g.token_id = s.api_token_id WHERE r.token_hash = $1
"""


def resource(op: Op) -> str:
    """Returns the address of /mcp, which is the resource that grants are for (RFC 8707)."""
    return f"{links.base(op.services.settings)}/mcp"


@operation(Permission.profile_read, "read", of_owner=True)
async def review(op: Op, input: AgentRequest) -> AgentReview:
    """Says who asks for access, before a person decides. Nothing is granted.

    Raises BadRequest (`unknown_client`, `bad_redirect`, `bad_agent_request`), UpstreamFailed.
    """
    await op.services.limiter.enforce(_REVIEWS, str(op.viewer.actor_id), "reviews of agents")
    client = await _checked(op, input)
    asked = (input.scope or "").split() or _USUAL
    available = [each.value for each in OFFERED if allowed(op.viewer, each)]
    refused = {"error": "access_denied", "error_description": "The person has refused."}
    return AgentReview(
        client_name=client.name,
        client_host=client.host,
        redirect_host=host_of(input.redirect_uri),
        local=is_local(input.redirect_uri),
        scopes=[name for name in available if name in asked],
        available=available,
        deny_url=_back(op, input, refused),
    )


async def _checked(op: Op, input: AgentRequest) -> AgentClient:
    """Returns the client of a request. Raises BadRequest, UpstreamFailed."""
    client = await client_of(op, input.client_id)
    if not is_redirect(input.redirect_uri) or not client.allows(input.redirect_uri):
        raise BadRequest(
            f"{client.name} has not named this redirect_uri, so a code for it is not sent there. Begin again in the"
            " client.",
            code="bad_redirect",
        )
    if input.response_type != "code":
        raise _bad_request("response_type must be code")
    if input.code_challenge_method != "S256" or not _CHALLENGE.fullmatch(input.code_challenge):
        raise _bad_request("code_challenge must be 43 characters of SHA-256, with code_challenge_method S256")
    if input.resource is not None and input.resource.rstrip("/") != resource(op):
        raise _bad_request(f"resource must be {resource(op)}")
    return client


def _bad_request(rule: str) -> BadRequest:
    return BadRequest(
        f"The client's request can't be granted: {rule}. Tell its maker.", code="bad_agent_request"
    )


def _back(op: Op, input: AgentRequest, answer: Mapping[str, str]) -> str:
    """Returns the client's address with an answer, the client's state, and who answers (RFC 9207)."""
    state = {} if input.state is None else {"state": input.state}
    query = urlencode({**answer, **state, "iss": links.base(op.services.settings)})
    return f"{input.redirect_uri}{'&' if urlsplit(input.redirect_uri).query else '?'}{query}"


async def _admit(op: Op, input: AllowAgent) -> AgentClient:
    await require_own_login(op, "connect agents")
    await op.services.limiter.enforce(_REVIEWS, str(op.viewer.actor_id), "reviews of agents")
    if others := sorted({*input.scopes} - {each.value for each in OFFERED}):
        raise BadRequest(
            f"No tool of agents needs {others[0]}, so no agent gets it. Leave it out.",
            code="bad_agent_request",
        )
    return await _checked(op, input)


@operation(Permission.profile_write, of_owner=True, before=_admit)
async def allow(op: Op, input: AllowAgent) -> AllowedAgent:
    """Gives an agent access: makes an API token with these limits, and a code of one minute by which the agent gets a
    login of that token. Raises BadRequest, Forbidden (an API token can't; a scope beyond the caller's), Conflict.
    """
    client: AgentClient = op.prepared
    limits = {
        name: getattr(input, name)
        for name in ("spend_per_day", "messages_per_day", "approval_above", "password")
        if getattr(input, name) is not None
    }
    if input.days is not None:
        limits["expires_at"] = op.services.db.now() + timedelta(days=input.days)
    made = await make_token(
        op,
        NewApiToken(name=_token_name(client), scopes=input.scopes, **limits),
        "connect agents",
    )
    code = new_secret()
    op.session.add(
        models.AgentGrant(
            token_id=made.api_token.id,
            client_id=client.id,
            client_name=client.name,
            redirect_uri=input.redirect_uri,
            code_hash=digest(code),
            code_challenge=input.code_challenge,
            code_expires_at=op.services.db.now() + timedelta(seconds=CODE_SECONDS),
        )
    )
    await op.session.flush()
    return AllowedAgent(redirect_url=_back(op, input, {"code": code}))


def _token_name(client: AgentClient) -> str:
    """Returns the client's name, with the site that vouches for it, as short as the name of a token has to be."""
    vouched = f" ({client.host})" if client.host else ""
    return f"{client.name[:40]}{vouched}"[:LONGEST_TOKEN_NAME].strip()


@operation(Permission.profile_read, "read", of_owner=True)
async def connected(op: Op) -> ConnectedAgents:
    """Lists the agents that have access, newest first; revoking its API token ends that of one."""
    conditions, values = mine(op)
    statement = (
        select(models.AgentGrant, models.ApiToken)
        .join(models.ApiToken, models.ApiToken.id == models.AgentGrant.token_id)
        .where(
            *conditions,
            models.ApiToken.revoked_at.is_(None),
            models.AgentGrant.code_used_at.is_not(None),
            or_(models.ApiToken.expires_at.is_(None), models.ApiToken.expires_at > func.now()),
        )
        .order_by(models.ApiToken.id.desc())
        .limit(MOST_LISTED)
    )
    async with op.db.session() as session:
        rows = (await session.execute(statement, values)).all()
    return ConnectedAgents(
        items=[
            ConnectedAgent(
                token_uuid=token.id,
                client_name=grant.client_name,
                client_host=urlsplit(grant.client_id).hostname if "://" in grant.client_id else None,
                redirect_host=host_of(grant.redirect_uri),
                scopes=token.scopes or [],
                approval_above=token.approval_above,
                last_used_at=token.last_used_at,
                created_at=token.created_at,
            )
            for grant, token in rows
        ]
    )


async def _limit_codes(op: Op, input: AgentCode) -> None:
    await limit_address(op, Limit.parse("agent-codes", op.services.settings.limit_login), "codes")


@operation(Permission.public, before=_limit_codes)
async def exchange(op: Op, input: AgentCode) -> AuthTokens:
    """Exchanges a code for an access token and a refresh token. A code that is used twice ends the access that came of
    it. Raises Unauthenticated (`invalid_grant`), Forbidden, RateLimited.
    """
    session = op.session
    grant = await session.scalar(
        select(models.AgentGrant).where(models.AgentGrant.code_hash == digest(input.code)).with_for_update()
    )
    if grant is None:
        raise _no_grant()
    token = await session.get_one(models.ApiToken, grant.token_id)
    user, token = await user_of(op, session, token.token_hash)
    if grant.code_expires_at < op.services.db.now() - _REMEMBERED:
        raise _no_grant()  # such as one in the history of a browser
    if grant.code_used_at is not None:
        await revoke_token(op, token, Keep())
        raise _no_grant(commit=True)
    if not _is_for(op, grant, input):
        raise _no_grant()
    grant.code_used_at = op.services.db.now()
    op.ctx.require_network(token.networks)
    return await open_session(op, session, user, token)


def _is_for(op: Op, grant: models.AgentGrant, input: AgentCode) -> bool:
    """Returns whether a code comes from the client that asked for it, in time."""
    made = (
        base64.urlsafe_b64encode(hashlib.sha256(input.code_verifier.encode()).digest()).decode().rstrip("=")
    )
    return (
        grant.code_expires_at > op.services.db.now()
        and grant.client_id == input.client_id
        and grant.redirect_uri == input.redirect_uri
        and _VERIFIER.fullmatch(input.code_verifier) is not None
        and hmac.compare_digest(made, grant.code_challenge)
        and (input.resource is None or input.resource.rstrip("/") == resource(op))
    )


@operation(Permission.public, "read")
async def require_client(op: Op, refresh_token: str, client_id: str) -> None:
    """Raises Unauthenticated (`invalid_grant`) unless a refresh token was given to this client."""
    if await op.db.fetchval(_REFRESHES, digest(refresh_token)) != client_id:
        raise _no_grant()


@operation(Permission.public, "write")
async def register(op: Op, input: RegisterClient) -> str:
    """Registers a client that asks for it itself. Returns its id. Raises NotFound if that is switched off, BadRequest
    (`bad_redirect`), RateLimited, Conflict.
    """
    if not op.services.settings.mcp_registration:
        raise NotFound(
            "Clients don't register themselves here. Publish a client id metadata document, or ask the operator.",
            code="registration_off",
        )
    await limit_address(op, _REGISTRATIONS, "registrations of clients")
    for uri in input.redirect_uris:
        if not is_redirect(uri):
            raise BadRequest(
                "redirect_uris: use https, a loopback address, or a scheme of your program.",
                code="bad_redirect",
            )
    if await op.session.scalar(_FULL):
        raise Conflict("Too many clients are registered here. Try again tomorrow.", code="too_many_clients")
    id = new_secret("agent_")
    op.session.add(
        models.AgentClient(
            client_id=id, name=input.client_name, redirect_uris=input.redirect_uris, by_itself=True
        )
    )
    return id


def _no_grant(*, commit: bool = False) -> Unauthenticated:
    return Unauthenticated(
        "The code is not valid, or was used. Connect the agent again.", code="invalid_grant", commit=commit
    )
