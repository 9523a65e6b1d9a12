"""One file a driver: `rig(name)` for each of its `NAMES`; see tests/messengers/rig.py."""
