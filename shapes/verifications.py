"""Verifications: codes that are sent to an address, so that a person proves to have it."""

import re
from ipaddress import ip_address
from typing import Annotated, ClassVar, Final, Self
from uuid import UUID

from pydantic import AfterValidator, ConfigDict, Field, model_validator

from shapes.described import DescribedEnum
from shapes.emails import MailFrom, SenderField
from shapes.locales import LOCALE
from shapes.message_chains import MOST_STEPS, SHORTEST_WITHIN
from shapes.messages import SPECIFIED, MessageChannel
from shapes.shape import BesideRow, Created, Id, Line, Shape, Text, Timestamp
from shapes.sms_senders import SenderName
from shapes.where import Choice, Exactly, Ids, TimeSpan, Where

TRIES: Final = 5
"""The wrong codes that end a verification."""
TRIES_A_DAY: Final = 15
SENDS_A_DAY: Final = 10
"""The most wrong codes and messages of an address and purpose on a day (UTC)."""
MASK: Final = "•"
"""Stands for each digit of a code in the stored text of its message."""
METADATA_KEY: Final = "verification"
"""The metadata of a message with a code have this key, with the id of its verification."""
_PLACEHOLDER = re.compile(r"\{\{-?[ \t]*code[ \t]*-?\}\}")
_MARKUP = re.compile(r"\{\{|\{%|\}\}|%\}")


class VerificationStatus(DescribedEnum):
    """Status of a verification."""

    pending = "pending", "the code was not entered yet"
    approved = "approved", "the right code was entered"
    expired = "expired", "the code was not entered in time"
    too_many = "too_many", "too many wrong codes were entered"
    canceled = "canceled", "it was canceled"


class CheckStatus(DescribedEnum):
    """Result of the check of a code."""

    approved = "approved", "it is the right code; this is the answer to one request alone"
    wrong = "wrong", "it is another code; `left` says how many tries are left"
    expired = "expired", "the code was not entered in time; start again"
    used = "used", "the right code was entered before"
    too_many = "too_many", "too many wrong codes were entered; start again"
    canceled = "canceled", "the verification was canceled"


def with_code(template: str, code: str) -> str:
    """Returns the text of a template with the code in place of `{{ code }}`. Raises ValueError for a template that has
    it not exactly once, or anything else in braces, or the character of the mask.
    """
    text, count = _PLACEHOLDER.subn("\x00", template)
    if count != 1:
        raise ValueError("must have {{ code }} exactly once")
    if _MARKUP.search(text) or MASK in text:
        raise ValueError(f"may have no other variable than {{{{ code }}}}, no tag, and no {MASK}")
    return text.replace("\x00", code)


def _template(text: str) -> str:
    with_code(text, "")
    return text


def _ip(text: str) -> str:
    return str(ip_address(text))


Code = Annotated[
    str,
    Field(
        min_length=1,
        max_length=32,
        pattern=r"^[0-9 -]+$",
        description="the code that the person has entered",
        examples=["424242"],
    ),
]
_Purpose = Annotated[
    Line,
    Field(
        min_length=1,
        max_length=64,
        description="what the code is for: an address has one code for each purpose",
        examples=["login"],
    ),
]
_TTL = "seconds for which the code is valid; each message with it begins them anew"


class CodeStep(Shape):
    """A channel by which a code is sent, and when the next one takes over."""

    channel: Annotated[MessageChannel, Field(description="channel to send the code on")]
    to: (
        Annotated[
            Text,
            Field(min_length=1, max_length=4096, description="address; default: the verification's `to`"),
        ]
        | None
    ) = None
    within: (
        Annotated[
            int,
            Field(
                ge=SHORTEST_WITHIN,
                le=3600,
                description="seconds after which the next channel takes over unless the message was delivered; all"
                " steps but the last need it",
                examples=[30],
            ),
        ]
        | None
    ) = None


class StartVerification(Shape):
    """A code to send."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"to": "+14155550100", "channel": "sms"}]})

    to: Annotated[
        Text,
        Field(
            min_length=1,
            max_length=4096,
            description="the address to verify: a phone (sms), an email address, or a device (push)",
            examples=["+14155550100"],
        ),
    ]
    channel: (
        Annotated[MessageChannel, Field(description="channel to send the code on; required without `chain`")]
        | None
    ) = None
    chain: (
        Annotated[
            list[CodeStep],
            Field(
                min_length=1,
                max_length=MOST_STEPS,
                description="channels that are tried one after the other, in place of `channel`; the address that is"
                " verified is that of the first",
            ),
        ]
        | None
    ) = None
    purpose: _Purpose = "login"
    locale: (
        Annotated[
            str,
            Field(
                pattern=LOCALE,
                description="language of the text; default: that of your user",
                examples=["de"],
            ),
        ]
        | None
    ) = None
    length: Annotated[int, Field(ge=4, le=8, description="digits of the code")] = 6
    ttl_seconds: Annotated[int, Field(ge=60, le=3600, description=_TTL)] = 600
    template: (
        Annotated[
            Text,
            Field(
                min_length=8,
                max_length=1000,
                description="the text, with `{{ code }}` exactly once; default: the service's in that language",
                examples=["{{ code }} is your code for Acme."],
            ),
            AfterValidator(_template),
        ]
        | None
    ) = None
    app_hash: (
        Annotated[
            str,
            Field(
                pattern=r"^[A-Za-z0-9+/]{11}$",
                description="sms: hash of an Android app (SMS Retriever), with which the text ends",
                examples=["FA+9qCX9VSu"],
            ),
        ]
        | None
    ) = None
    domain: (
        Annotated[
            str,
            Field(
                max_length=253,
                pattern=r"^([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z][a-z0-9-]{0,61}[a-z0-9]$",
                description="sms: domain of a website that may take the code, by a last line `@domain #code`",
                examples=["example.com"],
            ),
        ]
        | None
    ) = None
    end_user_ip: (
        Annotated[
            str,
            Field(max_length=45, description="address of the person who asks, for the rate limit of one"),
            AfterValidator(_ip),
        ]
        | None
    ) = None
    return_url: (
        Annotated[
            Line,
            Field(
                pattern=r"^https://[A-Za-z0-9.-]+(:[0-9]{1,5})?(/[!-\"$-~]*)?$",
                max_length=2000,
                description="where the browser goes from our page (`pageUrl`) after the right code, with"
                " `verification` and `status` in the query; null: there is no page",
                examples=["https://example.com/verified"],
            ),
        ]
        | None
    ) = None
    account_id: (
        Annotated[UUID, Field(description="the account that pays; default: your oldest account")] | None
    ) = None
    from_address: MailFrom = None
    sender: SenderName = None

    @property
    def steps(self) -> list[CodeStep]:
        """Returns the channels in their order; a code by one channel has one step."""
        if self.chain is not None:
            return self.chain
        assert self.channel is not None
        return [CodeStep(channel=self.channel)]

    @model_validator(mode="after")
    def _fits_channel(self) -> Self:
        if (self.channel is None) == (self.chain is None):
            raise ValueError("channel: send either channel or chain")
        channels = [step.channel for step in self.steps]
        if not {*channels} <= {*SPECIFIED}:
            raise ValueError(
                "channel: a code goes by sms, email or push, whose texts are not stored in a chat"
            )
        if any(step.within is None for step in self.steps[:-1]):
            raise ValueError("chain: each step but the last needs `within`, after which the next one begins")
        if (self.app_hash or self.domain) and channels[0] is not MessageChannel.sms:
            raise ValueError("appHash and domain are for the channel sms")
        if self.app_hash and self.domain:
            raise ValueError("appHash and domain can't both stand at the end of a text; send one of them")
        return self


class StartedVerification(Shape):
    """A code that is sent. The answer is the same if a message is not sent because of `verification.suspected`."""

    id: Id
    channel: Annotated[MessageChannel, Field(description="the channel of the code")]
    status: Annotated[VerificationStatus, Field(description="pending")]
    expires_at: Annotated[Timestamp, Field(description="until when the code is valid")]
    resend_at: Annotated[Timestamp, Field(description="from when on the code can be sent again")]
    page_url: Annotated[
        str | None,
        Field(description="our page on which the person enters the code; null without `returnUrl`"),
        BesideRow(),
    ] = None


class Verification(Shape):
    """A code that was sent to an address, so that a person proves to have it."""

    id: Id
    owner_id: Annotated[UUID, Field(description="the user whose verification it is")]
    account_id: Annotated[UUID, Field(description="the account that pays")]
    channel: Annotated[MessageChannel, Field(description="the channel of the last message")]
    to: Annotated[str, Field(description="the address, in the channel's format")]
    purpose: Annotated[str, Field(description="what the code is for")]
    locale: Annotated[str | None, Field(description="language of the text; null: that of the owner")]
    status: Annotated[VerificationStatus, Field(description="whether the right code was entered")]
    length: Annotated[int, Field(description="digits of the code")]
    tries: Annotated[int, Field(description=f"wrong codes that were entered, at most {TRIES}")]
    sends: Annotated[int, Field(description="how often the code was asked for")]
    from_address: SenderField
    sender: Annotated[str | None, Field(description="the sender of an SMS; null: the channel's own")]
    return_url: Annotated[str | None, Field(description="where our page leads to; null: there is no page")]
    message_ids: Annotated[
        list[UUID],
        Field(description="the messages with the code, oldest first; they say whether they arrived"),
    ]
    expires_at: Annotated[Timestamp, Field(description="until when the code is valid")]
    resend_at: Annotated[Timestamp, Field(description="from when on the code can be sent again")]
    settled_at: Annotated[
        Timestamp | None, Field(description="when `status` became final; null: it is pending")
    ]
    page_url: Annotated[
        str | None,
        Field(
            description="our page, in the answer to a start or a repetition alone; null without `returnUrl`"
        ),
        BesideRow(),
    ] = None
    created_at: Created


class CheckCode(Shape):
    """A code to check."""

    code: Code


class CheckedCode(Shape):
    """The result of a check."""

    status: Annotated[CheckStatus, Field(description="whether it is the right code")]
    left: Annotated[int, Field(description="tries that are left")]


class VerificationWhere(Where):
    """Filter for verifications."""

    kinds: ClassVar = {"id": "Verification", "owner_id": "User"}

    id: Annotated[Ids | None, Field(description="filter by id")] = None
    owner_id: Annotated[Ids | None, Field(description="filter by owner")] = None
    status: Annotated[Choice[VerificationStatus] | None, Field(description="filter by status")] = None
    to: Annotated[Exactly | None, Field(description="filter by address, in the channel's format")] = None
    created_at: Annotated[TimeSpan | None, Field(description="filter by the time of creation")] = None
