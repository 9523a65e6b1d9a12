"""Area C in GraphQL: logins."""

import base64
from datetime import datetime
from uuid import UUID

import strawberry

from postern import links
from resolvers import logins
from resolvers.messenger_waits import Shown
from schema import graphql
from schema.graphql import ID, Info, local_id
from schema.messenger_accounts import MessengerAccount
from schema.types.logins import ChallengeCode, CloudPassword, MessengerPhone

for part in (ChallengeCode, CloudPassword, MessengerPhone):
    graphql.input(part, description=part.__doc__)


@strawberry.type(description="What is to be scanned with the phone. It changes: look at `expiresAt`.")
class QrCode:
    value: str = strawberry.field(description="its text")
    expires_at: datetime | None = strawberry.field(description="when another one takes its place")
    png: str = strawberry.field(description="the picture, in base64")
    screenshot_url: str = strawberry.field(
        description="where the picture of the moment can be fetched for five minutes, with no other credential"
    )

    @classmethod
    def of(cls, info: Info, account_id: UUID, shown: Shown) -> "QrCode":
        return cls(
            value=shown.value,
            expires_at=shown.expires_at,
            png=base64.b64encode(shown.png).decode(),
            screenshot_url=links.qr_url(info.context.services, account_id),
        )


@strawberry.type(description="What is to be typed on the phone, under linked devices.")
class PairingCode:
    value: str = strawberry.field(description="the code")
    expires_at: datetime | None = strawberry.field(description="when another one takes its place")

    @classmethod
    def of(cls, shown: Shown) -> "PairingCode":
        return cls(value=shown.value, expires_at=shown.expires_at)


@strawberry.type
class Query:
    @graphql.query("The QR of an account that waits for a scan.")
    async def qr_code(self, info: Info, id: ID) -> QrCode | None:
        return QrCode.of(info, _local(id), await logins.qr(info.context, _local(id)))

    @graphql.query("The pairing code of an account that shows one.")
    async def pairing_code(self, info: Info, id: ID) -> PairingCode | None:
        return PairingCode.of(await logins.pairing_code(info.context, _local(id)))


@strawberry.type
class Mutation:
    @graphql.mutation("With which phone it logs in from the next start on, by a code; null: by a QR.")
    async def set_messenger_phone(self, info: Info, id: ID, input: MessengerPhone) -> MessengerAccount | None:
        return MessengerAccount.of(await logins.set_phone(info.context, _local(id), input.phone))

    @graphql.mutation(
        "Hands over the code that the messenger has sent. The answer is the account's next state."
    )
    async def solve_messenger_challenge(
        self, info: Info, id: ID, input: ChallengeCode
    ) -> MessengerAccount | None:
        return MessengerAccount.of(await logins.solve(info.context, _local(id), input.code))

    @graphql.mutation("Hands over the account's cloud password. The answer is the account's next state.")
    async def give_messenger_password(
        self, info: Info, id: ID, input: CloudPassword
    ) -> MessengerAccount | None:
        return MessengerAccount.of(await logins.give_password(info.context, _local(id), input.password))


def _local(id: str) -> UUID:
    return local_id(id, "MessengerAccount")
