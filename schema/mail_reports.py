"""Mails that came back, in GraphQL."""

from typing import TYPE_CHECKING, Annotated, Any

import strawberry

from db import models
from db.lists import Conditions, PageArgs
from resolvers import mail_reports, users
from schema.frame import graphql
from schema.frame.connections import Connection, as_type, connection
from schema.frame.graphql import ID, Info, local_id
from schema.frame.loaders import relation
from shapes import mail_reports as types
from shapes.mail_reports import (
    MailReportEffect,
    MailReportMail,
    MailReportMessage,
    MailReportPreview,
    MailReportRecipient,
    MailReportWhere,
    ParseMailReport,
)

if TYPE_CHECKING:
    from schema.users import User

Owner = Annotated["User", strawberry.lazy("schema.users")]

for part in (ParseMailReport, MailReportWhere):
    graphql.input(part, description=part.__doc__)
for answer in (MailReportRecipient, MailReportEffect, MailReportMessage, MailReportPreview, MailReportMail):
    graphql.type(answer, description=answer.__doc__)


@graphql.node(
    "MailReport", row=models.MailReport, read=mail_reports.get, description=types.MailReport.__doc__
)
class MailReport(types.MailReport):
    @relation("the owner of the message", "owner_id")
    async def owner(rows: Any, info: Info) -> list[Owner | None]:
        return as_type(await users.by_ids(info.context, [row.owner_id for row in rows], info.columns))


@strawberry.type
class Query:
    @connection(where=MailReportWhere)
    async def mail_reports(
        self, info: Info, page_args: PageArgs, where: Conditions
    ) -> Connection[MailReport] | None:
        return as_type(await mail_reports.page(info.context, page_args, where))

    @graphql.query()
    async def mail_report(self, info: Info, id: ID) -> MailReport | None:
        return MailReport.of(await mail_reports.get(info.context, local_id(id, "MailReport")))

    @graphql.query()
    async def mail_report_mail(self, info: Info, id: ID) -> MailReportMail | None:
        return await mail_reports.mail(info.context, local_id(id, "MailReport"))

    @graphql.query()
    async def parse_mail_report(self, info: Info, input: ParseMailReport) -> MailReportPreview | None:
        return await mail_reports.preview(info.context, input)
