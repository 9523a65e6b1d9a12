"""Reconciliations: the signed account of each end of a project, person by person and to the last digit.

    projects.progress.finish ──► a row that waits ──► making: one snapshot of the records, the counters and the ledger
        rounds, when reports ──►                        │ lines, one a message ──► sums       (lines, sums, merkle)
        are settled                                     │ sorted by person ──► chunks of 1,024 and their root
                                                        └ document ──► signed (jws, signing_keys), with the hash of
                                                          the one before

    proofs      the line of an address, and its path to the root       chunks     rows of lines, stored and erased
    verifying   the check of files, with no database and no network    owner_keys what stands for an address

Sums are counted from the records, and compared with what the counters and the ledger say. If the two differ, the
document says `open` with the difference. No sum is ever made to fit.
"""
