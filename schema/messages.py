"""Messages in GraphQL."""

from datetime import UTC, datetime
from decimal import Decimal
from typing import TYPE_CHECKING, Annotated, Any

import strawberry

from db import models
from db.lists import Conditions, PageArgs
from resolvers import accounts, mail_reports, messages, users, webhook_deliveries
from resolvers.messages import waiting
from schema.accounts import Account, LedgerEntry
from schema.frame import graphql
from schema.frame.connections import Connection, as_type, connection
from schema.frame.graphql import ID, JSON, Info, local_id
from schema.frame.loaders import relation
from schema.mail_reports import MailReport
from schema.webhook_deliveries import WebhookDelivery
from shapes import messages as types
from shapes.event_webhooks import WebhookDeliveryWhere
from shapes.mail_reports import MailReportWhere
from shapes.message_chains import MOST_STEPS, STEPS, ChainStep, MessageStep, SendMessage, present_price
from shapes.messages import FAILED_ATTEMPTS, FailedAttempt, MessageWhere
from shapes.shape import Cost, Timestamp
from shapes.waiting import WAITING_FOR, WaitingFor

if TYPE_CHECKING:
    from schema.users import User

Owner = Annotated["User", strawberry.lazy("schema.users")]

graphql.input(ChainStep, description=ChainStep.__doc__)
graphql.input(SendMessage, description=SendMessage.__doc__)
graphql.input(MessageWhere, description=MessageWhere.__doc__)
graphql.type(MessageStep, name="MessageStep", description=MessageStep.__doc__)
graphql.type(FailedAttempt, name="FailedAttempt", description=FailedAttempt.__doc__)
graphql.type(WaitingFor, name="WaitingFor", description=WaitingFor.__doc__)
graphql.type(types.StatusReport, name="StatusReport", description=types.StatusReport.__doc__)


@graphql.node("Message", row=models.Message, read=messages.get, description=types.Message.__doc__)
class Message(types.MessageFields):
    """The fields of REST, and further ones that only GraphQL has."""

    meta: Annotated[
        JSON,
        strawberry.field(
            name="metadata", description="the metadata that was given when the message was sent"
        ),
    ]
    segments: Annotated[int, strawberry.field(description="number of SMS segments that were charged")]
    attempts: Annotated[int, strawberry.field(description="number of failed sending attempts")]
    provider: Annotated[
        str | None,
        strawberry.field(
            description="the label of the route that it was given to, such as `smpp-2`, or the name of a route that an "
            "administrator has made; null until it was"
        ),
    ]
    sent_at: Annotated[
        Timestamp | None,
        strawberry.field(description="when the provider accepted the message; null: not yet"),
    ]
    delivered_at: Annotated[
        Timestamp | None, strawberry.field(description="when the message was delivered; null: not reported")
    ]
    bounced_at: Annotated[
        Timestamp | None,
        strawberry.field(description="when a mail first reported that it came back; null: none did"),
    ]
    complained_at: Annotated[
        Timestamp | None,
        strawberry.field(description="when the recipient first reported it as spam; null: not reported"),
    ]

    @graphql.computed(types.STATE, "state", "send_at", name="deliveryState")
    def exact_state(self: Any) -> types.DeliveryState:
        return types.visible_state(self.state, self.send_at, datetime.now(UTC))

    @graphql.computed(types.PRICE, "price", "state", "reported_by", "step", name="price")
    def cost(self: Any) -> Decimal:
        return present_price(self.price, self.state, self.reported_by, self.step)

    @graphql.computed(FAILED_ATTEMPTS, "failed_attempts", name="failedAttempts", cost=Cost(most=20))
    def typed_failed_attempts(self: Any) -> list[FailedAttempt]:
        return [FailedAttempt.model_validate(attempt) for attempt in self.failed_attempts or ()]

    @relation(WAITING_FOR, *waiting.OF_MESSAGES, name="waitingFor")
    async def waits(rows: Any, info: Info) -> list[WaitingFor | None]:
        return as_type(await messages.waiting_for(info.context, rows))

    @relation(STEPS, "id", "step", name="steps", cost=Cost(most=MOST_STEPS))
    async def chain_steps(rows: Any, info: Info) -> list[list[MessageStep] | None]:
        return as_type(await messages.steps(info.context, rows))

    @relation(
        "deliveries of its events to webhooks, newest event first; delivered ones only while they are kept",
        where=WebhookDeliveryWhere,
    )
    async def webhook_deliveries(
        rows: Any, info: Info, page_args: PageArgs, where: Conditions
    ) -> list[Connection[WebhookDelivery] | None]:
        return as_type(
            await webhook_deliveries.of_subjects(info.context, [row.id for row in rows], page_args, where)
        )

    @relation("reports about it that came back as mail, newest first", where=MailReportWhere)
    async def mail_reports(
        rows: Any, info: Info, page_args: PageArgs, where: Conditions
    ) -> list[Connection[MailReport] | None]:
        return as_type(
            await mail_reports.of_messages(info.context, [row.id for row in rows], page_args, where)
        )

    @relation("the user who owns this message", "owner_id")
    async def owner(rows: Any, info: Info) -> list[Owner | None]:
        return as_type(await users.by_ids(info.context, [row.owner_id for row in rows], info.columns))

    @relation("the account that pays", "account_id")
    async def account(rows: Any, info: Info) -> list[Account | None]:
        return as_type(await accounts.by_ids(info.context, [row.account_id for row in rows], info.columns))

    @relation("the charge, and the refund if it failed, oldest first", cost=Cost(most=10))
    async def ledger_entries(rows: Any, info: Info) -> list[list[LedgerEntry] | None]:
        return as_type(await accounts.entries_of_messages(info.context, [row.id for row in rows]))


@strawberry.type
class Query:
    @graphql.query()
    async def message(self, info: Info, id: ID) -> Message | None:
        return Message.of(await messages.get(info.context, local_id(id, "Message")))

    @graphql.query()
    async def message_status(self, info: Info, id: ID) -> types.StatusReport | None:
        return await messages.status(info.context, local_id(id, "Message"))

    @connection(where=MessageWhere)
    async def messages(
        self, info: Info, page_args: PageArgs, where: Conditions
    ) -> Connection[Message] | None:
        return as_type(await messages.page(info.context, page_args, where))


@strawberry.type
class Mutation:
    @graphql.mutation()
    async def send_message(self, info: Info, input: SendMessage) -> Message | None:
        return Message.of(await messages.send(info.context, input))

    @graphql.mutation()
    async def cancel_message(self, info: Info, id: ID) -> Message | None:
        return Message.of(await messages.cancel(info.context, local_id(id, "Message")))

    @graphql.mutation()
    async def reschedule_message(
        self,
        info: Info,
        id: ID,
        send_at: Annotated[
            datetime,
            graphql.argument(
                "when it is sent at the earliest, at most 90 days ahead; a time that has passed: at once"
            ),
        ],
    ) -> Message | None:
        return Message.of(await messages.reschedule(info.context, local_id(id, "Message"), send_at))
