"""Series: a person who enters a topic or a segment gets its steps, one after the other (docs/series.md).

a subscription ── a trigger ──► series_entries ◄── entering: pages of a segment, or of a topic at the start
                                     │ due_at
                                     ▼
stepping: pages ── decide ──► stop · wait · finish · begin a step: a recipient of the step's project
                                                             │
                                     engine/projects sends it as any other, through the gate `series_gate`

A step is a Sending Project that takes recipients until the series is archived. A page is one transaction: so a worker
that dies gives nobody a step twice, and loses nobody.
"""
