"""The audit: who changed what, and what was refused."""

from typing import Annotated, Any, ClassVar
from uuid import UUID

import strawberry
from pydantic import Field
from strawberry.scalars import JSON

from shapes.described import DescribedEnum
from shapes.shape import Created, Id, Shape
from shapes.where import Choice, Exactly, Ids, TimeSpan, Where


class AuditActorKind(DescribedEnum):
    """By what an operation was called."""

    user = "user", "a login"
    token = "token", "an API token"
    console = "console", "a login of the web console"
    cli = "cli", "the command line of the operator"
    system = "system", "the service itself"
    provider = "provider", "a provider"
    hook_secret = "hook_secret", "a request to a delivery hook, signed with a hook secret"
    hook_key = "hook_key", "a request to a delivery hook with a hook key"


class AuditResult(DescribedEnum):
    """The result of an operation."""

    done = "done", "the change was made"
    refused = "refused", "the login, or the operation, was refused"


class AuditEntry(Shape):
    """A change of one object, or a refused login or operation. Entries are never changed, and are deleted by month."""

    id: Id
    created_at: Created
    owner_id: Annotated[
        UUID | None,
        Field(description="the user whose data it is about; null: the installation's, or an unknown login"),
    ]
    actor_id: Annotated[
        UUID | None,
        Field(description="the user who did it; null: the operator, or a caller who is not logged in"),
    ]
    actor_email: Annotated[
        str | None,
        Field(
            description="email of the user who did it, as it was invited, if this user is or was a member of the"
            " owner; null: no member"
        ),
    ] = None
    actor_kind: Annotated[AuditActorKind, Field(description="by what it was called")]
    token_id: Annotated[
        UUID | None,
        Field(
            description="the API token that was used, or that opened the login; of a report to a hook, the hook secret"
            " or hook key; null: none"
        ),
    ]
    session_id: Annotated[UUID | None, Field(description="the login; null: none")]
    operation: Annotated[
        str,
        Field(
            description="what was called: the feature and the verb; `cli.` begins commands of the operator",
            examples=["sending_projects.update"],
        ),
    ]
    object_type: Annotated[str, Field(description="kind of the object", examples=["project"])]
    object_id: Annotated[
        str | None,
        Field(
            description="id of the object, or the key of a setting; of a refused login: a hash of the email; null:"
            " many objects, or none"
        ),
    ]
    result: Annotated[AuditResult, Field(description="whether it was done")]
    code: Annotated[str | None, Field(description="code of the error of what was refused; null: it was done")]
    ip: Annotated[str | None, Field(description="the caller's address; null: there was no request")]
    request_id: Annotated[str | None, Field(description="id of the request, as in the service's log")]
    changes: Annotated[
        dict[str, Any],
        Field(
            description="each changed field with its value before and after. Secrets are `***`. Addresses and texts are"
            " hashes: equal ones have the same",
            examples=[{"name": ["Spring", "Summer"]}],
        ),
        strawberry.field(graphql_type=JSON),
    ]


class AuditEntryWhere(Where):
    """Filter for entries of the audit."""

    kinds: ClassVar = {"owner_id": "User", "actor_id": "User", "token_id": "ApiToken"}

    owner_id: Annotated[Ids | None, Field(description="filter by the owner of the data")] = None
    actor_id: Annotated[Ids | None, Field(description="filter by the user who did it")] = None
    token_id: Annotated[Ids | None, Field(description="filter by API token")] = None
    operation: Annotated[Exactly | None, Field(description="filter by operation")] = None
    object_type: Annotated[Exactly | None, Field(description="filter by the kind of the object")] = None
    object_id: Annotated[Exactly | None, Field(description="filter by the id of the object")] = None
    result: Annotated[Choice[AuditResult] | None, Field(description="filter by result")] = None
    created_at: Annotated[TimeSpan | None, Field(description="filter by time")] = None
