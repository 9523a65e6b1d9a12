"""files in the graph."""
