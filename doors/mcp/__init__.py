"""MCP, the door for agents (Model Context Protocol, revisions 2026-07-28 and those of 2024 and 2025).

POST /mcp ──► envelope.py: one JSON-RPC message, its revision, headers that equal the body
                 │
              server.py: initialize · ping · server/discover · tools/list · tools/call
                 │                                          │            │
              catalog.py: 15 tools, each an operation ◄─────┘            │
              tool.py:    names, schemas, permission of a tool           │
              calls.py:   arguments ──► the operation ──► short answer ◄─┘
                            │
              runtime/repeated_calls.py: what sends is not sent twice

Nothing is remembered between two requests: there is no session.
"""
