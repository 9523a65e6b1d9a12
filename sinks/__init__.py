"""Ways an event leaves for a broker: one driver a module, chosen by the kind of a sink.

engine/sinks: a batch of a feed's events ──► Sink.publish ──► the broker's stream
                                                 │
                                                 └──► Acknowledged: the cursor passes the event; or SinkFailed
port: what a driver implements      addresses, subjects: how both are written
nats: the driver of NATS JetStream; nats_flight: one batch; nats_connection: connections, which core/outbound judges
"""

from core.installation import advice, missing
from core.outbound import EVERYWHERE, Guard
from sinks.port import Sink, SinkAddress, SinkFailed


def connect(address: SinkAddress, guard: Guard = EVERYWHERE) -> Sink:
    """Makes the sink of an address, which connects when it is first used. `guard` judges each connection.

    Raises SinkFailed: the address can't be read, or the driver's library is not installed.
    """
    if missing("nats") is not None:
        raise SinkFailed(
            "sink_unavailable", f"This installation has no client of NATS: {advice('nats')}.", permanent=True
        )
    from sinks.nats import NatsSink  # its library is an extra

    return NatsSink(address, guard)


__all__ = ["Sink", "SinkAddress", "SinkFailed", "connect"]
