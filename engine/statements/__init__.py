"""Statements: what each month (UTC) moved on an account, added up and signed, with the next one in a chain.

    the 3rd of a month ── round ──► months: a row that waits, for each account
        fair queue ──► making: one snapshot of the ledger, the messages, the projects and the balance
                         │ entries ──► groups by kind, channel, category, country, route, sender and project  (sums)
                         └ document ──► signed by the installation's key, with the hash of the one before

    form        the check of a statement that comes as a file; engine/reconciliations/verifying.py does the rest
    table       the lines of a statement for CSV

A statement has sums and no addresses, so nothing of it is ever erased. Its closing balance is the account's own, less
what moved after the month: if the lines lead to another one, the document says `open` with the difference.
"""
