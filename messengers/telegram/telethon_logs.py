"""Turns Telethon's logging off: it logs unexpected packets with their content. Import this before Telethon."""

import logging

logger = logging.getLogger("telethon")
logger.setLevel(logging.CRITICAL + 1)
