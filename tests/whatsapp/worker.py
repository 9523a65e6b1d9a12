"""A worker whose WhatsApp children use the stand-in: `python -m tests.whatsapp.worker PORT FOLDER`. Only tests start
one.
"""

import sys
from pathlib import Path

if __name__ == "__main__":
    from engine.messengers import account_runner
    from messengers import whatsapp
    from messengers.whatsapp import lifecycle
    from messengers.whatsapp.process import Bounds
    from tests.support.waits import PATIENCE

    account_runner._CLOSE_BOUND = lifecycle._SAVE_AT_END = PATIENCE
    port, folder = sys.argv[1:]
    command = (sys.executable, "-m", "tests.whatsapp.stage", port)
    whatsapp.driver = lambda settings=None: whatsapp.WhatsApp(
        command=command, bounds=Bounds(stop=PATIENCE), base_folder=Path(folder)
    )
    sys.argv = ["postern", "worker"]
    from postern.cli import app

    app()
