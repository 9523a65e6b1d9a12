"""Rates of messages and the waits for them, which projects, countries and receivers share.

messages of a claim ──► send_rate: buckets in Redis ──► how many go now
                                                   └──► waits: when the others are looked at again
"""
