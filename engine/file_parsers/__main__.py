"""The reader's process: a job as JSON on its standard input, frames on its standard output.

A frame is a letter, a length (32 bits, big-endian) and that many bytes:

    H  the head, JSON: columns, mapping; of a list of contacts also the types that its fields seem to have
    R  rows: JSON of their numbers, a line feed, the text of a COPY
    E  the end, JSON: {} or {"reason": why the whole list can't be read} or {"bug": its type and place};
       with "memory" if the reader had too little of it
    P  a preview, JSON; `read` is the number of bytes that were read or unpacked for it; or the rows of a price list
"""

import struct
import sys
import traceback
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any, BinaryIO
from uuid import UUID

import orjson

from core.priority import lower_priority
from engine.file_parsers import invoice_rows, mapping
from engine.file_parsers.cells import CellReader, inner_columns, outer_of
from engine.file_parsers.common import Options, Source, TooComplex, Unreadable
from engine.file_parsers.contact_columns import (
    ContactColumns,
    columns_in,
    from_mapping,
    nobody,
    suggested,
    types_of,
)
from engine.file_parsers.contact_rows import ContactRows
from engine.file_parsers.mapping import Columns
from engine.file_parsers.price_rows import read_prices
from engine.file_parsers.rows import Batch, batches, written
from engine.file_parsers.tables import JsonRows, Sheet, TextLines, open_source, texts_of

_SECONDS = 1800  # of processor time
_NICE = 10  # sending has priority
_PREVIEW_ROWS = 20  # rows of a preview
_CELL = 200  # characters of a sample


def main(out: BinaryIO) -> None:
    """Reads the job, and writes the frames."""
    job = orjson.loads(sys.stdin.buffer.read())
    _bound(job["memory"])
    try:
        _work(job, out)
    except TooComplex as error:
        _send(out, b"E", _json({"reason": str(error), "code": "file_too_complex"}))
    except Unreadable as error:
        _send(out, b"E", _json({"reason": str(error)}))
    except (UnicodeDecodeError, UnicodeError):
        _send(
            out,
            b"E",
            _json({"reason": "The file is not valid text in its detected encoding. Save it as UTF-8."}),
        )
    except MemoryError:
        _send(
            out,
            b"E",
            _json(
                {
                    "reason": "The file needs more memory than an import may take. Save it as CSV.",
                    "code": "file_too_complex",
                    "memory": True,
                }
            ),
        )
    except BrokenPipeError:
        raise
    except Exception as error:  # a bug: report its type and place, and nothing of the file's content
        last = traceback.extract_tb(error.__traceback__)[-1]
        _send(
            out, b"E", _json({"bug": f"{type(error).__name__} at {Path(last.filename).name}:{last.lineno}"})
        )


def _bound(memory: int) -> None:
    """`memory`: bytes of address space. A spreadsheet is unpacked as a whole."""
    try:
        import resource
    except ImportError:  # not on this system
        return
    with suppress(OSError):
        lower_priority(_NICE)
    with suppress(ValueError, OSError):
        resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
    with suppress(ValueError, OSError):
        resource.setrlimit(resource.RLIMIT_CPU, (_SECONDS, _SECONDS))
    with suppress(ValueError, OSError):
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def _work(job: dict[str, Any], out: BinaryIO) -> None:
    options = Options(**job["options"], region=job["region"])
    source = open_source(Path(job["path"]), job["kind"], options)
    if job.get("prices"):
        _send(out, b"P", _json(read_prices(source)))
        return
    if (invoice := job.get("invoice")) is not None:
        _send_invoice(out, source, job, invoice, options)
        return
    contacts = job.get("contacts")
    columns = (
        _columns(source, job["mapping"], options.channel)
        if contacts is None
        else _contact_columns(source, contacts, new=job["preview"])
    )
    if job["preview"]:
        read = source.unpacked if isinstance(source, Sheet) else Path(job["path"]).stat().st_size
        _send(out, b"P", _json({**_preview(source, columns), "read": read}))
        return
    if columns is None:
        raise mapping.no_address(source.columns) if contacts is None else nobody(source.columns)
    head = {"columns": source.columns, "mapping": columns.as_mapping()}
    id = UUID(job["id"])
    if isinstance(columns, ContactColumns):
        _send(out, b"H", _json({**head, "types": types_of(columns, source.columns, source.sample)}))
        _send_rows(out, source, written(source, ContactRows(source, columns, id, options)))
    else:
        _send(out, b"H", _json(head))
        _send_rows(out, source, batches(source, columns, id, options))


def _send_invoice(
    out: BinaryIO, source: Source, job: dict[str, Any], invoice: dict[str, Any], options: Options
) -> None:
    columns = invoice_rows.columns_of(invoice["mapping"], source)
    _send(out, b"H", _json({"columns": source.columns, "mapping": columns}))
    maker = invoice_rows.InvoiceRows(source, columns, UUID(job["id"]), options, invoice["timezone"])
    _send_rows(out, source, written(source, maker))


def _send_rows(out: BinaryIO, source: Source, rows: Iterator[Batch]) -> None:
    read = 0
    for batch in rows:
        read += len(batch.rows)
        _send(out, b"R", _numbers(batch), batch.data())
    if not read:
        raise Unreadable(
            "The file has a header but no rows. Add rows to it."
            if source.header
            else "The list has no rows. Add rows to it."
        )
    _send(out, b"E", b"{}")


def _columns(source: Source, requested: dict[str, str] | None, channel: str | None) -> Columns | None:
    if isinstance(source, TextLines):
        return Columns("address", "address", "name", None, {})
    if requested:
        later = source.later_fields(requested.values()) if isinstance(source, JsonRows) else []
        return mapping.from_mapping(requested, [*source.columns, *later])
    return mapping.suggested(source.columns, texts_of(source.sample, source.columns), channel)


def _contact_columns(source: Source, contacts: dict[str, Any], *, new: bool) -> ContactColumns | None:
    """Returns the columns of a list of contacts. `new`: suggest fields that the owner does not have, too."""
    if isinstance(source, TextLines):
        return None
    if requested := contacts["mapping"]:
        whole = [each for each in columns_in(requested) if outer_of(each, source.columns) is None]
        later = source.later_fields(whole) if isinstance(source, JsonRows) else []
        return from_mapping(requested, [*source.columns, *later])
    sample = texts_of(source.sample, source.columns)
    create = new or contacts["createFields"]
    inner = inner_columns(source.columns, source.sample)
    channel = (contacts.get("subscribe") or {}).get("channel")
    return suggested(
        source.columns, sample, contacts["existing"], create=create, inner=inner, channel=channel
    )


def _numbers(batch: Batch) -> bytes:
    return _json({"valid": batch.valid, "invalid": batch.invalid, "duplicates": batch.duplicates}) + b"\n"


def _preview(source: Source, columns: Columns | ContactColumns | None) -> dict[str, Any]:
    rows = texts_of(source.sample[:_PREVIEW_ROWS], source.columns)
    form = "xlsx" if isinstance(source, Sheet) else "json" if isinstance(source, JsonRows) else "csv"
    return {
        "format": "text" if isinstance(source, TextLines) else form,
        "delimiter": source.delimiter,
        "encoding": source.encoding,
        "header": source.header,
        "headerRow": source.header_row,
        "columns": [
            *(
                {"name": name, "samples": [_plain(row[index]) for row in rows if row[index]][:5]}
                for index, name in enumerate(source.columns)
            ),
            *(_inner_previews(source) if isinstance(columns, ContactColumns) else ()),
        ],
        "mapping": columns.as_mapping() if columns else {},
        **(
            {"types": types_of(columns, source.columns, source.sample)}
            if isinstance(columns, ContactColumns)
            else {}
        ),
    }


def _inner_previews(source: Source) -> Iterator[dict[str, Any]]:
    cells, rows = CellReader(source.columns), source.sample[:_PREVIEW_ROWS]
    for names in inner_columns(source.columns, source.sample).values():
        for name in names:
            values = [value for row in rows if (value := cells(row, name)) not in (None, "", [])]
            samples = [value if isinstance(value, str) else str(value) for value in values]
            yield {"name": name, "samples": [_plain(sample) for sample in samples[:5]]}


def _plain(cell: str) -> str:
    return cell[:_CELL].encode("utf-8", "replace").decode().replace("\0", "")


def _json(value: Any) -> bytes:
    return orjson.dumps(value)


def _send(out: BinaryIO, kind: bytes, *parts: bytes) -> None:
    out.write(struct.pack(">cI", kind, sum(map(len, parts))))
    out.writelines(parts)
    out.flush()


if __name__ == "__main__":
    with suppress(BrokenPipeError):  # the parent is gone
        main(sys.stdout.buffer)
    with suppress(BrokenPipeError):
        sys.stdout.close()
