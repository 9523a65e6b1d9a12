"""Reconciliations: sums, trees, signatures, proofs, both doors, erasure, kills, and files that somebody has changed."""
