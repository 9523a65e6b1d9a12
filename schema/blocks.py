"""blocks in the graph."""
