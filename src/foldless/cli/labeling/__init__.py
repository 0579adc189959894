"""``foldless app`` and ``foldless suggest``: which rows to label, and a page to do it."""
