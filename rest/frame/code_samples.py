"""Shows how operations are called by curl and by the SDKs: `x-codeSamples` in the served OpenAPI document, which the
page /docs shows. The samples are files of `static/docs/samples`, by the operation's id; tests/sdk runs each of them.

They are not in the document that clients are generated from (`postern openapi`).
"""

from functools import cache
from typing import Any

from core.assets import DOCS

SAMPLES = DOCS / "samples"
LANGUAGES = {
    "curl.sh": ("shell", "curl"),
    "python.py": ("python", "Python"),
    "typescript.ts": ("typescript", "TypeScript"),
}
"""The languages by the names of their files, in the order in which they are shown."""


@cache
def samples() -> dict[str, list[dict[str, str]]]:
    """Returns the samples of each operation that has some, by the operation's id."""
    return {
        folder.name: [
            {"lang": language, "label": label, "source": (folder / name).read_text(encoding="utf-8").rstrip()}
            for name, (language, label) in LANGUAGES.items()
        ]
        for folder in sorted(SAMPLES.iterdir())
        if folder.is_dir() and not folder.name.startswith("_")
    }


def with_samples(document: dict[str, Any]) -> dict[str, Any]:
    """Returns the document with the samples; the one that is passed stays as it is."""
    return {
        **document,
        "paths": {
            path: {
                method: {**operation, "x-codeSamples": samples()[operation["operationId"]]}
                if operation["operationId"] in samples()
                else operation
                for method, operation in item.items()
            }
            for path, item in document["paths"].items()
        },
    }
