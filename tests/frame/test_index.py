"""A route that is found by its whole path is the one that patterns would find."""

from fastapi.routing import APIRoute
from starlette.routing import Match

from postern.app import doors
from runtime.fast.router import FastRouter


def test_a_fixed_path_leads_where_its_pattern_does():
    api = doors(explorable=True)
    fixed = FastRouter(api)._index._fixed
    assert ("POST", "/graphql") in fixed
    assert ("GET", "/users") in fixed
    for (method, path), route in fixed.items():
        scope = {"type": "http", "method": method, "path": path, "root_path": "", "headers": []}
        matches = (
            (route, route.matches({**scope})) for route in api.router.routes if isinstance(route, APIRoute)
        )
        matched, (_, child_scope) = next(pair for pair in matches if pair[1][0] is Match.FULL)
        assert matched is route
        assert child_scope == {"endpoint": route.endpoint, "route": route, "path_params": {}}
