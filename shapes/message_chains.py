"""Chains: single messages that are tried by one channel after the other (docs/chains.md)."""

from collections.abc import Sequence
from decimal import Decimal
from typing import Annotated, Any, Final
from uuid import UUID

import strawberry
from pydantic import ConfigDict, Field, ModelWrapValidatorHandler, model_validator
from strawberry.scalars import JSON

from shapes import messages as single
from shapes.described import DescribedEnum
from shapes.emails import MailFrom
from shapes.messages import DeliveryState, FailureCode, FailureReason, MessageCategory, MessageChannel
from shapes.shape import BesideRow, Cost, JsonObject, Money, Shape, Text, Timestamp
from shapes.sms_senders import SenderName
from shapes.template_sources import RequestedLocale, TemplateKey, Variables, VersionNumber
from shapes.templated_messages import WITH_TEMPLATE, TemplatedMessage, names_template, without_template
from shapes.values import json_at_most

MOST_STEPS: Final = 4
SHORTEST_WITHIN: Final = 5
LONGEST_WITHIN: Final = 86_400

_UNLESS_CHAIN = "; required without `chain`"
_CHAIN_FIELDS: Final = {"chain": "chain", "contact_id": "contactId", "fallback": "fallback"}


class StepUntil(DescribedEnum):
    """State of a step with which a chain has reached its goal: no further step begins."""

    accepted = "accepted", "a provider has accepted the message"
    delivered = "delivered", "the message was delivered"
    read = (
        "read",
        "the message was read; only messengers report it, and not of single messages in this version",
    )


class ChainStep(Shape):
    """A step of a chain: a message by one channel, and when the next step takes over."""

    channel: Annotated[MessageChannel, Field(description="channel to send it on")]
    to: Annotated[
        Text | None,
        Field(
            min_length=1,
            max_length=4096,
            description="recipient, as in a message by this channel; default: the message's `to`, or the address of "
            "its contact",
        ),
    ] = None
    body: Annotated[
        Text | None,
        Field(min_length=1, max_length=1600, description="text of the step; default: the message's `body`"),
    ] = None
    template_key: Annotated[
        TemplateKey | None,
        Field(
            description="key of a template of yours, in place of `body`, with the message's `locale` and `variables`;"
            " default: the message's `templateKey`"
        ),
    ] = None
    template_version: VersionNumber | None = None
    metadata: Annotated[
        JsonObject | None,
        json_at_most(256 * 1024),
        Field(description="as in a message by this channel; default: the message's `metadata`"),
        strawberry.field(graphql_type=JSON | None),
    ] = None
    from_address: MailFrom = None
    sender: SenderName = None
    until: Annotated[
        StepUntil | None,
        Field(
            description="state that ends the chain; default: `delivered` if the routes of the channel report it, else "
            "`accepted`"
        ),
    ] = None
    within: Annotated[
        int | None,
        Field(
            ge=SHORTEST_WITHIN,
            le=LONGEST_WITHIN,
            description="seconds after the beginning of the step: then the next step begins unless `until` is reached,"
            " and the step is not submitted any more; all steps but the last need it unless `until` is `accepted`; "
            "default: 86400 (one day)",
            examples=[60],
        ),
    ] = None


class MessageStep(Shape):
    """A step of a chain, and what has become of it."""

    step: Annotated[int, Field(description="number of the step, from 1 on")]
    channel: Annotated[MessageChannel, Field(description="the channel")]
    to: Annotated[str, Field(description="recipient, in the channel's format")]
    until: Annotated[StepUntil, Field(description="state that ends the chain")]
    within: Annotated[int, Field(description="seconds after which the next step begins")]
    delivery_state: Annotated[
        DeliveryState | None, Field(description="exact state of delivery; null: the step has not begun")
    ]
    price: Annotated[
        Money, Field(description="what the step costs: 0 before it begins, and when it was refunded")
    ]
    failure_code: FailureCode
    failure_reason: FailureReason
    sent_at: Annotated[Timestamp | None, Field(description="when a provider accepted the step's message")]
    delivered_at: Annotated[Timestamp | None, Field(description="when the step's message was delivered")]
    message_id: Annotated[
        UUID | None,
        Field(description="id under which a provider gets the step's message; null: the step has not begun"),
    ]


STEPS: Final = "the steps of a chain, in their order; null for a message by one channel"


class Message(single.Message):
    """A single message, outbound or inbound, with its steps if it is a chain."""

    steps: Annotated[
        list[MessageStep] | None, BesideRow(), Cost(most=MOST_STEPS), Field(description=STEPS)
    ] = None


class SendMessage(single.SendMessage):
    """A message to send: the specification's SendMessageRequest, and the account that pays. With `chain` it is tried by
    one channel after the other.
    """

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [{"to": "+14155550100", "channel": "sms", "body": "Your code is 424242"}]
        }
    )

    to: Annotated[
        Text | None,
        Field(
            min_length=1,
            max_length=4096,
            description="recipient: a phone (sms), an email address, or a device token or Web Push subscription "
            f"of at most 2,500 bytes (push){_UNLESS_CHAIN}",
            examples=["+14155550100"],
        ),
    ] = None  # type: ignore[assignment]  # a message without a chain becomes a single one
    channel: Annotated[
        MessageChannel | None, Field(description=f"channel to send it on{_UNLESS_CHAIN}, and refused with it")
    ] = None  # type: ignore[assignment]  # a message without a chain becomes a single one
    body: Annotated[
        Text | None,
        Field(
            min_length=1,
            max_length=1600,
            description="text of the message; required without `chain` and `templateKey`",
            examples=["Your code is 424242"],
        ),
    ] = None  # type: ignore[assignment]  # a message without a chain becomes a single one
    template_key: Annotated[TemplateKey | None, Field(description=WITH_TEMPLATE)] = None
    template_version: VersionNumber | None = None
    locale: RequestedLocale | None = None
    variables: Annotated[Variables | None, strawberry.field(graphql_type=JSON | None)] = None
    chain: Annotated[
        list[ChainStep] | None,
        Field(
            min_length=1,
            max_length=MOST_STEPS,
            description="steps that are tried one after the other, in place of `channel`: a step begins when the one "
            "before fails, or does not reach its `until` within its time",
        ),
    ] = None
    contact_id: Annotated[
        UUID | None,
        Field(
            description="your contact whose addresses the steps go to, in place of `to`; steps by channels for which "
            "the contact has no address are left out"
        ),
    ] = None
    fallback: Annotated[
        bool | None,
        Field(description="true allows a promotional message a chain of several steps; default: false"),
    ] = None

    @model_validator(mode="wrap")
    @classmethod
    def _validate(cls, data: Any, handler: ModelWrapValidatorHandler[Any]) -> Any:
        """Validates a message without a chain as one that knows of none, so that it gets the same errors."""
        if isinstance(data, dict) and data.get("chain") is not None:
            message = handler(data)
            assert isinstance(message, cls)
            message.check_chain()
            return message
        if isinstance(data, dict) and (names := _CHAIN_FIELDS.keys() | _CHAIN_FIELDS.values()) & data.keys():
            if any(data.get(name) is not None for name in names):
                raise ValueError("contactId and fallback go with chain; leave them out, or send a chain")
            data = {name: value for name, value in data.items() if name not in names}
        if names_template(data):
            return TemplatedMessage.model_validate(data)
        return single.SendMessage.model_validate(without_template(data))

    def check_chain(self) -> None:
        """Raises ValueError for a chain that lacks something, or that has what does not go with it."""
        steps = self.chain or []
        if self.channel is not None:
            raise ValueError("channel does not go with chain, whose steps have channels; leave it out")
        if self.to is not None and self.contact_id is not None:
            raise ValueError("to and contactId exclude each other; leave out one of them")
        if self.category is MessageCategory.promotional and len(steps) > 1 and not self.fallback:
            raise ValueError(
                "chain: a promotional message has one step, unless you allow further ones by `fallback: true`"
            )
        if self.body is not None and self.template_key is not None:
            raise ValueError("body and templateKey exclude each other; leave out one of them")
        if not any(key for key in (self.template_key, *(step.template_key for step in steps))) and (
            self.locale or self.variables
        ):
            raise ValueError("locale and variables go with templateKey; leave them out, or name a template")
        for number, step in enumerate(steps, 1):
            if step.body is not None and step.template_key is not None:
                raise ValueError(f"chain: step {number} has body and templateKey; leave out one of them")
            if step.template_version is not None and step.template_key is None:
                raise ValueError(
                    f"chain: step {number} has templateVersion without templateKey; name the template"
                )
            if (
                step.body is None
                and step.template_key is None
                and self.body is None
                and self.template_key is None
            ):
                raise ValueError(f"chain: step {number} has no body; give it one, or give the message one")
            if step.to is None and self.to is None and self.contact_id is None:
                raise ValueError(f"chain: step {number} has no recipient; give it or the message `to`")
            if number < len(steps) and step.within is None and step.until is not StepUntil.accepted:
                raise ValueError(f"chain: step {number} needs `within`, after which step {number + 1} begins")

    def single_messages(self) -> Sequence[tuple[ChainStep, single.SendMessage]]:
        """Returns each step with the message that it would be alone. Its `to` is "" if it is that of the contact."""
        return [(step, self._alone(step)) for step in self.chain or ()]

    def _alone(self, step: ChainStep) -> single.SendMessage:
        email, sms = step.channel is MessageChannel.email, step.channel is MessageChannel.sms
        source = step if step.template_key is not None else self
        templated = step.body is None and source.template_key is not None
        own: dict[str, Any] = {
            "channel": step.channel,
            "to": step.to or self.to or "",
            "body": None if templated else step.body or self.body,
            "metadata": self.metadata if step.metadata is None else step.metadata,
            "from_address": step.from_address or (self.from_address if email else None),
            "sender": step.sender or (self.sender if sms else None),
        }
        shared: dict[str, Any] = {
            name: getattr(self, name) for name in single.SendMessage.model_fields if name not in own
        }
        if not templated:
            return single.SendMessage.model_construct(**shared, **own)
        own |= {"template_key": source.template_key, "template_version": source.template_version}
        return TemplatedMessage.model_construct(**shared, **own, locale=self.locale, variables=self.variables)


def present_price(price: Decimal, state: str, reported_by: str | None, step: int | None) -> Decimal:
    """Returns what a message costs. The price of the head of a chain, whose `step` is 0, is that already."""
    return price if step == 0 else single.price_of(price, state, reported_by)
