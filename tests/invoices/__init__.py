"""Tests of providers' invoices."""
