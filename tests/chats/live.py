"""Accounts of the sandbox that are connected, each at a phone of its own."""

from uuid import UUID

from engine.messengers import call_client
from runtime.services import Services
from tests.support.people import Person
from tests.support.waits import until

ADA, BOB = "15005559001", "15005559002"


async def connect(services: Services, owner: Person, login: str) -> UUID:
    """It works, and lives at its login's number. A host must be there."""
    from tests.chats.conftest import make_account

    id = await make_account(services, owner, login, "stopped")
    await services.db.fetch("UPDATE messenger_accounts SET wanted = true WHERE id = $1", id)
    await call_client.wake(services, id)

    async def works() -> bool:
        return bool(
            await services.db.fetchval("SELECT state = 'working' FROM messenger_accounts WHERE id = $1", id)
        )

    await until(works)
    return id
