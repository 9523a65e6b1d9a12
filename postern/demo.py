"""Demo data for the embedded servers: an administrator, a user with credit, and messages in every state."""

from decimal import Decimal

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession

from channels.sandbox import EMAIL_DOMAIN, Effect
from core.demo import ADMIN, PASSWORD, USER
from core.errors import Conflict
from core.ids import uuid7
from core.settings import Settings
from db import ledger, models
from db.session import driver_connection
from engine.queue import wake
from postern import operator
from runtime.services import services
from shapes.accounts import EntryKind
from shapes.messages import Direction, MessageChannel

_CREDIT = Decimal(100)
_PRICE = Decimal("0.001")
_OUTCOMES = (Effect.delivered, Effect.failed, Effect.bounced, Effect.flaky, Effect.timeout)


async def fill(settings: Settings) -> list[str]:
    """Adds the demo data. Returns the emails of the users that it has made; those who exist are left as they are."""
    added: list[str] = []
    async with services(settings, "postern-demo") as opened:
        for email, admin in ((ADMIN, True), (USER, False)):
            try:
                made = await operator.create_user(opened, email, admin=admin, password=PASSWORD)
            except Conflict:
                continue
            added.append(email)
            async with opened.db.session.begin() as session:
                account = await session.scalar(
                    select(models.Account).where(models.Account.owner_id == made.id).limit(1)
                )
                assert account is not None
                await ledger.move(
                    session, account.id, EntryKind.credit, _CREDIT, reference=uuid7(), note="demo credit"
                )
                if not admin and settings.channel_email.startswith(
                    "sandbox:"
                ):  # a real server must not send these
                    await _messages(session, account)
    return added


async def _messages(session: AsyncSession, account: models.Account) -> None:
    for outcome in _OUTCOMES:
        message = models.Message(
            id=uuid7(),
            owner_id=account.owner_id,
            account_id=account.id,
            direction=Direction.outbound.value,
            channel=MessageChannel.email.value,
            to=f"{outcome}{EMAIL_DOMAIN}",
            body=f"This one shows what becomes of a message whose recipient is “{outcome}”.",
            meta={"subject": "Welcome to Postern", "demo": True},  # the console counts what its user has sent
            price=_PRICE,
        )
        await ledger.move(session, account.id, EntryKind.charge, _PRICE, reference=message.id)
        session.add(message)
    await session.flush()
    await wake(await driver_connection(session), MessageChannel.email.value)
