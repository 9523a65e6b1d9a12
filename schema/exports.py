"""exports in the graph."""
