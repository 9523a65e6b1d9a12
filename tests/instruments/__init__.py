"""Every fault asserts what the instruments say of it: doctor, alert rules, the console's System page and the log.

    python -m tests.instruments [--only "Redis hangs"] [--debian]     `make instruments`

    faults.py: what is broken, and the words by which each instrument must name it
    world.py:  an API process and a worker behind relays, a provider, Prometheus with docs/alerts/postern.yml
    read.py:   what each instrument says

An instrument that names the cause within a minute passes. What it says besides, and no table of the fault allows, is a
false alarm. The result is a table: fault and instrument, with the seconds until the cause was named.
"""
