"""A worker whose WhatsApp children use the stand-in: `python -m tests.whatsapp.worker PORT FOLDER`. Only tests start
one.
"""

import sys
from pathlib import Path

if __name__ == "__main__":
    from messengers import whatsapp

    port, folder = sys.argv[1:]
    command = (sys.executable, "-m", "tests.whatsapp.stage", port)
    whatsapp.driver = lambda settings=None: whatsapp.WhatsApp(command=command, base_folder=Path(folder))
    sys.argv = ["postern", "worker"]
    from postern.cli import app

    app()
