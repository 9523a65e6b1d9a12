"""Brands: how pages and mails get the dress of their owner.

    brands ──► dressing.dress_of ──► Dress (core/http/dress.py) ──► pages (core/http/html.py)
                                                               ──► letters: the HTML part of a mail

An owner has one brand at most. Who has none gets the neutral pages, and mails without an HTML part.
"""
