"""`make release`: makes the files of a release under dist/, from a clean checkout. docs/release.md describes them."""

import argparse
import shutil
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from core.installation import ROOT
from core.npm import Unavailable
from tools.release import artefacts, image, sums
from tools.sdk import built
from tools.sdk.generators import WrongLock
from tools.sdk.python import Incomplete

DIST = ROOT / "dist"


def build(folder: Path, *, with_image: bool = False) -> None:
    """Makes all files of a release, and their sums, in an empty folder."""
    artefacts.make_wheel(folder)
    artefacts.write_constraints(folder)
    with TemporaryDirectory() as name:
        python = artefacts.make_environment(Path(name) / "environment")
        artefacts.write_sbom(folder, python)
        artefacts.make_one_file(folder, python)
    artefacts.add_to_sbom(folder, built.pack(folder))
    if with_image:
        image.make_image(folder)
    sums.write_sums(folder)


def main() -> None:
    """Makes `dist/` anew. Exits with a sentence if that can't be done."""
    parser = argparse.ArgumentParser(prog="python -m tools.release", description=__doc__)
    parser.add_argument("--key", type=Path, help="an Ed25519 key in a PEM file, which signs the sums")
    parser.add_argument("--image", action="store_true", help="makes the image for containers, too")
    options = parser.parse_args()
    try:
        key = sums.read_key(options.key) if options.key else None
        if options.image:
            image.check()
        if changes := artefacts.git("status", "--porcelain"):
            raise sums.Refused(
                f"A release is made from a clean checkout. Commit or remove these files:\n{changes}"
            )
        shutil.rmtree(DIST, ignore_errors=True)
        DIST.mkdir()
        build(DIST, with_image=options.image)
        if key:
            sums.sign(DIST, key)
    except (sums.Refused, Unavailable, WrongLock, Incomplete, subprocess.CalledProcessError) as error:
        sys.exit(str(error))
    for path in sorted(DIST.iterdir()):
        print(f"{path.stat().st_size:>12,}  {path.name}")


if __name__ == "__main__":
    main()
