"""Chains: messages that are tried by one channel after the other (docs/chains.md).

POST /messages with `chain` ── one statement ──► the head, which is never sent · the chain · its first step
                                                                              │
   a step is a message like any other ──► engine/direct ──► outcomes, reports, refunds
                                             │ trigger
   message_chains.due_at ──► stepper ◄── chain_signals: a step has another state
                                │
   decide ──► cancel: what is still queued · beginning: the next step, charged · heads: what is visible

All of it is rows: a worker that dies leaves nothing half done, and any other one goes on.
"""
