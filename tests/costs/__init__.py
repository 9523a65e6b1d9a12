"""Tests of traffic and the costs of routes."""
