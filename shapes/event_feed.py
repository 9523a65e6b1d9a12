"""The event feed: what happens to a user's messages, projects and accounts, in an order that never changes."""

from typing import Annotated, Any
from uuid import UUID

import strawberry
from pydantic import Field
from strawberry.scalars import JSON

from shapes.shape import Shape, Timestamp

MOST_EVENTS = 1000
"""The most events of one page."""

MOST_TYPES = 100
"""The most types that a page can be limited to."""


class EventType(Shape):
    """A type of events: a line of the catalogue."""

    type: Annotated[str, Field(description="name of the type", examples=["message.delivered"])]
    subject: Annotated[str, Field(description="kind of object that its events are about")]
    data: Annotated[
        str, Field(description="GraphQL type of that object; the data of its events has its fields")
    ]
    when: Annotated[str, Field(description="when it happens")]


def _of(type: str, subject: str, data: str, when: str) -> EventType:
    return EventType(type=type, subject=subject, data=data, when=when)


def _message(type: str, when: str) -> EventType:
    return _of(f"message.{type}", "message or messageRecord", "Message or MessageRecord", when)


CATALOGUE = (
    _message("queued", "A message was queued: for the first time, or again after it was settled."),
    _message("sent", "A provider has accepted the message."),
    _message("delivered", "The provider reported that the message was delivered."),
    _message("read", "The provider reported that the message was read."),
    _message(
        "failed",
        "The message failed, and was refunded; `failureCode` says why. The provider reported it later, tries ran out …",
    ),
    _message(
        "refused",
        "The provider has refused the message, and it was refunded; `failureCode` says why. The same message would be"
        " refused again.",
    ),
    _message("expired", "The message was not delivered in the time that it was valid for, and was refunded."),
    _message("unknown", "Nobody knows whether the provider has the message; `failureCode` says why."),
    _message("skipped", "The message of a project was not sent: its recipient is blocked, its text is empty …"),
    _message(
        "canceled", "The message was not sent: it was canceled, its project was deleted, or its recipient replied."
    ),
    _message("replied", "The recipient of a project's message has replied for the first time."),
    _message(
        "bounced",
        "A mail reported for the first time that the email came back; `bounceClass` says what that is about. A message"
        " that was delivered stays so; any other fails, too.",
    ),
    _message("complained", "The recipient has reported the email as spam for the first time."),
    _of(
        "message.clicked",
        "click",
        "Click",
        "The recipient of a project's email has clicked on a link for the first time, once for each link; a click of a"
        " machine is none.",
    ),
    _of(
        "message.stepped",
        "message",
        "Message",
        "A chain went on to a further step, `step` of `stepCount`, since the one before failed or ran out of time.",
    ),
    _of(
        "message.settled",
        "message",
        "Message",
        "A chain begins no further step: one has reached its goal, or the last one has failed or run out of time.",
    ),
    _message("received", "A message has come in, or a reply to a project."),
    _of("project.scheduled", "sendingProject", "SendingProject", "The project will start at `startAt`; "
        "it is told again if that "
        "changes."),
    _of("project.started", "sendingProject", "SendingProject", "The project began to send."),
    _of("project.paused", "sendingProject", "SendingProject", "The project waits; `statusReason` says for what."),
    _of("project.resumed", "sendingProject", "SendingProject", "The project sends again after a pause."),
    _of(
        "project.progressed", "sendingProject", "SendingProject",
        "The `counts` of a running project have changed; at most once a second.",
    ),
    _of("project.stopped", "sendingProject", "SendingProject", "Its owner has stopped the project."),
    _of("project.finished", "sendingProject", "SendingProject", "All messages of the project are settled."),
    _of(
        "project.reconciled", "reconciliation", "Reconciliation",
        "The messages and the money of a project that has finished were counted and signed: once at its end, and once"
        " more when the reports are in.",
    ),
    _of("project.deleted", "sendingProject", "SendingProject", "The project was deleted."),
    _of("approval.asked", "approval", "Approval", "A person or an API token asks for the approval of a plan."),
    _of("approval.approved", "approval", "Approval", "A plan was approved: its project may start until `expiresAt`."),
    _of("approval.refused", "approval", "Approval", "A plan was refused; `note` says why."),
    _of("approval.withdrawn", "approval", "Approval", "The request to approve a plan was withdrawn."),
    _of(
        "approval.voided", "approval", "Approval",
        "What a plan says was changed, so that its approval does not hold any more; `changed` says what it was.",
    ),
    _of("import.finished", "recipientImport", "RecipientImport", "An import of recipients was read to its end."),
    _of("import.failed", "recipientImport", "RecipientImport", "An import failed; `statusReason` says why."),
    _of("export.finished", "exportLink", "ExportLink", "The file of an export is ready."),
    _of("export.failed", "exportLink", "ExportLink", "An export failed; `statusReason` says why."),
    _of("block.added", "blockedPhone", "BlockedPhone", "A phone or an address was blocked."),
    _of(
        "address.suppressed", "blockedPhone", "BlockedPhone",
        "An address was blocked because emails to it come back, or because of a complaint; `block.added` is told, too,"
        " if it was not blocked before.",
    ),
    _of("block.removed", "blockedPhone", "BlockedPhone", "A block was removed."),
    _of(
        "contact.created", "contact", "Contact",
        "A contact was added. `parts` names what it has, such as `name`, `fields` and `addresses`; read the values by"
        " its uuid.",
    ),
    _of("contact.changed", "contact", "Contact", "A contact was changed; `parts` names what has another value now."),
    _of(
        "contact.deleted", "contact", "Contact",
        "A contact was deleted, or merged into another one, which `mergedIntoUuid` names.",
    ),
    _of(
        "contact.erased", "contact", "Contact",
        "A person was erased, with everything that was stored; erase what you have of the contact, too.",
    ),
    _of(
        "country.limited", "countryLimit", "CountryLimit",
        "Your cap of SMS to one country was reached: more are refused, or wait in their projects. At most once for each"
        " country and hour.",
    ),
    _of("account.credited", "account", "Account", "The account was credited with `amount`."),
    _of("account.low", "account", "Account", "The balance of the account has fallen below its `lowBalance`."),
    _of("account.empty", "account", "Account", "The balance of the account has become 0."),
    _of(
        "messengerAccount.changed", "messengerAccount", "MessengerAccount",
        "A messenger account has another state; `reason` says why.",
    ),
    _of(
        "messengerAccount.restricted", "messengerAccount", "MessengerAccount",
        "The messenger does not let an account write to strangers, or has named another end: `restrictedUntil`.",
    ),
    _of(
        "messengerAccount.lifted", "messengerAccount", "MessengerAccount",
        "The restriction of a messenger account has ended, or a person has asked for another try.",
    ),
    _of(
        "messengerAccount.updated", "messengerAccount", "MessengerAccount",
        "Meta says something about a WhatsApp Business account; `event` says what: a restriction, a violation, a"
        " ban, a review.",
    ),
    _of(
        "messengerAccount.rated", "messengerAccount", "MessengerAccount",
        "Meta has changed the quality of a phone number, or how many people it may write to first (`limit`).",
    ),
    _of(
        "template.changed", "messengerAccount", "MessengerAccount",
        "Meta has changed the status of a template: `templateName`, `templateLanguage`, `event` (such as APPROVED,"
        " REJECTED or PAUSED) and `reason`.",
    ),
    _of(
        "template.published", "templateVersion", "TemplateVersion",
        "A version of one of your templates was published: messages by it have its texts from now on.",
    ),
    _of(
        "marketing.stopped", "messengerAccount", "MessengerAccount",
        "A person has told WhatsApp to stop marketing messages of this account: `address` is blocked for promotional"
        " messages.",
    ),
    _of(
        "marketing.resumed", "messengerAccount", "MessengerAccount",
        "A person has told WhatsApp that marketing messages of this account may come again; that block has ended.",
    ),
    _of("chat.received", "messengerMessage", "MessengerMessage", "A message came in at a messenger account."),
    _of("chat.sent", "messengerMessage", "MessengerMessage", "The messenger has accepted a message of a chat."),
    _of("chat.delivered", "messengerMessage", "MessengerMessage", "A message of a chat was delivered."),
    _of("chat.read", "messengerMessage", "MessengerMessage", "A message of a chat was read."),
    _of("chat.failed", "messengerMessage", "MessengerMessage", "A message of a chat was not sent; "
        "`failureCode` says why."),
    _of("chat.closed", "messengerChat", "MessengerChat", "A chat was closed."),
    _of("chat.reopened", "messengerChat", "MessengerChat", "A closed chat was opened again, or a message came in."),
    _of("domain.verified", "domain", "Domain", "A domain was verified: emails may be sent from it."),
    _of("domain.lost", "domain", "Domain",
        "The record of a verified domain is gone; emails are still sent from it for a week."),
    _of("domain.expired", "domain", "Domain",
        "The record of a domain has been gone for a week; nothing is sent from it."),
    _of("brandDomain.verified", "brandDomain", "BrandDomain",
        "A domain for links and pages was verified: links are made with it."),
    _of("brandDomain.lost", "brandDomain", "BrandDomain",
        "The record of a domain for links and pages is gone; it works for another week."),
    _of("brandDomain.expired", "brandDomain", "BrandDomain",
        "The record of a domain for links and pages has been gone for a week, or is that of another user: it shows"
        " nothing any more."),
    _of("sender.requested", "sender", "Sender", "A user has asked for a sender of SMS; an administrator decides."),
    _of("sender.approved", "sender", "Sender", "A sender of SMS was approved: messages may be sent from it."),
    _of("sender.refused", "sender", "Sender", "A sender of SMS was refused; `reason` says why."),
    _of(
        "domain.degraded", "degradedProvider", "DegradedProvider",
        "A mailbox provider refuses your emails, or its users report them as spam: 0.3 % of at least 1,000 emails"
        " within 24 hours. Once, until it is below 0.1 % again.",
    ),
    _of(
        "subscription.pending", "topicSubscription", "TopicSubscription",
        "A contact was asked to confirm a subscription to a topic.",
    ),
    _of("subscription.confirmed", "topicSubscription", "TopicSubscription", "A subscription has become active."),
    _of("subscription.withdrawn", "topicSubscription", "TopicSubscription", "A subscription was withdrawn."),
    _of(
        "subscription.expired", "topicSubscription", "TopicSubscription",
        "A contact has not confirmed a subscription in time; it is withdrawn again, or there is none any more.",
    ),
    _of(
        "subscribe.capped", "signupForm", "SignupForm",
        "Your sign-up forms have asked as many addresses as they may in a day; further ones are not asked until there"
        " is room again. The form is the one by which that was met. At most once a day.",
    ),
    _of("verification.started", "verification", "Verification", "A code was asked for. No event has the code."),
    _of("verification.approved", "verification", "Verification", "The right code was entered."),
    _of(
        "verification.failed", "verification", "Verification",
        "The right code was not entered: `status` is `expired` or `too_many`.",
    ),
    _of(
        "verification.suspected", "suspectedGroup", "SuspectedGroup",
        "Codes to a group of numbers are not sent any more, since hardly any of them is approved. At most once for each"
        " group and hour.",
    ),
    _of("apiToken.created", "apiToken", "ApiToken", "An API token was made."),
    _of("apiToken.changed", "apiToken", "ApiToken", "The name, the expiry or a limit of an API token was changed."),
    _of(
        "apiToken.refused", "apiToken", "ApiToken",
        "A request went beyond what an API token is limited to; `lastRefusal` says in what. At most once an hour.",
    ),
    _of("apiToken.revoked", "apiToken", "ApiToken", "An API token was revoked."),
    _of("secondFactor.added", "secondFactor", "SecondFactor", "A second factor was confirmed: logins need it now."),
    _of("secondFactor.removed", "secondFactor", "SecondFactor", "A second factor was removed."),
    _of("member.invited", "member", "Member", "A person was invited to act for the owner."),
    _of("member.joined", "member", "Member", "A person has accepted the invitation, and may act for the owner now."),
    _of("member.changed", "member", "Member", "A member has another role or other permissions."),
    _of("member.removed", "member", "Member", "A member or an invitation was removed, or the member has left."),
    _of("hookSecret.created", "hookSecret", "HookSecret", "A secret or a key of the incoming hooks was made."),
    _of("hookSecret.revoked", "hookSecret", "HookSecret", "A secret or a key of the incoming hooks was revoked."),
    _of(
        "sink.failing", "eventSink", "EventSink",
        "Nothing could be published to the sink three times in a row; `lastError` says why. Its events wait in the"
        " feed.",
    ),
    _of("sink.recovered", "eventSink", "EventSink", "The sink publishes again after `sink.failing`."),
    _of(
        "feed.nearlyFull", "feed", "EventFeed",
        "The feed has four fifths of its limit, beyond which the oldest events are deleted.",
    ),
)  # fmt: skip
"""Every type of event. The triggers of the migrations record them; docs/events.md is generated from this table."""

TYPES = frozenset(event_type.type for event_type in CATALOGUE)

Cursor = Annotated[str, Field(max_length=512, description="opaque position in the feed")]


class Event(Shape):
    """Something that happened. Its fields never change."""

    id: Annotated[
        UUID,
        Field(description="id of the event; it is unique"),
        strawberry.field(name="uuid", description="the id that REST uses"),
    ]
    cursor: Annotated[str, Field(description="position of the event; pass it as `after` to go on behind it")]
    type: Annotated[str, Field(description="type of the event", examples=["message.delivered"])]
    at: Annotated[Timestamp, Field(description="when it happened")]
    subject: Annotated[
        str, Field(description="kind of object that the event is about", examples=["messageRecord"])
    ]
    subject_id: Annotated[UUID, Field(description="id of the object that the event is about")]
    sending_project_uuid: Annotated[UUID | None, Field(description="the project; null if there is none")]
    account_id: Annotated[UUID | None, Field(description="the account that pays; null if there is none")]
    data: Annotated[
        dict[str, Any],
        Field(description="fields of the object as it was then, with their names in GraphQL"),
        strawberry.field(graphql_type=JSON),
    ]


class EventPage(Shape):
    """Events in their order, and where to go on."""

    events: Annotated[list[Event], Field(description="the events, oldest first")]
    next: Annotated[
        str, Field(description="pass it as `after` of the next request, also if there are no events")
    ]
    more: Annotated[bool, Field(description="true if there are more events already")]


class EventFeed(Shape):
    """The state of your event feed."""

    recording: Annotated[bool, Field(description="true if events are recorded")]
    recording_since: Annotated[
        Timestamp | None, Field(description="since when events are recorded; null if they are not")
    ]
    count: Annotated[int, Field(description="number of events that can be read")]
    limit: Annotated[int, Field(description="beyond so many events the oldest are deleted")]
    nearly_full: Annotated[
        bool, Field(description="true from four fifths of the limit on, until a tenth of that is free again")
    ]
    retention_days: Annotated[int, Field(description="days after which an event is deleted")]
    oldest: Annotated[str, Field(description="cursor before the oldest event that can be read")]
    newest: Annotated[str, Field(description="cursor of the newest event")]
