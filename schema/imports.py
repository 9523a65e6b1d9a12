"""imports in the graph."""
