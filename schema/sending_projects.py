"""projects in the graph."""
