"""Criteria that ask in rounds, and ask the better candidates more often."""
