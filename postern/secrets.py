"""Keys that we make ourselves for the embedded servers' data, kept beside it, readable by its owner alone."""

import json
import os
import secrets
from dataclasses import dataclass
from pathlib import Path

from pydantic import SecretStr

from postern.embedded.private import private_folder
from postern.settings import BadSettings


@dataclass(frozen=True, slots=True)
class Secrets:
    secret_key: SecretStr
    jwt_key: SecretStr


def load_or_make(folder: Path) -> Secrets:
    """Raises BadSettings for a file that can't be read."""
    path = folder / "secrets.json"
    try:
        kept = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        kept = {"secret_key": secrets.token_urlsafe(48), "jwt_key": secrets.token_urlsafe(48)}
        private_folder(folder)
        # Written whole or not at all: a start that dies here must not leave half a key behind.
        half = path.with_suffix(".new")
        with os.fdopen(os.open(half, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w") as file:
            json.dump(kept, file)
            file.flush()
            os.fsync(file.fileno())
        half.replace(path)
    except (OSError, ValueError) as error:
        raise BadSettings(f"{path} can't be read: {error}. Restore it, or delete the data folder.") from error
    return Secrets(SecretStr(kept["secret_key"]), SecretStr(kept["jwt_key"]))
