"""The trade with SMS: what a message to a number costs.

a number ──► countries: where it belongs
"""
