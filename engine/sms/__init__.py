"""The trade with SMS: what a message to a number costs, where it may go, and by which route.

a number ──► countries: where it belongs ──► country_rules: may it be sent there ──► country_caps: how many more
                                        ├──► price_books: the price of the longest prefix, by the list that holds
a message with a sender ──► approved_senders: those of its owner ──► senders: the one for this country, and why
                            number_countries: where letters are refused ──┘
a worker with it ──► route_rules: rules, made routes and what is off, as of this second ──► routing: routes in order
"""
