"""Simulates the sending core under virtual time: random histories, each repeated by its seed.

loop: a clock that jumps to the next timer      store: the tables behind `Claim`
    connections: statements that fail, hang, or answer late
worker: claims, renews, recovers, stops, dies   provider: routes that hang, throttle, refuse, lose connections
history: one seed's plan, and what must hold    __main__: many of them, and the trace of one
"""
