"""How results fit a terminal."""
