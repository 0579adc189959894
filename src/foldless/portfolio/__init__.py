"""The default candidates: models that have a name, with their grids and the preparation of their columns."""
