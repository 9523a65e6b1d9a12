"""Messages that recipients write to us.

a channel's message ──► inbound_messages: whose conversation is it? ──► replies: to which message of a project?
a user's engine posts a reply ─────────────────────────────────────┬──► replies
                                                                   └──► direct_replies: to a direct message
stop_words: a reply of one of these words blocks its sender, or takes that back
"""
