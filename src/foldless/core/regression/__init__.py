"""Values in place of classes."""
