"""How fast it is, as ratios against named peers that are measured in the same run."""
