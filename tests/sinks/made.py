"""Sinks whose failures a test makes up, without a broker."""

from datetime import timedelta
from uuid import UUID

from core.ids import uuid7
from engine.sinks import cursors, endpoints
from runtime.leases import leased
from runtime.services import Services

_ADD = """
INSERT INTO event_sinks (id, owner_id, name, kind, url_encrypted, url_visible, stream)
VALUES ($1, $2, 'Warehouse', 'nats', $3, $4, 'POSTERN')
"""


async def failing(services: Services, owner_id: UUID, *, recovered: bool) -> UUID:
    """Makes a sink that has failed as often as its owner hears of it, and may have recovered. Returns its id."""
    id, url = uuid7(), "nats://postern:secret@nats.example.com:4222"
    sealed = endpoints.seal(services, id, url, None)
    await services.db.fetch(_ADD, id, owner_id, sealed, endpoints.visible(url))
    async with leased(services.db, f"{cursors.LEASE}{id}", 30) as lease:
        assert lease is not None
        for _ in range(cursors.FAILING_AFTER + 1):
            row = await cursors.source(services.db, id)
            await cursors.failed(services.db, lease, row, "The broker is away.", timedelta())
        if recovered:
            await cursors.recovered(services.db, lease, id)
    return id
