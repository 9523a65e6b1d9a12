"""Telethon logs what comes over the wire when something is odd about it: it may not. Imported before Telethon."""

import logging

logger = logging.getLogger("telethon")
logger.setLevel(logging.CRITICAL + 1)
