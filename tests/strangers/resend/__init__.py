"""Resend's own clients for Node and Python, and Svix's, against the door at /doors/resend."""
