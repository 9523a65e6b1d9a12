"""Reads the cells of an exported CSV file."""

import csv
import io


def table(content_):
    assert content_.startswith(b"\xef\xbb\xbf")
    return list(csv.reader(io.StringIO(content_.decode("utf-8-sig"), newline="")))
