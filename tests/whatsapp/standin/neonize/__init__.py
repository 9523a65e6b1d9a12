"""Stands in for neonize: the names, types and ways of the real one, against a messenger of our own on loopback.

`tests/whatsapp/test_real.py` holds it to the real library's signatures and fields wherever that is installed.
"""

__version__ = "0.5.2+standin"
