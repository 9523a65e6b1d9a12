"""Direct messages and trials at work.

messages ── a job of their channel ──► dispatch: claims what is due ──► engine/sending ──► outcomes, with refunds
                                          │                                │
   claims: SQL; a dead worker's messages ◄┘    claim: what the core asks ◄─┘  items: one message, as it is handed over
   due_floor: where the next look begins                                      attachments: the files of an email

withheld_links, withheld_codes: the parts of a text that are for its recipient alone, and are not stored

new_messages: charged and queued in one statement     service_messages: those that this service sends for an owner
"""
