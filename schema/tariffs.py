"""tariffs in the graph."""
