"""Sending that is shaped by the providers of mailboxes: by sending domain and class of provider (decision 0125).

receiver_rules ── each second ──► rules.py: the rules, pauses and classes of domains that this process has
claimed messages ──► admission.py: how many of each provider may go now ──► engine/sending ──► answers of providers
                        │ the others wait with a reason, outside of every claim                    │
                        ▼                                                                          ▼
                   connections · rate · warm-up                          policy refusals in a row ──► receiver_pauses

Without a rule a message costs a look into an empty set.
"""
