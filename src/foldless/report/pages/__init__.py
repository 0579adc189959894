"""Results as HTML pages, each one self-contained file."""
