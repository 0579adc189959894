"""The kernel of mixture weights."""
