"""The trade with SMS: what a message to a number costs, and where it may go.

a number ──► countries: where it belongs ──► country_rules: may it be sent there ──► country_caps: how many more
                                        ├──► price_books: the price of the longest prefix, by the list that holds
a message with a sender ──► approved_senders: those of its owner ──► senders: the one for this country, and why
                            number_countries: where letters are refused ──┘
"""
