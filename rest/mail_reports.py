"""Routes under /mail-reports: mails that came back. Postern's own."""

from typing import Annotated, Any
from uuid import UUID

from fastapi import Path

from db.lists import Conditions, PageArgs
from resolvers import mail_reports
from rest.frame.errors import errors
from rest.frame.filters import filters_of
from rest.frame.routing import BEARER, After, Limit, router
from runtime.context import Ctx
from shapes.mail_reports import (
    MailReport,
    MailReportMail,
    MailReportPreview,
    MailReportWhere,
    ParseMailReport,
)
from shapes.page import PageByCursor

api = router(
    "mail-reports", "Bounces and complaints that come back as mail.", prefix="/mail-reports", extension=True
)


Id = Annotated[UUID, Path(alias="reportUuid")]


@api.get(
    "",
    response_model=PageByCursor[MailReport],
    responses=errors(400, 401, 503),
    openapi_extra={**BEARER},
)
async def list(
    ctx: Ctx,
    where: Annotated[Conditions, filters_of(MailReportWhere)],
    after: After = None,
    limit: Limit = 20,
) -> Any:
    return await mail_reports.page(ctx, PageArgs(first=limit, after=after), where)


@api.get(
    "/{reportUuid}",
    response_model=MailReport,
    responses=errors(400, 401, 404, 503),
    openapi_extra={**BEARER},
)
async def get(ctx: Ctx, id: Id) -> Any:
    return await mail_reports.get(ctx, id)


@api.get(
    "/{reportUuid}/mail",
    response_model=MailReportMail,
    responses=errors(400, 401, 404, 503),
    openapi_extra={**BEARER},
)
async def get_mail(ctx: Ctx, id: Id) -> Any:
    return await mail_reports.mail(ctx, id)


@api.post(
    "/preview",
    response_model=MailReportPreview,
    responses=errors(400, 401, 403, 404, 429, 503),
    openapi_extra={**BEARER},
)
async def preview(ctx: Ctx, body: ParseMailReport) -> Any:
    return await mail_reports.preview(ctx, body)
