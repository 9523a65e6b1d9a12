"""Keys that a start makes for the embedded servers, in a file beside their data that only its owner can read."""

import json
import os
import secrets
from dataclasses import dataclass
from pathlib import Path

from pydantic import SecretStr

from core.database_options import BadSettings
from core.private_files import private_folder


@dataclass(frozen=True, slots=True)
class Secrets:
    """The keys of a data folder."""

    secret_key: SecretStr
    jwt_key: SecretStr


def load_or_make(folder: Path) -> Secrets:
    """Returns the keys of this data folder, made if there are none. Raises BadSettings if they can't be read."""
    path = folder / "secrets.json"
    try:
        keys = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        keys = {"secret_key": secrets.token_urlsafe(48), "jwt_key": secrets.token_urlsafe(48)}
        private_folder(folder)
        # Written to another file and renamed: a start that is killed here must not leave half a key.
        half = path.with_suffix(".new")
        with os.fdopen(os.open(half, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w") as file:
            json.dump(keys, file)
            file.flush()
            os.fsync(file.fileno())
        half.replace(path)
    except (OSError, ValueError) as error:
        raise BadSettings(f"{path} can't be read: {error}. Restore it, or delete the data folder.") from error
    return Secrets(SecretStr(keys["secret_key"]), SecretStr(keys["jwt_key"]))
