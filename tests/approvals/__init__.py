"""Tests of plans with a hash, their approvals, and the starts that obey them."""
