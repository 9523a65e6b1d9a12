"""Sends messages to people through a product while its processes and its provider fail, and counts what each got.

    people.py      the people of a run, made from the seed
    provider/      the provider (SMTP, SMPP, HTTP): it answers badly on purpose, and records what it accepted
    adapters/      one file a product: how it is started, how a message is submitted, what it says of each
    processes.py   the product's processes, which are started again as an init system would do it
    faults.py      which fault happens when, made from the seed
    run.py         one run, from the start of the product until it is quiet
    counter.py     the verdict on each person
    report.py      the table

It imports nothing of Postern, which is one of the products.
"""
