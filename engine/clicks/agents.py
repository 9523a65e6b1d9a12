"""Tells the programs that check links from browsers, by the list of CrawlerDetect."""

from functools import lru_cache
from typing import Final

from crawlerdetect import CrawlerDetect  # type: ignore[import-untyped]

LONGEST: Final = 256
"""Characters of a User-Agent that are looked at: the time of a look grows with the square of its length."""

_CACHED: Final = 4096


@lru_cache(1)
def _list() -> CrawlerDetect:
    return CrawlerDetect()


@lru_cache(_CACHED)
def is_crawler(agent: str) -> bool:
    """Returns whether the list has this User-Agent. A request without one is none of a browser."""
    return not agent or bool(_list().is_crawler(agent))
