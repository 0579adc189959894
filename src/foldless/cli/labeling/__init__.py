"""``foldless suggest``: the command."""
