"""Bounds of what a command line takes."""

import argparse
from collections.abc import Callable


def integer(least: int, most: int) -> Callable[[str], int]:
    """Returns a type of argparse: whole numbers within these bounds."""

    def bounded(text: str) -> int:
        number = int(text)
        if not least <= number <= most:
            raise argparse.ArgumentTypeError(f"between {least:,} and {most:,}")
        return number

    return bounded
