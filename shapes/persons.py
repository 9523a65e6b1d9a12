"""People: what is stored of one is exported, or erased."""

from typing import Annotated, Any, ClassVar
from uuid import UUID

import strawberry
from pydantic import ConfigDict, Field
from strawberry.scalars import JSON

from shapes.described import DescribedEnum
from shapes.rules import either
from shapes.sending_projects import ProjectChannel
from shapes.shape import Created, Id, Shape, Timestamp
from shapes.where import Choice, Ids, TimeSpan, Where

MOST_DELETED = 1000
MOST_REASONS = 20


class ErasureState(DescribedEnum):
    """State of an erasure."""

    running = "running", "rows are being erased; nothing is sent to the person"
    done = "done", "nothing of the person is left but what `notErased` names"


class NotErased(Shape):
    """Something of the person that an erasure can't reach, or does not change."""

    kind: Annotated[str, Field(description="what it is", examples=["webhooks"])]
    reason: Annotated[str, Field(description="why it stays, and what you can do")]


class DeletedFile(Shape):
    """A file that an erasure has deleted whole."""

    kind: Annotated[str, Field(description="import, export or attachment")]
    subject_id: Annotated[UUID, Field(description="uuid of the import, the export or the file")]
    name: Annotated[str, Field(description="name of the file")]


class Erasure(Shape):
    """The erasure of a person: a contact with all its addresses, or an address that no contact has."""

    id: Id
    state: Annotated[ErasureState, Field(description="its state")]
    state_reason: Annotated[
        str | None, Field(description="what it waits for, or why it is tried again; null: nothing")
    ]
    contact_id: Annotated[UUID | None, Field(description="the contact that is erased; null: there was none")]
    address_hash: Annotated[
        str | None,
        Field(
            description="HMAC of the address that the request has named, which is the same for the same address; "
            "null: the request has named the contact"
        ),
    ]
    requested_by: Annotated[
        UUID | None,
        Field(description="the user who has asked for it; null: the person, by the page of preferences"),
    ]
    counts: Annotated[
        dict[str, Any],
        Field(description="how many rows of each table were deleted or emptied so far"),
        strawberry.field(graphql_type=JSON),
    ]
    deleted: Annotated[list[DeletedFile], Field(description="the files that were deleted whole")]
    not_erased: Annotated[list[NotErased], Field(description="what can't be erased, or stays")]
    finished_at: Annotated[Timestamp | None, Field(description="when it was done; null: it runs")]
    created_at: Created


class PersonReference(Shape):
    """A person: either a contact, or an address on a channel."""

    model_config = ConfigDict(json_schema_extra=either("contactUuid", "address"))

    contact_uuid: Annotated[
        UUID | None,
        Field(description="uuid of the contact", examples=["01890000-0000-7000-8000-000000000001"]),
    ] = None
    channel: Annotated[
        ProjectChannel | None, Field(description="channel of `address`", examples=["email"])
    ] = None
    address: Annotated[
        str | None,
        Field(
            min_length=1,
            max_length=4096,
            description="an address of the person; if a contact has it, the person is that contact with all its "
            "addresses",
        ),
    ] = None


class ErasePerson(PersonReference):
    """The person who is to be erased."""


class ExportPerson(PersonReference):
    """The person whose data is to be exported."""


class ErasureWhere(Where):
    """Filter for erasures."""

    kinds: ClassVar = {"id": "Erasure", "owner_id": "User"}

    id: Annotated[Ids | None, Field(description="filter by id")] = None
    owner_id: Annotated[Ids | None, Field(description="filter by owner")] = None
    state: Annotated[Choice[ErasureState] | None, Field(description="filter by state")] = None
    created_at: Annotated[TimeSpan | None, Field(description="filter by the time of the request")] = None
