"""Rates of messages and the waits for them, which projects, countries and receivers share.

send_rate   buckets in Redis, asked for many messages at once
waits       when the messages beyond a limit are looked at again
"""
