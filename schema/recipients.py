"""recipients in the graph."""
