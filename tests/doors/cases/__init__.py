"""One file a feature: `CASES`, and `rows`, which creates the rows that the cases name, if they name any.

Every module of this folder is found by itself.
"""

import pkgutil
from importlib import import_module

FEATURES = tuple(import_module(f"{__name__}.{module.name}") for module in pkgutil.iter_modules(__path__))
