"""Makes the enums of the shapes known to GraphQL. Strawberry marks a class; the class stays what it is."""

import importlib
import pkgutil

import strawberry

import shapes
from shapes.described import DescribedEnum

for module in pkgutil.iter_modules(shapes.__path__, "shapes."):
    importlib.import_module(module.name)

for enum_class in DescribedEnum.__subclasses__():
    strawberry.enum(enum_class, description=enum_class.__doc__)
