"""How time, memory and traffic grow: pools beyond memory, many classes, clusters."""
