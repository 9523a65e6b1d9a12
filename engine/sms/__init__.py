"""The trade with SMS: what a message to a number costs, and where it may go.

a number ──► countries: where it belongs ──► country_rules: may it be sent there ──► country_caps: how many more
"""
