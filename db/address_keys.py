"""The SQL of the key of an address (`shapes/addresses.py`).

A table with addresses has the column `address_key`, which is NULL where the address is its own key: so it is for every
phone, and for most emails.
"""

from typing import Any

from sqlalchemy import func


def key_of(column: str) -> str:
    """Returns the SQL of the key: `key_of('m."to"')` is `COALESCE(m.address_key, m."to")`. Indexes have it so, too."""
    table, dot, _ = column.rpartition(".")
    return f"COALESCE({table}{dot}address_key, {column})"


def key_column(address: Any) -> Any:
    """Returns the same for an attribute of a model: `key_column(Message.to)`."""
    return func.coalesce(address.class_.address_key, address)
