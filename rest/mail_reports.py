"""Routes under /mail-reports: mails that came back. Postern's own."""

from typing import Any

from resolvers import mail_reports
from rest.frame.errors import errors
from rest.frame.routing import BEARER, router
from runtime.context import Ctx
from shapes.mail_reports import MailReportPreview, ParseMailReport

api = router(
    "mail-reports", "Bounces and complaints that come back as mail.", prefix="/mail-reports", extension=True
)


@api.post(
    "/preview",
    response_model=MailReportPreview,
    responses=errors(400, 401, 403, 404, 429, 503),
    openapi_extra={**BEARER},
)
async def preview(ctx: Ctx, body: ParseMailReport) -> Any:
    """Reads a mail that came back, and returns what it says and what it would lead to. It changes nothing.
    Administrators only.
    """
    return await mail_reports.preview(ctx, body)
