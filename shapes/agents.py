"""Agents that a person has connected: programs with a grant of OAuth 2.1, which is an API token with its limits."""

from typing import Annotated
from uuid import UUID

from pydantic import Field

from shapes.auth import APPROVAL_ABOVE, ApprovalAbove, MessagesPerDay, Scopes, SpendPerDay
from shapes.passwords import RepeatedPassword
from shapes.shape import Cost, Created, Line, Shape, Timestamp

MOST_SCOPES = 100

_ClientId = Annotated[
    Line,
    Field(
        min_length=1,
        max_length=500,
        description="`client_id` of the request: a URL of the client's metadata, or an id of this installation",
        examples=["https://agent.example.com/client.json"],
    ),
]
_RedirectUri = Annotated[
    Line,
    Field(
        min_length=1,
        max_length=2000,
        description="`redirect_uri` of the request, one that the client has named before",
        examples=["http://127.0.0.1:33418/callback"],
    ),
]


class AgentRequest(Shape):
    """The request of an agent for access, as it stands in the query of `/oauth/authorize` (OAuth 2.1, RFC 8707)."""

    client_id: _ClientId
    redirect_uri: _RedirectUri
    response_type: Annotated[
        Line, Field(max_length=50, description="`response_type`; `code` is served", examples=["code"])
    ]
    code_challenge: Annotated[
        Line,
        Field(
            max_length=128,
            description="`code_challenge` (RFC 7636)",
            examples=["E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM"],
        ),
    ]
    code_challenge_method: Annotated[
        Line, Field(max_length=10, description="`code_challenge_method`; S256 is served", examples=["S256"])
    ]
    resource: Annotated[
        Line | None,
        Field(max_length=2000, description="`resource`: the address of /mcp; without it the same"),
    ] = None
    scope: Annotated[
        Line | None, Field(max_length=4000, description="`scope`: permissions, separated by spaces")
    ] = None
    state: Annotated[
        Line | None, Field(max_length=2000, description="`state`, which the client gets back")
    ] = None


class AgentReview(Shape):
    """Says who asks for access, before a person decides."""

    client_name: Annotated[str, Field(description="name of the client, as it says itself")]
    client_host: Annotated[
        str | None,
        Field(
            description="the site that vouches for the client; null: it was registered here, or runs locally"
        ),
    ]
    redirect_host: Annotated[str, Field(description="where the access goes")]
    local: Annotated[bool, Field(description="whether that is a program on the person's own machine")]
    scopes: Annotated[
        list[str],
        Field(max_length=MOST_SCOPES, description="permissions that it asks for, and that the caller has"),
    ]
    available: Annotated[
        list[str],
        Field(
            max_length=MOST_SCOPES, description="permissions that an agent can have, and that the caller has"
        ),
    ]
    deny_url: Annotated[str, Field(description="where the browser goes if the person refuses")]


class AllowAgent(AgentRequest):
    """A person's consent: the agent's request, and what it may do."""

    scopes: Scopes
    spend_per_day: Annotated[
        SpendPerDay | None,
        Field(description="the most that its messages may cost in a day (UTC); null: no limit"),
    ] = None
    messages_per_day: Annotated[
        MessagesPerDay | None,
        Field(description="the most single messages that it may send in a day; null: no limit"),
    ] = None
    approval_above: Annotated[ApprovalAbove | None, Field(description=APPROVAL_ABOVE)] = None
    days: Annotated[
        int | None, Field(ge=1, le=3650, description="days after which the access ends; null: it does not")
    ] = None
    password: RepeatedPassword | None = None


class AllowedAgent(Shape):
    """The result of a consent."""

    redirect_url: Annotated[
        str, Field(description="where the browser goes: the client, with a code of one minute")
    ]


class ConnectedAgent(Shape):
    """An agent that has access. Its access is an API token, which ends it when it is revoked."""

    token_uuid: Annotated[UUID, Field(description="uuid of its API token")]
    client_name: Annotated[str, Field(description="name of the client, as it says itself")]
    client_host: Annotated[
        str | None,
        Field(
            description="the site that vouches for the client; null: it was registered here, or runs locally"
        ),
    ]
    redirect_host: Annotated[str, Field(description="where the access went")]
    scopes: Annotated[list[str], Field(max_length=MOST_SCOPES, description="permissions that it has")]
    approval_above: Annotated[
        int | None,
        Field(description="recipients in 24 hours that it may reach without an approval; null: no limit"),
    ]
    last_used_at: Annotated[Timestamp | None, Field(description="when it last called; null: never")]
    created_at: Created


class ConnectedAgents(Shape):
    """The agents that have access."""

    items: Annotated[list[ConnectedAgent], Cost(most=100), Field(description="newest first, at most 100")]


class RegisterClient(Shape):
    """A client that registers itself (RFC 7591)."""

    client_name: Annotated[Line, Field(min_length=1, max_length=200, description="its name")]
    redirect_uris: Annotated[
        list[_RedirectUri], Field(min_length=1, max_length=10, description="where it is")
    ]


class AgentCode(Shape):
    """A code that a client exchanges for tokens (OAuth 2.1, PKCE)."""

    code: Annotated[Line, Field(max_length=200)]
    client_id: _ClientId
    redirect_uri: _RedirectUri
    code_verifier: Annotated[Line, Field(max_length=128)]
    resource: Annotated[Line | None, Field(max_length=2000)] = None
