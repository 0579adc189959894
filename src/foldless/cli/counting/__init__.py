"""``foldless quantify``: the command, and its words."""
