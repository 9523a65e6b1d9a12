"""The IP allowlist: which client addresses may send requests at all.

| file | what it has |
|---|---|
| `networks.py` | `Allowlist`, a parsed list, immutable, and why an address is not on it |
| `file.py` | `AllowlistFile`, the list that is in force, reloaded when its file changes |
| `gate.py` | `AllowlistMiddleware`, the gate in front of the whole application |

The client address is the value of `x-real-ip` and nothing else: no other header, and never the socket's peer. So
the gate is only as good as the proxy in front of it, which must set that header on every request and drop the
caller's own. A deployment without such a proxy has no use for this list.
"""

from core.http.allowlist.file import MAX_BYTES, AllowlistFile, AllowlistMode, AllowlistUnusable
from core.http.allowlist.gate import UNCHECKED_PATHS, AllowlistMiddleware
from core.http.allowlist.networks import MAX_LINES, Allowlist, BadAllowlist, reason_against

__all__ = [
    "MAX_BYTES",
    "MAX_LINES",
    "UNCHECKED_PATHS",
    "Allowlist",
    "AllowlistFile",
    "AllowlistMiddleware",
    "AllowlistMode",
    "AllowlistUnusable",
    "BadAllowlist",
    "reason_against",
]
