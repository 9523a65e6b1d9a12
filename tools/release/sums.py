"""Writes the SHA-256 sums of a folder's files, and signs them with an Ed25519 key."""

from hashlib import file_digest
from pathlib import Path

from cryptography.exceptions import UnsupportedAlgorithm
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import load_pem_private_key

SUMS = "SHA256SUMS"
SIGNATURE = f"{SUMS}.sig"


class Refused(Exception):
    """The release can't be made; the message says why and what to do."""


def read_key(path: Path) -> Ed25519PrivateKey:
    """Returns the private key in a PEM file without a password. Raises Refused."""
    try:
        key = load_pem_private_key(path.read_bytes(), password=None)
    except (OSError, TypeError, ValueError, UnsupportedAlgorithm) as error:
        raise Refused(f"The key can't be read from {path}: {error}") from error
    if not isinstance(key, Ed25519PrivateKey):
        raise Refused(
            f"{path} has a key of another kind; `openssl genpkey -algorithm ed25519` makes an Ed25519 key."
        )
    return key


def write_sums(folder: Path) -> None:
    """Writes `SHA256SUMS`, as `sha256sum --check` reads it."""
    lines = []
    for path in sorted(folder.iterdir()):
        if path.name not in {SUMS, SIGNATURE}:
            with path.open("rb") as file:
                lines.append(f"{file_digest(file, 'sha256').hexdigest()}  {path.name}\n")
    (folder / SUMS).write_text("".join(lines), encoding="utf-8")


def sign(folder: Path, key: Ed25519PrivateKey) -> None:
    """Writes the signature of `SHA256SUMS`: 64 bytes, the same for each run with this key."""
    (folder / SIGNATURE).write_bytes(key.sign((folder / SUMS).read_bytes()))
