"""Steps real sessions of the database through schedules: one statement at a time, in each order that counts.

sessions: connections that wait before each statement and each commit      schedules: which goes next
direct, projects: workers, a reaper, a stop, reports, and what must hold    test_stepper: all of it, or a smoke

`SCHEDULES=all` runs all schedules with at most two preemptions, of four sessions of a project with one, and then random
ones (`make simulate`).
"""
