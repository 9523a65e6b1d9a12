"""Blocked phones and addresses (contract §3)."""

from enum import StrEnum


class BlockReason(StrEnum):
    """Why nobody may write to it."""

    manual = "manual"
    optOut = "optOut"  # noqa: N815  the contract's word
    hardBounce = "hardBounce"  # noqa: N815  the contract's word
    complaint = "complaint"
