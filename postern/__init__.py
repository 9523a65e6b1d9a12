"""The roof: puts everything together. No other package imports it."""
