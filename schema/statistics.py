"""statistics in the graph."""
