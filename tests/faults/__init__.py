"""`make faults`: a Sending Project under fire, against a provider that remembers everything."""
