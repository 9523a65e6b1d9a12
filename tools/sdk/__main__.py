"""`make sdk`: makes both SDKs under dist/, from openapi.json as it is."""

import sys

from core.installation import ROOT
from core.npm import Unavailable
from tools.sdk.built import pack
from tools.sdk.generators import WrongLock
from tools.sdk.python import Incomplete


def main() -> None:
    """Makes the wheel and the package for npm. Exits with a sentence if that can't be done."""
    dist = ROOT / "dist"
    dist.mkdir(exist_ok=True)
    try:
        files = pack(dist)
    except (Incomplete, Unavailable, WrongLock) as error:
        sys.exit(str(error))
    for path in files:
        print(f"{path.stat().st_size:>12,}  {path.name}")


if __name__ == "__main__":
    main()
