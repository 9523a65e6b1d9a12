"""Ways an event leaves for a broker: one driver a module, chosen by the kind of a sink.

engine/sinks: a batch of a feed's events ──► Sink.publish ──► the broker's stream
                                                 │
                      port: SinkEvent, SinkFailed └──► Acknowledged: the cursor passes the event
nats: the driver of NATS JetStream; each connection is judged by core/outbound
"""
