"""Providers that are never killed and write down what took effect, each in a process of its own.

`python -m tests.faults.providers KIND LOG HONOURS SEED TROUBLE` prints the port. KIND is `http`, `smtp` or `smpp`. Each
effect is a line of LOG, `key message-id recipient body-hash` (`-` where the protocol has none). TROUBLE is the share of
messages that the provider spoils in one of the ways of `Trouble`. Where it leaves the sender in doubt whether a message
was taken, it adds a line to LOG.doubts for each message that may be concerned. With HONOURS it drops a message whose
key it has seen, and gives the answer of the first one; only HTTP has keys.
"""
