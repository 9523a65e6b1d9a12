"""Mails to users about themselves, by the installation's own email routes. No account is charged for them.

    own login: email changed, or user deleted ──► user_undos: the old address is kept for 72 hours ─┐
    administrator: email, roles, status ──► user_notices ◄───────────────────────────────────────────┘
    invitations of users and of members ──────────┤  (their links: invitations.py)
                                                 │
                 a job: notices.py ──► mails.hand_over ──► the first email route that takes it
    a forgotten password: engine/direct/password_mail.py ──┘

A round queues again the mails that no route has taken. The tokens in links are made of a row's id and a signature
(`row_tokens.py`), so no token is stored.
"""
