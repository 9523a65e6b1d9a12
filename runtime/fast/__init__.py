"""The fast route: a request goes from the path to its operation without FastAPI's layers.

    FastRouter          finds the route by `Index`, and calls `FastRoute.fast` if it has one; else FastAPI handles the
                   request
      endpoints    validates path, query and body with FastAPI's own fields, and calls the route's function
      row_writer   turns database rows into plain data

`POSTERN_FAST_ROUTES=false` switches it off. Then FastAPI handles every request, with the same answers, only slower:
docs/decisions/0023-straight-to-the-route.md has the figures.
"""
