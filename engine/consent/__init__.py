"""Consent: which contacts want the messages of which topics, and the proof of it.

    request, form, page, link ──► changes.apply ──► topic_subscriptions   what holds now
                                                ──► consent_entries       what has happened; never changed
                                                ──► event_inbox           what webhooks and feeds tell

A withdrawal stands until the person takes it back, or the owner shows evidence. A project with an audience of topics
asks for the subscription when its recipients are made, and again in the statement that records the intent to send.
"""
