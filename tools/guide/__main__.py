"""`make guide`: builds the guide into `static/vendor/guide/`, where rest/guide.py reads it, or into another folder."""

import shutil
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from sphinx.application import Sphinx
from sphinx.errors import SphinxError

from core.assets import GUIDE, STATIC
from core.version import __version__
from tools.guide import pages

_OPTIONS: dict[str, Any] = {
    "project": "Postern",
    "version": __version__,
    "release": __version__,
    "extensions": ["myst_parser"],
    "myst_heading_anchors": 4,
    "highlight_language": "none",
    "suppress_warnings": ["misc.highlighting_failure"],  # Pygments does not have the language of every block
    "html_theme": "furo",
    "html_title": f"Postern {__version__}",
    "html_favicon": "icon.svg",
    "html_copy_source": False,
    "html_show_sphinx": False,
    "html_use_index": False,
}
_NOT_SERVED = shutil.ignore_patterns(".buildinfo", "objects.inv", "*.map", "debug.css", "_sources")


def build(target: Path) -> None:
    """Builds the guide anew. Raises SphinxError for a link that leads nowhere, as for any other warning."""
    with TemporaryDirectory(prefix="postern-guide-") as name:
        source, built = Path(name) / "source", Path(name) / "built"
        pages.write(source)
        shutil.copy(STATIC / "icon.svg", source)
        app = Sphinx(
            *(source, None, built, Path(name) / "doctrees", "html", _OPTIONS),
            status=None, warningiserror=True,
        )  # fmt: skip
        app.build()
        if app.statuscode:
            raise SphinxError("correct what the warnings above name")
        pages.write_for_programs(built)
        shutil.rmtree(target, ignore_errors=True)
        shutil.copytree(built, target, ignore=_NOT_SERVED)


if __name__ == "__main__":
    try:
        build(Path(sys.argv[1]) if sys.argv[1:] else GUIDE)
    except SphinxError as error:
        sys.exit(f"The guide is not built: {error}")
