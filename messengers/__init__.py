"""Live messenger accounts: `port.py` and one file or package a driver. Who may hold one: engine/messengers/."""
