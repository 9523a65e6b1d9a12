"""Traffic and costs: what messages were charged, and what the providers of their routes take for them.

messages, message_records ── changed since ──► traffic.py: hours that are due ── counted anew ──► traffic
                                                    ▲
route_costs, price_list_versions ── lists.py: the cost of a part, by route, time and number
"""
