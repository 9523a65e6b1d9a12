"""Sending Projects at work: prepare (the audience becomes messages), visit (units are sent), clock (what comes
round). Importing this package registers the jobs.

    project ── start ──► prepare: recipients → message_records, in units of 500 ──► lanes: jobs `projects.visit`
                                                                                       │
       visit: claim a unit → sort (blocks, windows, texts) → rates, day, balance → hand over → close
                                                                                       │
    clock: startAt has come · a pause's cause is gone · a dead worker's units · forgotten projects ◄┘
"""

from engine.projects import clock, prepare, visit

__all__ = ["clock", "prepare", "visit"]
