"""Routes under /message (specification §4): the messages of Sending Projects. One message is an extension."""

from typing import Annotated, Any
from uuid import UUID

from fastapi import Path, Query

from resolvers import message_records
from rest.frame.errors import errors
from rest.frame.routing import BEARER, EXTENSION, Limit, Page, router
from runtime.context import Ctx
from shapes import page as pages
from shapes.message_records import MessageRecord, RecordCount, RecordStatus
from shapes.sending_projects import ProjectChannel
from shapes.shape import NO_NUL, Timestamp

api = router("messages of projects", "The messages of projects, and their delivery.", prefix="/message")

OfProject = Annotated[
    UUID | None, Query(alias="sendingProjectUuid", description="only messages of this project")
]
OfAccount = Annotated[
    UUID | None, Query(alias="accountUuid", description="only messages sent by this source account")
]
To = Annotated[
    str | None,
    Query(
        min_length=1,
        max_length=4096,
        pattern=NO_NUL,
        description="only messages to or from this phone or address",
    ),
]
From = Annotated[
    Timestamp | None, Query(alias="dateFrom", description="only messages queued at or after this time")
]
Until = Annotated[
    Timestamp | None, Query(alias="dateTo", description="only messages queued before this time")
]
Since = Annotated[
    Timestamp | None, Query(alias="updatedSince", description="only entries changed at or after this time")
]


@api.get("/count", response_model=RecordCount, responses=errors(400, 401, 503), openapi_extra={**BEARER})
async def count(
    ctx: Ctx,
    sending_project_uuid: OfProject = None,
    account_uuid: OfAccount = None,
    channel: ProjectChannel | None = None,
    status: RecordStatus | None = None,
    phone: To = None,
    date_from: From = None,
    date_to: Until = None,
    updated_since: Since = None,
) -> Any:
    """Counts the messages of your projects. With a filter by account, phone or date, counting stops at 100,000."""
    return await message_records.count(
        ctx, sending_project_uuid, account_uuid, channel, status, phone, date_from, date_to, updated_since
    )


@api.get(
    "/list",
    response_model=pages.Page[MessageRecord],
    responses=errors(400, 401, 503),
    openapi_extra={**BEARER},
)
async def list(
    ctx: Ctx,
    page: Page = 1,
    limit: Limit = 20,
    sending_project_uuid: OfProject = None,
    account_uuid: OfAccount = None,
    channel: ProjectChannel | None = None,
    status: RecordStatus | None = None,
    phone: To = None,
    date_from: From = None,
    date_to: Until = None,
    updated_since: Since = None,
) -> Any:
    """Lists the messages of your projects and the replies to them, newest first."""
    return await message_records.list(
        ctx,
        page,
        limit,
        sending_project_uuid,
        account_uuid,
        channel,
        status,
        phone,
        date_from,
        date_to,
        updated_since,
    )


@api.get(
    "/{messageUuid}",
    response_model=MessageRecord,
    responses=errors(400, 401, 404, 503),
    openapi_extra={**BEARER},
    tags=EXTENSION,
)
async def get(ctx: Ctx, id: Annotated[UUID, Path(alias="messageUuid")]) -> Any:
    """Returns one message of a project, or a reply to one."""
    return await message_records.with_text(ctx, id)
