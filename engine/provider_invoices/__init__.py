"""Invoices of providers: their lines are compared with the messages that the route took.

createProviderInvoice ── a job ──► comparing.py, under a lease, in turns with imports
     reading     engine/file_parsers/invoice_rows, in a process of its own ──► provider_invoice_lines
     comparing   matching.py finds the message of each line, a page at a time; costs/lists.py says what it costs. The
                 line loses its phone
     missing     the messages of the period that no line bills, a day of their creation at a time
     summing     the sums; matched lines go
                                                     ──► exports/invoice_source.py: the differences

Each page is one transaction with the place to go on from, so a worker that takes over ends with the same result.
"""
