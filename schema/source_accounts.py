"""source accounts in the graph."""
