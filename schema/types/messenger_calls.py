"""Area C on the wire: accounts (contract §4). GraphQL's shapes stand in messenger_accounts.py."""

from typing import Annotated, Any
from uuid import UUID

from pydantic import ConfigDict, Field, model_validator

from schema.types.messenger_accounts import (
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
from schema.types.shape import Shape, Timestamp
from schema.types.vendor import Answer, Call, Credentialed

WebhookUrl = Annotated[
    Address | None, Field(description="one more for `webhookUrls`; empty: none", exclude=True)
]


class _Webhooks(Shape):
    """The vendor's two ways to name webhooks, as one."""

    webhook_url: WebhookUrl = None

    @model_validator(mode="before")
    @classmethod
    def _one_list(cls, given: Any) -> Any:
        """`webhookUrl` goes into `webhookUrls`. What is null was not given, and an empty address is none."""
        if not isinstance(given, dict):
            return given
        told = {key: value for key, value in given.items() if value is not None}
        if isinstance(many := told.get("webhookUrls"), list):
            told["webhookUrls"] = [one for one in many if not (isinstance(one, str) and not one.strip())]
        if isinstance(one := told.get("webhookUrl"), str):
            many = told.get("webhookUrls", [])
            if isinstance(many, list):
                told["webhookUrls"] = [*many, *([one] if one.strip() and one not in many else [])]
        return told


class AddAccount(_Webhooks, Credentialed, NewMessengerAccount):
    """An account to add. It is not connected before `setState`."""

    model_config = ConfigDict(extra="ignore")


class UpdateAccount(_Webhooks, Call, MessengerAccountPatch):
    """What is left out stays. An empty `webhookUrls` or `webhookUrl` removes all of them."""

    model_config = ConfigDict(extra="ignore")


class SetState(Call):
    """Switches an account on or off."""

    set_state: Annotated[bool, Field(description="true: connect it, and keep it connected", examples=[True])]


class GetInfo(Call):
    """Where an account stands."""

    skip_details: Annotated[
        bool, Field(description="don't ask the messenger whether the connection lives; it is quicker")
    ] = False


class GetInfoByToken(Credentialed):
    """All accounts of the caller."""

    source: Annotated[MessengerSource | None, Field(description="of one messenger only")] = None
    skip_details: Annotated[bool, Field(description="taken and not needed: nobody is asked here")] = False


class AccountInfo(Shape):
    """An account in the vendor's words, and in ours."""

    account_uuid: Annotated[UUID, Field(description="its id, the one that GraphQL shows")]
    login: Annotated[str, Field(description="its name")]
    source: Annotated[MessengerSource, Field(description="which messenger")]
    name: Annotated[str, Field(description="for people")]
    driver: Annotated[MessengerDriver, Field(description="how it is connected")]
    activated: Annotated[bool, Field(description="somebody has logged in, and the session is kept")]
    state: Annotated[bool, Field(description="whether it is switched on, and has not failed")]
    account_state: Annotated[AccountState, Field(description="the state itself")]
    step: Annotated[MessengerStep, Field(description="the same as the vendor has it")]
    connected_phone: Annotated[str | None, Field(description="which phone the messenger says it is")]
    webhook_urls: Annotated[list[str], Field(description="addresses that are told what happens")]
    checked_at: Annotated[Timestamp | None, Field(description="when the messenger last confirmed the state")]
    proxy: Annotated[str | None, Field(description="masked")]
    until: Annotated[Timestamp | None, Field(description="the messenger wants no further try before")] = None
    reason: Annotated[str | None, Field(description="why it is in this state")] = None
    reason_code: Annotated[str | None, Field(description="the same for programs")] = None


class AccountAnswer(Answer):
    account: Annotated[AccountInfo, Field(description="as it is now")]


class InfoAnswer(AccountInfo, Answer):
    pass


class InfosAnswer(Answer):
    clients: Annotated[list[AccountInfo], Field(description="all accounts, oldest first")]
    summary: Annotated[MessengerAccountsSummary, Field(description="how many are where")]


class MeAnswer(Answer):
    me: Annotated[MessengerPerson, Field(description="the account itself")]


class ProxyAnswer(Answer):
    proxy: Annotated[str, Field(description="the new one, masked")]
