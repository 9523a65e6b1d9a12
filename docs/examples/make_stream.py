"""Makes the stream POSTERN, kept for a year on three servers, and the consumer `warehouse`: `make_stream.py`."""

import asyncio
import os

import nats
from nats.js.api import ConsumerConfig, StreamConfig


async def main() -> None:
    connection = await nats.connect(os.environ["NATS_URL"].split(","))
    api = connection.jetstream()
    await api.add_stream(
        StreamConfig(
            name="POSTERN",
            subjects=["postern.>"],
            num_replicas=3,
            max_age=365 * 24 * 3600,  # seconds
            duplicate_window=300,
        )
    )
    await api.add_consumer("POSTERN", ConsumerConfig(durable_name="warehouse", ack_wait=30))
    await connection.close()


asyncio.run(main())
