"""Tells a bug of a driver from a failure of the network. Child processes import it too, so it imports nothing."""

from typing import Final

BUGS: Final = (TypeError, AttributeError, NameError, AssertionError, NotImplementedError)
"""Errors that only wrong code raises. What a messenger sends, or a connection that ends, raises others."""

MOST: Final = 5
"""Bugs in a row after which a connection is not tried again."""

REASON: Final = "The driver failed. The operator finds the error in the log."
