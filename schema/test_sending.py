"""test sending in the graph."""
