"""Questions about a pool that stays in its files: all models of a round in one pass over it."""
