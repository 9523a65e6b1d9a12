"""Area C on the wire: accounts (contract §4). GraphQL's shapes stand in messenger_accounts.py."""

from typing import Annotated, Any
from uuid import UUID

from pydantic import ConfigDict, Field, model_validator

from shapes.messenger_accounts import (
    AccountState,
    Address,
    MessengerAccountPatch,
    MessengerAccountsSummary,
    MessengerDriver,
    MessengerPerson,
    MessengerSource,
    MessengerStep,
    NewMessengerAccount,
)
from shapes.shape import Shape, Timestamp
from shapes.vendor import Answer, Call, Credentialed

WebhookUrl = Annotated[
    Address | None, Field(description="one more URL for `webhookUrls`; empty: none", exclude=True)
]


class _Webhooks(Shape):
    """The vendor's two ways to name webhooks, as one."""

    webhook_url: WebhookUrl = None

    @model_validator(mode="before")
    @classmethod
    def _merge_urls(cls, body: Any) -> Any:
        """`webhookUrl` goes into `webhookUrls`. What is null was not given, and an empty address is none."""
        if not isinstance(body, dict):
            return body
        fields = {key: value for key, value in body.items() if value is not None}
        if isinstance(many := fields.get("webhookUrls"), list):
            fields["webhookUrls"] = [url for url in many if not (isinstance(url, str) and not url.strip())]
        if isinstance(url := fields.get("webhookUrl"), str):
            many = fields.get("webhookUrls", [])
            if isinstance(many, list):
                fields["webhookUrls"] = [*many, *([url] if url.strip() and url not in many else [])]
        return fields


class AddAccount(_Webhooks, Credentialed, NewMessengerAccount):
    """A messenger account to add. It is connected only after `setState`."""

    model_config = ConfigDict(extra="ignore")


class UpdateAccount(_Webhooks, Call, MessengerAccountPatch):
    """Changes to a messenger account. Omitted fields stay unchanged. An empty `webhookUrls` or `webhookUrl` removes all
    webhooks.
    """

    model_config = ConfigDict(extra="ignore")


class SetState(Call):
    """Switches an account on or off."""

    set_state: Annotated[
        bool,
        Field(
            description="true: connect the account and keep it connected; false: disconnect it",
            examples=[True],
        ),
    ]


class GetInfo(Call):
    """The account whose state is returned."""

    skip_details: Annotated[
        bool,
        Field(description="true: do not ask the messenger whether the connection is alive, which is faster"),
    ] = False


class GetInfoByToken(Credentialed):
    """All accounts of the caller."""

    source: Annotated[MessengerSource | None, Field(description="only accounts of this messenger")] = None
    skip_details: Annotated[
        bool, Field(description="accepted for compatibility and ignored: this call never asks the messenger")
    ] = False


class AccountInfo(Shape):
    """A messenger account, with the fields of the vendor API and of Postern."""

    account_uuid: Annotated[UUID, Field(description="uuid of the account, as in GraphQL")]
    login: Annotated[str, Field(description="the account's login")]
    source: Annotated[MessengerSource, Field(description="messenger of the account")]
    name: Annotated[str, Field(description="display name")]
    driver: Annotated[MessengerDriver, Field(description="driver that connects the account")]
    activated: Annotated[
        bool, Field(description="true if the account is logged in and its session is stored")
    ]
    state: Annotated[bool, Field(description="true if the account is switched on and has not failed")]
    account_state: Annotated[AccountState, Field(description="state of the account; see AccountState")]
    step: Annotated[MessengerStep, Field(description="the state as the vendor API's number and sentence")]
    connected_phone: Annotated[
        str | None,
        Field(description="phone of the logged-in account, as the messenger reports it; null if it does not"),
    ]
    webhook_urls: Annotated[list[str], Field(description="URLs of its webhooks")]
    checked_at: Annotated[
        Timestamp | None, Field(description="when the messenger last confirmed the state; null: never")
    ]
    proxy: Annotated[str | None, Field(description="proxy URL, with its password masked; null: no proxy")]
    until: Annotated[
        Timestamp | None,
        Field(description="earliest time at which the messenger allows another attempt; null: no wait"),
    ] = None
    reason: Annotated[str | None, Field(description="reason for the state, as a sentence")] = None
    reason_code: Annotated[str | None, Field(description="reason for the state, as a code for programs")] = (
        None
    )
    restriction: Annotated[
        str | None,
        Field(
            description="what the messenger does not let a working account do: `reachOut`, to write to people who "
            "never wrote to it; null: nothing"
        ),
    ] = None
    restriction_reason: Annotated[
        str | None, Field(description="reason for the restriction, as a sentence; null: there is none")
    ] = None
    restricted_at: Annotated[
        Timestamp | None, Field(description="when the messenger restricted it; null: it is not restricted")
    ] = None
    restricted_until: Annotated[
        Timestamp | None,
        Field(description="end of the restriction, as the messenger has named it; null: it has named none"),
    ] = None


class AccountAnswer(Answer):
    account: Annotated[AccountInfo, Field(description="the account after the call")]


class InfoAnswer(AccountInfo, Answer):
    pass


class InfosAnswer(Answer):
    clients: Annotated[list[AccountInfo], Field(description="all accounts, oldest first")]
    summary: Annotated[MessengerAccountsSummary, Field(description="number of accounts by state")]


class MeAnswer(Answer):
    me: Annotated[MessengerPerson, Field(description="the account's own profile")]


class ProxyAnswer(Answer):
    proxy: Annotated[str, Field(description="URL of the new proxy, with its password masked")]
