"""Door 2, REST: all routers. A feature is one file, a route is one line, and paths are those of the specification."""

from importlib import import_module
from pkgutil import iter_modules

from starlette.routing import BaseRoute

from core.modules import features
from rest.frame.routing import Router, is_extension
from rest.frame.vendor import under_api

FEATURES = features(frozenset(file.name for file in iter_modules(__path__) if not file.ispkg))
"""The files of this folder, in the order in which OpenAPI shows their tags."""

ROUTERS = tuple(
    router
    for name in FEATURES
    for router in vars(import_module(f"{__name__}.{name}")).values()
    if isinstance(router, Router)
)
TAGS = {router.tag: router.about for router in ROUTERS if router.about} | {
    "extensions": "Postern's own routes, which the specification does not list."
}
_ALL = [route for router in ROUTERS for route in router.routes]
ROUTES: tuple[BaseRoute, ...] = (
    *(route for route in _ALL if not is_extension(route)),
    *under_api(_ALL),
    *filter(is_extension, _ALL),
)
"""All routes, those of the specification first: the first one that matches a request answers it."""
