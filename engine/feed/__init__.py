"""The event feed: what happened to an owner's objects, in an order that never changes.

an operation or a job ── same transaction ──► event_inbox ── event_feed: positions, after the commit ──► feed_events
rounds: positions that nobody waits for, progress of projects, the oldest events are deleted
inbox_floor: up to which number the inbox is empty for good
event_watch: wakes those who follow a feed
stored_events: the SQL that reads events, of which those of messages stay where the triggers have written them
event_data: fills in what the triggers leave out of a message's event
"""
