"""Sinks that are made without a door, and failures that a test makes up without a broker."""

from datetime import timedelta
from typing import Any
from uuid import UUID

from core.ids import uuid7
from engine.sinks import cursors, endpoints
from runtime.leases import leased
from runtime.services import Services


async def add(services: Services, owner_id: UUID | None, url: str, **columns: Any) -> UUID:
    """Makes a sink of a user whose feed is open, or of the installation. Returns its id."""
    id = uuid7()
    values = {
        "id": id,
        "owner_id": owner_id,
        "name": str(id),
        "kind": "nats",
        "url_encrypted": endpoints.seal(services, id, url, None),
        "url_visible": endpoints.visible(url),
        "stream": "POSTERN",
        **columns,
    }
    parameters = ", ".join(f"${number}" for number in range(1, len(values) + 1))
    async with services.db.transaction() as connection:
        await endpoints.room(connection, owner_id)
        await connection.execute(
            f"INSERT INTO event_sinks ({', '.join(values)}) VALUES ({parameters})", *values.values()
        )
        await endpoints.begin(connection, id)
    return id


async def failing(services: Services, owner_id: UUID, *, recovered: bool) -> UUID:
    """Makes a sink that has failed as often as its owner hears of it, and may have recovered. Returns its id."""
    id = await add(services, owner_id, "nats://postern:secret@nats.example.com:4222", name="Warehouse")
    async with leased(services.db, f"{cursors.LEASE}{id}", 30) as lease:
        assert lease is not None
        for _ in range(cursors.FAILING_AFTER + 1):
            row = await cursors.source(services.db, id)
            await cursors.failed(services.db, lease, row, "The broker is away.", timedelta())
        if recovered:
            await cursors.recovered(services.db, lease, id)
    return id
