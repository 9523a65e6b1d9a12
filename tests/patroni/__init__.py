"""Postern on three PostgreSQL servers under Patroni, whose nodes are killed while messages are sent: `make patroni`.

__main__ ──► scenarios ──► cluster: etcd, and three nodes of Patroni and PostgreSQL, whose processes it kills
                 │
                 └───────► world: an API process, two workers, Redis, a load, and a mail server that records
"""
