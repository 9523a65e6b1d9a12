"""Reads CSV: detects delimiter and header, and recovers the rows after a quote that was never closed."""

import csv
from collections import Counter, deque
from collections.abc import Iterator
from dataclasses import replace
from itertools import chain, islice
from pathlib import Path

from engine.file_parsers import mapping
from engine.file_parsers.addresses import looks_like
from engine.file_parsers.common import COLUMNS, ROW, SAMPLE, Cells, Fault, Options, Record, Unreadable
from engine.file_parsers.text import Lines, detect

_DELIMITERS = ";,\t|"
_SPAN = 200  # lines that one row may span
QUOTES = Fault("bad_quotes", 'A quotation mark (") is opened on this line and not closed as it should be.')

csv.field_size_limit(ROW)


class CsvTable:
    """A CSV file. Construction and reading raise Unreadable."""

    def __init__(self, path: Path, options: Options) -> None:
        self.encoding: str | None = options.encoding or detect(path, options.region)
        self._path = path
        self._first = 1  # the line where the table begins
        sample = list(islice(chain.from_iterable(self._lines().lists()), 4 * SAMPLE))
        if sample and sample[0].lower().startswith("sep=") and len(sample[0]) <= 6:  # Excel writes this line
            options = replace(options, delimiter=options.delimiter or sample[0][4:5].strip("\n") or None)
            self._first, sample = 2, sample[1:]
        self.delimiter: str | None = options.delimiter or _delimiter(sample)
        rows = list(islice(self._records(None), SAMPLE))
        good = [(line, cells) for line, cells in rows if isinstance(cells, list)]
        if not good:
            raise Unreadable(
                "The file is empty. Send a file that has content."
                if not rows
                else f"No line can be read. {_why(rows)}"
            )
        at = mapping.header_of(good, options)
        self.header = at is not None
        self.header_row = None if at is None else good[at][0]
        widths = Counter(len(cells) for _, cells in good)
        self._width = widths.most_common(1)[0][0] if at is None else len(good[at][1])
        if self._width > COLUMNS:
            raise Unreadable(
                f"The list has {self._width} columns; at most {COLUMNS} are allowed. Remove some."
            )
        self.columns = mapping.unique_names([""] * self._width if at is None else good[at][1])
        below = 0 if at is None else at + 1
        self._skipped = frozenset(line for line, _ in good[:below])
        self.sample = [cells for _, cells in good[below:] if len(cells) == self._width]

    def _lines(self) -> Lines:
        assert self.encoding is not None
        return Lines(self._path, self.encoding)

    def rows(self) -> Iterator[tuple[int, Record]]:
        skipped = self._skipped
        for line, record in self._records(self._width):
            if line not in skipped:
                yield line, record

    def _records(self, width: int | None) -> Iterator[tuple[int, Record]]:
        """Yields line and row. `width`: how many cells a row must have."""
        source = self._lines()
        lists = source.lists()
        delimiter = self.delimiter or ","
        end = self._first - 1  # the last line of the last row
        before = end

        def bounded(lines: Iterator[str]) -> Iterator[str]:
            # An unclosed quote, or one that is reopened again and again, would make one row of the rest of the file.
            number, size = end, 0
            for line in lines:
                if number == end:
                    size = len(line)
                else:
                    size += len(line)
                    if size > ROW or number - end >= _SPAN:
                        raise csv.Error
                number += 1
                yield line

        waiting = chain.from_iterable(lists)
        if end:
            next(waiting, None)
        reader = csv.reader(bounded(waiting), delimiter=delimiter)
        while True:
            try:
                for cells in reader:
                    line = before + reader.line_num
                    start, end = end + 1, line
                    if line != start and (broken := _across(source, start, line, cells, width, delimiter)):
                        yield start, broken
                        end = start
                        break
                    if len(cells) == width:
                        yield start, cells
                    elif cells:
                        yield start, cells if width is None else _fitted(cells, width)
                    elif source.faults and start in source.faults:
                        yield start, source.faults.pop(start)
                else:
                    return
            except csv.Error:
                end += 1
                yield end, source.faults.pop(end, QUOTES)
            # The lines after the broken row's first line are read as rows of their own.
            before = end
            waiting = chain(source.recent(end + 1), chain.from_iterable(lists))
            reader = csv.reader(bounded(waiting), delimiter=delimiter)


def _across(
    source: Lines, start: int, end: int, cells: Cells, width: int | None, delimiter: str
) -> Fault | None:
    """Returns the error of a row that spans several lines, or None if that was intended."""
    span = list(islice(source.recent(start), end - start + 1))
    for line in range(start, end + 1):
        if line in source.faults:
            return source.faults[line] if line == start else QUOTES
    text = "".join(span)
    if text.count('"') % 2 or (width is not None and len(cells) != width):
        return QUOTES
    try:
        deque(csv.reader(span, delimiter=delimiter, strict=True), maxlen=0)
        inner = list(csv.reader(span[1:], delimiter=delimiter))
    except csv.Error:  # the closing quote was meant to open another cell
        return QUOTES
    # Rows that were swallowed by an unclosed quote still look like rows.
    swallowed = (len(row) == width and any(looks_like(cell.strip()) for cell in row) for row in inner)
    return QUOTES if width is not None and width > 1 and any(swallowed) else None


def _fitted(cells: Cells, width: int) -> Record:
    if len(cells) > width and not any(cells[width:]):
        return cells[:width]
    if not any(cells):
        return [""] * width
    return Fault("wrong_columns", f"The line has {len(cells)} columns, the list has {width}.")


def _delimiter(sample: list[str]) -> str:
    """Returns the delimiter that splits most lines into the same number of cells, more than one."""
    best, chosen = (0.0, 0), ","
    for delimiter in _DELIMITERS:
        try:
            widths = [len(cells) for cells in csv.reader(sample, delimiter=delimiter) if cells]
        except csv.Error:
            continue
        if not widths:
            continue
        width, count = Counter(widths).most_common(1)[0]
        # A text column may hold commas, but rarely the same number in each line.
        score = (count / len(widths), width)
        if width > 1 and (score[0] >= best[0] + 0.2 or (score[0] > best[0] - 0.2 and width > best[1])):
            best, chosen = score, delimiter
    return chosen


def _why(rows: list[tuple[int, Record]]) -> str:
    return next((record.message for _, record in rows if isinstance(record, Fault)), "")
