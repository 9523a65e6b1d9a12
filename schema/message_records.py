"""messages of projects in the graph."""
