"""Area C in GraphQL: logins."""

import base64
from datetime import datetime
from uuid import UUID

import strawberry

from resolvers import logins
from resolvers.messenger_accounts.waits import LoginCode
from runtime import links
from schema.frame import graphql
from schema.frame.graphql import ID, Info, local_id
from schema.messenger_accounts import MessengerAccount
from shapes.logins import ChallengeCode, CloudPassword, MessengerPhone

for part in (ChallengeCode, CloudPassword, MessengerPhone):
    graphql.input(part, description=part.__doc__)


@strawberry.type(description="A QR code to scan with the phone. It is replaced regularly: see `expiresAt`.")
class QrCode:
    value: str = strawberry.field(description="text of the QR code")
    expires_at: datetime | None = strawberry.field(
        description="when the code expires and another one replaces it"
    )
    png: str = strawberry.field(description="the QR code as a PNG image, in base64")
    screenshot_url: str = strawberry.field(
        description="signed link to an image of the current QR code, valid for five minutes without a credential"
    )

    @classmethod
    def of(cls, info: Info, account_id: UUID, code: LoginCode) -> "QrCode":
        return cls(
            value=code.value,
            expires_at=code.expires_at,
            png=base64.b64encode(code.png).decode(),
            screenshot_url=links.qr_url(info.context.services, account_id),
        )


@strawberry.type(description="A pairing code to enter on the phone, under linked devices.")
class PairingCode:
    value: str = strawberry.field(description="the code")
    expires_at: datetime | None = strawberry.field(
        description="when the code expires and another one replaces it"
    )

    @classmethod
    def of(cls, code: LoginCode) -> "PairingCode":
        return cls(value=code.value, expires_at=code.expires_at)


@strawberry.type
class Query:
    @graphql.query()
    async def qr_code(self, info: Info, id: ID) -> QrCode | None:
        return QrCode.of(info, _local(id), await logins.qr(info.context, _local(id)))

    @graphql.query()
    async def pairing_code(self, info: Info, id: ID) -> PairingCode | None:
        return PairingCode.of(await logins.pairing_code(info.context, _local(id)))


@strawberry.type
class Mutation:
    @graphql.mutation()
    async def set_messenger_phone(self, info: Info, id: ID, input: MessengerPhone) -> MessengerAccount | None:
        return MessengerAccount.of(await logins.set_phone(info.context, _local(id), input.phone))

    @graphql.mutation()
    async def solve_messenger_challenge(
        self, info: Info, id: ID, input: ChallengeCode
    ) -> MessengerAccount | None:
        return MessengerAccount.of(await logins.solve(info.context, _local(id), input.code))

    @graphql.mutation()
    async def give_messenger_password(
        self, info: Info, id: ID, input: CloudPassword
    ) -> MessengerAccount | None:
        return MessengerAccount.of(await logins.give_password(info.context, _local(id), input.password))


def _local(id: str) -> UUID:
    return local_id(id, "MessengerAccount")
