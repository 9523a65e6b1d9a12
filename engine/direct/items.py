"""The direct messages that a worker is sending: the data that drivers get, and the consequence of an outcome for
each.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from functools import partial
from typing import Any
from uuid import UUID

from channels.port import Attachment, Channel, MailReference, MailSigner, Outcome, Outgoing, Result
from core.settings import Settings
from engine import unsubscribe
from engine.direct.outcomes import DirectState
from engine.direct.withheld_codes import NO_CODES, MessageCode
from engine.direct.withheld_links import EVERY, with_links
from engine.domains.senders import BatchSenders
from engine.mail_reports import reference
from engine.receivers.rules import Receiver
from engine.sending.judge import ASKED_FOR, Verdict
from engine.sms.approved_senders import NO_SENDERS, Senders
from engine.sms.route_rules import NO_ROUTE
from engine.sms.senders import CODE, LOST, may_send
from engine.texts import web_copies
from runtime.routes import MESSENGERS
from runtime.services import Services
from shapes.messages import DeliveryState, MessageCategory, MessageChannel
from shapes.users import UserStatus

OLDEST = ASKED_FOR
"""The time for which a message is tried: a code that comes a day late is useless."""

# The metadata that drivers get: only the keys that were checked when the message was accepted.
_READ = {
    MessageChannel.email: {"subject": "subject", "html": "html", "reply_to": "replyTo"},
    MessageChannel.push: {"subject": "title"},
}


MAIL_HEADERS = "mailHeaders"
"""The metadata of an email's further header lines."""

OWNER_SUSPENDED = "owner_suspended"
SUSPENDED = "Its owner is suspended. It is sent when the owner is active again, unless it is too old by then."
_OWNER_SECONDS = 300.0
"""Until a suspended owner's messages are looked at again. There may be many, and nothing has changed for most."""
CODE_ENDED = "The verification was settled or canceled before the code was sent."
NO_BASES: Mapping[UUID, str] = {}
LOST_DOMAIN = "The domain of its sender is not verified any more."


@dataclass(slots=True)
class DirectItem:
    """A message that this worker is sending."""

    row: Any
    attempts: int  # known failures so far; together with the id they form the key
    outcome: Outcome | None = None
    route: Channel | None = None
    files: Sequence[Attachment] = ()
    mail: bytes | None = None  # an email that was submitted as a whole
    probe: UUID | None = None  # the probe's lease, if the message is the probe of its route's breaker
    headers: Mapping[str, str] = field(default_factory=dict)
    unsubscribe_url: str | None = None  # of a promotional email
    web_copy_url: str | None = None  # likewise
    text: str | None = None  # None: as it is stored
    html: str | None = None  # likewise
    code: MessageCode | None = None  # of a verification, which the text has
    reference: Callable[[], MailReference] | None = None  # of an email
    signers: Callable[[str], Sequence[MailSigner]] | None = None  # of an email

    routed: bool = False  # by rules
    approved: bool = True  # False: its owner may not send from its sender any more
    receiver: Receiver | None = None  # of an email that a rule is about

    sender = None  # of a source account: projects have those

    @property
    def id(self) -> UUID:
        return self.row["id"]  # type: ignore[no-any-return]

    @property
    def tries(self) -> int:
        """Returns the known failures, of which each counts."""
        return self.attempts

    @property
    def to(self) -> str:
        return self.row["to"]  # type: ignore[no-any-return]

    @property
    def dispatched_by(self) -> str | None:
        return self.row["provider"]  # type: ignore[no-any-return]

    @property
    def first_dispatch(self) -> datetime | None:
        return self.row["handed_at"]  # type: ignore[no-any-return]

    @property
    def uncertain(self) -> bool:
        """Returns whether it was handed over before, by a worker that died, with an unknown result."""
        return self.row["handed_at"] is not None

    @property
    def tried_once(self) -> bool:
        """Returns whether it is a trial by telegram or whatsapp, which gives its result at once and is not retried."""
        return self.row["trial"] and self.row["channel"] in MESSENGERS

    @property
    def through_account(self) -> bool:
        """Returns whether it is sent through the messenger account that its metadata names."""
        return self.row["channel"] in MESSENGERS and "messenger_account" in self.row["metadata"]

    @property
    def outgoing(self) -> Outgoing:
        """Returns the message as the channel gets it."""
        row, meta = self.row, self.row["metadata"]
        if self.uncertain and self.through_account:
            meta = {**meta, "handed_at": row["handed_at"]}
        body = row["body"] if self.text is None else self.text
        if self.html is not None:
            meta = {**meta, "html": self.html}
        if self.unsubscribe_url is not None:  # the text is no template: nothing else in it is replaced
            body = self._with_links(body)
            if meta.get("html"):
                meta = {**meta, "html": self._with_links(meta["html"])}
        return Outgoing(
            id=row["id"],
            key=f"{row['id']}.{self.attempts}",
            to=row["to"],
            body=body,
            **{attribute: meta.get(name) for attribute, name in _READ.get(row["channel"], {}).items()},
            metadata=meta,
            headers=self._all_headers(meta),
            attachments=self.files,
            mail=self.mail,
            sender=self.row["from_address"] or self.row["sender"],
            reference=self.reference,
            signers=self.signers,
            hidden=None if self.code is None else self.code.value,
        )

    def _all_headers(self, meta: Mapping[str, Any]) -> Mapping[str, str]:
        """Returns the further header lines of an email: those of its sender, unless we write the same one."""
        own = meta.get(MAIL_HEADERS) if self.row["channel"] == MessageChannel.email else None
        if not isinstance(own, dict):
            return self.headers
        ours = {name.lower() for name in self.headers}
        return {**{name: value for name, value in own.items() if name.lower() not in ours}, **self.headers}

    def _with_links(self, text: str) -> str:
        assert self.unsubscribe_url is not None
        text = unsubscribe.with_link(text, self.unsubscribe_url)
        return text if self.web_copy_url is None else web_copies.with_link(text, self.web_copy_url)

    def without_code(self, text: str | None) -> str | None:
        """Returns what a provider says of the message, without the code that it may repeat."""
        return text if self.code is None else self.code.hidden(text)


@dataclass(frozen=True, slots=True)
class LinkKeys:
    """The keys that sign the links in messages, and the address to which an email's bounces come."""

    unsubscribe: bytes
    withheld: Mapping[str, bytes]  # by their purpose
    reference: bytes
    web_copy: bytes

    @classmethod
    def of(cls, services: Services) -> "LinkKeys":
        """Returns the keys of this installation."""
        withheld = {link.purpose: services.key(link.purpose) for link in EVERY}
        return cls(
            services.key("unsubscribe"), withheld, services.key(reference.KEY), services.key(web_copies.KEY)
        )


def offers_a_link(row: Any) -> bool:
    """Returns whether a message has a link to unsubscribe: a promotional email."""
    return bool(row["channel"] == MessageChannel.email and row["category"] == MessageCategory.promotional)


def direct_item(
    row: Any,
    settings: Settings,
    keys: LinkKeys,
    senders: BatchSenders | None = None,
    sms_senders: Senders = NO_SENDERS,
    codes: Mapping[UUID, MessageCode] = NO_CODES,
    bases: Mapping[UUID, str] = NO_BASES,
) -> DirectItem:
    """Returns a claimed message with its links and its code. `senders` sign an email; `sms_senders` are those of an
    SMS's owner; `bases` the addresses of the owners' links.
    """
    text, html = with_links(keys.withheld, row)
    code = codes.get(row["id"]) if codes else None
    text = text if code is None else code.revealed(text)
    item = DirectItem(row, row["attempts"], text=text, html=html, code=code)
    if row["channel"] != MessageChannel.email:
        if row["sender"] is not None:
            item.approved = may_send(row["to"], row["sender"], sms_senders.get(row["owner_id"], ()))
        return item
    if senders is not None:
        item.signers = senders.signers(row["owner_id"], row["from_address"])
        item.approved = senders.approved(row["owner_id"], row["from_address"])
    item.reference = partial(reference.of_direct_message, keys.reference, row["id"], row["owner_id"])
    if offers_a_link(row):
        name = unsubscribe.list_name(row["owner_id"])
        base = bases.get(row["owner_id"])
        item.headers = unsubscribe.headers(
            settings, keys.unsubscribe, row["id"], name, row["from_address"], base
        )
        item.unsubscribe_url = unsubscribe.url(settings, keys.unsubscribe, row["id"], base)
        item.web_copy_url = web_copies.url(settings, keys.web_copy, row["id"], base)
    return item


def stored_state(item: DirectItem, verdict: Verdict, route: str | None) -> DirectState:
    """Returns the values that are stored of a message with a verdict. `route`: the label of the route that has its
    outcome.
    """
    outcome = item.outcome
    assert outcome is not None
    state = DeliveryState(verdict.state.value)
    if state is DeliveryState.queued and not verdict.uncertain:
        return DirectState(
            item.id,
            state,
            verdict.attempts,
            code=verdict.code,
            reason=item.without_code(verdict.reason),
            delay=timedelta(seconds=verdict.delay),
            uncertain=item.uncertain,
        )
    return DirectState(
        item.id,
        state,
        verdict.attempts,
        route,
        outcome.provider_message_id,
        outcome.report_id,
        verdict.code,
        item.without_code(verdict.reason),
        timedelta(seconds=verdict.delay),
        verdict.uncertain,
        verdict.refused,
    )


def nowhere(item: DirectItem, reason: str) -> DirectItem:
    """Keeps the message queued until there is a route, for the reason; a trial fails with it."""
    item.outcome = Outcome(Result.misconfigured, code=NO_ROUTE, reason=reason)
    return item


def too_late(item: DirectItem, now: datetime) -> bool:
    """Returns whether it is too old to be handed over; if so, its outcome says so."""
    row = item.row
    if item.uncertain:
        if now - row["handed_at"] <= OLDEST:
            return False
        reason = "The provider was asked for 24 hours whether it has this message and gave no answer."
        item.outcome = Outcome(Result.unknown, code=row["failure_code"] or "timeout", reason=reason)
        return True
    since = row["send_at"] or row["created_at"]
    until = row["expires_at"] or since + OLDEST
    if now <= until:
        return False
    last = f" The last attempt: {row['failure_reason']}" if row["failure_reason"] else ""
    span = round((until - since).total_seconds())
    within = "24 hours" if span == OLDEST.total_seconds() else f"{span} seconds"
    item.outcome = Outcome(
        Result.refused,
        code="expired",
        reason=f"It could not be handed over within {within}.{last}",
        dispatched=False,
    )
    return True


def code_ended(item: DirectItem) -> bool:
    """Returns whether its code can't be entered any more; if so, its outcome says so."""
    if item.code is None or item.code.value is not None:
        return False
    if item.uncertain:  # a text without the code must not follow one that may have arrived
        item.outcome = Outcome(Result.unknown, code="timeout", reason=CODE_ENDED, asked=False)
    else:
        item.outcome = Outcome(
            Result.refused, code="verification_settled", reason=CODE_ENDED, dispatched=False
        )
    return True


def disapproved(item: DirectItem) -> bool:
    """Returns whether its sender was lost since the message was queued; if so, its outcome says so."""
    if item.uncertain or item.approved:
        return False
    is_email = item.row["channel"] == MessageChannel.email
    item.outcome = Outcome(
        Result.refused, code=CODE, reason=LOST_DOMAIN if is_email else LOST, dispatched=False
    )
    return True


def ownerless(item: DirectItem) -> bool:
    """Returns whether its owner was deleted or suspended before it was sent; if so, its outcome says so.

    That of a suspended owner waits, as the owner's projects do, until the owner is active again or it is too old.
    """
    status = item.row["owner_status"]
    if item.uncertain or status not in (UserStatus.suspended, UserStatus.deleted):
        return False
    if status == UserStatus.deleted:
        reason = "Its owner was deleted before it was sent."
        item.outcome = Outcome(Result.refused, code="owner_not_active", reason=reason, dispatched=False)
    else:
        item.outcome = Outcome(
            Result.throttled,
            code=OWNER_SUSPENDED,
            reason=SUSPENDED,
            retry_after=_OWNER_SECONDS,
            dispatched=False,
        )
    return True


def blocked(item: DirectItem) -> bool:
    """Returns whether the recipient was blocked since the message was queued; if so, its outcome says so.

    A message that may have been handed over already is still asked about.
    """
    if item.uncertain or item.row["blocked"] is None:
        return False
    item.outcome = Outcome(
        Result.refused,
        code="recipient_blocked",
        reason=f"The recipient is blocked ({item.row['blocked']}).",
        dispatched=False,
    )
    return True
