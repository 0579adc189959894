"""A run while it works."""
