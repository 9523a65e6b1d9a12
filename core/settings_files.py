"""Files of settings that the command line reads: that of --env-file, and that of an installed service."""

import os
import re
from io import StringIO
from pathlib import Path

from core.database_options import BadSettings
from core.settings import Settings

PRODUCTION_FILE = Path(
    "/etc/postern/environment"
)  # the settings of an installed service (docs/operations.md)


def use_file(path: Path) -> None:
    """Puts the variables of a file into the environment, except those that are set already. Raises BadSettings.

    They are put there, and not read like `.env`, so that child processes inherit them.
    """
    from dotenv.parser import parse_stream

    try:
        bindings = list(parse_stream(StringIO(path.read_text(encoding="utf-8"))))
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is not UTF-8 text"
        raise BadSettings(f"--env-file {path} can't be read: {reason}.") from error
    there = {name.upper() for name in os.environ}
    for binding in bindings:
        if binding.error:
            line = binding.original.line
            raise BadSettings(f"--env-file {path} can't be read: line {line} is not written NAME=value.")
        if binding.key and binding.value is not None and binding.key.upper() not in there:
            os.environ[binding.key.upper()] = binding.value


def overlooked(settings: Settings) -> str | None:
    """Returns a warning if the embedded servers are used on a machine where Postern is installed with its own."""
    if not settings.embedded:
        return None
    try:
        text = PRODUCTION_FILE.read_text(encoding="utf-8", errors="replace")
    except FileNotFoundError:
        return None
    except OSError:
        there = f"{PRODUCTION_FILE} may not be read by you"
    else:
        if not re.search(r"^\s*(export\s+)?DB_STRING\s*=", text, re.MULTILINE | re.IGNORECASE):
            return None
        there = f"{PRODUCTION_FILE} sets it"
    return (
        f"DB_STRING is not set here, so this uses the embedded servers under {settings.data_dir}. {there}: "
        f"if you mean the installation, type postern --env-file {PRODUCTION_FILE} … as a user who may read it."
    )
