"""Makes the image: Debian's Python, the one file unpacked, and nothing to compile with.

It needs Debian's packages mmdebstrap, buildah and zstd, and the right to make a root: root's, or user namespaces. The
format is Docker's, since OCI's has no health check; `podman load` and `docker load` take both. It is compressed by
zstd, since the Podman of Debian 12 can't load what gzip has compressed.
"""

import shutil
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from core.version import __version__
from tools.release.artefacts import git, run
from tools.release.sums import Refused

CONTAINERFILE = Path(__file__).with_name("Containerfile")
TOOLS = ("mmdebstrap", "buildah", "zstd")
_DEBIAN, _PYTHON = "bookworm", (3, 11)
_PACKAGES = "python3,ca-certificates,libstdc++6"  # greenlet and obstore need libstdc++
_LEFT_OUT = ("/usr/share/man/*", "/usr/share/locale/*", "/usr/share/info/*")
_CLEAN = 'rm -f "$1/etc/apt/sources.list" "$1/etc/hostname" "$1/etc/resolv.conf"'
"""These files would tell of the machine that made the image."""


def check() -> None:
    """Raises Refused if this machine can't make the image."""
    if missing := [tool for tool in TOOLS if not shutil.which(tool)]:
        raise Refused(f"The image needs {', '.join(missing)}: apt install {' '.join(TOOLS)}")
    if sys.version_info[:2] != _PYTHON:
        raise Refused(f"The image has the Python of Debian {_DEBIAN}, so it is made with Python 3.11.")


def make_image(folder: Path) -> None:
    """Makes a compressed archive of the image from the folder's `postern.pex`."""
    tag = f"localhost/postern:{__version__}"
    with TemporaryDirectory() as name:
        context, store = Path(name) / "context", Path(name) / "store"
        context.mkdir()
        shutil.copy(folder / "postern.pex", context)
        run(
            "mmdebstrap --quiet --variant=essential --include",
            *(_PACKAGES, *(f"--dpkgopt=path-exclude={path}" for path in _LEFT_OUT)),
            *("--customize-hook", _CLEAN, _DEBIAN, context / "root.tar"),
        )
        buildah = f"buildah --root {store}/images --runroot {store}/run --storage-driver vfs"
        run(
            f"{buildah} build --quiet --isolation chroot --format docker --build-arg VERSION={__version__}",
            *("--timestamp", git("log", "-1", "--format=%ct").strip()),
            *("--tag", tag, "--file", CONTAINERFILE, context),
        )
        archive = Path(name) / "image.tar"
        run(f"{buildah} push --quiet {tag} docker-archive:{archive}:{tag}")
        run("zstd --quiet -9 --single-thread -o", folder / f"postern-{__version__}-image.tar.zst", archive)
