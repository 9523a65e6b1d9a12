"""The frame of Postern: no feature lives here."""

__version__ = "0.1.0"
