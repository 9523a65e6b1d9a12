"""Sending Projects at work.

project ── start ──► audience: recipients → message_records, in batches of 500 ──► jobs: `projects.visit`
                                                                                      │
   cycle: claim a batch → sort (blocks, windows, texts) → rates, day, balance → engine/sending → close
                                                                                      │
scheduler: startAt has come · a pause's cause is gone · a dead worker's batches · forgotten projects ◄┘

repeatable fires by schedules: each firing makes a project, copies its audience and starts it. project_moves has the
state changes that the operations and the scheduler share; plan computes what will be sent, and when.
"""
