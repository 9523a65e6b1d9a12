"""The house's own rules, checked on the syntax tree: `python -m tests.linters`. What each forbids stands in
rules.py.
"""
