"""Mails that came back, in GraphQL."""

import strawberry

from resolvers import mail_reports
from schema.frame import graphql
from schema.frame.graphql import Info
from shapes.mail_reports import (
    MailReportEffect,
    MailReportMessage,
    MailReportPreview,
    MailReportRecipient,
    ParseMailReport,
)

graphql.input(ParseMailReport, description=ParseMailReport.__doc__)
for answer in (MailReportRecipient, MailReportEffect, MailReportMessage, MailReportPreview):
    graphql.type(answer, description=answer.__doc__)


@strawberry.type
class Query:
    @graphql.query(
        "Reads a mail that came back, and returns what it says and what it would lead to. It changes nothing. "
        "Administrators only."
    )
    async def parse_mail_report(self, info: Info, input: ParseMailReport) -> MailReportPreview | None:
        return await mail_reports.preview(info.context, input)
