"""ai in the graph."""
