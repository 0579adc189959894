"""Pictures of results, as matplotlib displays."""
