"""The trade with SMS: what a message to a number costs.

a number ──► countries: where it belongs
a message with a sender ──► approved_senders: those of its owner ──► senders: the one for this country, and why
                            number_countries: where letters are refused ──┘
"""
