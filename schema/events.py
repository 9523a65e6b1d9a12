"""events in the graph."""
