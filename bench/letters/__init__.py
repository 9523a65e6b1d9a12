"""Reads the letters of the console's builder as mail programs do."""
