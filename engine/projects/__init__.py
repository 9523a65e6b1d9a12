"""Sending Projects at work. Importing this package registers the jobs.

project ── start ──► audience: recipients → message_records, in batches of 500 ──► jobs: `projects.visit`
                                                                                      │
   cycle: claim a batch → sort (blocks, windows, texts) → rates, day, balance → engine/sending → close
                                                                                      │
scheduler: startAt has come · a pause's cause is gone · a dead worker's batches · forgotten projects ◄┘
"""

from engine.projects import audience, cycle, scheduler

__all__ = ["audience", "cycle", "scheduler"]
