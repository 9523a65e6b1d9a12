"""Clicks on the links of projects' emails, for owners who have them counted.

    content of a project ──► links.counted: constant links ──► click_links (a row a target)
                                   │ the token of each stands in the text, behind a variable
                                   ▼
    rendering of a message ──► links.url: the value of the variable, with the token of the message
                                   │
    GET /l/… ──► resolvers/clicks: 302 at once ──► recorder: who asked? ──► group commit ──► clicks, counts of links
                                                   agents.py, GPC, limits                └─► event message.clicked

The target stands in the row and not in the address, so nobody can make a link of ours lead elsewhere. Texts as they are
stored, previews and histories have the links as they were written.
"""
