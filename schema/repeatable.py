"""repeatable projects in the graph."""
