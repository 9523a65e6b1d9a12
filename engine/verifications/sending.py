"""The message of a code: a direct message whose stored text has a mask in the code's position."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from typing import Any
from uuid import UUID

import asyncpg

from core.ids import uuid7
from engine.address_hashes import address_hasher
from engine.chains.steps import AskedStep, digits_of
from engine.direct.new_messages import ChargedMessage, NewMessage, Queued, charged, write_in
from engine.sms import country_caps
from engine.sms.price_books import price_books
from engine.verifications import codes
from engine.verifications.texts import code_words
from runtime.services import Services
from shapes.message_chains import StepUntil
from shapes.messages import MessageChannel
from shapes.verifications import METADATA_KEY, with_code

_OF_STEP = ("channel", "to", "body", "from_address", "sender")


@dataclass(frozen=True, slots=True)
class CodeText:
    """The parts of a text with a code."""

    locale: str | None
    length: int
    template: str | None = None  # None: ours
    app_hash: str | None = None
    domain: str | None = None

    def body(self, channel: MessageChannel) -> str:
        """Returns the text, with a mask in the code's position.

        Android's SMS Retriever takes a text that ends with the app's hash; browsers take a code from a last line
        `@domain #code` (https://wicg.github.io/sms-one-time-codes/).
        """
        words, mask = code_words(self.locale), codes.masked(self.length)
        template = self.template or (words.mail if channel is MessageChannel.email else words.sms)
        text = with_code(template, mask)
        if self.domain is not None:
            return f"{text}\n\n@{self.domain} #{mask}"
        return f"{text}\n{self.app_hash}" if self.app_hash is not None else text


@dataclass(frozen=True, slots=True)
class CodeMessage:
    """A message of a verification. The steps of a chain are several of these."""

    verification_id: UUID
    channel: str
    to: str
    body: str  # with a mask
    locale: str | None
    valid: timedelta
    from_address: str | None
    sender: str | None

    @classmethod
    def of(cls, row: Any) -> "CodeMessage":
        """Returns the message of a row of `verifications`, which is valid as long as its code."""
        valid = timedelta(seconds=row["ttl_seconds"])
        return cls(
            row["id"],
            row["channel"],
            row["to"],
            row["body"],
            row["locale"],
            valid,
            row["from_address"],
            row["sender"],
        )

    @property
    def new_message(self) -> NewMessage:
        """Returns the message as it is stored."""
        metadata: dict[str, Any] = {METADATA_KEY: str(self.verification_id)}
        title = {MessageChannel.email.value: "subject", MessageChannel.push.value: "title"}.get(self.channel)
        if title is not None:
            metadata[title] = code_words(self.locale).title
        return NewMessage(
            self.channel,
            self.to,
            self.body,
            metadata,
            from_address=self.from_address,
            sender=self.sender,
            valid=self.valid,
        )


def steps_of(services: Services, row: Any) -> list[AskedStep]:
    """Returns the steps of a row of `verifications` that has a chain; none of one that has not."""
    first = CodeMessage.of(row)
    steps = []
    for step in row["chain"] or ():
        reports = services.routes.reports_delivery(step["channel"])
        message = replace(first, **{name: step[name] for name in _OF_STEP}).new_message
        within = first.valid if step["within"] is None else timedelta(seconds=step["within"])
        steps.append(AskedStep(message, StepUntil.delivered if reports else StepUntil.accepted, within))
    return steps


async def charged_code(
    services: Services,
    connection: asyncpg.Connection,
    payer: Any,
    code: CodeMessage,
    steps: Sequence[AskedStep] = (),
) -> ChargedMessage:
    """Returns the message of a code with its charge: digits count in it, and not the mask, which no SMS alphabet has.
    With `steps` it is the first of a chain.

    Raises as `charged` does.
    """
    message = steps[0].in_time if steps else code.new_message
    book = await price_books(services).of(payer["price_version_id"], message.channel, connection)
    hasher = await address_hasher(services)
    new = charged(payer, message, hasher, book, sent=digits_of(message))
    if not steps:
        return new
    stored = {"steps": [step.stored for step in steps]}
    return replace(new, chain_id=uuid7(), step=1, chain=stored, size=new.size * len(steps))


async def send_code(services: Services, connection: asyncpg.Connection, message: ChargedMessage) -> Queued:
    """Queues the message of a code in the caller's transaction. Returns the result: its row, or why there is none.

    Raises RateLimited (the cap of a country), and PostgreSQL's errors.
    """
    # Within the transaction, since the message is known only here; Redis may take two seconds, once.
    taken = await country_caps.take(services, message.owner_id, message.counted, waits=False)
    try:
        (queued,) = await write_in(connection, [message])
    except BaseException:
        await country_caps.give_back([taken])
        raise
    if queued.row is None:
        await country_caps.give_back([taken])
    return queued
