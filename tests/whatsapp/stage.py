"""A child on the stand-in: `python -m tests.whatsapp.stage PORT`. Only tests start one."""

import sys
from pathlib import Path

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).parent / "standin"))
    from neonize import client  # type: ignore[import-not-found]

    client.ADDRESS = ("127.0.0.1", int(sys.argv[1]))
    client.FAILS_TO_CONNECT = "cannot connect" in sys.argv[2:]

    from messengers.whatsapp import child

    child.main()
