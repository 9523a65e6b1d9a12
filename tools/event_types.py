"""Writes the catalogue of event types into docs/events.md: `make snapshots`."""

from pathlib import Path

from shapes.event_feed import CATALOGUE

PAGE = Path(__file__).resolve().parent.parent / "docs/events.md"
_BEGIN, _END = "<!-- types -->\n", "<!-- end of types -->\n"


def table() -> str:
    """Returns the catalogue as a table of Markdown."""
    lines = ["| type | about | fields of `data` | when |", "|---|---|---|---|"]
    lines += [f"| `{line.type}` | {line.subject} | {line.data} | {line.when} |" for line in CATALOGUE]
    return "\n".join(lines) + "\n"


def page() -> str:
    """Returns the page with the present catalogue."""
    text = PAGE.read_text(encoding="utf-8")
    before, _, rest = text.partition(_BEGIN)
    _, _, after = rest.partition(_END)
    return f"{before}{_BEGIN}\n{table()}\n{_END}{after}"


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
