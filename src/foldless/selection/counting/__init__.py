"""How many rows of each class a pool has: `quantify`, and its result."""
