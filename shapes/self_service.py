"""The requests that people make for themselves, by the page of preferences."""

from shapes.described import DescribedEnum


class SelfService(DescribedEnum):
    """A request that people make for themselves."""

    export = "export", "they may get a file with what is stored of them"
    erase = "erase", "they may have what is stored of them erased"
