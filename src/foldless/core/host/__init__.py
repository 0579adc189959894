"""What the machine offers, and what to do where it offers less."""
