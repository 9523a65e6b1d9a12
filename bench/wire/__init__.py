"""The whole sending path at real servers, against a bare client of the same protocol; `python -m bench.wire`.

    client of the baseline ─────────────────────► provider (real server, a process of its own)
    project ─► PostgreSQL ─► worker processes ──► the same provider

`http.py`, `smtp.py`, `smpp.py`, `webhooks.py`, `direct.py`, `workers.py` are the channels; `contest.py` runs the
rounds, `bounces.py` compares two kinds of mails, `usage.py` reads transactions, WAL and processor time; `bare_*.py` are
the baselines, `http_provider.py` the HTTP server, and `node/` has what comes from npm.
"""
