"""A database that was restored does not send again by itself (contract §9.6).

each connection ──► fence.admit ──► a copy, or older than this process knows ──► the fence: no worker works
a worker, 10 s ──► fence.beat ──► the row `installation`, Redis and the data folder (beats.py)
       │                             └─ the row is behind them: by more than the gap a restore, else a failover
       └─► 30 s ─► journal.write ──► erasures and withdrawals, in the file store (segments.py)

postern resume ──► resume.py ──► messages, projects, logins, feeds (moves.py), the journal (replay.py), the fence ends
"""
